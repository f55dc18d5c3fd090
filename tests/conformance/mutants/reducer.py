"""A reducer that breaks what its first argument names and is right otherwise; without an argument it breaks nothing.

Written apart from the reference: it shares the loading of specs and the evaluation of expressions with it, nothing
else, and keeps everything in plain dictionaries.
"""

from __future__ import annotations

import json
import math
import sys
from contextlib import suppress
from typing import Any

from fsmcheck.cel import evaluate as cel
from fsmcheck.cel.ast import Conditional, Macro, Unary, UnaryOp
from fsmcheck.cel.errors import EvaluationError
from fsmcheck.cel.values import MapValue
from fsmcheck.reducer.protocol import ProtocolError, Session, respond
from fsmcheck.spec.model import Concatenation, Constant, Expression, Operator

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
CODES = (
    "unknown-agent",
    "not-authorised",
    "unknown-field",
    "not-writable",
    "type-mismatch",
    "not-in-values",
    "empty-value",
)


class FailedError(Exception):
    """An action failed."""


class RejectedError(Exception):
    """An exchange is rejected."""


def breaks(*names: str) -> bool:
    return FAULT in names


def microstep_limit() -> int:
    return 100 if breaks("limit-100") else 1001 if breaks("limit-1001") else 1000


# Values


def empty_of(kind: str) -> Any:
    return {"string": "", "enum": "", "list": (), "map": MapValue()}.get(kind)


def is_set(value: Any) -> bool:
    if breaks("nought-is-empty") and (value == 0 and value is not None):
        return False
    if breaks("false-is-empty") and value is False:
        return False
    return not (value is None or value in ("", ()) or (isinstance(value, MapValue) and not value))


def plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, MapValue):
        return {key: plain(item) for key, item in value.items()}
    return value


def frozen(value: Any) -> Any:
    if breaks("lists-by-size"):
        value = MapValue({key: len(item) if isinstance(item, tuple) else item for key, item in value.items()})
    return json.dumps(plain(value), sort_keys=not breaks("maps-in-order"))


def fits(kind: Any, value: Any) -> Any:
    """A value from outside in the form it is kept in; raises RejectedError."""
    own = {"list": [], "map": {}}.get(kind.kind.value, "")
    if value is None or value == "" or (type(value) is type(own) and value == own):
        if breaks("accepts-empty-value"):
            return empty_of(kind.kind.value)
        raise RejectedError("empty-value")
    if kind.kind.value == "list" and isinstance(value, list):
        return tuple(element(kind.element, item) for item in value)
    if kind.kind.value == "map" and isinstance(value, dict):
        return MapValue({key: element(kind.element, item) for key, item in value.items()})
    return scalar(kind, value)


def element(kind: Any, value: Any) -> Any:
    whole = type(value) is int and kind.kind.value == "integer"
    return value if whole and breaks("no-bound-in-collections") else scalar(kind, value)


def scalar(kind: Any, value: Any) -> Any:
    name = kind.kind.value
    if name in ("integer", "number") and isinstance(value, int | float):
        whole = isinstance(value, int) and (breaks("true-is-1") or not isinstance(value, bool))
        if name == "integer" and whole and (breaks("no-integer-bound") or abs(value) <= 2**53):
            return int(value)
        if name == "number" and not isinstance(value, bool):
            return value if breaks("whole-numbers-stay") else float(value)
    if name == "boolean" and isinstance(value, bool):
        return value
    if name in ("string", "enum") and isinstance(value, str):
        if name == "enum" and value not in kind.values and not breaks("accepts-not-in-values"):
            raise RejectedError("not-in-values")
        return value
    if breaks("accepts-type-mismatch") and not isinstance(value, list | dict):
        return value
    raise RejectedError("type-mismatch")


# Expressions


def run_expression(expression: Any, store: Any) -> Any:
    try:
        return cel.evaluate(expression.ast, store)
    except EvaluationError as error:
        raise FailedError from error


