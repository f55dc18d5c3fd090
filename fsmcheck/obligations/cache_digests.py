"""Digests of everything that a verdict depends on.

For each state that of its *past*: every step, with the definition of every state, by which a run can get there, and
besides them whatever is said for all states at once (fields, agents, policy, variables). What lies behind a state
cannot change which configurations it is reached with, nor which steps are enabled there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256

from fsmcheck.obligations.case import Case
from fsmcheck.spec.model import State
from fsmcheck.system.system import Input, Location, Step, System
from fsmcheck.system.terms import Sort, Term

_PLACES = frozenset({"span", "offsets", "places", "source"})
"""Fields of the model that only say where something stands."""

_DERIVED = frozenset({"ast", "sha256", "document"})
"""Fields that follow from others: an expression's tree from its text and the fields' types."""


_LAYOUT = _PLACES | _DERIVED


_TOLD: dict[tuple[type, frozenset[str]], tuple[str, ...] | None] = {}


def _names(kind: type, left_out: frozenset[str]) -> tuple[str, ...] | None:
    """The fields that are told of a record; None for any other kind of value."""
    key = (kind, left_out)
    if key not in _TOLD:
        all_fields = fields(kind) if is_dataclass(kind) else None
        _TOLD[key] = None if all_fields is None else tuple(f.name for f in all_fields if f.name not in left_out)
    return _TOLD[key]


def digest(*parts: str) -> str:
    """A digest of texts in this order."""
    whole = sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass")
        whole.update(b"%d:" % len(data))
        whole.update(data)
    return whole.hexdigest()


def told(value: object) -> str:
    """A value of the model as text: the same for the same content wherever it stands, different for any other."""
    parts: list[str] = []
    _tell(value, parts, _LAYOUT)
    return "".join(parts)


def told_of_behaviour(value: object) -> str:
    """As ``told``, without the descriptions of fields and agents."""
    parts: list[str] = []
    _tell(value, parts, _LAYOUT | {"description"})
    return "".join(parts)


def _tell(value: object, parts: list[str], left_out: frozenset[str]) -> None:
    names = _names(type(value), left_out)
    if names is not None:
        parts.append(f"{type(value).__name__}(")
        for name in names:
            parts.append(f"{name}=")
            _tell(getattr(value, name), parts, left_out)
        parts.append(")")
    elif isinstance(value, Enum):
        parts.append(f"{type(value).__name__}.{value.name},")
    elif isinstance(value, tuple | list):
        parts.append("[")
        for item in value:
            _tell(item, parts, left_out)
        parts.append("]")
    elif isinstance(value, Mapping):
        parts.append("{")
        for key, item in value.items():
            _tell(key, parts, left_out)
            _tell(item, parts, left_out)
        parts.append("}")
    else:
        parts.append(f"{value!r},")


def pasts(case: Case) -> dict[str, str]:
    """For each state the digest of its past."""
    system = case.system
    shared = digest("shared", *_shared(case))
    definitions = {state.name.text: digest(told(state)) for state in case.spec.states}
    contents = _contents(system, definitions)
    of_location = _closed(system, contents)
    return {
        state: digest("past", shared, state, *sorted(of_location[location] for location in locations))
        for state, locations in _concerned(system, case.spec.states).items()
    }


def _shared(case: Case) -> Iterable[str]:
    spec, system = case.spec, case.system
    for each in fields(spec):
        if each.name not in _PLACES and each.name not in _DERIVED and each.name != "states":
            yield f"{each.name}={told(getattr(spec, each.name))}"
    yield from (repr(spec.input_names), case.profile, repr(case.limits), system.profile, repr(system.start))
    yield from (repr(system.variables), repr(sorted(system.initial.items())))


def _concerned(system: System, states: Sequence[State]) -> dict[str, set[Location]]:
    """For each state its locations, and those at which something is asked about it."""
    found: dict[str, set[Location]] = {state.name.text: set() for state in states}
    for location in system.locations:
        found.setdefault(location.state, set()).add(location)
    for step in system.steps:
        for event in step.events:
            if event.subject.state in found:
                found[event.subject.state].add(step.source)
    return found


def _contents(system: System, definitions: Mapping[str, str]) -> dict[Location, str]:
    """A digest of each location: its state's definition, and the steps from it in their order."""
    terms = Terms()
    return {
        location: digest(
            location.state,
            location.phase.value,
            definitions.get(location.state, ""),
            *(step_digest(step, terms) for step in system.steps_from.get(location, ())),
        )
        for location in system.locations
    }


