"""Large realistic specs: a front desk that routes work through divisions, each a row of departments.

``python bench/large.py 1000`` prints one of about a thousand states. A department is a little machine of eight states
(intake, plan, act, check, redo, sign, stop, pass on) with loops of its own and three agents. Twelve
departments make a division, whose fields and agents are those of every other division, as they would be in a spec of
that size. Routers, each with up to ten ways, lead to the divisions; once one is through, the desk closes the work or
routes it anew.
"""

from __future__ import annotations

import sys

KINDS = 12
"""Departments of a division, each with a set of fields and agents of its own."""

WAYS = 10
"""Ways out of a router."""

STATES_EACH = 8


def spec(states: int) -> str:
    """A spec of about so many states, written narrow: five thousand fit into the megabyte that is read."""
    departments = max(1, (states - 4) // STATES_EACH)
    first = range(0, departments, KINDS)
    kinds = min(KINDS, departments)
    routers, entries = _routers([f"d{number}_intake" for number in first])
    lines = [
        "fsm:",
        f"  name: large-{states}",
        "  version: 1",
        f"  initialState: {entries}",
        "  context:",
        "    objective: { type: string }",
        "    history: { type: list, of: string }",
        "    reason: { type: string }",
        "    again: { type: enum, values: [close, reroute] }",
        *(f"    route_{level}: {{ type: enum, values: [{_ways(WAYS)}] }}" for level in range(_levels(len(first)))),
        *(line for kind in range(kinds) for line in _fields(kind)),
        "  agents:",
        f"    desk: {{ canTransition: [{', '.join([*routers, 'closing', 'giving_up'])}] }}",
        *(line for kind in range(kinds) for line in _agents(kind, departments)),
        "  states:",
        *(line for state in routers.values() for line in state),
        *(line for number in range(departments) for line in _department(number, departments)),
        *_ending(entries, _levels(len(first)), kinds),
        "  policy:",
        "    maxIterations: 400",
        "    maxExchangesPerStage: 30",
    ]
    narrow = (" " * ((len(line) - len(line.lstrip())) // 2) + line.lstrip() for line in lines)
    return "\n".join(narrow).replace("{ ", "{").replace(" }", "}") + "\n"


def _ways(count: int) -> str:
    return ", ".join(f"w{way}" for way in range(count))


def _levels(divisions: int) -> int:
    levels = 1
    while WAYS**levels < divisions:
        levels += 1
    return levels


def _routers(targets: list[str]) -> tuple[dict[str, list[str]], str]:
    """The states of the tree of routers that leads to some states, and its root."""
    made: dict[str, list[str]] = {}
    level = _levels(len(targets))
    while level:
        level -= 1
        parents = []
        for number, start in enumerate(range(0, len(targets), WAYS)):
            name = f"route_{level}_{number}"
            parents.append(name)
            made[name] = _router(name, f"route_{level}", targets[start : start + WAYS])
        targets = parents
    return made, targets[0]


def _router(name: str, field: str, targets: list[str]) -> list[str]:
    lines = [
        f"    {name}:",
        "      requires:",
        f"        - {{ name: {field}, from: {{ agent: desk }} }}",
        "      transitions:",
    ]
    for way, target in enumerate(targets):
        guard = f"{{ backend: cel, expression: context.{field} == 'w{way}' }}"
        lines.append(f"        - {{ toState: {target}, guards: [{guard}] }}")
    if len(targets) < WAYS:
        lines.append("        - toState: giving_up")
    return lines


def _ending(root: str, levels: int, kinds: int) -> list[str]:
    empty = ", ".join(
        [f'route_{level}: ""' for level in range(levels)]
        + ['again: ""', 'reason: ""']
        + [f'{name}_{kind}: ""' for kind in range(kinds) for name in ("plan", "result", "outcome", "vote")]
    )
    return [
        "    closing:",
        "      requires:",
        "        - { name: again, from: { agent: desk } }",
        "      transitions:",
        "        - { toState: done, guards: [{ backend: cel, expression: context.again == 'close' }] }",
        (
            f"        - {{ toState: {root}, guards: [{{ backend: cel, expression: context.again == 'reroute' }}],"
            f" onTransition: [assign: {{ {empty} }}] }}"
        ),
        "    giving_up:",
        "      requires:",
        "        - { name: reason, from: { agent: desk } }",
        "      transitions:",
        "        - toState: done",
        "    done:",
        "      terminal: true",
    ]


def _fields(kind: int) -> list[str]:
    return [
        f"    plan_{kind}: {{ type: string }}",
        f"    result_{kind}: {{ type: string }}",
        f"    outcome_{kind}: {{ type: enum, values: [done, revise, fail] }}",
        f"    vote_{kind}: {{ type: enum, values: [granted, refused] }}",
    ]


def _agents(kind: int, departments: int) -> list[str]:
    mine = range(kind, departments, KINDS)
    planner = ", ".join(f"d{d}_{name}" for d in mine for name in ("intake", "plan", "redo", "stop"))
    worker = ", ".join(f"d{d}_{name}" for d in mine for name in ("act", "check"))
    boss = ", ".join(f"d{d}_{name}" for d in mine for name in ("sign", "pass"))
    return [
        f"    planner_{kind}: {{ canTransition: [{planner}] }}",
        f"    worker_{kind}: {{ canTransition: [{worker}] }}",
        f"    boss_{kind}: {{ canTransition: [{boss}] }}",
    ]


def _department(d: int, departments: int) -> list[str]:
    k = d % KINDS
    onward = f"d{d + 1}_intake" if d + 1 < departments and k + 1 < KINDS else "closing"
    guard = "{ backend: cel, expression: context.%s == '%s' }"
    clear = f'assign: {{ plan_{k}: "", result_{k}: "", outcome_{k}: "", vote_{k}: "" }}'
    ask = "{ name: %s, from: { agent: %s } }"
    return [
        f"    d{d}_intake: {{ transitions: [{{ toState: d{d}_plan }}] }}",
        f"    d{d}_plan:",
        f"      requires: [{ask % (f'plan_{k}', f'planner_{k}')}]",
        f"      transitions: [{{ toState: d{d}_act }}]",
        f"    d{d}_act:",
        "      requires:",
        f"        - {ask % (f'result_{k}', f'worker_{k}')}",
        f"        - {ask % (f'outcome_{k}', f'worker_{k}')}",
        f"      exit: [append: {{ history: \"${{ context.plan_{k} + ' -> ' + context.result_{k} }}\" }}]",
        "      transitions:",
        f"        - {{ toState: d{d}_check, guards: [{guard % (f'outcome_{k}', 'done')}] }}",
        (
            f"        - {{ toState: d{d}_redo, guards: [{guard % (f'outcome_{k}', 'revise')}],"
            f' onTransition: [assign: {{ plan_{k}: "", result_{k}: "", outcome_{k}: "" }}] }}'
        ),
        f"        - {{ toState: d{d}_stop, guards: [{guard % (f'outcome_{k}', 'fail')}] }}",
        f"    d{d}_check: {{ transitions: [{{ toState: d{d}_sign }}] }}",
        f"    d{d}_redo:",
        f"      requires: [{ask % (f'plan_{k}', f'planner_{k}')}]",
        f"      transitions: [{{ toState: d{d}_act }}]",
        f"    d{d}_sign:",
        f"      requires: [{ask % (f'vote_{k}', f'boss_{k}')}]",
        "      transitions:",
        f"        - {{ toState: d{d}_pass, guards: [{guard % (f'vote_{k}', 'granted')}] }}",
        f"        - {{ toState: d{d}_plan, guards: [{guard % (f'vote_{k}', 'refused')}], onTransition: [{clear}] }}",
        f"    d{d}_stop:",
        f"      requires: [{ask % ('reason', f'planner_{k}')}]",
        "      transitions: [{ toState: closing }]",
        f"    d{d}_pass: {{ transitions: [{{ toState: {onward}, onTransition: [{clear}] }}] }}",
    ]


if __name__ == "__main__":
    sys.stdout.write(spec(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
