"""From a spec to its steps: when each may be taken, and what it does, in all stores of a small machine."""

from __future__ import annotations

from itertools import product

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.configuration import Profile
from fsmcheck.system import layout
from fsmcheck.system.system import Phase, Step, StepKind, System
from fsmcheck.system.translate import translate
from tests.oracle.generate import load_valid
from tests.system.naive import chosen, successors, value

SPEC = """
fsm:
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back] }
    note: { type: string }
    kept: { type: string, default: "" }
    trail: { type: string, default: "" }
    sure: { type: boolean }
  agents: { ann: { canTransition: [ask] }, bob: { canTransition: [] } }
  states:
    ask:
      requires:
        - { name: verdict, from: { agent: ann } }
        - { name: note, from: { agent: ann } }
        - { name: sure, from: { agent: bob } }
      exit: [{ assign: { trail: "${context.trail + 'x'}", verdict: back } }]
      transitions:
        - toState: next
          guards: [{ backend: cel, expression: "context.verdict == 'go'" }]
          onTransition: [{ assign: { kept: "${context.verdict}" } }]
        - { toState: end, guards: [{ backend: cel, expression: "context.note != ''" }] }
        - { toState: next }
    next:
      entry: [{ assign: { note: "${context.kept}", kept: "" } }]
      transitions: [{ toState: end }]
    end: { terminal: true }
"""


def system(profile: Profile) -> System:
    spec = load_valid(SPEC)
    assert spec is not None
    return translate(spec, profile)


def named(found: System, name: str) -> Step:
    return next(step for step in found.steps if step.name == name)


def label(found: System, variable: str, text: str) -> int:
    labels = found.by_name[variable].sort.labels
    return labels.index(text) if text in labels else labels.index("*")


def stores(found: System) -> list[dict[str, bool | int]]:
    """Every store of the fields that matter."""
    base = {v.name: found.initial[v.name] for v in found.variables}
    verdicts = [label(found, "verdict", text) for text in ("", "go", "back")]
    notes = [label(found, "note", text) for text in ("", "go", "else")]
    return [
        {**base, "verdict": verdict, "note": note, "sure.null": null}
        for verdict, note, null in product(verdicts, notes, (False, True))
    ]


def taken(found: System, values: dict[str, bool | int]) -> set[str]:
    """The steps from ask, while it runs, that can be taken."""
    return {
        step.name
        for step in found.steps
        if step.source.state == "ask" and step.source.phase is Phase.RUNNING
        if any(value(step.guard, {**values, **inputs}) for inputs in chosen(step.inputs, (0, 1)))
    }


def expected(found: System, values: dict[str, bool | int], profile: Profile) -> str:
    verdict, note = values["verdict"], values["note"]
    met = verdict != 0 and note != 0 and not values["sure.null"]
    ready = met or profile == "eager"
    if ready and verdict == label(found, "verdict", "go"):
        return "ask/0"
    if ready and note != 0:
        return "ask/1"
    return "ask/2" if met else "park ask"


@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_exactly_the_first_enabled_transition_is_taken(profile: Profile) -> None:
    found = system(profile)
    names = set()
    for values in stores(found):
        wanted = expected(found, values, profile)
        assert taken(found, values) == {wanted}, values
        names.add(wanted)
    assert {"ask/0", "ask/1", "park ask"} <= names


def test_actions_run_in_their_order() -> None:
    """exit has written the verdict before onTransition copies it, and entry sees that copy."""
    found = system("gated")
    values = {**stores(found)[0], "verdict": label(found, "verdict", "go"), "note": label(found, "note", "else")}
    (after,) = [after for after, _ in successors(named(found, "ask/0"), values, (0, 1))]
    assert after["verdict"] == label(found, "verdict", "back")
    assert after["note"] == label(found, "note", "back")
    assert after["kept"] == 0


def test_an_agent_may_stage_anything_it_is_asked_for_even_what_is_set() -> None:
    found = system("gated")
    stage = named(found, "ask<ann")
    values = {**stores(found)[0], "verdict": label(found, "verdict", "go"), "note": label(found, "note", "else")}
    reached = {(after["verdict"], after["note"]) for after, _ in successors(stage, values, (0, 1))}
    verdicts = {label(found, "verdict", text) for text in ("go", "back")}
    notes = set(range(1, found.by_name["note"].sort.size))
    assert reached == set(product(verdicts, notes))
    assert stage.target.phase is Phase.RUNNING
    assert stage.agent == "ann"


def test_who_may_not_act_has_no_step() -> None:
    assert not [step for step in system("gated").steps if step.agent == "bob"]


def refires(found: System, field: str, transition: int, values: dict[str, bool | int]) -> bool:
    step = named(found, f"ask/{transition}")
    subject = Subject(state="ask", transition=transition, field=field)
    (event,) = [event for event in step.events if (event.rule, event.subject) == ("FSM403", subject)]
    return any(
        value(event.condition, {**values, **own, **outer})
        for own in chosen(event.inputs, (0, 1))
        for outer in chosen(step.inputs, (0, 1))
    )


def test_only_a_field_whose_value_matters_is_a_trigger() -> None:
    returning = SPEC.replace(", verdict: back", "").replace('note: "${context.kept}", ', "")
    spec = load_valid(returning.replace("transitions: [{ toState: end }]", "transitions: [{ toState: ask }]"))
    assert spec is not None
    found = translate(spec, "gated")
    stale = {layout.stale("ask", name): True for name in ("verdict", "note", "sure")}
    assert stale.keys() <= found.by_name.keys()
    values = {**stores(found)[0], **stale, "verdict": label(found, "verdict", "go"), "note": 1}
    assert refires(found, "verdict", 0, values)
    assert not refires(found, "note", 1, values)
    assert not refires(found, "verdict", 0, {**values, **dict.fromkeys(stale, False)})


def test_where_no_way_leads_back_nothing_is_a_trigger() -> None:
    found = system("gated")
    assert not [name for name in found.by_name if name.startswith("!stale")]
    assert not [event for step in found.steps for event in step.events if event.rule == "FSM403"]
    assert ("FSM403", Subject(state="ask", transition=0, field="verdict")) in found.subjects


def test_the_start_gives_every_input_a_set_value() -> None:
    text = SPEC.replace("requires:\n        - { name: verdict, from: { agent: ann } }", "requires:")
    spec = load_valid(text.replace(", verdict: back", ""))
    assert spec is not None
    found = translate(spec, "gated")
    assert spec.input_names == ("verdict",) or set(spec.input_names) == {"verdict"}
    start = named(found, "start")
    assert {after["verdict"] for after, _ in successors(start, found.initial, (0, 1))} == {
        label(found, "verdict", "go"),
        label(found, "verdict", "back"),
    }
    assert [step.kind for step in found.steps if step.source.phase is Phase.START] == [StepKind.START]


def test_terminal_states_end() -> None:
    found = system("gated")
    (done,) = [step for step in found.steps if step.source.state == "end"]
    assert (done.kind, done.target.phase) == (StepKind.FINISH, Phase.DONE)
