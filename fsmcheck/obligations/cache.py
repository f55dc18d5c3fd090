"""Verdicts that an earlier check came to, and when they may be taken again.

Of the same meaning, laid out differently: everything but what was undecided. Of a spec whose guards were written
differently and decide the same, or in which only names and descriptions were changed: all that was found, see
``carry_over``. Of a spec that was changed in any other way: proofs about states whose past is the same, see
``cache_digests``, where deciding them takes more than a complete search; a violation in it is decided anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path

from fsmcheck.cache.codec import MisfitError, decoded, encoded
from fsmcheck.cache.store import Store
from fsmcheck.cache.toolkit import is_unchanged, tool_digest
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.cache_digests import digest, pasts
from fsmcheck.obligations.carry_over import carried_over, kept_for_later
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.obligation import QUESTIONS, WITNESS, Obligation, Question, Verdict
from fsmcheck.obligations.recheck import is_confirmed, is_rechecked_whole
from fsmcheck.obligations.skeleton import Digests, digests
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.results import Bounds
from fsmcheck.spec.model import Spec

_KIND = "verdict"
_CONDITION = "condition"
_SEARCH = "search"
_LOCAL = (Question.NEVER, Question.POSSIBLE, Question.OVERLAP)
"""Questions whose answer the past of their state determines; the others look at what lies behind it, too."""

_WHOLE = tuple[tuple[Verdict, ...], tuple[Obligation, ...], Bounds | None]
"""Verdicts, all obligations where some of them have none, and the figures."""

_PROOFS = tuple[Verdict, ...]

Key = tuple[str, Subject]


@dataclass
class Known:
    """What is known of one spec under one profile before anything is decided.

    ``verdicts`` may be taken as they are; ``all`` are the obligations in their order, empty where they are not known;
    ``bounds`` are known where ``all`` are.
    """

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    all: tuple[Obligation, ...] = ()
    bounds: Bounds | None = None

    @property
    def is_whole(self) -> bool:
        return bool(self.all) and all((each.rule, each.subject) in self.verdicts for each in self.all)


class Memory:
    """The verdicts in a store that this version of the tool came to."""

    def __init__(self, store: Store, tool: str) -> None:
        self._store = store
        self._tool = tool
        self._rows: dict[str, _ProofRow] = {}
        self._told: dict[tuple[int, str, Limits], tuple[Spec, Digests]] = {}

    def of_meaning(self, spec: Spec, profile: Profile, limits: Limits, rules: Iterable[str]) -> Known:
        """What is known of a spec with the same meaning, asked for the same rules: everything but what was undecided.
        (A violation was replayed when it was found; what is kept with a checksum was made by these very files.)"""
        data = self._store.get(_KIND, self._whole_key(spec, profile, limits, rules))
        try:
            kept, every, bounds = ((), (), None) if data is None else _found(data, spec)
        except MisfitError:
            return Known()
        known = {(each.obligation.rule, each.obligation.subject): each for each in kept}
        return Known(known, every, bounds)

    def of_guards(self, spec: Spec, profile: Profile, limits: Limits, rules: Iterable[str]) -> Known:
        """What is known of a spec that has the skeleton of one checked before, and whose guards decide the same as
        those did: all that was found there. Nothing where they may not, or a run does not come out the same."""
        row = self._store.get(_SEARCH, self._skeleton_key(spec, profile, limits, rules))
        data = self._store.get(_KIND, str(row.get("whole"))) if isinstance(row, dict) else None
        if data is None or not isinstance(row, dict):
            return Known()
        try:
            kept, every, bounds = _found(data, spec)
            found = carried_over(row, (kept, every), spec, profile, frozenset(rules))
        except (MisfitError, LookupError, TypeError, AttributeError, ValueError):
            return Known()
        return Known() if found is None else Known(*found, bounds)

    def keep_guards(self, case: Case, limits: Limits, rules: Iterable[str]) -> None:
        """Keep, of a case whose search is complete and whose verdicts are kept by ``keep_meaning``, what ``of_guards``
        has to know."""
        spec, profile = case.spec, case.profile
        row = {"whole": self._whole_key(spec, profile, limits, rules), **kept_for_later(case)}
        self._store.put_many(_SEARCH, {self._skeleton_key(spec, profile, limits, rules): row})

    def _skeleton_key(self, spec: Spec, profile: str, limits: Limits, rules: Iterable[str]) -> str:
        return digest("skeleton", self._tool, self._digests(spec, profile, limits).skeleton, *sorted(rules))

    def keep_meaning(
        self,
        spec: Spec,
        profile: str,
        limits: Limits,
        rules: Iterable[str],
        found: tuple[tuple[Verdict, ...], Bounds | None],
    ) -> None:
        """Keep the verdicts on a spec, in the order of the plan, and its figures."""
        verdicts, bounds = found
        kept = tuple(
            verdict if verdict.verdict == "violated" else replace(verdict, trace=None, detail=None)
            for verdict in verdicts
            if verdict.verdict != "unknown"
        )
        every = () if len(kept) == len(verdicts) else tuple(verdict.obligation for verdict in verdicts)
        row = (kept, every, bounds)
        self._put({self._whole_key(spec, profile, limits, rules): (_WHOLE, row)}, spec)

    def _whole_key(self, spec: Spec, profile: str, limits: Limits, rules: Iterable[str]) -> str:
        return digest("whole", self._tool, self._digests(spec, profile, limits).meaning, *sorted(rules))

    def _digests(self, spec: Spec, profile: str, limits: Limits) -> Digests:
        key = (id(spec), profile, limits)
        if key not in self._told:
            self._told[key] = (spec, digests(spec, profile, limits))
        return self._told[key][1]

    def proofs(self, case: Case, regime: str) -> dict[Key, Verdict]:
        """The proofs about states whose past is known. ``regime`` names how proofs are checked again."""
        keys = {state: digest("past", self._tool, regime, past) for state, past in pasts(case).items()}
        rows = self._store.get_many(_KIND, keys.values())
        found: dict[Key, Verdict] = {}
        for state, key in keys.items():
            proofs: tuple[Verdict, ...] = ()
            if key in rows:
                try:
                    proofs = decoded(_PROOFS, rows[key], case.spec.source)
                except MisfitError:
                    proofs = ()
            proofs = tuple(proof for proof in proofs if _is_local_proof(proof, state, case.profile))
            self._rows[state] = _ProofRow(key, proofs)
            found |= {(proof.obligation.rule, proof.obligation.subject): proof for proof in proofs}
        return found

    def keep_proofs(self, case: Case, verdicts: Iterable[Verdict]) -> None:
        """Keep the proofs among verdicts on a case that ``proofs`` was asked about."""
        fresh: dict[str, dict[Key, Verdict]] = {}
        for verdict in verdicts:
            state = verdict.obligation.subject.state
            if state in self._rows and _is_local_proof(verdict, state, case.profile):
                bare = replace(verdict, trace=None, detail=None)
                fresh.setdefault(state, {})[bare.obligation.rule, bare.obligation.subject] = bare
        rows = {}
        for state, found in fresh.items():
            row = self._rows[state]
            known = {(proof.obligation.rule, proof.obligation.subject): proof for proof in row.proofs}
            if not found.keys() <= known.keys():
                rows[row.key] = (_PROOFS, tuple((known | found).values()))
        self._put(rows, case.spec)

    def known_conditions(self, digests: Iterable[str]) -> frozenset[str]:
        """Which conditions of an induction (see ``conditions``) were found to hold before."""
        keys = {digest("condition", self._tool, name): name for name in digests}
        return frozenset(keys[key] for key in self._store.get_many(_CONDITION, keys))

    def keep_conditions(self, digests: Iterable[str]) -> None:
        """Keep conditions that hold."""
        self._store.put_many(_CONDITION, {digest("condition", self._tool, name): 1 for name in digests})

    def _put(self, rows: Mapping[str, tuple[object, object]], spec: Spec) -> None:
        try:
            data = {key: encoded(kind, row, spec.source) for key, (kind, row) in rows.items()}
        except (MisfitError, RecursionError):
            return
        self._store.put_many(_KIND, data)


class Recall:
    """What may be taken from a memory (None: nothing) while one spec is decided for the rules that are wanted.

    ``bounds`` are the figures where they are known.
    """

    def __init__(
        self, memory: Memory | None, spec: Spec, profile: Profile, limits: Limits, wants: Callable[[str], bool]
    ) -> None:
        self._memory = memory
        self._spec = spec
        self._asked = (profile, limits, tuple(rule for rule in QUESTIONS if wants(rule)))
        self._known = Known() if memory is None else memory.of_meaning(spec, *self._asked)
        if memory is not None and not self._known.all:
            self._known = memory.of_guards(spec, *self._asked)
        self._proofs: dict[Key, Verdict] | None = None
        self.bounds = self._known.bounds
        self._used: set[Key] = set()

    @property
    def remembers(self) -> bool:
        """Whether anything is kept for later."""
        return self._memory is not None

    @property
    def used(self) -> frozenset[Key]:
        """The obligations whose verdicts were taken."""
        return frozenset(self._used)

    def whole(self) -> tuple[tuple[Verdict, ...], Bounds | None] | None:
        """Every verdict, in the order of the plan, and the figures, where all are known."""
        if not self._known.is_whole:
            return None
        self._used |= self._known.verdicts.keys()
        return tuple(self._known.verdicts[each.rule, each.subject] for each in self._known.all), self.bounds

    def verdict(self, case: Case, obligation: Obligation) -> Verdict | None:
        """The verdict on one obligation, where it is known before anything is decided. Proofs about an unchanged past
        only where the search was cut off: with a complete one most are there at once, see ``proof``."""
        found = self._known.verdicts.get((obligation.rule, obligation.subject))
        if found is not None:
            self._used.add((obligation.rule, obligation.subject))
            return found
        return None if self._memory is None or case.whole.complete else self.proof(case, obligation)

    def proof(self, case: Case, obligation: Obligation) -> Verdict | None:
        """A proof that something holds of a state whose past is the same as when it was found. What a run showed is
        not taken where the search is complete: runs are looked for before this is asked, and whether one is found may
        hang on literals that stand elsewhere."""
        if self._memory is None or self._known.all or QUESTIONS[obligation.rule] not in _LOCAL:
            return None
        if self._proofs is None:
            self._proofs = self._memory.proofs(case, "whole" if case.whole.complete else "in slices")
        found = self._proofs.get((obligation.rule, obligation.subject))
        if found is not None and found.method == WITNESS and case.whole.complete:
            return None
        if found is not None:
            self._used.add((obligation.rule, obligation.subject))
        return found

    def known(self, digests: Iterable[str]) -> frozenset[str]:
        """Which conditions of an induction are known to hold, whatever they were part of."""
        return frozenset() if self._memory is None else self._memory.known_conditions(digests)

    def keep(self, digests: Iterable[str]) -> None:
        """Keep conditions that hold."""
        if self._memory is not None and is_unchanged():
            self._memory.keep_conditions(digests)

    def keep_verdicts(
        self, case: Case, decided: Iterable[Verdict], checked: tuple[Verdict, ...], bounds: Bounds | None
    ) -> None:
        """Keep what was decided, as it was before proofs were checked again, and after."""
        if self._memory is None or self._known.all or not is_unchanged():
            return
        self._memory.keep_meaning(self._spec, *self._asked, (checked, bounds))
        settled = is_confirmed(checked) and all(verdict.verdict != "unknown" for verdict in checked)
        if case.is_entire and is_rechecked_whole(case) and settled:
            self._memory.keep_guards(case, *self._asked[1:])
        if self._proofs is not None:
            self._memory.keep_proofs(case, decided)


@dataclass(frozen=True, slots=True)
class _ProofRow:
    key: str
    proofs: tuple[Verdict, ...]


def _found(data: object, spec: Spec) -> tuple[tuple[Verdict, ...], tuple[Obligation, ...], Bounds | None]:
    """The verdicts that were kept, all obligations, and the figures. Raises ``MisfitError``."""
    kept, every, bounds = decoded(_WHOLE, data, spec.source)
    return kept, every or tuple(verdict.obligation for verdict in kept), bounds


def _is_local_proof(verdict: Verdict, state: str, profile: str) -> bool:
    obligation = verdict.obligation
    about = obligation.subject.state == state and obligation.profile == profile
    return verdict.verdict == "proved" and about and QUESTIONS.get(obligation.rule) in _LOCAL


@contextmanager
def remembering(folder: Path | None) -> Iterator[Memory | None]:
    """The memory in a folder; None without one."""
    if folder is None:
        yield None
        return
    with Store(folder) as store:
        yield Memory(store, tool_digest(store))
