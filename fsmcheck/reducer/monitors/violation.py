"""What a monitor finds on a concrete run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.reducer.json_values import JsonValue, to_json
from fsmcheck.reducer.monitors.ledger import Ledger
from fsmcheck.reducer.store import Store


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of a rule at one moment of a run.

    ``step`` is 0 for the start and n for the n-th exchange; ``microstep`` the 0-based index in that step's
    advance, None where the breach is no part of one. ``detail`` is JSON data for telling the story: ``step``,
    ``microstep``, ``reason`` (one of a few fixed words) and ``fields``, each with ``field``, ``value``, and
    ``origin``, ``givenIn`` (a step) and ``agent``: where that value came from.
    """

    rule: str
    subject: Subject
    step: int
    microstep: int | None
    detail: Mapping[str, JsonValue] = field(hash=False)


def violation(
    rule: str,
    subject: Subject,
    step: int,
    microstep: int | None,
    reason: str,
    fields: Iterable[dict[str, JsonValue]] = (),
    **more: JsonValue,
) -> Violation:
    """A violation with its detail put together."""
    detail: dict[str, JsonValue] = {"step": step, "microstep": microstep, "reason": reason, "fields": list(fields)}
    return Violation(rule, subject, step, microstep, {**detail, **more})


def history(name: str, store: Store, ledger: Ledger) -> dict[str, JsonValue]:
    """A field's value in ``store`` and where it came from."""
    origin = ledger.origins[name]
    return {
        "field": name,
        "value": to_json(store[name]),
        "origin": origin.kind,
        "givenIn": origin.step,
        "agent": origin.agent,
    }


def histories(names: Iterable[str], store: Store, ledger: Ledger) -> list[dict[str, JsonValue]]:
    """The histories of several fields, in declared order."""
    wanted = set(names)
    return [history(name, store, ledger) for name in store if name in wanted]
