"""Random runs on the reference and a reducer in step; what differs is shrunk to a run as short as can be found.

This is the only module that imports hypothesis, an extra (``fsmcheck[conform]``): import it late.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from fsmcheck.cel.types import Kind, Type
from fsmcheck.conformance.answers import Answer
from fsmcheck.conformance.client import Client
from fsmcheck.conformance.conduct import Conversation, Deviation, Scenario, load_deviation, step_deviation
from fsmcheck.conformance.examine import Examination, Job, Miss
from fsmcheck.conformance.exploration import Exchange
from fsmcheck.conformance.failure import Failure, ReducerFailure
from fsmcheck.conformance.process import Bounds
from fsmcheck.conformance.shorten import shortened
from fsmcheck.conformance.values import ValuePool
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.spec.model import Spec

_LONGEST = 24


class _DivergedError(Exception):
    """A run on which the two differ; hypothesis shrinks what raises it."""


def random_examination(
    command: Sequence[str], spec: Spec, profile: Profile, runs: int, seed_number: int, bounds: Bounds | None = None
) -> Examination:
    """Make random runs of a spec, the same ones for the same seed, up to the first on which the reducer differs."""
    return random_examination_by(lambda: Client(command, bounds), spec, profile, runs, seed_number)


def random_examination_by(
    connect: Callable[[], Conversation],
    spec: Spec,
    profile: Profile,
    runs: int,
    seed_number: int,
    *,
    shrink_failures: bool = False,
) -> Examination:
    """The same for any reducer. ``shrink_failures``: a run on which it fails is shrunk, too, with new conversations."""
    job = Job("random runs", spec, profile, ())
    walk = _Walk(connect, spec, profile, shrink_failures=shrink_failures)
    try:
        refused = walk.begin()
        if refused is not None:
            return Examination(1, (Miss(job, Scenario({}, ()), refused),), ())
        walk.search(runs, seed_number)
        if walk.failure is not None:
            return Examination(walk.made, (), ((job, walk.failure),), True)
        found = None if walk.found is None else shortened(walk.client, Miss(job, *walk.found))
        walk.client.close()
        return Examination(walk.made, () if found is None else (found,), ())
    except ReducerFailure as failed:
        return Examination(walk.made, (), ((job, failed.failure),), True)
    finally:
        walk.end()


class _BrokenOff(BaseException):
    """The reducer failed: no run can be made any more, and there is nothing for hypothesis to shrink."""


class _Walk:
    """Random runs, one conversation for all of them unless it fails."""

    client: Conversation

    def __init__(
        self, connect: Callable[[], Conversation], spec: Spec, profile: Profile, *, shrink_failures: bool
    ) -> None:
        self.connect = connect
        self.spec = spec
        self.profile: Profile = profile
        self.pool = ValuePool(spec)
        self.found: tuple[Scenario, Deviation] | None = None
        self.failure: Failure | None = None
        self.made = 0
        self._shrink_failures = shrink_failures
        self._open = False

    def begin(self) -> Deviation | None:
        """Begin a conversation, and say why the spec is refused where it is."""
        self.client = self.connect().__enter__()
        self._open = True
        return load_deviation(self.client, self.spec, self.profile)

    def end(self) -> None:
        """End the conversation, however it went."""
        if self._open:
            self._open = False
            self.client.__exit__(None, None, None)

    def search(self, runs: int, seed_number: int) -> None:
        """Let hypothesis make runs; the last one that differs, which is the smallest, is kept in ``found``."""
        try:
            run_state_machine_as_test(
                seed(seed_number)(_in_step(self)),
                settings=settings(
                    max_examples=runs,
                    stateful_step_count=_LONGEST,
                    database=None,
                    deadline=None,
                    phases=(Phase.generate, Phase.shrink),
                    verbosity=Verbosity.quiet,
                    suppress_health_check=list(HealthCheck),
                    report_multiple_bugs=False,
                ),
            )
        except (_DivergedError, _BrokenOff, Flaky):
            # Flaky is a reducer that answers now so, now otherwise; that it once answered wrongly is kept.
            return

    def compare(
        self,
        inputs: Mapping[str, JsonValue],
        run: Sequence[Step],
        made: Sequence[Exchange],
        ask: Callable[[], Answer],
    ) -> None:
        """Have the reducer do what the reference did last. Raises ``_DivergedError`` where it does otherwise."""
        try:
            found = step_deviation(self.spec, self.profile, run, ask())
        except ReducerFailure as failed:
            self.found, self.failure = None, failed.failure
            if not self._shrink_failures or failed.failure.name == "hang":
                raise _BrokenOff from None
            self.end()
            self.begin()
            raise _DivergedError from None
        if found is not None:
            self.failure = None
            self.found = Scenario(inputs, tuple(made)), found
            raise _DivergedError


def _in_step(walk: _Walk) -> type[RuleBasedStateMachine]:
    """The state machine of hypothesis whose steps both reducers make."""
    spec = walk.spec

    class InStep(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            walk.made += 1
            self.inputs: Mapping[str, JsonValue] = {}
            self.run: list[Step] = []
            self.exchanges: list[Exchange] = []
            self.over = False

        @initialize(data=st.data())
        def start(self, data: st.DataObject) -> None:
            self.inputs = {name: data.draw(_value(walk, name)) for name in spec.input_names}
            self.run.append(start(spec, self.inputs, walk.profile))
            walk.compare(self.inputs, self.run, (), lambda: walk.client.start(self.inputs))

        @precondition(lambda self: self.is_waiting() and self.allowed())
        @rule(data=st.data())
        def answer(self, data: st.DataObject) -> None:
            """Everything that one agent still owes."""
            agent = data.draw(st.sampled_from(self.allowed()))
            store = self.run[-1].configuration.store
            names = [name for name in self.asked(agent) if not store.is_set(name)] or self.asked(agent)
            self.exchange(agent, {name: data.draw(_value(walk, name)) for name in names})

        @precondition(lambda self: self.is_waiting() and self.allowed())
        @rule(data=st.data())
        def answer_in_part(self, data: st.DataObject) -> None:
            """Some of what one agent may write, in any order, perhaps nothing, perhaps again."""
            agent = data.draw(st.sampled_from(self.allowed()))
            names = data.draw(st.lists(st.sampled_from(self.asked(agent)), unique=True, max_size=4))
            self.exchange(agent, {name: data.draw(_value(walk, name)) for name in names})

        @precondition(lambda self: not self.over)
        @rule(data=st.data())
        def meddle(self, data: st.DataObject) -> None:
            """Any agent, fields and values; after the end of the run once."""
            self.over = not self.is_waiting()
            agent = data.draw(st.sampled_from([*spec.agent_by_name, "nobody"]))
            fields = st.sampled_from([*spec.field_by_name, "nothing"])
            names = data.draw(st.lists(fields, unique=True, max_size=4))
            self.exchange(agent, {name: data.draw(_ANYTHING) for name in names})

        @precondition(lambda self: self.over)
        @rule()
        def rest(self) -> None:
            """Hypothesis wants a step that can be made at any time."""

        def is_waiting(self) -> bool:
            return self.run[-1].configuration.status == "waiting"

        def allowed(self) -> tuple[str, ...]:
            return may_act(spec, self.run[-1].configuration.state)

        def asked(self, agent: str) -> list[str]:
            state = spec.state_by_name[self.run[-1].configuration.state]
            return [req.field.text for req in state.requires if req.agent.text == agent]

        def exchange(self, agent: str, writes: Mapping[str, JsonValue]) -> None:
            self.exchanges.append((agent, writes))
            self.run.append(exchange(spec, self.run[-1].configuration, agent, writes, walk.profile))
            walk.compare(self.inputs, self.run, self.exchanges, lambda: walk.client.exchange(agent, writes))

    return InStep


def _value(walk: _Walk, name: str) -> st.SearchStrategy[JsonValue]:
    """The values that the spec tells apart, and any other of the type."""
    known = cast("st.SearchStrategy[JsonValue]", st.sampled_from(walk.pool.values(name)))
    return known | _of_type(walk.spec.field_by_name[name].type)


_ANYTHING: st.SearchStrategy[JsonValue] = st.sampled_from(
    cast("list[JsonValue]", ["", "text", 0, 1, True, False, None, 1.5, 2**53 + 1, [], ["x"], {}, {"k": 1}])
)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


def _of_type(kind: Type) -> st.SearchStrategy[JsonValue]:
    match kind.kind:
        case Kind.ENUM:
            return st.sampled_from(list[JsonValue](kind.values))
        case Kind.BOOLEAN:
            return st.booleans()
        case Kind.INTEGER:
            return st.integers(-(2**53), 2**53)
        case Kind.NUMBER:
            return st.floats(allow_nan=False, allow_infinity=False, width=32)
        case Kind.LIST:
            return st.lists(_of_type(kind.element or kind), min_size=1, max_size=3).map(list[JsonValue])
        case Kind.MAP:
            element = _of_type(kind.element or kind)
            return st.dictionaries(_TEXTS, element, min_size=1, max_size=3).map(dict[str, JsonValue])
        case _:
            return _TEXTS
