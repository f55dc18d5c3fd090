"""Verdicts recalled in a spec that was edited: the report is the one that a run without a cache gives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fsmcheck import remembered
from fsmcheck.cache.codec import decoded, encoded
from fsmcheck.cache.store import Store
from fsmcheck.check import check
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.cache import Memory, remembering
from fsmcheck.obligations.cache_digests import components, pasts, told
from fsmcheck.obligations.case import make_case
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Verdict
from fsmcheck.obligations.run import run
from fsmcheck.obligations.skeleton import digests
from fsmcheck.options import Options
from fsmcheck.report.json import render
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import Location, Phase
from tests.cache.edits import EDITS, edited
from tests.oracle.generate import generate, load_valid

SPECS = Path(__file__).parents[2] / "specs"
PLAIN = (SPECS / "planner_executor.yaml").read_text(encoding="utf-8")
FAULTY = sorted(SPECS.glob("faulty/*.yaml"))
CHUNK = 6


def facts(report: Report) -> dict[str, Any]:
    """A report but for what the cache may change."""
    data = json.loads(render(report))
    for spec in data["specs"]:
        for obligation in spec["obligations"]:
            del obligation["seconds"], obligation["cached"]
    return data  # type: ignore[no-any-return]


def recalled(report: Report) -> int:
    return sum(each.cached for spec in report.specs for each in spec.obligations)


def compared(texts: Sequence[str], folder: Path, profile: str = "gated") -> list[int]:
    """Check texts one after the other with one cache, each as without; how many verdicts were recalled for each."""
    numbers = []
    for text in texts:
        source = SourceFile("a.yaml", text)
        warm = remembered.check([source], Options(profile=profile, cache=folder))
        assert facts(warm) == facts(check([source], Options(profile=profile))), text
        numbers.append(recalled(warm))
    return numbers


@pytest.mark.parametrize("first", range(0, 24, CHUNK))
def test_reports_on_edited_specs_are_those_of_a_run_without_a_cache(first: int, tmp_path: Path) -> None:
    total = 0
    for seed in range(first, first + CHUNK):
        spec = load_valid(generate(seed))
        assert spec is not None
        kinds = [edit for number, edit in enumerate(EDITS) if (number + seed) % 8 == 0]
        texts = [text for edit in kinds if (text := edited(spec, edit, seed)) is not None]
        numbers = compared(
            [spec.source.text, *texts, f"# a comment\n{spec.source.text}"], tmp_path, ("gated", "eager")[seed % 2]
        )
        total += sum(numbers[1:])
    assert total > 0


def test_every_edit_is_tried() -> None:
    specs = [spec for seed in range(30) if (spec := load_valid(generate(seed))) is not None]
    tried = {edit.__name__ for edit in EDITS for spec in specs if edited(spec, edit, 1) not in (None, spec.source.text)}
    assert tried == {edit.__name__ for edit in EDITS} - {"nothing"}


EDITED = {
    "maxIterations": ("maxIterations: 8", "maxIterations: 1"),
    "no authority": ("canTransition: [plan, replan, finish, abort]", "canTransition: [plan, replan, finish]"),
    "value": ("values: [done, replan, abort]", "values: [done, replan, abort, later]"),
    "not consumed": ('directive: "", outcome: "", result: ""', 'directive: "", result: ""'),
    "guard": ("context.outcome == 'replan'", "context.outcome == 'abort'"),
}


@pytest.mark.parametrize(("old", "new"), EDITED.values(), ids=EDITED)
@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_edits_of_the_planner_and_executor(old: str, new: str, profile: str, tmp_path: Path) -> None:
    assert PLAIN.count(old) == 1
    text = PLAIN.replace(old, new)
    compared([PLAIN, text, PLAIN, text], tmp_path, profile)


def test_faulty_specs_after_the_right_one(tmp_path: Path) -> None:
    compared([PLAIN, *(path.read_text(encoding="utf-8") for path in FAULTY[:3])], tmp_path)


def test_one_profile_says_nothing_of_the_other(tmp_path: Path) -> None:
    numbers = [compared([PLAIN], tmp_path, profile)[0] for profile in ("gated", "eager", "both")]
    assert numbers[:2] == [0, 0]
    assert numbers[2] == len(check([SourceFile("a.yaml", PLAIN)], Options(profile="both")).specs[0].obligations) * 2


LAID_OUT = {
    "a comment": f"# a comment\n{PLAIN}",
    "line ends": PLAIN.replace("\n", "\r\n"),
    "another document": f"{PLAIN}---\nfsm: {{}}\n",
    "blank lines": PLAIN.replace("\n    ", "\n\n    "),
}


@pytest.mark.parametrize("text", LAID_OUT.values(), ids=LAID_OUT)
def test_layout_changes_no_verdict_and_recalls_those_with_a_run(text: str, tmp_path: Path) -> None:
    first, again = compared([PLAIN, text], tmp_path)
    assert (first, again) == (0, len(check([SourceFile("a.yaml", PLAIN)], Options()).specs[0].obligations))


TWO = """fsm:
  name: two
  initialState: one
  context:
    a: {{ type: enum, values: [x, y] }}
    b: {{ type: enum, values: [x, y] }}
  agents:
    who: {{ canTransition: [one, other] }}
  states:
    one:
      requires:
        - {{ name: a, from: {{ agent: who }} }}
      transitions:
        - toState: other
          guards:
            - {{ backend: cel, expression: "{first}" }}
        - toState: other
    other:
      requires:
        - {{ name: b, from: {{ agent: who }} }}
      transitions:
        - toState: end
          guards:
            - {{ backend: cel, expression: "{second}" }}
        - toState: end
    end: {{ terminal: true }}
