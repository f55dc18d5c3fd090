"""Actions on a symbolic store do what they do on a concrete one."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from fsmcheck.cel.values import MapValue, Value
from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.actions import run_actions
from fsmcheck.reducer.record import Phase
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Operator, Spec
from fsmcheck.system import terms as t
from fsmcheck.system.actions import SymbolicRun, WriteRecord
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from fsmcheck.system.terms import FALSE
from tests.cel.expression_strategies import FIELDS, of_kind
from tests.system.abstraction import possible, same_slot
from tests.system.test_expressions import LARGE, STORES, machine

KIND_OF = {
    "text": "string", "other": "string", "verdict": "string", "count": "int", "limit": "int", "score": "double",
    "flag": "bool", "ready": "bool", "history": "strings", "numbers": "ints", "tallies": "tallies", "notes": "notes",
}  # fmt: skip
ELEMENT_OF = {"history": "string", "numbers": "int", "tallies": "int", "notes": "string"}
EMPTY = {"history": [], "numbers": [], "tallies": {}, "notes": {}}


@st.composite
def value_for(draw: st.DrawFn, kind: str, depth: int = 2) -> object:
    text = draw(of_kind(kind, depth))
    assume(not LARGE.search(text))
    if kind == "string" and draw(st.booleans()):
        return "so: ${" + text + "}!"
    return "${" + text + "}"


@st.composite
def action(draw: st.DrawFn) -> dict[str, object]:
    match draw(st.sampled_from(("assign", "assign", "append", "put"))):
        case "append":
            name = draw(st.sampled_from(("history", "numbers")))
            return {"append": {name: draw(value_for(ELEMENT_OF[name]))}}
        case "put":
            name = draw(st.sampled_from(("tallies", "notes")))
            return {"put": {name: {draw(st.sampled_from(("a", "k", "z"))): draw(value_for(ELEMENT_OF[name]))}}}
    names = draw(st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=2, unique=True))
    writes: dict[str, object] = {}
    for name in names:
        empty = EMPTY.get(name, "" if KIND_OF[name] == "string" else None)
        writes[name] = draw(st.one_of(st.just(empty), value_for(KIND_OF[name])))
    return {"assign": writes}


def symbolic(spec: Spec) -> tuple[Layout, SymbolicRun]:
    layout = Layout(spec, domains(spec))
    run = SymbolicRun(layout, layout.store, Choices("x"), "here")
    run.run(spec.states[0].exit, Subject(state="go"))
    return layout, run


def assert_agreement(actions: list[dict[str, object]], store: dict[str, Value]) -> None:
    spec = machine(actions)
    assume(spec is not None)
    assert spec is not None
    layout, run = symbolic(spec)
    effects = run_actions(spec, spec.states[0].exit, Store(store), Phase.EXIT, "go")
    if effects[-1].fault is not None:
        condition = run.error
    else:
        after = effects[-1].after
        same = (same_slot(layout, name, slot, after[name]) for name, slot in run.store.items())
        condition = t.and_(t.not_(run.error), *same)
    assert possible(condition, layout, store, run.choices), (actions, store, effects[-1])


BLANK: dict[str, Value] = {
    "text": "a", "other": "b", "verdict": "done", "count": 1, "limit": 2, "score": 1.0, "flag": True, "ready": False,
    "history": ("a",), "numbers": (1, 2), "tallies": MapValue({"a": 1}), "notes": MapValue(),
}  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(action(), min_size=1, max_size=3), STORES)
@example([{"assign": {"text": "${context.other}", "other": "${context.text}"}}], BLANK)
@example([{"assign": {"count": "${context.limit}", "limit": "${context.count}"}}], BLANK)
@example([{"assign": {"text": "a"}}, {"append": {"history": "${context.text}"}}], BLANK)
@example([{"assign": {"verdict": "${context.text}"}}], BLANK)
@example([{"append": {"numbers": "${context.count}"}}], {**BLANK, "count": None})
def test_the_store_after_actions(actions: list[dict[str, object]], store: dict[str, Value]) -> None:
    assert_agreement(actions, store)


def records(*actions: dict[str, object]) -> tuple[Layout, SymbolicRun]:
    spec = machine(list(actions))
    assert spec is not None
    return symbolic(spec)


def holds(term: t.Term, layout: Layout, run: SymbolicRun, **changes: Value) -> bool:
    return possible(term, layout, {**BLANK, **changes}, run.choices)


def by_field(run: SymbolicRun) -> Mapping[str, WriteRecord]:
    return {record.field: record for record in run.records}


def test_right_hand_sides_are_evaluated_before_anything_is_written() -> None:
    swap: dict[str, object] = {"assign": {"count": "${context.limit}", "limit": "${context.count}"}}
    layout, run = records(swap)
    after = t.and_(*(same_slot(layout, name, run.store[name], wanted) for name, wanted in (("count", 2), ("limit", 1))))
    assert holds(after, layout, run)
    assert not holds(t.not_(after), layout, run)


def test_a_record_says_what_was_read_written_and_lost() -> None:
    layout, run = records({"append": {"history": "${context.text + context.other}"}}, {"assign": {"text": ""}})
    first, second = by_field(run)["history"], by_field(run)["text"]
    assert first.mentions == {"text", "other"}
    assert first.operator is Operator.APPEND
    assert (first.action, second.action) == (1, 2)
    assert holds(first.uses_empty["text"], layout, run, text="")
    assert not holds(first.uses_empty["text"], layout, run)
    assert holds(second.set_before, layout, run)
    assert second.set_after is FALSE


def test_an_empty_text_that_is_only_compared_or_measured_is_no_use() -> None:
    guarded = "${context.text != '' ? context.text : 'none'}"
    layout, run = records({"append": {"history": guarded}})
    assert not holds(by_field(run)["history"].uses_empty["text"], layout, run, text="")
    for harmless in ("size(context.text)", "context.text == context.other ? 1 : 2", "has(context.text) ? 1 : 2"):
        _, other = records({"assign": {"count": "${" + harmless + "}"}})
        assert not other.records[0].uses_empty


def test_a_branch_that_is_taken_uses_its_fields() -> None:
    layout, run = records({"append": {"history": "${context.flag ? context.text : context.other}"}})
    uses = by_field(run)["history"].uses_empty
    assert holds(uses["text"], layout, run, text="", flag=True)
    assert not holds(uses["text"], layout, run, text="", flag=False)
    assert not holds(uses["other"], layout, run, other="", flag=True)


def test_only_the_first_failing_write_is_blamed() -> None:
    layout, run = records({"assign": {"count": "${context.count + 1}"}}, {"append": {"numbers": "${context.limit}"}})
    first, second = by_field(run)["count"], by_field(run)["numbers"]
    assert holds(first.failed, layout, run, count=None, limit=None)
    assert not holds(second.failed, layout, run, count=None, limit=None)
    assert holds(second.failed, layout, run, limit=None)


def test_an_enum_takes_its_values_and_nothing_else() -> None:
    layout, run = records({"assign": {"verdict": "${context.text}"}})
    assert holds(run.error, layout, run, text="a")
    for fine in ("", "done", "again", "stop"):
        assert not holds(run.error, layout, run, text=fine)


def test_what_is_known_of_members() -> None:
    asks: dict[str, object] = {"assign": {"flag": "${'a' in context.history}"}}
    for before, expected in (({"assign": {"history": []}}, False), ({"append": {"history": "a"}}, True)):
        layout, run = records(before, asks)
        assert holds(same_slot(layout, "flag", run.store["flag"], expected), layout, run, history=("b",))
        assert not holds(same_slot(layout, "flag", run.store["flag"], not expected), layout, run, history=("b",))
