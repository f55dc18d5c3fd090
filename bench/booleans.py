"""Specs whose configurations are too many to be searched one by one: yes-or-no questions, asked one in each state.

``python bench/booleans.py 12 60`` prints one of 12 questions and 60 states; with a third argument each step forward is
counted as well, which diagrams only know by intervals. A guard reads three questions, those of states far away among
them, and some ways lead back.
"""

from __future__ import annotations

import sys


def spec(questions: int, states: int, *, counted: bool = False) -> str:
    """A spec of so many questions and states."""
    fields = [f"q{number}" for number in range(questions)]
    names = [f"s{number}" for number in range(states)]
    count = ', onTransition: [assign: { steps: "${ context.steps + 1 }" }]' if counted else ""
    lines = [
        "fsm:",
        f"  name: booleans-{questions}-{states}",
        "  version: 1",
        "  initialState: s0",
        "  context:",
        *(f"    {name}: {{ type: boolean }}" for name in fields),
        *(["    steps: { type: integer, default: 0 }"] if counted else []),
        f"  agents: {{ ann: {{ canTransition: [{', '.join(names)}] }} }}",
        "  states:",
    ]
    for number, name in enumerate(names):
        one, other, third = (fields[place % questions] for place in (number, 5 * number + 1, 7 * number + 2))
        following = names[number + 1] if number + 1 < states else "done"
        forward = f"context.{one} && (context.{other} || context.{third})"
        back, earlier = f"!context.{one} && context.{other}", names[3 * number % states]
        lines += [
            f"    {name}:",
            f"      requires: [{{ name: {one}, from: {{ agent: ann }} }}]",
            "      transitions:",
            f'        - {{ toState: {following}, guards: [{{ backend: cel, expression: "{forward}" }}]{count} }}',
            f'        - {{ toState: {earlier}, guards: [{{ backend: cel, expression: "{back}" }}] }}',
            f"        - toState: {following}",
        ]
    return "\n".join([*lines, "    done: { terminal: true }"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(spec(int(sys.argv[1]), int(sys.argv[2]), counted=len(sys.argv) > 3))
