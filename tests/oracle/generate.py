"""Seeded random specs: small, valid, and likely to misbehave in the ways the rules are about."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any

from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec

CHOICES = ("go", "back", "halt")
WORDS = ("yes", "no")
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")
RESERVED = frozenset({"true", "false", "null", "True", "False", "Null", "TRUE", "FALSE", "NULL"})

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of spec: how often each type of field occurs and how the loop is built.

    ``tidy`` ones ask in every state, cover every answer, and empty what the way back needs anew, mostly.
    """

    name: str
    kinds: dict[str, int]
    fields: tuple[int, int] = (2, 4)
    required: float = 0.75
    split: float = 0.5
    clear: float = 0.6
    count: float = 0.0
    record: float = 0.3
    entry: float = 0.2
    compound: float = 0.25
    caps: float = 0.25
    unauthorised: float = 0.05
    pairs: float = 0.15
    tidy: bool = False


FAMILIES = (
    Family("triggers", {"enum": 4, "string": 3}, split=0.8, record=0.5, entry=0.1),
    Family(
        "rounds",
        {"enum": 2, "string": 3},
        fields=(3, 5),
        required=1.0,
        split=1.0,
        clear=0.85,
        record=0.6,
        entry=0.05,
        caps=0.5,
        unauthorised=0.0,
        tidy=True,
    ),
    Family("counters", {"enum": 2, "integer": 4, "string": 1}, count=0.8, split=0.4),
    Family("collections", {"list": 3, "map": 2, "string": 2, "enum": 1}, record=0.7, fields=(2, 3)),
    Family("nulls", {"boolean": 3, "integer": 2, "enum": 1, "number": 1}, clear=0.5, compound=0.4),
    Family("fallthrough", {"string": 2, "enum": 2, "boolean": 1}, required=0.5, entry=0.5, clear=0.4),
    Family("caps", {"enum": 2, "string": 2}, caps=0.9, fields=(3, 5), required=0.95, pairs=0.8),
    Family(
        "mixed",
        {"enum": 2, "string": 2, "integer": 1, "boolean": 1, "list": 1, "map": 1},
        count=0.3,
        fields=(3, 6),
        unauthorised=0.1,
    ),
)


@dataclass
class _Draft:
    """A spec in the making."""

    rng: random.Random
    family: Family
    kinds: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    required: dict[str, list[str]] = field(default_factory=dict)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def of_kind(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind in kinds]


def generate(seed: int) -> str:
    """A valid spec as YAML text; the same seed gives the same text."""
    rng = random.Random(seed)
    while True:
        text = dumped({"fsm": _Builder(_Draft(rng, FAMILIES[seed % len(FAMILIES)])).document(seed)})
        if load_valid(text) is not None:
            return text


def load_valid(text: str) -> Spec | None:
    """The loaded spec, or None where the loader found a fault."""
    (document,) = load(SourceFile("generated.yaml", text))
    return None if document.faults else document.spec


