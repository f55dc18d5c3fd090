"""A scalable family of specs: the planner and the executor, in as many stages, with as many fields, as one asks for.

Each stage plans, executes, and plans again while the executor says so and the history is not full. The planner answers
``flags`` further yes-or-no questions at each plan, which multiply the configurations: a flag more, three times as many
while the planner is at work. With the fault, the way back leaves ``outcome`` as it was, and the machine leaves on the
verdict of the cycle before.

    python bench/family.py --stages 2 --outcomes 4 --flags 8 --history 3 > spec.yaml
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Member:
    """One spec of the family: stages in a row (at least 1), values of ``outcome`` (at least 3: go on, give up, and the
    others lead to a new plan), flags that each plan asks for, and entries of history after which there is no further
    plan."""

    stages: int = 1
    outcomes: int = 3
    flags: int = 0
    history: int = 2
    faulty: bool = False

    @property
    def name(self) -> str:
        """What the spec is called."""
        fault = "-refires" if self.faulty else ""
        return f"family-{self.stages}-{self.outcomes}-{self.flags}-{self.history}{fault}"


def family(member: Member) -> str:
    """The text of a spec."""
    return "\n".join(_lines(member)) + "\n"


def _stage(number: int) -> str:
    return str(number + 1)


def _values(member: Member) -> list[str]:
    again = ["replan", *(f"replan{number}" for number in range(2, member.outcomes - 1))]
    return ["done", "abort", *again]


def _lines(member: Member) -> Iterator[str]:
    values = _values(member)
    stages = [_stage(number) for number in range(member.stages)]
    flags = [f"flag{number + 1}" for number in range(member.flags)]
    yield "fsm:"
    yield f"  name: {member.name}"
    yield "  version: 1"
    yield "  initialState: plan1"
    yield "  context:"
    yield "    objective: { type: string }"
    yield "    plan: { type: string }"
    yield "    directive: { type: string }"
    yield "    result: { type: string }"
    yield f"    outcome: {{ type: enum, values: {json.dumps(values)} }}"
    yield "    summary: { type: string }"
    yield "    history: { type: list, of: string }"
    yield from (f"    {flag}: {{ type: boolean }}" for flag in flags)
    planning = [f"{kind}{stage}" for stage in stages for kind in ("plan", "replan")]
    yield "  agents:"
    yield f"    planner: {{ canTransition: {json.dumps([*planning, 'finish', 'abort'])} }}"
    yield f"    executor: {{ canTransition: {json.dumps([f'execute{stage}' for stage in stages])} }}"
    yield "  states:"
    for number, stage in enumerate(stages):
        following = f"plan{_stage(number + 1)}" if number + 1 < member.stages else "finish"
        for kind in ("plan", "replan"):
            yield from _plan(f"{kind}{stage}", f"execute{stage}", flags)
        yield from _execute(stage, following, member, values)
    for name in ("finish", "abort"):
        yield f"    {name}:"
        yield "      requires:"
        yield "        - { name: summary, from: { agent: planner } }"
        yield "      transitions:"
        yield "        - toState: end"
    yield "    end:"
    yield "      terminal: true"


def _plan(name: str, target: str, flags: list[str]) -> Iterator[str]:
    yield f"    {name}:"
    yield "      requires:"
    for field in ("plan", "directive", *flags):
        yield f"        - {{ name: {field}, from: {{ agent: planner }} }}"
    yield "      transitions:"
    yield f"        - toState: {target}"


def _execute(stage: str, following: str, member: Member, values: list[str]) -> Iterator[str]:
    kept = [] if member.faulty else ["outcome"]
    cleared = ", ".join(f'{field}: ""' for field in ("directive", "result", *kept))
    flags = "".join(f", flag{number + 1}: null" for number in range(member.flags))
    yield f"    execute{stage}:"
    yield "      requires:"
    for field in ("result", "outcome"):
        yield f"        - {{ name: {field}, from: {{ agent: executor }} }}"
    yield "      exit:"
    yield "        - append: { history: \"${ context.directive + ': ' + context.result }\" }"
    yield "      transitions:"
    for value in values:
        guard = f"context.outcome == '{value}'"
        if value == "done":
            target, cleaning = following, f'{{ {cleared}, plan: ""{flags} }}'
        elif value == "abort":
            target, cleaning = "abort", ""
        else:
            target, cleaning = f"replan{stage}", f"{{ {cleared}{flags} }}"
            guard += f" && size(context.history) < {member.history}"
        yield f"        - toState: {target}"
        yield "          guards:"
        yield f'            - {{ backend: cel, expression: "{guard}" }}'
        if cleaning:
            yield "          onTransition:"
            yield f"            - assign: {cleaning}"
    yield "        - toState: abort"


def main() -> None:
    parser = argparse.ArgumentParser(description="print a spec of the family")
    parser.add_argument("--stages", type=int, default=1)
    parser.add_argument("--outcomes", type=int, default=3)
    parser.add_argument("--flags", type=int, default=0)
    parser.add_argument("--history", type=int, default=2)
    parser.add_argument("--faulty", action="store_true", help="the way back leaves the outcome as it was")
    arguments = parser.parse_args()
    print(family(Member(**vars(arguments))), end="")


if __name__ == "__main__":
    main()