def step_digest(step: Step, terms: Terms) -> str:
    """A digest of a step: from where to where, when, with what effect, and what is asked on it."""
    parts = [step.name, step.kind.value, repr(step.source), repr(step.target), repr(step.transition), repr(step.agent)]
    parts += [terms.digest(step.guard), terms.inputs(step.inputs), repr(sorted(step.staged))]
    for name, term in sorted(step.updates.items()):
        parts += [name, terms.digest(term)]
    for event in step.events:
        asked = terms.digest(event.condition)
        parts += [event.rule, repr(event.subject), event.case, asked, terms.inputs(event.inputs)]
    return digest(*parts)


class Terms:
    """Digests of terms, each node's worked out once however many terms share it.

    Without ``labels``, a finite sort is told by its name and size only: what its values stand for is not part of what
    the terms say of them.
    """

    def __init__(self, *, labels: bool = True) -> None:
        self._labels = labels
        self._known: dict[int, tuple[Term, str]] = {}
        self._sorts: dict[int, tuple[Sort, str]] = {}

    def sort(self, sort: Sort) -> str:
        """A sort as text."""
        known = self._sorts.get(id(sort))
        if known is None:
            values = repr(sort.labels) if self._labels else str(len(sort.labels))
            known = self._sorts[id(sort)] = (sort, f"{sort.kind.value}|{sort.name!r}|{values}")
        return known[1]

    def inputs(self, inputs: Iterable[Input]) -> str:
        """Inputs as text."""
        return "".join(
            f"{each.name!r}|{self.sort(each.sort)}|{each.chooser.value}|{each.domain}|{each.lower}|{each.upper};"
            for each in inputs
        )

    def digest(self, term: Term) -> str:
        stack = [term]
        while stack:
            node = stack[-1]
            if id(node) in self._known:
                stack.pop()
                continue
            open_ = [child for child in node.args if id(child) not in self._known]
            if open_:
                stack += open_
                continue
            stack.pop()
            children = "".join(self._known[id(child)][1] for child in node.args)
            said = f"{node.op.value}|{self.sort(node.sort)}|{node.value!r}|{children}"
            self._known[id(node)] = (node, sha256(said.encode(errors="surrogatepass")).hexdigest()[:32])
        return self._known[id(term)][1]


def _closed(system: System, contents: Mapping[Location, str]) -> dict[Location, str]:
    """For each location a digest of all that leads to it: of its component with those that lead to that."""
    before: dict[Location, dict[Location, None]] = {location: {} for location in system.locations}
    for step in system.steps:
        before[step.target][step.source] = None
    found: dict[Location, str] = {}
    for component in components(before):
        inside = set(component)
        outside = {found[source] for location in component for source in before[location] if source not in inside}
        whole = digest("component", *sorted(contents[each] for each in component), "after", *sorted(outside))
        found.update(dict.fromkeys(component, whole))
    return found


def components(before: Mapping[Location, Iterable[Location]]) -> list[list[Location]]:
    """The strongly connected components, each after those that it can be reached from (Tarjan's algorithm)."""
    number: dict[Location, int] = {}
    lowest: dict[Location, int] = {}
    waiting: list[Location] = []
    on_stack: set[Location] = set()
    found: list[list[Location]] = []
    for root in before:
        if root in number:
            continue
        work = [(root, iter(before[root]))]
        number[root] = lowest[root] = len(number)
        waiting.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    place = waiting.index(node)
                    found.append(waiting[place:])
                    on_stack.difference_update(waiting[place:])
                    del waiting[place:]
            elif following not in number:
                number[following] = lowest[following] = len(number)
                waiting.append(following)
                on_stack.add(following)
                work.append((following, iter(before[following])))
            elif following in on_stack:
                lowest[node] = min(lowest[node], number[following])
    return found
