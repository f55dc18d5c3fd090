"""Who follows the help is rid of the finding; and what else the help says where the fixtures do not show it."""

from __future__ import annotations

import pytest

from fsmcheck.check import Options, check
from fsmcheck.diagnostics import Finding, Subject
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.rules.progress import fsm301_stuck, fsm504_stage_cap_too_low
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec
from tests.rules.test_cases import CASES

GUARDED = """fsm:
  initialState: ask
  context:
    answer: { type: string }
    level: { type: integer }
  agents:
    clerk: { canTransition: [ask, measure] }
  states:
    ask:
      requires: [{ name: answer, from: { agent: clerk } }]
      transitions:
        - { toState: end, guards: [{ backend: cel, expression: "context.level > 3" }] }
        - { toState: measure }
    measure:
      requires: [{ name: level, from: { agent: clerk } }]
      transitions: [{ toState: end }]
    end: { terminal: true }
"""
TWO_WAYS = """fsm:
  initialState: look
  context:
    left: { type: string }
    right: { type: string }
    again: { type: enum, values: [no, yes, once] }
    seen: { type: list, of: string }
  agents:
    eye: { canTransition: [look] }
    judge: { canTransition: [weigh] }
  states:
    look:
      requires:
        - { name: left, from: { agent: eye } }
        - { name: right, from: { agent: eye } }
      transitions: [{ toState: weigh }]
    weigh:
      description: "Is {{ context.left }} enough?"
      requires: [{ name: again, from: { agent: judge } }]
      transitions:
        - { toState: end, guards: [{ backend: cel, expression: "context.again == 'no'" }] }
        - toState: look
          onTransition:
            - assign:
                again: ""
    end: { terminal: true }
"""
PLAIN = "      transitions: [{ toState: weigh }]\n"
USING = PLAIN + '      exit: [{ append: { seen: "${ context.left + context.right }" } }]\n'


def case(path: str) -> str:
    return (CASES / path).read_text(encoding="utf-8")


def findings(text: str) -> list[Finding]:
    (report,) = check([SourceFile("spec.yaml", text)], Options(select=("FSM0", "FSM3", "FSM4", "FSM5"))).specs
    return list(report.findings)


def rules(text: str) -> set[str]:
    return {each.rule for each in findings(text)}


def only(text: str, rule: str) -> Finding:
    (found,) = (each for each in findings(text) if each.rule == rule)
    return found


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def spec_of(text: str) -> Spec:
    spec = load(SourceFile("spec.yaml", text))[0].spec
    assert spec is not None
    return spec


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("spent: { type: integer }", "spent: { type: integer, default: 0 }"),
        ("${ context.spent + 1 }", "${ context.spent == null ? 1 : context.spent + 1 }"),
    ],
    ids=["default", "conditional"],
)
def test_an_empty_number_in_a_value(old: str, new: str) -> None:
    text = case("FSM304/bad_first_value.yaml")
    assert "FSM304" in rules(text)
    assert not rules(changed(text, old, new)) & {"FSM004", "FSM304"}


def test_an_empty_number_in_a_value_has_no_use_for_a_guard() -> None:
    text = case("FSM304/bad_first_value.yaml")
    assert "FSM004" in rules(changed(text, "${ context.spent + 1 }", "${ context.spent != null && context.spent + 1 }"))


def test_an_empty_number_in_a_guard() -> None:
    help_ = '"level" can be empty here: test it first, for example "context.level != null && …"'
    found = only(GUARDED, "FSM304")
    assert found.help == help_
    assert [each.message for each in found.related] == ['"level" has no default']
    assert not rules(changed(GUARDED, "context.level > 3", "context.level != null && context.level > 3")) & {
        "FSM004",
        "FSM304",
    }


