"""What does not matter does not change a verdict: names, order, an unreachable state, how a guard is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from fsmcheck.cel.ast import Binary, BinaryOp
from fsmcheck.cel.syntax import parse
from fsmcheck.check import verdicts
from fsmcheck.diagnostics import Subject
from tests.oracle.compare import profile_of
from tests.oracle.generate import dumped, generate, load_valid
from tests.renaming import Renaming

SPECS = Path(__file__).parents[1] / "specs"
SHIPPED = sorted(path.relative_to(SPECS).as_posix() for path in [*SPECS.glob("*.yaml"), *SPECS.glob("faulty/*.yaml")])
SHIPPED.remove("verdicts.yaml")
SEEDS = range(4000, 4040)
LOOPS = frozenset({"FSM501", "FSM502", "FSM505"})
"""Their subject is the loop's first state in the order of the document."""

Data = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """YAML as specs are written in it: ``yes`` and ``no`` are words."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def loaded(text: str) -> Data:
    return yaml.load(text, _Loader)["fsm"]  # type: ignore[no-any-return]


Words = dict[tuple[str, Subject], str]
Change = Callable[[Data], tuple[Data, Callable[[Subject], Subject]]]


def same(subject: Subject) -> Subject:
    return subject


def renamed(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    def fresh(kind: str, names: Mapping[str, object]) -> dict[str, str]:
        return {name: f"{kind}{len(names) - place}" for place, name in enumerate(names)}

    values = {value: value for field in fsm["context"].values() for value in field.get("values", ())}
    names = Renaming(fresh("q", fsm["states"]), fresh("v", fsm["context"]), fresh("who", fsm["agents"]), values)

    def moved(subject: Subject) -> Subject:
        return Subject(**names.subject(subject.as_dict()))

    return yaml.safe_load(names.spec(yaml.safe_dump({"fsm": fsm}, sort_keys=False)))["fsm"], moved


def with_states_turned_round(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    return {**fsm, "states": dict(reversed(fsm["states"].items()))}, same


def with_fields_turned_round(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    return {**fsm, "context": dict(reversed(fsm["context"].items()))}, same


def with_an_unreachable_state(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    lost = {"lost": {"description": "Nobody gets here", "transitions": [{"toState": fsm["initialState"]}]}}
    return {**fsm, "states": {**lost, **fsm["states"]}}, same


def with_unused_fields(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    unused = {"first0": {"type": "string"}, "last0": {"type": "integer"}, "list0": {"type": "list", "of": "string"}}
    return {**fsm, "context": {"first0": unused.pop("first0"), **fsm["context"], **unused}}, same


def with_guards(fsm: Data, change: Callable[[str], list[str]]) -> Data:
    states = {}
    for name, state in fsm["states"].items():
        states[name] = dict(state)
        if "transitions" in state:
            states[name]["transitions"] = [dict(transition) for transition in state["transitions"]]
            for transition in states[name]["transitions"]:
                if "guards" in transition:
                    texts = [text for guard in transition["guards"] for text in change(guard["expression"])]
                    transition["guards"] = [{"backend": "cel", "expression": text} for text in texts]
    return {**fsm, "states": states}


def conjuncts(text: str) -> list[str]:
    expr = parse(text)
    if not (isinstance(expr, Binary) and expr.op is BinaryOp.AND):
        return [text]
    return [
        part for side in (expr.left, expr.right) for part in conjuncts(enclosed(text, side.span.start, side.span.end))
    ]


def enclosed(text: str, start: int, end: int) -> str:
    """The part of a text with the parentheses around it that belong to it."""
    while text[start:end].count("(") != text[start:end].count(")"):
        if text[start:end].count("(") > text[start:end].count(")"):
            end += 1
        else:
            start -= 1
    return text[start:end]


def with_guards_split(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    return with_guards(fsm, conjuncts), same


def with_guards_negated_twice(fsm: Data) -> tuple[Data, Callable[[Subject], Subject]]:
    return with_guards(fsm, lambda text: [f"!!({text})"]), same


CHANGES: dict[str, tuple[Change, frozenset[str]]] = {
    "names": (renamed, frozenset()),
    "order of states": (with_states_turned_round, LOOPS),
    "order of fields": (with_fields_turned_round, frozenset()),
    "an unreachable state": (with_an_unreachable_state, frozenset()),
    "unused fields": (with_unused_fields, frozenset()),
    # Of two guards the first is evaluated alone, so that its failure is not absorbed; and each may be constant.
    "guards split": (with_guards_split, frozenset({"FSM304", "FSM305"})),
    "guards negated twice": (with_guards_negated_twice, frozenset()),
}
"""What is changed, and the rules whose verdicts are not compared place by place."""


def words(text: str, profile: str) -> Words:
    spec = load_valid(text)
    assert spec is not None
    return {key: word for key, (word, _) in verdicts(spec, profile).items()}


@cache
def original(name: str | int, profile: str) -> tuple[Data, Words]:
    text = (SPECS / name).read_text(encoding="utf-8") if isinstance(name, str) else generate(name)
    return loaded(text), words(text, profile)


def assert_unchanged(name: str | int, profile: str, kind: str) -> int:
    """Compare; the number of verdicts that one of the two does not know."""
    fsm, before = original(name, profile)
    change, loose = CHANGES[kind]
    changed, moved = change(fsm)
    after = words(dumped({"fsm": changed}), profile)
    expected = {(rule, moved(subject)): word for (rule, subject), word in before.items()}
    strict = {key for key in expected if key[0] not in loose}
    assert strict <= after.keys()
    # The entry of the first state is now also asked about as one that the unreachable state enters.
    assert all(word == "proved" for key, word in after.items() if key[0] not in loose and key not in strict)
    differing = [
        (key, word, after[key]) for key, word in expected.items() if key[0] not in loose and word != after[key]
    ]
    wrong = [entry for entry in differing if "unknown" not in entry]
    assert not wrong, wrong
    if "unknown" not in {*before.values(), *after.values()}:
        for rule in loose & LOOPS:
            assert summary(rule, before) == summary(rule, after)
    return len(differing)


def summary(rule: str, found: Words) -> bool:
    return any(word == "violated" for (of, _), word in found.items() if of == rule)


def cases() -> Iterator[tuple[str, str, str]]:
    for place, name in enumerate(SHIPPED):
        for number, kind in enumerate(CHANGES):
            yield name, ("gated", "eager")[(place + number) % 2], kind


@pytest.mark.parametrize(("name", "profile", "kind"), list(cases()))
def test_shipped_specs(name: str, profile: str, kind: str) -> None:
    assert assert_unchanged(name, profile, kind) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_generated_specs(seed: int) -> None:
    kinds = list(CHANGES)
    chosen = [kinds[(seed + step) % len(kinds)] for step in (0, 2, 5)]
    differing = sum(assert_unchanged(seed, profile_of(seed).value, kind) for kind in chosen)
    assert differing <= 2


def test_conjunctions_are_found() -> None:
    assert conjuncts("(context.a == 'x') && (context.b != '' && context.c)") == [
        "context.a == 'x'", "context.b != ''", "context.c",
    ]  # fmt: skip
    assert conjuncts("context.a == 'x' || context.b") == ["context.a == 'x' || context.b"]
    split = sum(len(conjuncts(guard)) > 1 for seed in SEEDS for guard in guards(seed))
    assert split >= 10


def guards(seed: int) -> Iterator[str]:
    for state in loaded(generate(seed))["states"].values():
        for transition in state.get("transitions", ()):
            for guard in transition.get("guards", ()):
                yield guard["expression"]
