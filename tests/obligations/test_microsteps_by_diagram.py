"""The most microsteps of an advance, by diagrams: what explicit search finds where it can, and by hand where not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.family import Member, family
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import diagrams
from fsmcheck.obligations.bounds import bounds, most_microsteps
from fsmcheck.obligations.case import make_case
from fsmcheck.obligations.decide import profile_named
from fsmcheck.obligations.microsteps_by_diagram import most_by_diagram
from fsmcheck.spec.load import load_path
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid

SPECS = Path(__file__).parents[2] / "specs"
FORM = 14
"""Fields of three values, all read in the end: three to the fourteenth configurations and more."""


def test_as_explicit_search_finds() -> None:
    met: Counter[int | None] = Counter()
    for seed in range(150):
        spec = load_valid(generate(seed))
        if spec is None:
            continue
        case = make_case(spec, profile_named(profile_of(seed).value), Limits())
        if not case.base.complete:
            continue
        expected, found = most_microsteps(case), most_by_diagram(case)
        # The one tries a single run, the other some of those to the configurations that such an advance begins in.
        assert expected is None or found == expected, seed
        met[found] += 1
    assert len(met) > 3
    assert min(met[0], met[1], met[2]) > 3


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_specs(path: Path) -> None:
    for document in load_path(str(path)):
        if document.spec is not None:
            case = make_case(document.spec, "gated", Limits())
            assert most_by_diagram(case) == most_microsteps(case)


def form(flags: int) -> str:
    """All fields are asked for at once; then as many states as there are flags are passed through, unless one is not
    set."""
    fields = [f"f{number}" for number in range(FORM)]
    lines = [
        "fsm:",
        "  name: form",
        "  initialState: ask",
        "  context:",
        *(f"    {name}: {{ type: enum, values: [a, b, c] }}" for name in fields),
        "  agents: { ann: { canTransition: [ask] } }",
        "  states:",
        "    ask:",
        f"      requires: [{', '.join(f'{{ name: {name}, from: {{ agent: ann }} }}' for name in fields)}]",
        "      transitions: [{ toState: pass0 }]",
    ]
    for number in range(flags):
        guard = f"{{ backend: cel, expression: \"context.f{number} == 'a' && context.f{FORM - 1} == 'b'\" }}"
        following = f"pass{number + 1}" if number + 1 < flags else "done"
        lines += [
            f"    pass{number}:",
            f"      transitions: [{{ toState: {following}, guards: [{guard}] }}, {{ toState: refused }}]",
        ]
    return "\n".join([*lines, "    refused: { terminal: true }", "    done: { terminal: true }"]) + "\n"


@pytest.mark.parametrize("flags", [1, 5])
def test_a_form_of_many_fields(flags: int) -> None:
    """Out of ``ask``, and then through each state in turn."""
    spec = load_valid(form(flags))
    assert spec is not None
    case = make_case(spec, "gated", Limits())
    assert not case.base.complete
    assert bounds(case).most_microsteps == 1 + flags


def test_a_family_of_many() -> None:
    small, large = (load_valid(family(Member(2, 4, flags, 4))) for flags in (1, 8))
    assert small is not None
    assert large is not None
    few, many = (make_case(spec, "gated", Limits()) for spec in (small, large))
    assert (few.base.complete, many.base.complete) == (True, False)
    assert most_microsteps(many) == most_microsteps(few) is not None


@pytest.mark.parametrize("faulty", [False, True])
def test_figures_of_the_unsliced_system_and_of_the_machine_alone(faulty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_valid(family(Member(2, 4, 8, 3, faulty=faulty)))
    assert spec is not None
    case = make_case(spec, "gated", Limits())
    assert case.diagrams.for_figures() is case.diagrams.whole()
    monkeypatch.setattr(diagrams, "SMALL", 0)
    other = make_case(spec, "gated", Limits())
    assert other.diagrams.for_figures() is other.diagrams.base()
    assert case.diagrams.counts_of_machine() == other.diagrams.counts_of_machine()
    assert bounds(case) == bounds(other)


def test_searches_that_do_not_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_valid(form(1))
    assert spec is not None
    case = make_case(spec, "gated", Limits())
    searched = case.diagrams.for_figures()
    assert searched is not None
    assert searched.other is not None
    vars(searched.other)["turning"] = ([], 1)
    with pytest.raises(DisagreementError):
        most_by_diagram(case)
    vars(searched)["_other"] = None
    assert most_by_diagram(case) is None
