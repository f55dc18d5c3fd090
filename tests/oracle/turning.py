"""Specs whose machine comes back to where it was inside one advance, more often than those of ``generate``: few fields
with few values, transitions that change nothing or write what is there already, and states that ask for little."""

from __future__ import annotations

import json
import random


def turning(seed: int) -> str:
    """The text of the spec of a seed."""
    rng = random.Random(seed)
    states = [f"s{number}" for number in range(rng.choice((2, 3, 3, 4)))]
    lines = [
        "fsm:",
        f"  name: t{seed}",
        "  version: 1",
        "  initialState: s0",
        "  context:",
        "    word: { type: enum, values: [x, y] }",
        "    kept: { type: enum, values: [x, y], default: x }",
        "    flag: { type: boolean, default: false }",
        "    note: { type: string }",
        "    count: { type: integer, default: 0 }",
        "  agents:",
        f"    ann: {{ canTransition: [{', '.join(states)}] }}",
        "  states:",
    ]
    for state in states:
        lines += _state(rng, state, [*states, "end"])
    return "\n".join([*lines, "    end: { terminal: true }"]) + "\n"


def _state(rng: random.Random, name: str, targets: list[str]) -> list[str]:
    lines = [f"    {name}:"]
    required = rng.sample(["word", "note"], rng.choice((0, 1, 1, 1, 2)))
    if required:
        lines.append(f"      requires: [{', '.join(_required(each) for each in required)}]")
    for phase, chance in (("entry", 0.15), ("exit", 0.25)):
        if rng.random() < chance:
            lines.append(f"      {phase}: [{_action(rng)}]")
    lines.append("      transitions:")
    for number in range(rng.choice((1, 2, 2, 3))):
        guarded = number == 0 or rng.random() < 0.7
        guards = f", guards: [{{ backend: cel, expression: {json.dumps(_guard(rng))} }}]" if guarded else ""
        actions = f", onTransition: [{_action(rng)}]" if rng.random() < 0.35 else ""
        lines.append(f"        - {{ toState: {rng.choice(targets)}{guards}{actions} }}")
    return lines


def _required(field: str) -> str:
    return f"{{ name: {field}, from: {{ agent: ann }} }}"


def _action(rng: random.Random) -> str:
    written = rng.choice(
        (
            'word: ""',
            "word: x",
            "word: y",
            "kept: x",
            "kept: y",
            'kept: ""',
            "flag: true",
            "flag: false",
            "flag: null",
            'note: ""',
            "note: a",
            "count: 0",
            "count: 1",
            'kept: "${context.word}"',
            'note: "${context.word}"',
            'flag: "${!context.flag}"',
            'count: "${context.count}"',
        )
    )
    return f"assign: {{ {written} }}"


def _guard(rng: random.Random) -> str:
    return rng.choice(
        (
            "context.word == 'x'",
            "context.word == 'y'",
            "context.word != ''",
            "context.kept == 'x'",
            "context.kept == context.word",
            "context.flag == true",
            "context.flag != true",
            "context.note == 'a'",
            "context.note != ''",
            "context.count == 0",
            "context.count < 1 && context.word == 'x'",
            "true",
        )
    )
