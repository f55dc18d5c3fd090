"""The guard matrix of generated specs against the independent evaluator and exhaustive small domains."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import prod

import pytest

from fsmcheck.outline import GuardMatrix
from fsmcheck.outlining.build import build
from fsmcheck.outlining.classes import filled
from fsmcheck.outlining.outcomes import matrix_fields, outcome_terms, outcomes, taken
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.fitting import UnfitError, staged
from fsmcheck.reducer.guards import search
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.reducer.store import Store as Stored
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from tests.oracle.domains import Domains, guard_values
from tests.oracle.expressions import NotCoveredError, Store, is_set
from tests.oracle.generate import generate, load_valid
from tests.oracle.program import Place, Program, bits, truth
from tests.system.abstraction import possible

SEEDS = range(24)
MOST = 300
PROFILES: tuple[Profile, ...] = ("gated", "eager")


@cache
def drawn(seed: int) -> tuple[Spec, Program, Domains] | None:
    spec = load_valid(generate(seed))
    assert spec is not None
    try:
        program = Program(spec)
        return spec, program, Domains(program)
    except NotCoveredError:
        return None


@cache
def matrices(seed: int, profile: Profile) -> tuple[GuardMatrix, ...]:
    known = drawn(seed)
    return build(known[0], profile).matrices if known else ()


def brute(place: Place, store: Store, profile: Profile) -> tuple[str, ...]:
    """What each transition comes to, by the oracle's evaluator and the words of the semantics."""
    met = all(is_set(store[slot]) for slot in bits(place.requires))
    found: list[str] = []
    for move in place.moves:
        truths = (truth(guard, store) for guard in move.guards)
        failed = next((value for value in truths if value is not True), True)
        if not move.guards and profile == "eager" and not met:
            failed = False
        found.append({True: "true", False: "false", None: "error"}[failed])
    return tuple(found)


def cases(profile: Profile) -> Iterator[tuple[Spec, Program, Domains, Place, GuardMatrix]]:
    for seed in SEEDS:
        known = drawn(seed)
        for each in matrices(seed, profile):
            assert known is not None
            spec, program, small = known
            yield spec, program, small, program.places[program.state_numbers[each.state]], each


