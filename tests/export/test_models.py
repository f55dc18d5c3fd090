"""Models in all three languages: of hostile specs, of systems drawn by hand, of whole numbers within a bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.export.build import build
from fsmcheck.export.identifiers import RESERVED, Identifiers, legal
from fsmcheck.export.model import Model
from fsmcheck.export.questions import Language
from fsmcheck.export.refusal import ExportError
from fsmcheck.export.write import export, machine_alone, rendered
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec
from fsmcheck.system import terms as t
from fsmcheck.system.domains import domains
from fsmcheck.system.system import Chooser, Input, StepKind, System
from fsmcheck.system.terms import BOOL, INT, Sort, SortKind
from tests.engines.systems import Drawing
from tests.export.tla import read
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid
from tests.peers.plain import search
from tests.peers.tools import nusmv, spin
from tests.peers.witness import by_nusmv, by_spin, models, ours

HOSTILE = """
fsm:
  name: '*/ (* "%s" \\*'
  initialState: "do"
  context:
    linux: {type: enum, values: ["TRUE", "*/ od", "*", "unset", "other_text", "a b", "a_b", "0"]}
    at: {type: string}
    SAFETY: {type: boolean}
    new_at: {type: string}
    X: {type: string, default: ""}
    MODULE: {type: boolean, default: false}
  agents:
    "while": {canTransition: ["do", "a-b", "a b"]}
    "WHILE": {canTransition: ["do"]}
  states:
    "do":
      requires:
        - {name: linux, from: {agent: "while"}}
        - {name: at, from: {agent: "WHILE"}}
      transitions:
        - {toState: "a-b", guards: [{backend: cel, expression: "context.linux == '*/ od' && context.at != '*'"}]}
        - {toState: "a b", guards: [{backend: cel, expression: "context.linux == '*' || context.linux == 'a b'"}]}
        - {toState: "\\u00e9"}
    "a-b":
      requires: [{name: SAFETY, from: {agent: "while"}}]
      transitions:
        - toState: "do"
          guards: [{backend: cel, expression: "context.SAFETY"}]
          onTransition: [{assign: {X: "${context.at}", at: "${context.X}", MODULE: "${!context.MODULE}"}}]
        - {toState: "\\u00e9"}
    "a b":
      requires: [{name: new_at, from: {agent: "while"}}]
      transitions: [{toState: "do", onTransition: [{assign: {linux: "", new_at: ""}}]}]
    "\\u00e9": {terminal: true}
"""


def spec_of(text: str) -> Spec:
    (document,) = load(SourceFile("a.yaml", text))
    assert document.spec is not None
    assert not [fault for fault in document.faults if fault.rule != "FSM005"]
    return document.spec


def by_tla(model: Model) -> tuple[int, frozenset[str]]:
    """Configurations and the questions whose event happens, by our own reading of TLA+."""
    module = read(rendered(model, Language.TLA).text)
    states = module.reachable()
    assert not module.breaks("Types", states)
    return len(states), frozenset(q.identifier for q in model.questions if module.breaks(q.identifier, states))


def by_all(model: Model, folder: Path) -> list[tuple[int, frozenset[str]]]:
    """What each tool that is there finds; NuSMV's number of configurations only where there is nothing but them."""
    found = [by_tla(model)]
    if spin() is not None:
        answer = by_spin(model, folder)
        found.append((answer.configurations, answer.found))
    if nusmv() is not None:
        answer = by_nusmv(model, folder)
        found.append((found[0][0] if model.questions else answer.configurations, answer.found))
    return found


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_tla_of_generated_specs(seed: int) -> None:
    spec = load_valid(generate(seed))
    assert spec is not None
    for system, model in models(spec, profile_of(seed).value, Language.TLA):
        expected = ours(system, model)
        assert expected is not None
        assert by_tla(model) == (expected.configurations, expected.found)


