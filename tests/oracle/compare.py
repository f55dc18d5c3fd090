"""Product against oracle: verdict by verdict, and on the sets of reachable configurations."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fsmcheck.cel.types import Kind
from fsmcheck.diagnostics import Subject
from fsmcheck.spec.model import Spec
from tests.oracle.brute import RULES, Result, Verdict, explore
from tests.oracle.expressions import NotCoveredError
from tests.oracle.generate import FAMILIES, generate, load_valid
from tests.oracle.machine import Profile

Decisions = Mapping[tuple[str, Subject], tuple[str, str]]
"""For each obligation the product's word (``proved``, ``violated``, ``unknown``) and its reason."""
VerdictsOf = Callable[[Spec, str], Decisions]
ENGINES_EVERY = 10
SLOW = 15
"""Seconds after which a spec is named as slow."""
ANY = object()
"""A component of an abstract store that the product does not track."""


@dataclass(frozen=True, slots=True)
class Outside:
    """A component that stands for every non-empty text but these."""

    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reach:
    """The product's reachable (state, abstract store), each with the fewest exchanges (None: not known).

    A store has one component a field, in the order of the spec: a text as ``""``, a literal or ``"*"``; a list or
    map as its size (saturated or not); a boolean, enum or number as itself, None where empty; or ``ANY``.
    """

    depths: Mapping[tuple[str, tuple[object, ...]], int | None]
    complete: bool = True


ReachableOf = Callable[[Spec, str], "Reach | None"]
ComplaintsOf = Callable[[Spec, str, Sequence[tuple[str, Subject]]], Iterable[tuple[str, Subject, str]]]
"""What the engines one by one say against the violations that brute force found."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A disagreement. ``kind``: ``unsound`` (proved, yet it fails), ``wrong`` (violated, yet it holds),
    ``missing`` (it fails and no obligation asks), ``unreached`` (a reachable configuration is missing),
    ``deeper`` (it is reached later than it can be), ``engine`` (one engine denies it), ``crash``."""

    kind: str
    seed: int | None
    profile: str
    rule: str
    subject: Subject
    detail: str

    def __str__(self) -> str:
        place = " ".join(f"{key}={value}" for key, value in self.subject.as_dict().items())
        return f"{self.kind}: seed {self.seed} {self.profile} {self.rule} {place} {self.detail}".rstrip()


@dataclass
class Tally:
    """Counts over many specs. ``pairs`` counts (rule, oracle's verdict, product's word)."""

    specs: int = 0
    incomplete: int = 0
    not_covered: int = 0
    broken: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    imprecise: int = 0
    engines: int = 0
    elsewhere: int = 0
    slow: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def as_data(self) -> dict[str, object]:
        """The counts as plain data, for a report that crosses processes; the failures are only counted."""
        return {
            "counts": [self.specs, self.incomplete, self.not_covered, self.imprecise, self.engines, self.lost],
            "broken": dict(self.broken),
            "pairs": [[*pair, count] for pair, count in self.pairs.items()],
            "slow": self.slow,
        }

    def add(self, data: dict[str, Any]) -> None:
        """Take in the counts of another."""
        specs, incomplete, not_covered, imprecise, engines, lost = data["counts"]
        self.specs += specs
        self.incomplete += incomplete
        self.not_covered += not_covered
        self.imprecise += imprecise
        self.engines += engines
        self.elsewhere += lost
        self.broken.update(data["broken"])
        self.pairs.update({(rule, verdict, word): count for rule, verdict, word, count in data["pairs"]})
        self.slow += data["slow"]

    @property
    def lost(self) -> int:
        """The number of disagreements."""
        return len(self.failures) + self.elsewhere

    def table(self) -> str:
        """Rules against outcomes, one rule a line."""
        columns = {
            "both fail": (("fails", "violated"),),
            "both hold": (("holds", "proved"), ("not-asked", "proved")),
            "unknown": tuple((verdict.value, "unknown") for verdict in Verdict),
            "unknown, fails": (("fails", "unknown"),),
            "unknown, holds": (("holds", "unknown"),),
            "unsettled": (("unsettled", "proved"), ("unsettled", "violated")),
            "oracle incomplete": (("incomplete", "proved"), ("incomplete", "violated")),
        }
        lines = [f"{'rule':8}{'specs broken':>14}" + "".join(f"{name:>19}" for name in columns)]
        for rule in RULES:
            cells = [sum(self.pairs[rule, *pair] for pair in pairs) for pairs in columns.values()]
            lines.append(f"{rule:8}{self.broken[rule]:>14}" + "".join(f"{cell:>19}" for cell in cells))
        lines.append(
            f"{self.specs} specs, {self.incomplete} not exhausted, {self.not_covered} not covered, "
            f"{self.imprecise} abstract configurations that no run reaches, {self.lost} disagreements, "
            f"engines compared on {self.engines}"
        )
        if self.slow:
            lines.append(f"more than {SLOW} s: {', '.join(map(str, sorted(self.slow)))}")
        return "\n".join(lines)

    def never_broken(self) -> list[str]:
        return [rule for rule in RULES if not self.broken[rule]]

    def never_found(self) -> list[str]:
        """The rules that product and oracle never saw broken together."""
        return [rule for rule in RULES if not self.pairs[rule, "fails", "violated"]]


