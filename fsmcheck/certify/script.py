"""What the script of a certificate may contain.

First the sorts, then the definitions of ``init``, ``step_0`` …, ``inv`` and ``bad_0`` …, each closed over its own
parameters. The checks are not taken from the script: they are made here from the definitions, and the script must
contain exactly them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile

from fsmcheck.certify.refusal import RefusalError

Expression = str | list["Expression"]
Parameters = list[tuple[str, str]]

_TOKEN = re.compile(r";[ -~]*|[()]|[A-Za-z0-9_<>=+*-]+|[ \n]+")
_CONSTRUCTOR = re.compile(r"at_\d+|v_\d+_\d+")
_INPUT = re.compile(r"i_\d+")
_LOCAL = re.compile(r"t_\d+")
_HEADING = re.compile(r"^(;[ -~]*)\n\(define-fun bad_(\d{1,9}) ", re.MULTILINE)
_NUMBER = re.compile(r"0|[1-9]\d*")
OPERATORS = frozenset(
    ("and", "or", "not", "=>", "ite", "=", "distinct", "<", "<=", ">", ">=", "+", "-", "*", "div", "mod")
)


@dataclass(frozen=True, slots=True)
class Script:
    """The text to give a solver: ``definitions`` once, then each check; ``names`` says what the checks are."""

    definitions: str
    checks: tuple[str, ...]
    names: tuple[str, ...]
    bads: int


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    parameters: Parameters
    body: Expression


def read_script(text: str) -> Script:
    """Read a script; ``RefusalError`` where it is anything but definitions and the checks that belong to them."""
    commands = list(_commands(_tokens(text)))
    if not commands or commands[0] != ["(", "set-logic", "ALL", ")"]:
        raise RefusalError('the script does not begin with "(set-logic ALL)"')
    sorts_end = 1 + sum(1 for _ in takewhile(lambda command: command[1] == "declare-datatypes", commands[1:]))
    end = sorts_end + sum(1 for _ in takewhile(lambda command: command[1] == "define-fun", commands[sorts_end:]))
    sorts, constructors = _sorts(commands[1:sorts_end])
    functions = [_function(command, sorts, constructors) for command in commands[sorts_end:end]]
    steps, bads = _shape(functions)
    state = functions[0].parameters
    constants = [f"(declare-const {name} {sort})" for name, sort in (*state, *_following(state))]
    checks = _checks(state, steps, bads)
    expected = list(_commands(_tokens("\n".join([*constants, *(check for _, check in checks)]))))
    if commands[end:] != expected:
        raise RefusalError("the checks in the script are not the ones that belong to its definitions")
    definitions = "\n".join([*(" ".join(command) for command in commands[:end]), *constants])
    return Script(definitions, tuple(text for _, text in checks), tuple(name for name, _ in checks), len(bads))


def definitions(text: str) -> list[list[str]]:
    """The tokens of each sort and definition of a script, but for those of the invariant."""
    kept = ("declare-datatypes", "define-fun")
    return [command for command in _commands(_tokens(text)) if command[1] in kept and command[2] != "inv"]


def headings(text: str) -> dict[int, str]:
    """The comment above the definition of each ``bad_n`` that has one. They prove nothing."""
    return {int(number): comment for comment, number in _HEADING.findall(text)}


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise RefusalError(f"the script holds {text[position]!r}, which has no place in it")
        position = match.end()
        if match[0][0] not in "; \n":
            yield match[0]


def _commands(tokens: Iterator[str]) -> Iterator[list[str]]:
    """The tokens of each command."""
    command: list[str] = []
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")  # noqa: S105
        command.append(token)
        if depth < 0 or command[0] != "(":
            raise RefusalError("the script is not a list of commands")
        if depth == 0:
            if len(command) < 3:
                raise RefusalError("the script holds an empty command")
            yield command
            command = []
    if command:
        raise RefusalError("the script ends in the middle of a command")


def _nested(command: Sequence[str]) -> list[Expression]:
    stack: list[list[Expression]] = [[]]
    for token in command:
        if token == "(":  # noqa: S105
            stack.append([])
        elif token == ")":  # noqa: S105
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    (whole,) = stack[0]
    if isinstance(whole, str):
        raise RefusalError("the script is not a list of commands")
    return whole


def _sorts(commands: Sequence[Sequence[str]]) -> tuple[set[str], set[str]]:
    """The names of finite sorts and of their values, none twice."""
    sorts: set[str] = set()
    constructors: set[str] = set()
    for number, command in enumerate(commands):
        name = "Location" if number == 0 else f"Sort_{number - 1}"
        values = [token for token in command[7:] if token not in {"(", ")"}]
        form = f"(declare-datatypes (({name} 0)) (({''.join(f'({value})' for value in values)})))"
        if list(command) != list(_tokens(form)) or not values:
            raise RefusalError(f"the declaration of {name} is not one of a finite sort")
        if len(set(values)) < len(values) or constructors & set(values) or not all(map(_CONSTRUCTOR.fullmatch, values)):
            raise RefusalError(f"the values of {name} are not new")
        sorts.add(name)
        constructors |= set(values)
    return sorts, constructors


def _function(command: Sequence[str], sorts: set[str], constructors: set[str]) -> _Function:
    match _nested(command):
        case ["define-fun", str(name), list(listed), "Bool", body]:
            pass
        case _:
            raise RefusalError("a definition is not one of a condition")
    parameters: Parameters = []
    for parameter in listed:
        match parameter:
            case [str(symbol), str(sort)] if sort in sorts or sort in ("Bool", "Int"):
                parameters.append((symbol, sort))
            case _:
                raise RefusalError(f"a parameter of {name} has no sort")
    names = {symbol for symbol, _ in parameters}
    if len(names) < len(parameters):
        raise RefusalError(f"{name} has a parameter twice")
    _closed(name, body, names | constructors | {"true", "false"})
    return _Function(name, parameters, body)


def _closed(name: str, body: Expression, known: set[str]) -> None:
    """Nothing but operators, parameters, values, numbers and names bound by ``let``."""
    known = set(known)
    stack = [body]
    while stack:
        match stack.pop():
            case str(atom):
                if atom not in known and not _NUMBER.fullmatch(atom):
                    raise RefusalError(f'{name} uses "{atom}"')
            case ["let", list(bindings), inner]:
                for binding in bindings:
                    match binding:
                        case [str(local), value] if _LOCAL.fullmatch(local) and local not in known:
                            known.add(local)
                            stack.append(value)  # whether a name is used in its scope is left to the solver
                        case _:
                            raise RefusalError(f"{name} binds something strange")
                stack.append(inner)
            case [str(head), *arguments] if head in OPERATORS and arguments:
                stack.extend(arguments)
            case _:
                raise RefusalError(f"{name} holds something strange")


def _shape(functions: Sequence[_Function]) -> tuple[list[Parameters], list[Parameters]]:
    """The inputs of the steps and of what must not happen, once all definitions are known to be there, in order."""
    names = [function.name for function in functions]
    steps = sum(name.startswith("step_") for name in names)
    bads = sum(name.startswith("bad_") for name in names)
    expected = ["init", *(f"step_{n}" for n in range(steps)), "inv", *(f"bad_{n}" for n in range(bads))]
    if names != expected or not steps or not bads:
        raise RefusalError("the script does not define init, the steps, inv and what must not happen, in this order")
    state = functions[0].parameters
    named = ["at", *(f"x_{n}" for n in range(len(state) - 1))]
    if not state or state[0] != ("at", "Location") or [name for name, _ in state] != named:
        raise RefusalError("init is not about a location and variables")
    found: dict[str, list[Parameters]] = {"init": [], "inv": [], "step": [], "bad": []}
    for function in functions:
        kind = function.name.partition("_")[0]
        fixed = [*state, *_following(state)] if kind == "step" else state
        inputs = function.parameters[len(fixed) :]
        numbered = [name for name, _ in inputs] == [f"i_{n}" for n, _ in zip(count(), inputs, strict=False)]
        if function.parameters[: len(fixed)] != fixed or not numbered or (inputs and kind in ("init", "inv")):
            raise RefusalError(f"{function.name} is not about the same variables as init")
        found[kind].append(inputs)
    return found["step"], found["bad"]


def _following(state: Parameters) -> Parameters:
    return [(f"{name}_next", sort) for name, sort in state]


def _checks(state: Parameters, steps: Sequence[Parameters], bads: Sequence[Parameters]) -> list[tuple[str, str]]:
    """What has to be shown impossible: a start outside the invariant, a step out of it, a bad thing inside it."""
    now = " ".join(name for name, _ in state)
    after = " ".join(name for name, _ in _following(state))

    def check(inputs: Parameters, *claims: str) -> str:
        declared = "".join(f"(declare-const {name} {sort})" for name, sort in inputs)
        return f"(push 1){declared}{''.join(f'(assert {claim})' for claim in claims)}(check-sat)(pop 1)"

    def chosen(inputs: Parameters) -> str:
        return "".join(f" {name}" for name, _ in inputs)

    found = [("initiation", check([], f"(init {now})", f"(not (inv {now}))"))]
    for number, inputs in enumerate(steps):
        taken = f"(step_{number} {now} {after}{chosen(inputs)})"
        found.append((f"consecution of step_{number}", check(inputs, f"(inv {now})", taken, f"(not (inv {after}))")))
    for number, inputs in enumerate(bads):
        happens = f"(bad_{number} {now}{chosen(inputs)})"
        found.append((f"safety of bad_{number}", check(inputs, f"(inv {now})", happens)))
    return found