def test_hostile_names(tmp_path: Path) -> None:
    spec = spec_of(HOSTILE)
    for system, model in models(spec, "gated", Language.TLA):
        expected = ours(system, model)
        assert expected is not None
        assert expected.configurations > 50
        for found in by_all(model, tmp_path):
            assert found == (expected.configurations, expected.found)


@pytest.mark.parametrize("language", Language)
def test_a_model_is_plain_text_that_names_what_it_renamed(language: Language) -> None:
    text = export(spec_of(HOSTILE), "gated", language).text
    assert text.isascii()
    assert all(line == line.rstrip() for line in text.splitlines())
    assert "x_SAFETY: SAFETY" in text
    assert 'a_b_running: running in "a-b"' in text
    assert 'a_b_running_2: running in "a b"' in text
    assert text.count("*/") == (text.count("/*") if language is Language.PROMELA else 0)


@pytest.mark.parametrize("word", ["do", "X", "é", "0", "WF_x", "a*b", "SAFETY", "_", "x" * 200, "at", "__a__", "AG"])
def test_identifiers(word: str) -> None:
    found = legal(word, "name")
    assert found.isascii()
    assert found.isidentifier()
    assert found not in RESERVED
    assert found != found.upper()
    assert "__" not in found
    assert not found.startswith("_")


def test_no_two_things_share_an_identifier() -> None:
    given = Identifiers()
    names = ["a b", "a-b", "a_b", "a_b_2", "do", "do_", "a b 2"]
    found = [given.of(name, name) for name in names]
    assert len(set(found)) == len(names)
    assert [given.of(name, name) for name in names] == found


X, Y, Z = t.var("x", INT), t.var("y", INT), t.var("z", INT)


def swapped() -> System:
    """x, y and z go round: 1, 2, 3 in three arrangements, then the machine is done where z is 3."""
    drawing = Drawing("s", {"x": (INT, 1), "y": (INT, 2), "z": (INT, 3)})
    drawing.edge("s", "s", t.not_(t.eq(Z, t.integer(0))), {"x": Y, "y": Z, "z": X})
    return drawing.system()


def drawn(system: System, bound: int) -> Model:
    return build(system, domains(spec_of(HOSTILE)), (), bound, {})


def test_updates_happen_at_once(tmp_path: Path) -> None:
    """The start, and one configuration for each of the three arrangements."""
    for found in by_all(drawn(swapped(), 3), tmp_path):
        assert found == (4, frozenset())


PAIRS = ((7, 2), (-7, 2), (7, -2), (-7, -2), (7, 0), (0, 3))


def test_division_rounds_towards_zero(tmp_path: Path) -> None:
    """The machine gets from state to state if quotient and remainder are what CEL says; by a zero they are those by
    one, since no step may depend on them."""
    numbers = {f"{side}{n}": (INT, pair[k]) for n, pair in enumerate(PAIRS) for k, side in enumerate("ab")}
    drawing = Drawing("s0", numbers)
    for n, (left, right) in enumerate(PAIRS):
        a, b = t.var(f"a{n}", INT), t.var(f"b{n}", INT)
        quotient = t.truncated_div(left, right or 1)
        is_quotient = t.eq(t.arithmetic(t.Op.DIV, a, b), t.integer(quotient))
        is_remainder = t.eq(t.arithmetic(t.Op.MOD, a, b), t.integer(left - (right or 1) * quotient))
        drawing.edge(f"s{n}", f"s{n + 1}", t.and_(is_quotient, is_remainder))
    for found in by_all(drawn(drawing.system(), 7), tmp_path):
        assert found == (2 + len(PAIRS), frozenset())


