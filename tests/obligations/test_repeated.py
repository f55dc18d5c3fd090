"""Loops without end that the abstraction cannot follow all the way round: a run comes back with the same values."""

from __future__ import annotations

import pytest

from fsmcheck.obligations import loops
from fsmcheck.obligations.endless import looked_at
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.run import run
from fsmcheck.spec.model import Spec
from tests.oracle.compare import Tally, run_seed
from tests.oracle.generate import load_valid
from tests.oracle.product import verdicts_of

NOTED = """fsm:
  name: noted
  initialState: ask
  context:
    word: { type: enum, values: [go, stop] }
    note: { type: string, default: "" }
    rounds: { type: integer, default: 0 }
    history: { type: list, of: string, default: [] }
    unused: { type: string, default: "" }
  agents:
    ann: { canTransition: [ask] }
  states:
    ask:
      requires: [{ name: word, from: { agent: ann } }]
      exit:
        - append: { history: "${context.word}" }
      transitions:
        - toState: ask
          guards: [{ backend: cel, expression: "GUARD" }]
          onTransition:
            - assign: { note: "${'asked: ' + context.word}" }
            - assign: { word: "" COUNT }
        - { toState: done, guards: [{ backend: cel, expression: "context.note != 'nothing'" }] }
        - { toState: done }
    done: { terminal: true }
"""
"""What ``note`` is, the abstraction does not know: ``nothing``, perhaps, or some other text. Each time round it is the
same, and nothing looks at the entries of ``history``."""

GOES_ON = {
    "on an answer": ("context.word == 'go'", ""),
    "on an answer, and what is noted of it": ("context.word == 'go' && context.note != 'nothing'", ""),
}
ENDS = {
    "by a counter": ("context.word == 'go' && context.rounds < 3", ', rounds: "${context.rounds + 1}"'),
    "by the size of a list": ("context.word == 'go' && size(context.history) < 3", ""),
    "by what was noted": ("context.word == 'go' && context.note == ''", ""),
}


def spec_of(text: str) -> Spec:
    spec = load_valid(text)
    assert spec is not None
    return spec


def noted(guard: str, count: str) -> Spec:
    return spec_of(NOTED.replace("GUARD", guard).replace("COUNT", count))


def unbounded(spec: Spec) -> Verdict:
    (verdict,) = (v for v in run(spec, "gated", lambda rule: rule == "FSM501", None).verdicts)
    return verdict


@pytest.mark.parametrize(("guard", "count"), GOES_ON.values(), ids=GOES_ON)
def test_a_run_that_comes_back_as_it_was_goes_on_for_ever(
    guard: str, count: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = unbounded(noted(guard, count))
    assert verdict.verdict == "violated"
    assert verdict.trace is not None
    stores = [step["advance"]["store"] for step in verdict.trace["steps"]]
    assert {name: stores[-1][name] for name in ("word", "note")} == {"word": "", "note": "asked: go"}
    monkeypatch.setattr(loops, "show_repeated", lambda *_: None)
    assert unbounded(noted(guard, count)).verdict == "unknown"


@pytest.mark.parametrize(("guard", "count"), ENDS.values(), ids=ENDS)
def test_one_that_does_not_is_not_said_to(guard: str, count: str) -> None:
    assert unbounded(noted(guard, count)).verdict != "violated"


def test_a_number_that_an_agent_need_not_change() -> None:
    """What a step costs is up to the agent; nought and nought is nought."""
    text = NOTED.replace("'asked: ' + context.word", "context.word").replace(
        "COUNT", ', total: "${context.total + context.cost}"'
    )
    text = text.replace(
        "    unused:", "    cost: { type: number }\n    total: { type: number, default: 0.0 }\n    unused:"
    )
    text = text.replace("agent: ann } }]", "agent: ann } }, { name: cost, from: { agent: ann } }]")
    verdict = unbounded(spec_of(text.replace("GUARD", "context.word == 'go' && context.total < 5.0")))
    assert verdict.verdict == "violated"
    assert verdict.trace is not None
    costs = [step["writes"]["cost"] for step in verdict.trace["steps"] if "cost" in step["writes"]]
    assert costs[-1] == 0.0


def test_one_that_ends_by_a_text_that_grows() -> None:
    """Four times round, up to ``aaaa``. To the abstraction each is some other text, or the last."""
    text = NOTED.replace("'asked: ' + context.word", "'a' + context.note").replace("COUNT", "")
    assert (
        unbounded(spec_of(text.replace("GUARD", "context.note != 'aaaa' && context.word == 'go'"))).verdict == "unknown"
    )


KEYS = "abcdef"


def turned(first: str) -> Spec:
    """Each time round, the key of a map that came first comes last."""
    listed = "context.kept.map(key, key)"
    entries = ", ".join(f"{listed}[{place}]: 'x'" for place in (*range(1, len(KEYS)), 0))
    default = ", ".join(f"{key}: x" for key in KEYS)
    text = NOTED.replace("GUARD", f"context.word == 'go' && {first}")
    text = text.replace("COUNT", f', kept: "${{ {{{entries}}} }}"')
    kept = f"    kept: {{ type: map, of: string, default: {{ {default} }} }}\n"
    return spec_of(text.replace("    unused:", f"{kept}    unused:"))


@pytest.mark.parametrize(
    "first", ["context.kept.map(key, key)[0] != 'f'", "context.kept.filter(key, key < 'g')[0] != 'f'"]
)
def test_one_that_ends_by_the_order_of_keys(first: str) -> None:
    """Five times round, and all the while the map is the same."""
    assert unbounded(turned(first)).verdict == "unknown"


def test_what_a_spec_looks_at() -> None:
    """What is only written, or shown to people, decides nothing."""
    assert looked_at(noted("context.word == 'go'", "")) == {"word", "note"}
    assert looked_at(noted("size(context.history) < 3", "")) == {"word", "note", "history"}
    assert looked_at(noted("true", ', rounds: "${context.rounds + 1}"')) == {"word", "note", "rounds"}


@pytest.mark.parametrize("seed", [500022, 500055, 500099, 500129, 500137])
def test_brute_force_agrees(seed: int) -> None:
    """Specs for which no bound was found, nor a run without end."""
    tally = Tally()
    run_seed(seed, tally, verdicts_of, None)
    assert not tally.failures
