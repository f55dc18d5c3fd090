"""Runs of a spec on the reference, searched for those that cover something new."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping

from fsmcheck.cel.ast import FieldRef, walk
from fsmcheck.conformance.conduct import Scenario
from fsmcheck.conformance.goals import Condition, Goal, conditions, covered, truth
from fsmcheck.conformance.values import ValuePool
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Configuration, Profile
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.spec.model import Guard, Spec

Exchange = tuple[str, Mapping[str, JsonValue]]

_STEPS = 6_000
_CHOICES = 64
_LONGEST_CAP = 200


@dataclass(frozen=True, slots=True)
class Node:
    """Where a run has come to: how, after how many exchanges, and all that it has covered so far."""

    parent: Node | None
    given: Exchange | None
    inputs: Mapping[str, JsonValue]
    configuration: Configuration
    depth: int
    goals: frozenset[Goal]

    def scenario(self) -> Scenario:
        made: list[Exchange] = []
        node: Node | None = self
        while node is not None and node.given is not None:
            made.append(node.given)
            node = node.parent
        return Scenario(self.inputs, tuple(reversed(made)))


class Exploration:
    """A breadth-first search over configurations; two count as the same where no condition of the spec parts them."""

    def __init__(self, spec: Spec, profile: Profile) -> None:
        self.spec = spec
        self.profile: Profile = profile
        self.pool = ValuePool(spec)
        self.nodes: list[Node] = []
        self._conditions: list[Condition] = [
            part for state in spec.states for transition in state.transitions for part in conditions(transition)
        ]
        self._exact = _fields_of_guards(spec)
        self._steps = 0

    def run(self) -> list[Node]:
        """The nodes that were found, shortest runs first."""
        queue: deque[Node] = deque()
        seen: set[Hashable] = set()
        for inputs in self.pool.choices(list(self.spec.input_names), 16):
            self._visit(self._started(inputs), queue, seen)
        while queue and self._steps < _STEPS:
            node = queue.popleft()
            for given in self._exchanges(node.configuration):
                self._visit(self._after(node, given), queue, seen)
        self._add_rejections()
        self._add_caps()
        self._add_long_run()
        return self.nodes

    def _started(self, inputs: Mapping[str, JsonValue]) -> Node:
        step = start(self.spec, inputs, self.profile)
        return Node(None, None, inputs, step.configuration, 0, frozenset(covered(self.spec, step)))

    def _after(self, node: Node, given: Exchange) -> Node:
        self._steps += 1
        step: Step = exchange(self.spec, node.configuration, given[0], given[1], self.profile)
        reached = node.goals | covered(self.spec, step)
        return Node(node, given, node.inputs, step.configuration, node.depth + 1, reached)

    def _visit(self, node: Node, queue: deque[Node], seen: set[Hashable]) -> None:
        self.nodes.append(node)
        key = self._key(node.configuration)
        if key not in seen:
            seen.add(key)
            if node.configuration.status == "waiting":
                queue.append(node)

    def _key(self, configuration: Configuration) -> Hashable:
        store = configuration.store
        holding = tuple(truth(condition, store) for condition in self._conditions)
        being_set = tuple(store.is_set(field.name.text) for field in self.spec.fields)
        exact = tuple(_exactly(store[name]) for name in self._exact)
        return configuration.state, configuration.status, holding, being_set, exact

    def _exchanges(self, configuration: Configuration) -> Iterator[Exchange]:
        """All that is missing of an agent in every way worth trying, a part of it, nothing."""
        store = configuration.store
        for agent in may_act(self.spec, configuration.state):
            asked = [
                r.field.text for r in self.spec.state_by_name[configuration.state].requires if r.agent.text == agent
            ]
            missing = [name for name in asked if not store.is_set(name)]
            for chosen in self.pool.choices(missing or asked, _CHOICES):
                yield agent, chosen
            for name in asked:
                for value in self.pool.values(name):
                    yield agent, {name: value}
            yield agent, {}

    def _asked(self, state: str, agent: str) -> list[str]:
        return [req.field.text for req in self.spec.state_by_name[state].requires if req.agent.text == agent]

    def _add_rejections(self) -> None:
        """Runs that are the shortest to some rejection, several rejections in one where that can be."""
        wanted: set[str] = set()
        for node in sorted(self.nodes, key=lambda node: node.depth):
            if node.configuration.status != "waiting":
                made = [] if "not-waiting" in wanted or not self.spec.agents else [self._any_exchange()]
            else:
                made = [bad for code, bad in self._bad_exchanges(node.configuration.state) if code not in wanted]
            at = node
            for given in made:
                after = self._after(at, given)
                fresh = {goal.what for goal in after.goals - at.goals if goal.kind == "rejection"} - wanted
                if fresh:
                    wanted |= fresh
                    self.nodes.append(after)
                    at = after
                if at.configuration.status != "waiting":
                    break

    def _any_exchange(self) -> Exchange:
        return self.spec.agents[0].name.text, {}

    def _bad_exchanges(self, state: str) -> Iterator[tuple[str, Exchange]]:
        yield "unknown-agent", (_other_than(self.spec.agent_by_name, "nobody"), {})
        for agent in self.spec.agents:
            if state not in {name.text for name in agent.can_transition} or not self._asked(state, agent.name.text):
                yield "not-authorised", (agent.name.text, {})
        for agent_name in self._listing(state):
            asked = self._asked(state, agent_name)
            yield "unknown-field", (agent_name, {_other_than(self.spec.field_by_name, "nothing"): 1})
            for field in self.spec.fields:
                if field.name.text not in asked:
                    yield "not-writable", (agent_name, {field.name.text: self.pool.values(field.name.text)[0]})
                    break
            for name in asked:
                yield "type-mismatch", (agent_name, {name: self.pool.misfit(name)})
                yield "empty-value", (agent_name, {name: ""})
                values = self.spec.field_by_name[name].type.values
                if values:
                    yield "not-in-values", (agent_name, {name: _other_than(dict.fromkeys(values), "none of these")})

    def _listing(self, state: str) -> list[str]:
        """The agents that list a state, those first that it requires something from."""
        listing = [a.name.text for a in self.spec.agents if state in {name.text for name in a.can_transition}]
        return sorted(listing, key=lambda agent: not self._asked(state, agent))

    def _add_caps(self) -> None:
        """Empty exchanges up to a cap, by one agent or by all in turn, from the first node of each state."""
        policy = self.spec.policy
        caps = (policy.max_iterations, policy.max_exchanges_per_stage, policy.max_exchanges_per_agent_per_stage)
        longest = max((cap for cap in caps if cap is not None), default=0)
        if not 0 < longest <= _LONGEST_CAP:
            return
        tried: set[str] = set()
        for node in list(self.nodes):
            state = node.configuration.state
            if node.configuration.status == "waiting" and state not in tried:
                tried.add(state)
                agents = may_act(self.spec, state)
                for turn in {agents[:1], agents} - {()}:
                    self._idle(node, turn, 2 * longest + 2)

    def _add_long_run(self) -> None:
        """Where a visit is over before all exchanges of a run are: as many as a visit may have, then on to the next."""
        policy = self.spec.policy
        if policy.max_iterations is None or policy.max_iterations > _LONGEST_CAP or not self.nodes:
            return
        node = self.nodes[0]
        while _waits(node):
            after = [self._after(node, given) for given in self._exchanges(node.configuration)]
            onward = next((each for each in after if each.configuration.counters.visit == 0 and _waits(each)), None)
            further = next((each for each in after if _waits(each) and _set(each) > _set(node)), None)
            ended = next((each for each in after if each.configuration.status == "capped"), None)
            chosen = ended or onward or further
            if chosen is None:
                break
            node = chosen
        self.nodes.append(node)

    def _idle(self, node: Node, agents: tuple[str, ...], limit: int) -> None:
        for number in range(limit):
            node = self._after(node, (agents[number % len(agents)], {}))
            if node.configuration.status != "waiting":
                break
        self.nodes.append(node)


def _set(node: Node) -> int:
    """How many fields are set."""
    return sum(node.configuration.store.is_set(name) for name in node.configuration.store)


def _waits(node: Node) -> bool:
    return node.configuration.status == "waiting"


def _exactly(value: object) -> Hashable:
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    return len(value) if isinstance(value, tuple | Mapping) else repr(value)


def _fields_of_guards(spec: Spec) -> tuple[str, ...]:
    """The fields that guards mention, other than texts (of those only what they are compared with matters)."""
    found: dict[str, None] = {}
    for state in spec.states:
        for transition in state.transitions:
            for guard in transition.guards:
                found |= dict.fromkeys(_mentioned(guard))
    return tuple(name for name in found if str(spec.field_by_name[name].type) != "string")


def _mentioned(guard: Guard) -> Iterator[str]:
    if guard.expression is not None and guard.expression.ast is not None:
        for node in walk(guard.expression.ast):
            if isinstance(node, FieldRef):
                yield node.name


def _other_than(taken: Mapping[str, object], name: str) -> str:
    while name in taken:
        name += "_"
    return name