@pytest.mark.parametrize(("bound", "count"), [(2, 3), (3, 4), (5, 6), (9, 7)])
def test_whole_numbers_within_a_bound(bound: int, count: int, tmp_path: Path) -> None:
    """x counts to 5 and stops: 0 to 5 after the start, of which the bound leaves 0 to itself."""
    drawing = Drawing("s", {"x": (INT, 0)})
    drawing.edge("s", "s", t.lt(X, t.integer(5)), {"x": t.add(X, t.integer(1))})
    system = drawing.system()
    assert search(system, bound, lambda _: False, 100)[0] == min(count + 1, 7)
    for found in by_all(drawn(system, bound), tmp_path):
        assert found == (min(count + 1, 7), frozenset())


def test_choices_keep_to_their_values_and_leave_no_trace(tmp_path: Path) -> None:
    """Of 4 pairs three are allowed, each a configuration, and one goes on; what was chosen is no part of them."""
    a = Input("a", BOOL, Chooser.AGENT)
    n = Input("n", INT, Chooser.AGENT, lower=2, upper=3)
    drawing = Drawing("s", {"x": (INT, 0), "b": (BOOL, False)})
    both = t.or_(t.var("a", BOOL), t.lt(t.var("n", INT), t.integer(3)))
    updates = {"x": t.var("n", INT), "b": t.var("a", BOOL)}
    drawing.edge("s", "e", both, updates, kind=StepKind.FIRE, inputs=(a, n))
    drawing.edge("e", "f", t.and_(t.var("b", BOOL), t.eq(X, t.integer(3))))
    for found in by_all(drawn(drawing.system(), 9), tmp_path):
        assert found == (2 + 3 + 1, frozenset())


def test_a_variable_that_is_only_written_is_part_of_a_configuration(tmp_path: Path) -> None:
    """What is read of it is decided by the bound; SPIN would leave it out unasked."""
    drawing = Drawing("s", {"x": (INT, 0)})
    drawing.edge("s", "e", updates={"x": t.var("c", INT)}, inputs=(Input("c", INT, Chooser.AGENT),))
    drawing.edge("e", "f", t.lt(X, t.integer(100)))
    for found in by_all(drawn(drawing.system(), 2), tmp_path):
        assert found == (2 + 5 + 5, frozenset())


def test_many_values(tmp_path: Path) -> None:
    """More texts than SPIN has symbols, and a wide range: 2 configurations before, 300 texts or 19 numbers after."""
    many = Sort(SortKind.FINITE, "many", tuple(f"v{n}" for n in range(300)))
    texts = Drawing("s", {"x": (many, 0)})
    texts.edge("s", "e", updates={"x": t.var("c", many)}, inputs=(Input("c", many, Chooser.AGENT),))
    texts.edge("e", "f", t.eq(t.var("x", many), t.label(many, 299)))
    numbers = Drawing("s", {"x": (INT, 0)})
    numbers.edge("s", "e", updates={"x": t.var("c", INT)}, inputs=(Input("c", INT, Chooser.AGENT),))
    numbers.edge("e", "f", t.eq(X, t.integer(-9)))
    for drawing, count in ((texts, 300), (numbers, 19)):
        for found in by_all(drawn(drawing.system(), 9), tmp_path):
            assert found == (2 + count + 1, frozenset())


def test_numbers_that_tools_cannot_hold_are_refused() -> None:
    drawing = Drawing("s", {"x": (INT, 0)})
    huge = t.arithmetic(t.Op.MUL, X, t.integer(10**10))
    drawing.edge("s", "s", t.lt(huge, t.integer(5)))
    with pytest.raises(ExportError, match="32 bits"):
        drawn(drawing.system(), 3)
    decided = Drawing("s", {"x": (INT, 0)}).edge("s", "s", t.lt(X, t.integer(10**12))).system()
    assert "1000000000000" not in rendered(drawn(decided, 3), Language.PROMELA).text


COUNTING = """
fsm:
  name: counting
  initialState: ask
  context:
    answer: {type: enum, values: [yes, no]}
    turns: {type: integer, default: 0}
  agents: {one: {canTransition: [ask]}}
  states:
    ask:
      requires: [{name: answer, from: {agent: one}}]
      transitions:
        - {toState: end, guards: [{backend: cel, expression: "context.answer == 'yes' || context.turns >= 3"}]}
        - {toState: ask, onTransition: [{assign: {answer: "", turns: "${context.turns + 1}"}}]}
    end: {terminal: true}
"""