def test_two_empty_numbers_in_a_guard() -> None:
    text = GUARDED.replace(
        "    level: { type: integer }\n", "    level: { type: integer }\n    top: { type: integer }\n"
    )
    text = changed(text, "context.level > 3", "context.level > context.top")
    text = changed(
        text,
        "{ name: level, from: { agent: clerk } }]",
        "{ name: level, from: { agent: clerk } }, { name: top, from: { agent: clerk } }]",
    )
    assert only(text, "FSM304").help == (
        '"level" and "top" can be empty here: test them first, for example'
        ' "context.level != null && context.top != null && …"'
    )


def test_two_kept_answers_are_emptied_together() -> None:
    text = case("FSM401/bad_two_kept.yaml")
    assert {"FSM401", "FSM404"} <= rules(text)
    fixed = applied(text, only(text, "FSM401"))
    assert '            - assign: { webFindings: "", paperFindings: "" }\n' in fixed
    assert not rules(fixed) & {"FSM401", "FSM403", "FSM404"}


def test_an_answer_that_the_state_does_not_use_may_be_meant_to_last() -> None:
    found = only(TWO_WAYS, "FSM401")
    assert found.help == (
        'add an onTransition with assign: { right: "" } to the transition to "weigh"; '
        'empty "left" as well if it has to be answered anew'
    )
    assert not rules(applied(TWO_WAYS, found)) & {"FSM401", "FSM403", "FSM404"}


def test_each_answer_is_emptied_where_nothing_reads_it_any_more() -> None:
    """weigh still shows left, which so is emptied behind it; right can go at once."""
    text = changed(TWO_WAYS, PLAIN, USING)
    found = only(text, "FSM401")
    assert found.help == (
        'add left: "" to the assign of the transition from "weigh" to "look"; '
        'add an onTransition with assign: { right: "" } to the transition to "weigh"'
    )
    assert not rules(applied(text, found)) & {"FSM401", "FSM403", "FSM404"}


def test_several_answers_go_into_a_map_in_lines() -> None:
    text = changed(TWO_WAYS, PLAIN, USING)
    text = changed(text, "{{ context.left }}", "{{ context.left }} or {{ context.right }}")
    found = only(text, "FSM401")
    assert found.help == 'add left: "", right: "" to the assign of the transition from "weigh" to "look"'
    fixed = applied(text, found)
    assert '                again: ""\n                left: ""\n                right: ""\n' in fixed
    assert "FSM401" not in rules(fixed)


def applied(text: str, finding: Finding) -> str:
    assert finding.fix is not None
    for edit in sorted(finding.fix.edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_the_cap_that_the_help_names_suffices() -> None:
    text = case("FSM504/bad_two_agents.yaml")
    assert only(text, "FSM504").help == "raise it to at least 2"
    assert "FSM504" not in rules(changed(text, "maxExchangesPerStage: 1", "maxExchangesPerStage: 2"))


def test_a_cap_for_each_agent() -> None:
    text = case("FSM504/bad_two_agents.yaml")
    detail = {"cap": "maxExchangesPerAgentPerStage", "fewest": 2}
    verdict = Verdict(Obligation("FSM504", Subject(state="sign"), "gated"), "violated", "explicit", detail=detail)
    found = fsm504_stage_cap_too_low.read(spec_of(text), verdict)
    assert found.message == (
        '"sign" cannot be left within "maxExchangesPerAgentPerStage" 1: it takes at least 2 exchanges with one agent'
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "0"),
        (False, "false"),
        (None, "empty"),
        ([], "empty"),
        (1.5, "1.5"),
        ("revise", '"revise"'),
        (["a", "b"], '["a", "b"]'),
        ({"k": "é"}, '{"k": "é"}'),
        (["0123456789"] * 5, '["0123456789", "0123456789", "0123456789…'),
    ],
)
def test_a_value_by_which_a_state_is_stuck(value: object, told: str) -> None:
    spec = spec_of(case("FSM301/bad_other_state.yaml"))
    detail = {"fields": [{"field": "size", "value": value, "origin": "staged"}]}
    verdict = Verdict(Obligation("FSM301", Subject(state="sort"), "gated"), "violated", "explicit", detail=detail)
    assert fsm301_stuck.read(spec, verdict).message.endswith(f'no transition enabled: with "size" {told}')
