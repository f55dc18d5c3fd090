"""Loading: the model, the run-time form of values, all faults at once, several documents."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from fsmcheck.cel.types import Kind
from fsmcheck.cel.values import MapValue
from fsmcheck.rules.text.fsm104_not_in_values import RULE as FSM104
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load, load_path
from fsmcheck.spec.model import Concatenation, Constant, Expression, Operator
from tests.spec.faults import covered, only, spec_of, summary

SHIPPED = Path(__file__).parents[2] / "specs"
OTHER = "fsm: { initialState: b, states: { b: { terminal: true } } }\n"
HEAD = "fsm:\n  initialState: a\n  states: { a: { terminal: true } }\n"


@pytest.mark.parametrize("path", [SHIPPED / "planner_executor.yaml", *sorted((SHIPPED / "faulty").glob("*.yaml"))])
def test_shipped_specs_load_without_faults(path: Path) -> None:
    (document,) = load_path(str(path))
    assert document.faults == ()
    assert document.is_whole


def test_the_planner_and_executor() -> None:
    (document,) = load_path(str(SHIPPED / "planner_executor.yaml"))
    spec = document.spec
    assert spec is not None
    assert [state.name.text for state in spec.states] == ["plan", "execute", "replan", "finish", "abort", "done"]
    assert spec.input_names == ("objective",)
    assert spec.policy.max_iterations == 8
    execute = spec.state_by_name["execute"]
    assert execute.exit[0].operator is Operator.APPEND
    assert [write.field.text for write in execute.transitions[1].actions[0].writes] == [
        "directive",
        "outcome",
        "result",
    ]
    assert spec.template_fields["replan"] == {"history"}
    assert isinstance(spec.document, dict)
    assert list(spec.document)[:2] == ["name", "version"]


def test_the_digest_looks_at_content_only() -> None:
    one = spec_of(HEAD)
    other = spec_of("# a comment\nfsm: {states: {'a': {\"terminal\": true}}, initialState: a}\n")
    assert one.sha256 == other.sha256
    assert one.sha256 != spec_of(OTHER).sha256


def test_types_and_aliases() -> None:
    spec = spec_of(
        HEAD
        + "  context:\n    s: { type: string }\n    i: { type: int }\n    f: { type: float }\n    d: { type: double }\n"
        "    b: { type: bool }\n    e: { type: enum, values: [on, yes] }\n    l: { type: list, of: integer }\n"
        "    m: { type: map, of: boolean }\n"
    )
    kinds = {field.name.text: field.type.kind for field in spec.fields}
    assert kinds == {
        "s": Kind.STRING,
        "i": Kind.INTEGER,
        "f": Kind.NUMBER,
        "d": Kind.NUMBER,
        "b": Kind.BOOLEAN,
        "e": Kind.ENUM,
        "l": Kind.LIST,
        "m": Kind.MAP,
    }
    assert {field.name.text for field in spec.fields if field.type.nullable} == {"i", "f", "d", "b"}
    assert spec.field_by_name["e"].type.values == ("on", "yes")


@pytest.mark.parametrize(
    ("type_", "written", "value"),
    [
        ("string", '""', ""),
        ("string", "null", ""),
        ("string", '"0"', "0"),
        ("integer", "3", 3),
        ("integer", "010", 10),
        ("integer", '""', None),
        ("integer", "9223372036854775807", 2**63 - 1),
        ("number", "3", 3.0),
        ("number", "1.5", 1.5),
        ("boolean", "false", False),
        ("boolean", "~", None),
        ("enum, values: [p]", '""', ""),
        ("enum, values: [p]", "p", "p"),
        ("list, of: number", "[1, 2.5]", (1.0, 2.5)),
        ("list, of: string", '""', ()),
        ("list, of: string", "[]", ()),
        ("map, of: integer", "{ a: 1 }", MapValue({"a": 1})),
        ("map, of: integer", "null", MapValue()),
    ],
)
def test_defaults_in_their_run_time_form(type_: str, written: str, value: object) -> None:
    spec = spec_of(HEAD + f"  context: {{ f: {{ type: {type_}, default: {written} }} }}\n")
    default = spec.fields[0].default
    assert default is not None
    assert default.value == value
    assert type(default.value) is type(value)
    assert spec.input_names == ()


@pytest.mark.parametrize(
    ("type_", "written"),
    [
        ("string", "1"),
        ("string", "true"),
        ("string", "[]"),
        ("integer", "1.0"),
        ("integer", "true"),
        ("integer", '"1"'),
        ("integer", "9223372036854775808"),
        ("number", ".nan"),
        ("number", ".inf"),
        ("number", "1" + "0" * 350),
        ("number", "true"),
        ("boolean", "yes"),
        ("boolean", "1"),
        ("enum, values: [p]", "1"),
        ("list, of: string", "[1]"),
        ("list, of: string", "[null]"),
        ("list, of: string", "{}"),
        ("list, of: integer", '[""]'),
        ("map, of: integer", "{ a: [] }"),
        ("map, of: integer", "[]"),
        ("string", '"${ context.f }"'),
    ],
)
def test_defaults_that_do_not_fit(type_: str, written: str) -> None:
    document = only(HEAD + f"  context: {{ f: {{ type: {type_}, default: {written} }} }}\n")
    assert [fault.rule for fault in document.faults] == ["FSM004"]
    assert document.spec is not None


def test_values_of_actions() -> None:
    spec = spec_of(
        "fsm:\n  initialState: a\n  context:\n"
        "    s: { type: string }\n    n: { type: number }\n    l: { type: list, of: number }\n"
        "  states:\n    a:\n      terminal: true\n      entry:\n"
        "        - assign: { n: 3, s: '${ string(context.n) }', l: [1] }\n        - append: { l: 2 }\n"
        "        - assign: { s: 'n is ${ context.n }!' }\n        - assign: { s: null, n: '', l: '' }\n"
        "        - assign:\n            s: |\n              ${ context.s }\n"
    )
    entry = spec.states[0].entry
    assert [write.value.value for write in entry[0].writes if isinstance(write.value, Constant)] == [3.0, (1.0,)]
    assert isinstance(entry[0].writes[1].value, Expression)
    assert isinstance(entry[1].writes[0].value, Constant)
    assert isinstance(entry[1].writes[0].value.value, float)
    joined = entry[2].writes[0].value
    assert isinstance(joined, Concatenation)
    assert [part if isinstance(part, str) else part.text for part in joined.parts] == ["n is ", "context.n", "!"]
    assert [write.value.value for write in entry[3].writes if isinstance(write.value, Constant)] == ["", None, ()]
    assert isinstance(entry[4].writes[0].value, Expression)


def test_all_faults_in_one_run() -> None:
    document = only(
        "fsm:\n"
        "  initialstate: a\n"
        "  version: 1.0\n"
        "  context:\n"
        "    s: { type: text }\n"
        "    n: { type: int, default: x }\n"
        "  agents:\n"
        "    g: { canTransition: a }\n"
        "  states:\n"
        "    a:\n"
        '      description: "{{ context.n + }}"\n'
        "      requires: [{ name: s }]\n"
        "      entry: [{ assign: { n: true } }]\n"
        "      transitions:\n"
        "        - toState: 1\n"
        "          guards: [{ backend: cel, expression: context.n }, { backend: js, expression: x }]\n"
        "        - guards: [{ backend: cel, expression: context.z == 1 }]\n"
        "    a: {}\n"
        "  policy: { maxIterations: 0 }\n"
        "kind: x\n"
    )
    assert summary(document) == [
        "2:3 FSM002 initialstate",
        "2:3 FSM002 initialstate: a",
        "3:12 FSM002 1.0",
        "5:16 FSM002 text",
        "6:30 FSM004 x",
        "8:25 FSM002 a",
        "11:35 FSM003 ",
        "12:18 FSM002 { name: s }",
        "13:30 FSM004 true",
        "15:20 FSM002 1",
        "16:48 FSM004 context.n",
        "16:72 FSM005 js",
        "17:11 FSM002 guards: [{ backend: cel, expression: context.z == 1 }]",
        "17:56 FSM102 z",
        "18:5 FSM001 a",
        "19:28 FSM002 0",
        "20:1 FSM002 kind",
    ]
    assert document.spec is not None
    assert not document.is_whole


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("context.z == 1 && context.y", ["FSM102 z", "FSM102 y"]),
        ("foo && context.z && context.n == 'x'", ["FSM004 foo", "FSM102 z", "FSM004 context.n == 'x'"]),
        ("foo(1) == context.z", ["FSM003 foo", "FSM102 z"]),
        ("context.n == 'x' && context.e == 'r'", ["FSM004 context.n == 'x'", "FSM104 'r'"]),
        ("foo && context.e in ['p', 'r']", ["FSM004 foo", "FSM104 'r'"]),
        ("size(context.z)", ["FSM004 size(context.z)", "FSM102 z"]),
        ("foo > context.n ? foo : context.n + foo", ["FSM004 foo", "FSM004 foo", "FSM004 foo"]),
        ("context.l.all(context, true) && context.z", ["FSM003 context", "FSM102 z"]),
    ],
)
def test_a_fault_of_an_expression_hides_no_other(expression: str, wanted: list[str]) -> None:
    document = only(
        "fsm:\n  initialState: a\n"
        "  context: { n: { type: int }, e: { type: enum, values: [p, q] }, l: { type: list, of: int } }\n"
        "  states:\n    a:\n      transitions:\n"
        f'        - {{ toState: a, guards: [{{ backend: cel, expression: "{expression}" }}] }}\n'
    )
    found = {*document.faults, *FSM104.check(document)}
    places = sorted(
        (each.span, f"{each.rule} {document.source.text[each.span.start : each.span.end]}") for each in found
    )
    assert [place for _, place in places] == wanted
    assert document.spec is not None
    assert document.spec.states[0].transitions[0].guards[0].expression is not None
    assert document.spec.states[0].transitions[0].guards[0].expression.ast is None


def test_values_of_a_wrong_expression_are_looked_at() -> None:
    document = only(
        "fsm:\n  initialState: a\n  context: { n: { type: int }, e: { type: enum, values: [p, q] } }\n"
        "  states:\n    a:\n      entry:\n"
        "        - assign: { n: \"${ string(foo) }\", e: \"${ context.z ? 'p' : 'r' }\" }\n"
    )
    assert summary(document) == ["7:28 FSM004 string(foo)", "7:35 FSM004 foo", "7:59 FSM102 z"]
    assert [covered(document, finding) for finding in FSM104.check(document)] == ["'r'"]


def test_subjects_of_faults() -> None:
    document = only(
        "fsm:\n  initialState: a\n  context: { n: { type: int } }\n  states:\n    a:\n      terminal: true\n"
        "      transitions:\n        - toState: a\n        - toState: a\n"
        "          onTransition: [{ assign: { n: x } }]\n"
    )
    assert document.faults[0].subject.as_dict() == {"state": "a", "transition": 1, "field": "n"}


@pytest.mark.parametrize("text", ["fsm: []", "fsm: x", "fsm:", "fsm: {}", "fsm: { states: {} , initialState: a }"])
def test_nothing_sensible(text: str) -> None:
    document = only(text)
    assert document.spec is None
    assert document.has_fsm
    assert document.faults


def test_documents_without_fsm_are_left_out_beside_one_with_it() -> None:
    documents = load(SourceFile("t", "x: &a [*a]\n---\n" + HEAD + "---\n- 1\n---\n" + OTHER))
    assert [document.spec.initial.text for document in documents if document.spec] == ["a", "b"]
    assert all(document.faults == () for document in documents)


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "a: 1\n", "- fsm\n", "---\n---\n", "FSM: {}"])
def test_no_fsm_at_all(text: str) -> None:
    document = only(text)
    assert not document.has_fsm
    assert [fault.rule for fault in document.faults] == ["FSM002"]


def test_a_broken_document_after_a_whole_one() -> None:
    documents = load(SourceFile("t", HEAD + "---\nfsm: [\n"))
    assert [document.spec is None for document in documents] == [False, True]
    assert summary(documents[1]) == ["5:6 FSM001 ["]


def test_unreadable_context_does_not_make_every_name_unknown() -> None:
    document = only(
        "fsm:\n  initialState: a\n  context: []\n  states:\n    a: { terminal: true, description: '{{ context.x }}' }\n"
    )
    assert [fault.rule for fault in document.faults] == ["FSM002"]


def test_infinite_numbers_never_reach_the_json_form() -> None:
    document = only(HEAD + "  context: { n: { type: number, default: .inf } }\n")
    assert document.spec is not None
    assert isinstance(document.spec.document, dict)
    assert document.spec.document["context"]["n"]["default"] is None
    assert document.spec.fields[0].default is not None
    assert document.spec.fields[0].default.value == math.inf


SHORT = """
fsm:
  initialState: a
  context: { n: { type: integer }, x: { type: string } }
  agents: { w: { canTransition: [a] } }
  states:
    a:
      requires: [{ name: x, from: w }]
      transitions:
        - toState: b
          guards: ["context.x == 'k'"]
          onTransition: [{ assign: { n: context.n + 1 } }]
    b: { terminal: true }
"""


def test_what_is_written_too_short_is_answered_with_the_whole_form() -> None:
    assert [fault.help for fault in only(SHORT).faults] == [
        "write { agent: … }",
        "write { backend: …, expression: … }",
        'to compute it, write "${ context.n + 1 }"',
    ]