"""


def two(first: str = "context.a == 'x'", second: str = "context.b == 'x'") -> str:
    return TWO.format(first=first, second=second)


def spec_of(text: str) -> Spec:
    spec = load(SourceFile("a.yaml", text))[0].spec
    assert spec is not None
    return spec


def changed_pasts(text: str, other: str, profile: str = "gated") -> set[str]:
    one, two_ = (pasts(make_case(spec_of(each), profile, Limits())) for each in (text, other))  # type: ignore[arg-type]
    return {state for state in one.keys() | two_.keys() if one.get(state) != two_.get(state)}


def test_an_edit_touches_its_state_and_what_comes_after() -> None:
    assert changed_pasts(two(), two(second="context.b == 'y'")) == {"other", "end"}
    assert changed_pasts(two(), two(first="context.a == 'y'")) == {"one", "other", "end"}
    assert changed_pasts(two(), two()) == set()


INTERVIEWS = (SPECS / "patterns/interviews.yaml").read_text(encoding="utf-8")
FAILS = "FSM304:interview/dossier:gated"


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [("- toState: done", "- { toState: done, onTransition: [assign: { digest: '' }] }", False),
     ("notes: \"\", i:", "i:", True)],
    ids=["behind it", "in its loop"],
)  # fmt: skip
def test_a_proof_that_took_more_than_a_search_is_recalled_after_an_edit_behind_it(
    old: str, new: str, again: bool, tmp_path: Path
) -> None:
    """Spacer proves that the action of ``interview`` cannot fail; what comes later has no part in that."""
    assert INTERVIEWS.count(old) == 1
    changed = SourceFile("a.yaml", INTERVIEWS.replace(old, new))
    compared([INTERVIEWS], tmp_path)
    report = remembered.check([changed], Options(cache=tmp_path))
    assert facts(report) == facts(check([changed], Options()))
    found = {each.id: each for each in report.specs[0].obligations}
    assert found[FAILS].method == "spacer+induction"
    assert found[FAILS].cached is not again


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    a: { type: enum, values: [x, y] }", "    a: { type: enum, values: [x, y, z] }"),
        ("    a: { type: enum, values: [x, y] }", "    a: { type: string }"),
        ("    b: { type: enum, values: [x, y] }", "    b: { type: enum, values: [x, y], default: x }"),
        ("canTransition: [one, other]", "canTransition: [one]"),
        ("    end: { terminal: true }", "    end: { terminal: true }\n  policy: { maxIterations: 3 }"),
        ("  initialState: one", "  initialState: other"),
    ],
)
def test_what_is_said_for_all_states_touches_all(old: str, new: str) -> None:
    assert old in two()
    assert changed_pasts(two(), two().replace(old, new)) >= {"one", "other"}


def test_limits_profiles_and_texts_make_other_meanings() -> None:
    spec = spec_of(PLAIN)
    asked = [("gated", Limits()), ("eager", Limits()), ("gated", Limits(seconds=1)), ("gated", Limits(10))]
    found = {digests(spec, *each).meaning for each in asked}
    assert len(found) == 4
    assert digests(spec_of(f"# c\n{PLAIN}"), "gated", Limits()).meaning in found
    assert digests(spec_of(PLAIN.replace("    execute:", "    execute2:", 1)), "gated", Limits()).meaning not in found


def test_the_order_of_states_is_part_of_the_meaning() -> None:
    moved = (
        two()
        .replace("    end: { terminal: true }\n", "")
        .replace("  states:\n", "  states:\n    end: { terminal: true }\n")
    )
    assert digests(spec_of(moved), "gated", Limits()).meaning != digests(spec_of(two()), "gated", Limits()).meaning


def test_telling_distinguishes_what_python_calls_equal() -> None:
    values = (1, 1.0, True, "1", None, (1,), ((1,),), ("a,b",), ("a", "b"), (), {"a": 1}, {"a": True}, Phase.DONE)
    assert len({told(value) for value in values}) == len(values)


def test_components_come_after_what_leads_to_them() -> None:
    a, b, c, d = (Location(name, Phase.RUNNING) for name in "abcd")
    found = components({a: [], b: [a, c], c: [b], d: [c]})
    assert [sorted(each.state for each in component) for component in found] == [["a"], ["b", "c"], ["d"]]


def everything(_rule: str) -> bool:
    return True


def test_nothing_undecided_is_kept(tmp_path: Path) -> None:
    spec = spec_of(PLAIN)
    rules = tuple(QUESTIONS)
    obligation = Obligation("FSM301", Subject(state="plan"), "gated")
    with remembering(tmp_path) as memory:
        assert memory is not None
        open_ = Verdict(obligation, "unknown", "explicit", reason="limit reached")
        memory.keep_meaning(spec, "gated", Limits(), rules, ((open_,), None))
        known = memory.of_meaning(spec, "gated", Limits(), rules)
    assert (known.verdicts, known.all, known.is_whole) == ({}, (obligation,), False)


def test_a_false_proof_is_refuted_and_everything_decided_anew(tmp_path: Path) -> None:
    """A row can be wrong only if somebody forged it, checksum and all; Z3 still looks at what it claims."""
    text = two().replace("        - toState: end\n    end", "    end")
    spec = spec_of(text)
    truth = run(spec, "gated", everything, None)
    stuck = Obligation("FSM301", Subject(state="other"), "gated")
    assert {v.obligation: v.verdict for v in truth.verdicts}[stuck] == "violated"
    with Store(tmp_path) as store:
        memory = Memory(store, "tool")
        case = make_case(spec, "gated", Limits())
        memory.proofs(case, "whole")
        memory.keep_proofs(case, [Verdict(stuck, "proved", "explicit")])
    with Store(tmp_path) as store:
        outcome = run(spec, "gated", everything, None, memory=Memory(store, "tool"))
    assert [(v.obligation, v.verdict) for v in outcome.verdicts] == [(v.obligation, v.verdict) for v in truth.verdicts]


def test_a_verdict_fits_the_cache() -> None:
    spec = spec_of(FAULTY[1].read_text(encoding="utf-8"))
    for verdict in run(spec, "gated", everything, None).verdicts:
        data = json.loads(json.dumps(encoded(Verdict, verdict, spec.source)))
        assert decoded(Verdict, data, spec.source) == verdict
