"""Random runs on the reference and a reducer in step; what differs is shrunk to a run as short as can be found.

This is the only module that imports hypothesis, an extra (``fsmcheck[conform]``): import it late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st

from fsmcheck.cel.types import Kind, Type
from fsmcheck.conformance.client import Client
from fsmcheck.conformance.conduct import Deviation, Reducer, Scenario, deviation, load_deviation, step_deviation
from fsmcheck.conformance.examine import Examination, Job, Miss
from fsmcheck.conformance.failure import Failure, ReducerFailure
from fsmcheck.conformance.process import Bounds
from fsmcheck.conformance.values import ValuePool
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.spec.model import Spec

_LONGEST = 24
_Exchange = tuple[str, Mapping[str, JsonValue]]


class _DivergedError(Exception):
    """A run on which the two differ; hypothesis shrinks what raises it."""


def random_examination(
    command: Sequence[str], spec: Spec, profile: Profile, runs: int, seed_number: int, bounds: Bounds | None = None
) -> Examination:
    """Make random runs of a spec, the same ones for the same seed, up to the first on which the reducer differs."""
    job = Job("random runs", spec, profile, ())
    walk: _Walk | None = None
    try:
        with Client(command, bounds) as client:
            refused = load_deviation(client, spec, profile)
            if refused is not None:
                return Examination(1, (Miss(job, Scenario({}, ()), refused),), ())
            walk = _Walk(client, spec, profile)
            found = walk.search(runs, seed_number)
            if walk.failure is None:
                if found is not None:
                    found = _shortened(client, job, found)
                client.close()
            else:
                return Examination(walk.made, (), ((job, walk.failure),), True)
    except ReducerFailure as failed:
        return Examination(walk.made if walk else 0, (), ((job, failed.failure),), True)
    misses = () if found is None else (Miss(job, found[0], found[1]),)
    return Examination(walk.made, misses, ())


class _BrokenOff(BaseException):
    """The reducer failed: no run can be made any more, and there is nothing for hypothesis to shrink."""


class _Walk:
    """Random runs on one conversation."""

    def __init__(self, client: Reducer, spec: Spec, profile: Profile) -> None:
        self.client = client
        self.spec = spec
        self.profile: Profile = profile
        self.pool = ValuePool(spec)
        self.found: tuple[Scenario, Deviation] | None = None
        self.failure: Failure | None = None
        self.made = 0

    def search(self, runs: int, seed_number: int) -> tuple[Scenario, Deviation] | None:
        """The last run that hypothesis shows, which is the smallest."""

        @seed(seed_number)
        @settings(
            max_examples=runs,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
        @given(st.data())
        def walk(data: st.DataObject) -> None:
            self._walk(data)

        try:
            walk()
        except _DivergedError:
            return self.found
        except _BrokenOff:
            return None
        return None

    def _walk(self, data: st.DataObject) -> None:
        self.made += 1
        inputs = {name: data.draw(self._value(name)) for name in self.spec.input_names}
        length = data.draw(st.integers(0, _LONGEST))
        run = [start(self.spec, inputs, self.profile)]
        made: list[_Exchange] = []
        try:
            found = step_deviation(self.spec, self.profile, run, self.client.start(inputs))
            while found is None and len(made) < length:
                before = run[-1].configuration
                agent, writes = self._exchange(data, before.state)
                made.append((agent, writes))
                run.append(exchange(self.spec, before, agent, writes, self.profile))
                found = step_deviation(self.spec, self.profile, run, self.client.exchange(agent, writes))
                if before.status != "waiting":
                    break
        except ReducerFailure as failed:
            self.failure = failed.failure
            raise _BrokenOff from None
        if found is not None:
            self.found = Scenario(inputs, tuple(made)), found
            raise _DivergedError

    def _exchange(self, data: st.DataObject, state: str) -> _Exchange:
        """Mostly one that is accepted; now and then another agent, field or value."""
        allowed = may_act(self.spec, state)
        wild = data.draw(st.integers(0, 7)) == 7 or not allowed
        everybody = [*self.spec.agent_by_name, "nobody"]
        agent = data.draw(st.sampled_from(everybody if wild else list(allowed)))
        asked = [req.field.text for req in self.spec.state_by_name[state].requires if req.agent.text == agent]
        names = [*self.spec.field_by_name, "nothing"] if wild else asked
        chosen = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=4)) if names else []
        return agent, {name: data.draw(_ANYTHING if wild else self._value(name)) for name in chosen}

    def _value(self, name: str) -> st.SearchStrategy[JsonValue]:
        """The values that the spec tells apart, and any other of the type."""
        known = cast("st.SearchStrategy[JsonValue]", st.sampled_from(self.pool.values(name)))
        return known | _of_type(self.spec.field_by_name[name].type)


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


def _shortened(client: Reducer, job: Job, found: tuple[Scenario, Deviation]) -> tuple[Scenario, Deviation]:
    """Leave out every exchange without which the two still differ."""
    at = 0
    while at < len(found[0].exchanges):
        scenario = found[0]
        without = Scenario(scenario.inputs, scenario.exchanges[:at] + scenario.exchanges[at + 1 :])
        still = deviation(client, job.spec, job.profile, without)
        if still is None:
            at += 1
        else:
            found = Scenario(without.inputs, without.exchanges[: still.difference.step]), still
    return found