def oracle_store(program: Program, context: Mapping[str, object]) -> Store:
    def plain(value: object) -> object:
        if isinstance(value, list):
            return tuple(map(plain, value))
        if isinstance(value, dict):
            return frozenset((key, plain(item)) for key, item in value.items())
        return float("nan") if value == "NaN" else value

    return tuple(
        program.fitted(slot, plain(context[name])) if name in context else program.empties[slot]
        for slot, name in enumerate(program.names)
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_every_column_is_what_the_oracle_finds_in_its_context(profile: Profile) -> None:
    seen: set[str] = set()
    for _, program, _, place, found in cases(profile):
        vectors = [each.outcomes for each in found.columns]
        assert len(set(vectors)) == len(vectors)
        for each in found.columns:
            assert brute(place, oracle_store(program, each.context), profile) == each.outcomes, (found.state, each)
            enabled = [number for number, outcome in enumerate(each.outcomes) if outcome == "true"]
            assert each.taken == (enabled[0] if enabled else None)
            assert each.overlap == (len(enabled) > 1)
            seen |= set(each.outcomes) | {f"{each.reachable}", "overlap" if each.overlap else ""}
    assert seen >= {"true", "false", "error", "overlap", "True", "False"}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_context_falls_into_a_column(profile: Profile) -> None:
    checked = 0
    for spec, program, small, place, found in cases(profile):
        fields = matrix_fields(spec, spec.state_by_name[found.state], profile)
        assert fields == found.fields
        if found.omitted or not found.complete:
            continue
        known = {each.outcomes for each in found.columns}
        slots = [program.slots[name] for name in fields]
        for values in _combinations([guard_values(program, small, slot) for slot in slots]):
            store = list(program.empties)
            for slot, value in zip(slots, values, strict=True):
                store[slot] = value
            needed = [slot for slot in bits(place.requires) if slot in slots] if profile == "gated" else []
            if all(is_set(store[slot]) for slot in needed):
                assert brute(place, tuple(store), profile) in known, (found.state, store)
                checked += 1
    assert checked > 1_000


def _combinations(values: list[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    if prod(map(len, values)) <= MOST:
        yield from product(*values)
        return
    rng = random.Random(7)
    for _ in range(MOST):
        yield tuple(rng.choice(each) for each in values)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_abstraction_admits_every_column(profile: Profile) -> None:
    for seed in list(SEEDS)[:20]:
        known = drawn(seed)
        if known is None:
            continue
        spec = known[0]
        layout = Layout(spec, domains(spec))
        for found in matrices(seed, profile):
            state = spec.state_by_name[found.state]
            terms = outcome_terms(layout, state, profile)
            for each in found.columns[:6]:
                store = _stored(spec, each.context)
                if store is None:
                    continue
                assert outcomes(state, store, profile) == each.outcomes
                if profile == "gated":
                    store = _completed(spec, store, state.name.text)
                assert possible(terms.admits(each.outcomes), layout, store, terms.choices), (seed, found.state, each)


def _stored(spec: Spec, context: Mapping[str, object]) -> Stored | None:
    try:
        given = {name: value for name, value in context.items() if is_set(_hashable(value))}
        return filled(spec, {name: staged(spec.field_by_name[name].type, value) for name, value in given.items()})
    except UnfitError:
        return None  # a value that only an action computes


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list | dict) else value


def _completed(spec: Spec, store: Stored, state: str) -> Stored:
    """The store with what the state requires, as it is when guards are evaluated."""
    program = Program(spec)
    small = Domains(program)
    more: dict[str, object] = {}
    for requirement in spec.state_by_name[state].requires:
        name = requirement.field.text
        if not store.is_set(name):
            value = guard_values(program, small, program.slots[name])[1]
            more[name] = staged(spec.field_by_name[name].type, _json(value))
    return store.updated(more)  # type: ignore[arg-type]


def _json(value: object) -> object:
    if isinstance(value, frozenset):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("profile", PROFILES)
def test_no_run_comes_to_a_context_that_is_said_to_be_out_of_reach(profile: Profile) -> None:
    """Random walks; a column out of reach that one comes to would be a wrong statement."""
    met = 0
    for seed in SEEDS:
        known = drawn(seed)
        if known is None:
            continue
        spec, program, small = known
        excluded = {
            (m.state, each.outcomes) for m in matrices(seed, profile) for each in m.columns if each.reachable is False
        }
        rng = random.Random(seed)
        for _ in range(12):
            for state, store in _walk(spec, program, small, profile, rng):
                vector = outcomes(spec.state_by_name[state], store, profile)
                assert (state, vector) not in excluded, (seed, state, vector)
                assert taken(vector) == search(spec.state_by_name[state], store, profile).enabled
                met += 1
    assert met > 500


def _walk(
    spec: Spec, program: Program, small: Domains, profile: Profile, rng: random.Random
) -> Iterator[tuple[str, Stored]]:
    def some(name: str) -> object:
        return _json(rng.choice(guard_values(program, small, program.slots[name])[1:]))

    step = start(spec, {name: some(name) for name in spec.input_names}, profile, caps=False, microstep_limit=20)
    for _ in range(8):
        for each in step.advance.searches():
            if not (each.unmet and profile == "gated"):
                yield each.state, each.store
        at = step.configuration
        if at.status != "waiting":
            return
        requires = spec.state_by_name[at.state].requires
        agent = rng.choice(requires).agent.text
        mine = [req.field.text for req in requires if req.agent.text == agent and rng.random() < 0.8]
        writes = {name: some(name) for name in mine}
        step = exchange(spec, at, agent, writes, profile, caps=False, microstep_limit=20)