def test_whole_numbers_need_a_bound() -> None:
    spec = spec_of(COUNTING)
    with pytest.raises(ExportError, match=r'whole number \(or size\) "turns": say with --integers N'):
        machine_alone(spec, "gated", Language.PROMELA)
    assert "BOUNDED" in machine_alone(spec, "gated", Language.SMV, 4).text
    with pytest.raises(ExportError, match="can still end, of which whole numbers within a bound tell nothing"):
        export(spec, "gated", Language.SMV, ["FSM204"], 4)
    with pytest.raises(ExportError, match='"turns" starts at 9, beyond the bound'):
        machine_alone(spec_of(COUNTING.replace("default: 0", "default: 9")), "gated", Language.TLA, 4)


def test_events_are_seen_on_steps_that_lead_beyond_the_bound() -> None:
    """With turns up to 0 the way back is never taken in the model, but it can be: so it is not dead."""
    spec = spec_of(COUNTING)
    exported = export(spec, "gated", Language.TLA, ["FSM303@ask/1"], 0)
    module = read(exported.text)
    assert module.breaks("ask_FSM303_ask_1", module.reachable())


LOGGING = COUNTING.replace("default: 0}", "default: 0}\n    log: {type: list, of: string, default: []}").replace(
    "|| context.turns >= 3", ""
)


def test_what_does_not_depend_on_whole_numbers_is_asked_without_a_bound() -> None:
    spec = spec_of(LOGGING.replace("    ask:\n", '    ask:\n      description: "{{ context.log }}"\n'))
    everything = export(spec, "gated", Language.PROMELA).text
    assert "Not asked, since each depends on whole numbers or sizes: say with --integers" in everything
    assert "log_size" not in everything
    with pytest.raises(ExportError, match='"FSM111@ask/log" depends on whole numbers or sizes'):
        export(spec, "gated", Language.PROMELA, ["FSM111@ask/log"])
    assert "log_size" in export(spec, "gated", Language.PROMELA, ["FSM111@ask/log"], 2).text


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("FSM303@ask/11", 'did you mean "FSM303@ask/1"'),
        ("FSM999", "nothing is asked at .FSM999. of this spec"),
        ("FSM501", "asks for a bound on how often a loop turns"),
        ("FSM502@ask", "which needs the values themselves"),
        ("FSM204@ask", "a question of branching time that Promela cannot put"),
    ],
)
def test_places_that_cannot_be_asked_about(place: str, message: str) -> None:
    with pytest.raises(ExportError, match=message):
        export(spec_of(LOGGING), "gated", Language.PROMELA, [place])


GUESSING = """
fsm:
  name: guessing
  initialState: ask
  context:
    answer: {type: enum, values: [yes, no]}
    words: {type: list, of: string}
    note: {type: string, default: ""}
  agents: {one: {canTransition: [ask]}}
  states:
    ask:
      requires: [{name: answer, from: {agent: one}}]
      transitions:
        - {toState: end, guards: [{backend: lua, expression: "return true"}]}
        - {toState: end, guards: [{backend: cel, expression: "context.note.startsWith('a')"}]}
        - {toState: ask, onTransition: [{assign: {answer: "", note: "${context.note + 'b'}"}}]}
    end: {terminal: true}
"""


def test_values_that_are_not_known_are_guessed(tmp_path: Path) -> None:
    spec = spec_of(GUESSING)
    for system, model in models(spec, "eager", Language.TLA):
        expected = ours(system, model)
        assert model.guesses
        assert expected is not None
        for found in by_all(model, tmp_path):
            assert found == (expected.configurations, expected.found)
    text = export(spec, "eager", Language.PROMELA).text
    assert "Where a value is not known (guess...), any is chosen" in text