class _Builder:
    def __init__(self, draft: _Draft) -> None:
        self.draft = draft
        self.rng = draft.rng
        self.family = draft.family

    def document(self, seed: int) -> Data:
        draft, rng = self.draft, self.rng
        context = self._context()
        draft.states = [f"s{number}" for number in range(rng.choice((1, 2, 2, 3, 3, 4)))]
        draft.required = {name: self._required() for name in draft.states}
        ends = ["end"] if draft.chance(0.75) else ["end", "other"]
        agents = ["ann"] if draft.chance(0.5 - self.family.pairs) else ["ann", "bob"]
        states: Data = {name: self._state(place, name, ends, agents) for place, name in enumerate(draft.states)}
        for name in ends:
            states[name] = {"terminal": True}
            if draft.chance(0.15):
                states[name]["entry"] = [self._action()]
        spec: Data = {"name": f"g{seed}", "initialState": draft.states[0], "context": context}
        spec["agents"] = {agent: {"canTransition": self._authority(agent, states)} for agent in agents}
        spec["states"] = states
        if draft.chance(self.family.caps):
            spec["policy"] = self._policy()
        return spec

    def _authority(self, agent: str, states: Data) -> list[str]:
        asked = [
            name
            for name, state in states.items()
            if any(item["from"]["agent"] == agent for item in state.get("requires", ()))
        ]
        return [name for name in asked if not self.draft.chance(self.family.unauthorised)]

    def _policy(self) -> Data:
        policy: Data = {}
        if self.draft.chance(0.7):
            policy["maxIterations"] = self.rng.choice((1, 1, 1, 2, 3, 6))
        if self.draft.chance(0.5):
            policy["maxExchangesPerStage"] = self.rng.choice((1, 1, 1, 2, 3))
        if self.draft.chance(0.4) or not policy:
            policy["maxExchangesPerAgentPerStage"] = self.rng.randint(1, 2)
        return policy

    # -- context

    def _context(self) -> Data:
        kinds = list(self.family.kinds)
        weights = list(self.family.kinds.values())
        context: Data = {}
        for number in range(self.rng.randint(*self.family.fields)):
            kind = self.rng.choices(kinds, weights)[0]
            name = f"{kind}{number}"
            self.draft.kinds[name] = kind
            slot: Data = {"type": kind}
            if kind == "enum":
                count = 3 if self.draft.chance(0.5) else 2
                self.draft.values[name] = CHOICES[:count]
                slot["values"] = list(CHOICES[:count])
            if kind in ("list", "map"):
                slot["of"] = "integer" if self.draft.chance(0.15) else "string"
                if slot["of"] == "integer":
                    self.draft.kinds[name] = f"{kind} of integer"
            if self.draft.chance(0.7 if kind in ("integer", "number") else 0.25):
                slot["default"] = self._default(kind)
            context[name] = slot
        return context

    def _default(self, kind: str) -> object:
        choices: dict[str, tuple[object, ...]] = {
            "string": ("", "yes"),
            "enum": ("", "go"),
            "integer": (0, 0, 1, 2),
            "number": (0.5, 1.0),
            "boolean": (True, False),
            "list": ([],),
            "map": ({},),
        }
        return self.rng.choice(choices[kind])

    # -- states

    def _state(self, place: int, name: str, ends: list[str], agents: list[str]) -> Data:
        draft, rng = self.draft, self.rng
        state: Data = {}
        required = draft.required[name]
        if draft.chance(0.3):
            mentioned = rng.choice(list(draft.kinds))
            state["description"] = f"Look at {{{{ context.{mentioned} }}}}"
        if required:
            first = rng.randrange(2)
            state["requires"] = [
                {"name": item, "from": {"agent": agents[(first + number) % len(agents)]}}
                for number, item in enumerate(required)
            ]
        if draft.chance(self.family.entry):
            state["entry"] = self._actions()
        if draft.chance(self.family.record):
            state["exit"] = [self._record(required)]
        transitions = self._transitions(place, ends, required)
        if transitions:
            state["transitions"] = transitions
        return state

    def _required(self) -> list[str]:
        draft, rng = self.draft, self.rng
        if not draft.chance(self.family.required):
            return []
        usable = draft.of_kind("string", "enum", "boolean")
        if draft.chance(0.2) or not usable:
            usable += draft.of_kind("list", "map", "integer")
        count = 2 if draft.chance(self.family.pairs) else rng.choice((1, 1, 1, 2))
        chosen = rng.sample(usable, min(len(usable), count))
        if self.family.tidy and draft.values:
            trigger = rng.choice(list(draft.values))
            chosen = [trigger, *(name for name in chosen if name not in draft.values)]
        return chosen

    def _target(self, place: int, ends: list[str]) -> str:
        states = self.draft.states
        forward = states[place + 1 :] + ends
        return self.rng.choice(forward if self.draft.chance(0.5) else states)

    def _transitions(self, place: int, ends: list[str], required: list[str]) -> list[Data]:
        draft, rng = self.draft, self.rng
        enums = [name for name in required if name in draft.values]
        moves: list[Data] = []
        if len(required) > 1 and not self.family.tidy and draft.chance(0.25):
            # Two triggers that know nothing of each other: guards that overlap.
            moves = [{"toState": self._target(place, ends), "guards": [self._atom(name)]} for name in required]
        elif enums and draft.chance(self.family.split):
            trigger = rng.choice(enums)
            for value in draft.values[trigger]:
                if self.family.tidy or draft.chance(0.9):
                    move = {"toState": self._target(place, ends), "guards": [f"context.{trigger} == '{value}'"]}
                    if draft.chance(0.05 if self.family.tidy else 0.2):
                        move["guards"].append(self._guard(required))
                    moves.append(move)
        else:
            moves = self._loose(place, ends, required)
        if draft.chance(0.85):
            moves.sort(key=lambda move: "guards" not in move)
        if draft.chance(0.35) and all("guards" in move for move in moves):
            moves.append({"toState": self._target(place, ends)})
        for move in moves:
            actions = self._on_transition(place, move["toState"], required)
            if actions:
                move["onTransition"] = actions
            if "guards" in move:
                move["guards"] = [{"backend": "cel", "expression": text} for text in move["guards"]]
        return moves

    def _loose(self, place: int, ends: list[str], required: list[str]) -> list[Data]:
        moves: list[Data] = []
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            move: Data = {"toState": self._target(place, ends)}
            if self.draft.chance(0.6):
                move["guards"] = [self._guard(required) for _ in range(self.rng.choice((1, 1, 1, 2)))]
            moves.append(move)
        return moves

    def _on_transition(self, place: int, target: str, required: list[str]) -> list[Data]:
        draft, rng = self.draft, self.rng
        actions: list[Data] = []
        returns = target in draft.states[: place + 1]
        cleared = [name for name in required if draft.chance(self.family.clear if returns else 0.2)]
        if self.family.tidy:
            wanted = [*required, *draft.required.get(target, ())]
            cleared = [name for name in dict.fromkeys(wanted) if draft.chance(self.family.clear)]
        elif draft.chance(0.15):
            cleared.append(rng.choice(list(draft.kinds)))
        if cleared:
            actions.append({"assign": {name: self._empty(name) for name in cleared}})
        counters = draft.of_kind("integer")
        if counters and draft.chance(self.family.count):
            counter = rng.choice(counters)
            step = "+ 1" if draft.chance(0.8) else "- 1"
            value: object = f"${{context.{counter} {step}}}" if draft.chance(0.85) else 0
            actions.append({"assign": {counter: value}})
        if draft.chance(0.05 if self.family.tidy else 0.2):
            actions.append(self._action())
        return actions

    def _empty(self, name: str) -> object:
        empties: dict[str, object] = {"list": [], "map": {}, "integer": None, "number": None, "boolean": None}
        return empties.get(self.draft.kinds[name].split()[0], "")

    # -- actions

    def _actions(self) -> list[Data]:
        return [self._action() for _ in range(self.rng.choice((1, 1, 2)))]

    def _record(self, required: list[str]) -> Data:
        lists = self.draft.of_kind("list")
        maps = self.draft.of_kind("map")
        source = self._text_source(required)
        if lists and self.draft.chance(0.8):
            return {"append": {self.rng.choice(lists): source}}
        if maps:
            return {"put": {self.rng.choice(maps): {self.rng.choice(("k", "j")): source}}}
        strings = [name for name in self.draft.of_kind("string") if name not in required]
        return {"assign": {self.rng.choice(strings): source}} if strings else self._action()

    def _text_source(self, required: list[str]) -> str:
        usable = [name for name in required if self.draft.kinds[name] in ("string", "enum")]
        usable = usable or self.draft.of_kind("string", "enum")
        if not usable:
            return "noted"
        name = self.rng.choice(usable)
        forms = (
            f"${{context.{name}}}",
            f"${{context.{name}}}",
            f"got ${{context.{name}}}",
            f"${{context.{name} != '' ? context.{name} : 'none'}}",
            f"${{'x: ' + context.{name}}}",
        )
        return self.rng.choice(forms)

    def _action(self) -> Data:
        name = self.rng.choice(list(self.draft.kinds))
        kind = self.draft.kinds[name]
        if kind.startswith("list") and self.draft.chance(0.7):
            return {"append": {name: self._element(kind)}}
        if kind.startswith("map") and self.draft.chance(0.8):
            return {"put": {name: {self.rng.choice(("k", "j")): self._element(kind)}}}
        writes = {name: self._value(name)}
        if self.draft.chance(0.2):
            other = self.rng.choice(list(self.draft.kinds))
            writes[other] = self._value(other)
        return {"assign": writes}

    def _element(self, kind: str) -> object:
        if kind.endswith("of integer"):
            counters = self.draft.of_kind("integer")
            return f"${{context.{self.rng.choice(counters)}}}" if counters else 1
        return self._text_source([]) if self.draft.chance(0.6) else self.rng.choice(WORDS)

    def _value(self, name: str) -> object:
        draft, rng = self.draft, self.rng
        kind = draft.kinds[name]
        same = [other for other in draft.of_kind(kind) if draft.values.get(other) == draft.values.get(name)]
        if draft.chance(0.25):
            return self._empty(name)
        if draft.chance(0.25):
            return f"${{context.{rng.choice(same)}}}"
        match kind:
            case "string":
                return self._text_source([]) if draft.chance(0.4) else rng.choice(WORDS)
            case "enum":
                texts = draft.of_kind("string")
                if texts and draft.chance(0.1):
                    return f"${{context.{rng.choice(texts)}}}"
                return rng.choice(draft.values[name])
            case "integer":
                forms = [0, 1, f"${{context.{name} + 1}}", f"${{context.{name} - 1}}"]
                sized = draft.of_kind("list", "map")
                if sized and draft.chance(0.3):
                    return f"${{size(context.{rng.choice(sized)})}}"
                return rng.choice(forms)
            case "number":
                return rng.choice([0.5, 1.5, f"${{context.{name} + 0.5}}"])
            case "boolean":
                others = draft.of_kind("string", "enum")
                forms = [True, False, f"${{!context.{name}}}"]
                if others:
                    forms.append(f"${{context.{rng.choice(others)} == 'go'}}")
                return rng.choice(forms)
        return self._empty(name)

    # -- guards

    def _guard(self, required: list[str], depth: int = 0) -> str:
        if depth < 2 and self.draft.chance(self.family.compound):
            one, two = self._guard(required, depth + 1), self._guard(required, depth + 1)
            three = self._guard(required, depth + 1) if self.draft.chance(0.2) else None
            if three is not None:
                return f"({one}) ? ({two}) : ({three})"
            form = self.rng.choice(("({0}) && ({1})", "({0}) || ({1})", "!({0})", "({0}) && !({1})"))
            return form.format(one, two)
        names = required if required and self.draft.chance(0.75) else list(self.draft.kinds)
        return self._atom(self.rng.choice(names))

    def _atom(self, name: str) -> str:
        rng, draft = self.rng, self.draft
        kind = draft.kinds[name]
        here = f"context.{name}"
        same = [other for other in draft.of_kind(kind) if draft.values.get(other) == draft.values.get(name)]
        other = f"context.{rng.choice(same)}"
        number = rng.choice((0, 1, 1, 2, 3))
        match kind:
            case "enum":
                value = rng.choice(draft.values[name])
                forms = [
                    f"{here} == '{value}'",
                    f"{here} == '{value}'",
                    f"{here} != '{value}'",
                    f"{here} != ''",
                    f"{here} in ['go', 'back']",
                    f"has({here})",
                    f"{here} == {other}",
                ]
            case "string":
                word = rng.choice(WORDS)
                forms = [
                    f"{here} != ''",
                    f"{here} == '{word}'",
                    f"{here} != '{word}'",
                    f"has({here})",
                    f"{here} == {other}",
                    f"{here} != {other}",
                    f"{here} in ['yes', 'no']",
                ]
                lists = draft.of_kind("list")
                if lists:
                    forms.append(f"{here} in context.{rng.choice(lists)}")
            case "integer":
                forms = [
                    f"{here} < {number}",
                    f"{here} >= {number}",
                    f"{here} >= {number}",
                    f"{here} == {number}",
                    f"{here} + 1 < {number}",
                    f"{here} != null",
                    f"has({here})",
                    f"{here} < {other}",
                    f"{here} % 2 == 0",
                    f"{here} > {number} || {here} <= {number}",
                ]
            case "number":
                forms = [f"{here} < 1.5", f"{here} >= 1.0", f"{here} != null"]
            case "boolean":
                forms = [
                    here,
                    here,
                    f"!{here}",
                    f"{here} == true",
                    f"{here} != null && {here}",
                    f"has({here})",
                    f"{here} == {other}",
                ]
            case _:
                forms = [
                    f"size({here}) >= {number}",
                    f"size({here}) < {number}",
                    f"has({here})",
                    f"{here}.size() == {number}",
                ]
                forms += self._collection_atoms(here, kind, name)
        return rng.choice(forms)

    def _collection_atoms(self, here: str, kind: str, name: str) -> list[str]:
        word = self.rng.choice(WORDS)
        if kind == "list":
            forms = [
                f"{here} != []",
                f"'{word}' in {here}",
                f"{here}.exists(x, x == '{word}')",
                f"{here}.all(x, x != '{word}')",
                f"{here}[0] == '{word}'",
            ]
            strings = self.draft.of_kind("string")
            if strings:
                forms.append(f"{here}.exists(x, x == context.{self.rng.choice(strings)})")
            return forms
        if kind.startswith("map"):
            forms = [f"'k' in {here}", f"has({here}.k)"]
            return [*forms, f"{here}['k'] == '{word}'"] if kind == "map" else [*forms, f"{here}['k'] > 1"]
        return [f"1 in {here}", f"{here}.exists(x, x > 1)"]


def scalar(value: object) -> str:
    """A scalar as YAML: a plain word where that is safe, else JSON, which YAML reads alike."""
    if isinstance(value, str) and PLAIN.match(value) and value not in RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


def dumped(value: object, indent: int = 0) -> str:
    """Plain data as block YAML."""
    pad = "  " * indent
    lines: list[str] = []
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (dict, list)) and item:
                lines.append(f"{pad}{scalar(key)}:\n{dumped(item, indent + 1)}")
            else:
                lines.append(f"{pad}{scalar(key)}: {scalar(item)}\n")
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict) and item:
                body = dumped(item, indent + 1)
                lines.append(f"{pad}- {body[len(pad) + 2 :]}")
            else:
                lines.append(f"{pad}- {scalar(item)}\n")
    return "".join(lines)
