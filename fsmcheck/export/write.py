"""A spec as a model for another model checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.export.build import build
from fsmcheck.export.identifiers import legal
from fsmcheck.export.model import Model
from fsmcheck.export.questions import Asked, Key, Language, asked, key_of, place_of, why_not
from fsmcheck.export.refusal import ExportError
from fsmcheck.export.whole_numbers import WholeNumbers
from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.obligations.plan import plan
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import domains
from fsmcheck.system.system import System
from fsmcheck.system.translate import translate


@dataclass(frozen=True, slots=True)
class Exported:
    """The text of a model; for TLA+ also the name of the module and the configuration file for TLC."""

    text: str
    module: str | None = None
    configuration: str | None = None


def export(
    spec: Spec,
    profile: str,
    language: Language,
    places: Sequence[str] = (),
    bound: int | None = None,
    module: str | None = None,
) -> Exported:
    """Write the transition system of a spec with the questions at some places, or with all that can be put.

    ``bound`` limits whole numbers and sizes to its either side; it is needed where a question depends on one.
    ``module`` names a module of TLA+, by default after the spec.

    Raises:
        ExportError: there is nothing at a place, the language cannot put the question, or there is no bound.
    """
    system = translate(spec, profile)
    return rendered(posed(spec, system, language, places, bound), language, module)


def posed(spec: Spec, system: System, language: Language, places: Sequence[str], bound: int | None) -> Model:
    """The system of a spec with questions, as for ``export``, as a model that is not written yet."""
    chosen = asked(spec, system, language, places)
    reasons = _beyond(system, chosen, bound)
    if places and reasons:
        place, reason = next(iter(reasons.items()))
        raise ExportError(f'"{place}" {reason}')
    unasked = {} if places else _unasked(spec, system, language, reasons)
    possible = [each for each in chosen if each.place not in reasons]
    return build(system, domains(spec), possible, bound, unasked)


def machine_alone(
    spec: Spec, profile: str, language: Language, bound: int | None = None, module: str | None = None
) -> Exported:
    """The transition system without any question, and so without bookkeeping. Raises as ``export`` does."""
    system = translate(spec, profile)
    _beyond(system, (), bound)
    return rendered(build(system, domains(spec), (), bound, {}), language, module)


def rendered(model: Model, language: Language, module: str | None = None) -> Exported:
    """A model in a language."""
    match language:
        case Language.PROMELA:
            from fsmcheck.export import promela

            return Exported(promela.render(model))
        case Language.SMV:
            from fsmcheck.export import smv

            return Exported(smv.render(model))
        case Language.TLA:
            from fsmcheck.export import tla

            name = legal(module or model.title, "machine")
            return Exported(tla.render(model, name), name, tla.configuration(model))


def _beyond(system: System, chosen: Sequence[Asked], bound: int | None) -> dict[str, str]:
    """The places whose questions cannot be put for the whole numbers in them, with the reason."""
    numbers = WholeNumbers(system)
    if numbers.of_machine is not None:
        if bound is None:
            raise ExportError(
                f'what the machine does depends on the whole number (or size) "{numbers.of_machine}": '
                "say with --integers N how far to look"
            )
        return {each.place: _ENDS_BOUNDED for each in chosen if each.question is Question.ENDS}
    if bound is not None:
        return {}
    places: dict[Key | None, str] = {each.key: each.place for each in chosen}
    found: dict[str, str] = {}
    for step in system.steps:
        for event in step.events:
            place = places.get(key_of(event))
            if place is not None and place not in found and numbers.of_event(event):
                found[place] = _NEEDS_BOUND
    return found


_NEEDS_BOUND = "depends on whole numbers or sizes: say with --integers N how far to look"
_ENDS_BOUNDED = "asks whether every run can still end, of which whole numbers within a bound tell nothing"


def _unasked(spec: Spec, system: System, language: Language, beyond: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What no question is made of, by reason."""
    found: dict[str, list[str]] = {}
    for obligation in plan(spec, system, system.profile):
        place = place_of(obligation)
        reason = why_not(QUESTIONS[obligation.rule], language) or beyond.get(place)
        if reason is not None:
            found.setdefault(reason, []).append(place)
    return {reason: tuple(places) for reason, places in found.items()}