def profile_of(seed: int) -> Profile:
    """Both profiles for each family, alternating."""
    return list(Profile)[seed // len(FAMILIES) % 2]


def run_seed(
    seed: int,
    tally: Tally,
    verdicts_of: VerdictsOf | None,
    reachable_of: ReachableOf | None,
    complaints_of: ComplaintsOf | None = None,
) -> None:
    """Generate the spec of a seed and compare; the engines one by one on every tenth."""
    spec = load_valid(generate(seed))
    assert spec is not None
    began = time.monotonic()
    engines = complaints_of if seed % ENGINES_EVERY == 3 else None
    compare(spec, profile_of(seed), tally, verdicts_of, reachable_of, seed, engines)
    if time.monotonic() - began > SLOW:
        tally.slow.append(seed)


def compare(
    spec: Spec,
    profile: Profile,
    tally: Tally,
    verdicts_of: VerdictsOf | None,
    reachable_of: ReachableOf | None = None,
    seed: int | None = None,
    complaints_of: ComplaintsOf | None = None,
) -> None:
    """Hold the product's verdicts and reachable set on one spec against the oracle's; results go to the tally."""
    tally.specs += 1
    try:
        result = explore(spec, profile)
    except NotCoveredError:
        tally.not_covered += 1
        return
    tally.incomplete += not result.complete
    tally.broken.update({rule for rule, _ in result.failing()})
    if verdicts_of is not None:
        try:
            decisions = verdicts_of(spec, profile.value)
        except Exception as error:  # noqa: BLE001 - a crash of the product is a finding, the run goes on
            tally.failures.append(Failure("crash", seed, profile.value, "", Subject(), repr(error)))
        else:
            tally.failures.extend(_verdicts(result, decisions, tally, seed))
    reach = reachable_of(spec, profile.value) if reachable_of is not None else None
    if reach is not None:
        tally.failures.extend(_reachable(result, reach, tally, seed))
    if complaints_of is not None:
        tally.engines += 1
        failing = sorted(result.failing(), key=lambda key: (key[0], key[1].sort_key()))
        for rule, subject, text in complaints_of(spec, profile.value, failing):
            tally.failures.append(Failure("engine", seed, profile.value, rule, subject, text))


def _verdicts(result: Result, decisions: Decisions, tally: Tally, seed: int | None) -> Iterable[Failure]:
    profile = result.profile.value
    for (rule, subject), (word, reason) in decisions.items():
        if rule not in RULES:
            continue
        verdict = result.verdict(rule, subject)
        tally.pairs[rule, verdict.value, word] += 1
        if word == "proved" and verdict is Verdict.FAILS:
            yield Failure("unsound", seed, profile, rule, subject, reason)
        elif word == "violated" and verdict in (Verdict.HOLDS, Verdict.NOT_ASKED):
            yield Failure("wrong", seed, profile, rule, subject, f"oracle: {verdict.value}; {reason}")
    for rule, subject in sorted(result.failing() - decisions.keys(), key=lambda key: (key[0], key[1].sort_key())):
        yield Failure("missing", seed, profile, rule, subject, "")


def _reachable(result: Result, reach: Reach, tally: Tally, seed: int | None) -> Iterable[Failure]:
    found: dict[tuple[str, tuple[object, ...]], int | None] = {}
    for (state, store), depth in reach.depths.items():
        key = (state, normalised(result, store))
        found[key] = min((known for known in (depth, found.get(key)) if known is not None), default=None)
    loose = [(state, store, depth) for (state, store), depth in found.items() if any(map(_is_loose, store))]
    profile = result.profile.value
    covered = set()
    for (state, store), depth in result.reachable.items():
        depths = [known for known in (found.get((state, store), ANY),) if known is not ANY]
        depths += [known for other, pattern, known in loose if other == state and _covers(pattern, store)]
        if not depths:
            if reach.complete:
                yield Failure("unreached", seed, profile, "", Subject(state=state), f"{store} after {depth}")
            continue
        covered.add((state, store))
        if all(isinstance(known, int) and known > depth for known in depths):
            yield Failure("deeper", seed, profile, "", Subject(state=state), f"{store} after {depth}, not {depths}")
    if result.complete:
        tally.imprecise += sum(key not in covered and not any(map(_is_loose, key[1])) for key in found)


def _covers(pattern: tuple[object, ...], store: tuple[object, ...]) -> bool:
    return all(_stands_for(part, value) for part, value in zip(pattern, store, strict=True))


def _is_loose(part: object) -> bool:
    return part is ANY or isinstance(part, Outside)


def _stands_for(part: object, value: object) -> bool:
    if isinstance(part, Outside):
        return value != "" and value not in part.texts
    return part is ANY or part == value


def normalised(result: Result, store: tuple[object, ...]) -> tuple[object, ...]:
    """A store of the product in the oracle's terms: texts that are compared with nothing become ``*``, and sizes
    are cut where the oracle cuts them."""
    domains = result.domains
    parts: list[object] = []
    for slot, value in enumerate(store):
        kind = result.program.types[slot].kind
        if _is_loose(value):
            parts.append(value)
        elif kind is Kind.STRING:
            known = domains.reading.compared_texts(domains.reading.group(slot))
            parts.append(value if value == "" or value in known else "*")
        elif kind in (Kind.LIST, Kind.MAP):
            parts.append(min(int(value), domains.length_kept(slot)))  # type: ignore[call-overload]
        else:
            parts.append(value)
    return tuple(parts)