def break_expressions() -> None:  # noqa: C901 - one small function for each fault
    arithmetic, compare, element, apply_function = cel.arithmetic, cel.compare, cel._element, cel.apply
    loop = cel._Evaluation._loop

    def floored(op: Any, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int) and right and op.value in "/%":
            return left // right if op.value == "/" else left % right
        return arithmetic(op, left, right)

    def wrapping(op: Any, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int) and op.value == "+":
            return (left + right + 2**63) % 2**64 - 2**63
        return arithmetic(op, left, right)

    def inexact(op: Any, left: Any, right: Any) -> Any:
        value = arithmetic(op, left, right)
        return int(float(value)) if isinstance(value, int) else value

    def from_the_end(collection: Any, index: Any) -> Any:
        if isinstance(collection, tuple) and isinstance(index, int) and -len(collection) <= index < 0:
            return collection[index]
        return element(collection, index)

    def eager_settle(self: Any, decisive: bool, conditions: Any) -> bool:
        for condition in conditions:
            if self._condition(condition) is decisive:
                return decisive
        return not decisive

    def in_utf16(name: str, args: Any, spend: Any) -> Any:
        if name == "size" and isinstance(args[0], str):
            return len(args[0].encode("utf-16-le")) // 2
        return apply_function(name, args, spend)

    def unchecked_product(op: Any, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int) and op.value == "*":
            return left * right
        return arithmetic(op, left, right)

    def rounding(name: str, args: Any, spend: Any) -> Any:
        if name == "int" and isinstance(args[0], float):
            return round(args[0])
        return apply_function(name, args, spend)

    def by_utf16(op: Any, left: Any, right: Any) -> bool:
        if isinstance(left, str) and isinstance(right, str):
            return compare(op, *(int(text.encode("utf-16-be").ljust(8).hex(), 16) for text in (left, right)))
        return compare(op, left, right)

    def absorbing(self: Any, node: Any, items: Any) -> Any:
        if node.macro is not Macro.EXISTS_ONE:
            return loop(self, node, items)
        held = 0
        for item in items:
            with suppress(EvaluationError):
                self._variables = {**self._variables, node.variable: item}
                held += self._condition(node.body)
        return held == 1

    changes = {
        "floors": floored,
        "wraps": wrapping,
        "inexact-integers": inexact,
        "unchecked-product": unchecked_product,
    }
    if FAULT in changes:
        cel.arithmetic = changes[FAULT]
    elif breaks("index-from-the-end"):
        cel._element = from_the_end
    elif breaks("no-absorption"):
        cel._Evaluation._settle = eager_settle
    elif breaks("utf16-size"):
        cel.apply = in_utf16
    elif breaks("utf16-order"):
        cel.compare = by_utf16
    elif breaks("rounds"):
        cel.apply = rounding
    elif breaks("exists-one-absorbs"):
        cel._Evaluation._loop = absorbing


class Machine:
    """A spec and a run of it."""

    def __init__(self, spec: Any, profile: str) -> None:
        self.spec = spec
        self.profile = profile
        self.started = False
        self.total = self.visit = 0
        self.by_agent: dict[str, int] = {}
        self.came: tuple[str, int, dict[str, int]] = ("", 0, {})

    # Actions

    def act(self, actions: Any, store: dict[str, Any]) -> dict[str, Any]:
        before = dict(store)
        for action in actions:
            changes: dict[str, Any] = {}
            for write in action.writes:
                name = write.field.text
                seen = before if breaks("list-at-once") else {**store, **changes} if breaks("assign-in-turn") else store
                value = self.value_of(write.value, seen)
                current = store[name] if breaks("put-last-only") else changes.get(name, store[name])
                changes[name] = self.written(action.operator, write, value, current)
            store = {**store, **changes}
        return store

    def value_of(self, value: Any, store: dict[str, Any]) -> Any:
        if isinstance(value, Constant):
            return value.value
        if isinstance(value, Concatenation):
            if breaks("text-by-its-ends") and all(isinstance(value.parts[end], Expression) for end in (0, -1)):
                raise FailedError
            return "".join(part if isinstance(part, str) else self.text_of(part, store) for part in value.parts)
        return run_expression(value, store)

    def text_of(self, part: Any, store: dict[str, Any]) -> str:
        value = run_expression(part, store)
        if value is None and not breaks("null-in-text"):
            raise FailedError
        if isinstance(value, float) and breaks("numbers-in-full"):
            return f"{value:.6f}".rstrip("0").rstrip(".")
        return str(value) if breaks("text-as-python") or value is None else cel.to_text(value)

    def written(self, operator: Operator, write: Any, value: Any, current: Any) -> Any:
        kind = self.spec.field_by_name[write.field.text].type
        if operator is Operator.APPEND:
            if value is None and not breaks("null-appended"):
                raise FailedError
            if breaks("append-first"):
                return (value, *current)
            return current if breaks("append-once") and value in current else (*current, value)
        if operator is Operator.PUT:
            if value is None:
                raise FailedError
            return MapValue({**({} if breaks("put-replaces") else current), write.key.text: value})
        if value is None or value in ("", ()) or (isinstance(value, MapValue) and not value):
            if breaks("empty-ignored"):
                return current
            if breaks("enum-not-emptied") and kind.kind.value == "enum":
                raise FailedError
            return empty_of(kind.kind.value)
        listed = kind.kind.value != "enum" or (value.lower() if breaks("enum-by-any-case") else value) in kind.values
        if not listed and not breaks("enum-unchecked"):
            raise FailedError
        return float(value) if kind.kind.value == "number" and not breaks("integers-in-numbers") else value

    # Moving

    def holds(self, guard: Any, store: dict[str, Any]) -> bool:
        ast = guard.expression.ast
        try:
            if breaks("null-negated") and isinstance(ast, Unary) and ast.op is UnaryOp.NOT:
                return not cel.evaluate(ast.operand, store)
            if breaks("null-condition-is-false") and isinstance(ast, Conditional):
                ast = ast.then if cel.evaluate(ast.condition, store) else ast.otherwise
            value = cel.evaluate(ast, store)
        except EvaluationError as error:
            if breaks("guard-error-fails"):
                raise FailedError from error
            return breaks("guard-error-holds")
        return True if value is None and breaks("null-guard-holds") else value is True

    def enabled(self, transition: Any, store: dict[str, Any], unmet: Any) -> bool:
        gated = (self.profile == "gated") is not breaks("other-profile")
        if unmet and (gated or (not transition.guards and not breaks("unguarded-at-once"))):
            return False
        nothing = len(unmet) == len(self.spec.state_by_name[self.state].requires)
        if unmet and nothing and breaks("eager-once-something-is-there"):
            return False
        guards = transition.guards[: 1 if breaks("first-guard-only") else 2 if breaks("two-guards") else None]
        results = [self.holds(guard, store) for guard in guards]
        return any(results) or not results if breaks("any-guard") else all(results)

    def find(self, state: Any, store: dict[str, Any], unmet: Any) -> Any:
        found = [transition for transition in state.transitions if self.enabled(transition, store, unmet)]
        return None if not found else found[-1 if breaks("last-first") else 0]

    def unmet(self, state: Any, store: dict[str, Any]) -> list[Any]:
        return [req for req in state.requires if not is_set(store[req.field.text])]

    def advance(self, start: bool) -> dict[str, Any]:
        self.microsteps: list[Any] = []
        seen = set() if breaks("beginning-forgotten") else {self.key()}
        while True:
            state = self.spec.state_by_name[self.state]
            unmet = self.unmet(state, self.store)
            goes_on = breaks("terminal-goes-on") and state.transitions
            if state.terminal and not goes_on and not (breaks("terminal-waits") and unmet):
                return self.rest("done")
            try:
                taken = self.find(state, self.store, unmet)
            except FailedError:
                return self.rest("failed")
            if breaks("limit-before-rest") and len(self.microsteps) == microstep_limit():
                return self.rest("runaway")
            if taken is None or (breaks("one-step") and self.microsteps):
                never = breaks("never-stuck")
                return self.rest("waiting" if unmet or never else "waiting" if taken else "stuck")
            if len(self.microsteps) == microstep_limit():
                return self.rest("runaway")
            try:
                self.take(state, taken)
            except FailedError:
                return self.rest("failed")
            self.microsteps.append(
                {"from": state.name.text, "transition": taken.index, "to": self.state, "store": self.shown()}
            )
            if self.key() in seen and not breaks("circles"):
                return self.rest("no-progress")
            if not breaks("circle-to-beginning"):
                seen.add(self.key())

    def key(self) -> Any:
        return self.state if breaks("circle-by-state") else (self.state, frozen(MapValue(self.store)))

    def take(self, state: Any, transition: Any) -> None:
        target = self.spec.state_by_name[transition.target.text]
        phases = [state.exit, transition.actions, target.entry]
        if breaks("exit-last"):
            phases = [transition.actions, state.exit, target.entry]
        elif breaks("entry-first"):
            phases = [state.exit, target.entry, transition.actions]
        elif breaks("internal-self-loop") and target is state:
            phases = [transition.actions]
        if breaks("phases-at-once"):
            store = self.store
            changes: dict[str, Any] = {}
            for phase in phases:
                after = self.act(phase, store)
                changes |= {name: value for name, value in after.items() if value != store[name]}
            self.store = {**store, **changes}
        else:
            store = self.store
            for phase in phases:
                store = self.act(phase, store)
                if breaks("half-done"):
                    self.store = store
                if breaks("failed-in-target"):
                    self.state = target.name.text
            self.store = store
        self.state = target.name.text
        if not breaks("visit-goes-on") and not (breaks("visit-goes-on-in-self-loop") and target is state):
            self.visit = 0
            self.by_agent = {}
        if breaks("visit-goes-on-in-circle") and target is not state and self.came[0] == self.state:
            _, self.visit, self.by_agent = self.came
        if breaks("iterations-per-visit"):
            self.total = 0

    def rest(self, status: str) -> dict[str, Any]:
        self.status = status
        self.cap = None
        self.check_caps()
        return self.answer()

    def check_caps(self) -> None:
        if self.status != "waiting":
            return
        policy = self.spec.policy
        late = 1 if breaks("caps-late") else 0
        asked = {req.agent.text for req in self.spec.state_by_name[self.state].requires}
        agents = [
            agent.name.text
            for agent in self.spec.agents
            if agent.name.text in asked
            and (breaks("agent-cap-of-all-asked") or self.state in {name.text for name in agent.can_transition})
        ]
        used = [self.exhausted(agent) for agent in agents]
        if policy.max_iterations and self.total >= policy.max_iterations + late and not breaks("no-iterations-cap"):
            self.cap = "maxIterations"
        elif policy.max_exchanges_per_stage and self.visit >= policy.max_exchanges_per_stage:
            self.cap = None if breaks("no-stage-cap") else "maxExchangesPerStage"
        elif used and (any(used) if breaks("agent-cap-for-all") else all(used)):
            self.cap = "maxExchangesPerAgentPerStage"
        if self.cap:
            self.status = "capped"

    def exhausted(self, agent: str) -> bool:
        cap = self.spec.policy.max_exchanges_per_agent_per_stage
        return bool(cap) and self.by_agent.get(agent, 0) >= cap and not breaks("no-agent-cap")

    def shown(self) -> dict[str, Any]:
        return {name: plain(value) for name, value in self.store.items()}

    def answer(self, rejected: str | None = None) -> dict[str, Any]:
        state = self.spec.state_by_name[self.state]
        awaits = [] if self.status != "waiting" else self.unmet(state, self.store)
        if breaks("awaits-everything") and self.status == "waiting":
            awaits = list(state.requires)
        if breaks("awaits-when-capped"):
            awaits = self.unmet(state, self.store)
        if breaks("awaits-fields-once"):
            awaits = list({req.field.text: req for req in reversed(awaits)}.values())
        told: dict[str, Any] = {
            "microsteps": self.microsteps,
            "state": self.state,
            "status": self.status,
            "store": self.shown(),
            "awaits": [{"field": req.field.text, "agent": req.agent.text} for req in awaits],
        }
        if self.cap and not breaks("cap-unnamed"):
            told["cap"] = self.cap
        if rejected:
            told["rejected"] = rejected
        if rejected == "not-waiting":
            told["awaits"] = []
        return told

    # Runs

    def start(self, inputs: dict[str, Any]) -> dict[str, Any]:
        if not self.started or not breaks("goes-on-after-start"):
            self.total = self.visit = 0
            self.by_agent = {}
            self.store = {field.name.text: self.initial(field) for field in self.spec.fields}
        self.started = True
        names = set(self.spec.input_names)
        if set(inputs) != names and not breaks("inputs-unchecked"):
            return {"ok": False, "error": "other inputs were expected"}
        for name, value in inputs.items():
            try:
                if isinstance(value, list) and breaks("input-lists-unchecked"):
                    self.store[name] = tuple(value)
                elif name in names:
                    self.store[name] = fits(self.spec.field_by_name[name].type, value)
            except RejectedError as code:
                return {"ok": False, "error": f"{name}: {code}"}
        self.state, self.status, self.cap = self.spec.initial.text, "waiting", None
        self.microsteps = []
        try:
            if not breaks("no-start-entry"):
                self.store = self.act(self.spec.state_by_name[self.state].entry, self.store)
        except FailedError:
            return self.rest("failed")
        return self.advance(start=True)

    def initial(self, field: Any) -> Any:
        if field.default is None or breaks("defaults-ignored"):
            kind = field.type.kind.value
            return None if breaks("null-for-empty") and kind == "string" else empty_of(kind)
        return field.default.value if is_set(field.default.value) else empty_of(field.type.kind.value)

    def exchange(self, agent: str, writes: dict[str, Any]) -> dict[str, Any]:
        self.microsteps = []
        if self.status != "waiting" and not breaks("never-not-waiting"):
            return self.answer("not-waiting")
        if self.status == "waiting" and self.exhausted(agent):
            self.status, self.cap = "capped", "maxExchangesPerAgentPerStage"
            return self.answer("not-waiting")
        counters = self.total, self.visit, dict(self.by_agent)
        self.total += 1
        self.visit += 1
        self.by_agent[agent] = self.by_agent.get(agent, 0) + 1
        if not writes and breaks("empty-uncounted"):
            self.total, self.visit, self.by_agent = counters
        self.came = (self.state, self.visit, self.by_agent)
        try:
            accepted = self.accepted(agent, writes)
        except RejectedError as code:
            if breaks("rejected-uncounted"):
                self.total, self.visit, self.by_agent = counters
            if breaks("rejected-uncounted-for-agent"):
                self.by_agent = counters[2]
            if breaks("unknown-uncounted-in-visit") and str(code) == "unknown-agent":
                self.visit = counters[1]
            if breaks("rejected-advances"):
                answer = self.advance(start=False)
                return {**answer, "rejected": str(code)}
            self.check_caps()
            return self.answer("rejected" if breaks("one-code") else str(code))
        if breaks("writes-in-turn"):
            steps: list[Any] = []
            answer = self.answer()
            for name, value in accepted.items():
                self.store = {**self.store, name: value}
                answer = self.advance(start=False)
                steps.extend(answer["microsteps"])
            return {**answer, "microsteps": steps} if accepted else self.advance(start=False)
        self.store = {**self.store, **accepted}
        return self.advance(start=False)

    def accepted(self, agent: str, writes: dict[str, Any]) -> dict[str, Any]:
        declared = self.spec.agent_by_name.get(agent)
        if declared is None:
            if breaks("accepts-unknown-agent"):
                return {}
            raise RejectedError("unknown-agent")
        state = self.spec.state_by_name[self.state]
        asked = {req.field.text: req.agent.text for req in reversed(state.requires)}.items()
        if not breaks("first-asked-writes"):
            asked = [(req.field.text, req.agent.text) for req in state.requires]
        writable = {field for field, whom in asked if whom == agent}
        if self.state not in {name.text for name in declared.can_transition} and not breaks("accepts-not-authorised"):
            raise RejectedError("not-authorised")
        owing = {req.field.text for req in self.unmet(state, self.store) if req.agent.text == agent}
        if not owing and breaks("only-who-owes"):
            raise RejectedError("not-authorised")
        problems: list[str] = []
        good: dict[str, Any] = {}
        for name, value in writes.items():
            try:
                good[name] = self.accepted_write(name, value, owing if breaks("no-overwriting") else writable)
            except RejectedError as code:
                problems.append(str(code))
        good = {name: value for name, value in good.items() if name in self.store}
        if problems:
            if breaks("keeps-good-writes"):
                self.store = {**self.store, **good}
            worst = min(problems, key=CODES.index) if breaks("worst-write") else problems[0]
            raise RejectedError(problems[-1] if breaks("last-bad-write") else worst)
        return good

    def accepted_write(self, name: str, value: Any, writable: set[str]) -> Any:
        if name not in self.spec.field_by_name:
            if breaks("accepts-unknown-field"):
                return None
            raise RejectedError("unknown-field")
        if name not in writable and not breaks("accepts-not-writable"):
            raise RejectedError("not-writable")
        return fits(self.spec.field_by_name[name].type, value)


class Conversation:
    """Answers requests; specs that were loaded before are not read again."""

    def __init__(self) -> None:
        self.machine: Machine | None = None
        self.read: dict[str, Any] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            if request["op"] == "load":
                key = json.dumps(request)
                if key not in self.read:
                    self.read[key] = respond(Session(), request)[0]
                session = self.read[key]
                self.machine = Machine(session.spec, session.profile)
                return {"ok": True}
        except ProtocolError as error:
            return {"ok": False, "error": str(error)}
        if self.machine is None:
            return {"ok": False, "error": "nothing is loaded"}
        if request["op"] == "start":
            return self.machine.start(request["inputs"])
        return self.machine.exchange(request["agent"], request["writes"])


def main() -> None:
    break_expressions()
    conversation = Conversation()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["op"] == "close":
            break
        sys.stdout.write(json.dumps(conversation.answer(request)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
