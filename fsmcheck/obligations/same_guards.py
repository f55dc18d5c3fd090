"""Whether other guards decide the same, wherever a run can evaluate them.

A spec whose guards were written differently goes through the very same runs where, in every configuration in which a
state is evaluated, its steps are enabled alike and the same events happen on them. Everything but the guards has to be
the same, and what differs must not rest on what the abstraction leaves open: then a guard has in each concrete store
the value that it has in the configuration which stands for that store.

For a search to go the same way, too, and to be told by the same runs, integers have to be compared alike, since that
cuts them into intervals, and a guard has to name the same variables, since others are sliced away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from fsmcheck.cel.check import check
from fsmcheck.cel.errors import CelSyntaxError
from fsmcheck.cel.syntax import parse
from fsmcheck.cel.types import Type
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.agreement import Pair, agree, has_no_integers, values_met
from fsmcheck.engines.packing import Packed
from fsmcheck.obligations.cache_digests import Terms, digest
from fsmcheck.obligations.concretise import literals
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Guard, Spec, State
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from fsmcheck.system.system import Chooser, Event, Input, Phase, Step, Variable
from fsmcheck.system.terms import FALSE, INT, Op, Term, and_, variables, walk
from fsmcheck.system.translate import translate_part


@dataclass(frozen=True, slots=True)
class Before:
    """A spec as it was, and the values with which each state of a complete search of it was evaluated.

    ``variables`` names those that the values are of, in order (see ``variables_digest``).
    """

    spec: Spec
    variables: str
    members: Mapping[str, Sequence[Packed]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a spec and was not before, and what no longer is: rules and subjects."""

    added: frozenset[tuple[str, Subject]] = frozenset()
    dropped: frozenset[tuple[str, Subject]] = frozenset()

    @property
    def is_about_errors(self) -> bool:
        """Whether all of it is whether guards fail: some are written in a way in which they plainly cannot."""
        return all(rule == "FSM304" for rule, _ in self.added | self.dropped)


def variables_digest(variables: Sequence[Variable]) -> str:
    """A digest of variables in their order."""
    return digest(*map(repr, variables))


class _OtherwiseError(Exception):
    """The steps differ in more than when they are taken, or what they differ in cannot be compared exactly."""


def decide_the_same(before: Before, spec: Spec, profile: str, states: frozenset[str]) -> Asked | None:
    """What else is asked of a spec, which differs from the one before in guards of these states only, where it has the
    same runs and the same is true of them: then none of it happens. None where that is not so, or cannot be told this
    way; where it can, Z3 has confirmed it."""
    layout = Layout(spec, domains(spec))
    declared = layout.variables()
    if domains(before.spec) != layout.domains or variables_digest(declared) != before.variables:
        return None
    if literals(before.spec) != literals(spec):
        return None  # runs may be shown with other values
    old, new = (translate_part(each, profile, states, layout) for each in (before.spec, spec))
    asked = Asked(new.subjects - old.subjects, old.subjects - new.subjects)
    if not asked.is_about_errors or len(old.steps) != len(new.steps):
        return None
    questions = []
    terms = Terms()
    if _compared(old.steps, terms) != _compared(new.steps, terms):
        return None
    for step, other in zip(old.steps, new.steps, strict=True):
        try:
            pairs = list(_differences(step, other, terms))
        except _OtherwiseError:
            return None
        for pair in pairs:
            met = values_met(pair, declared, before.members.get(step.source.state, ()))
            if not pair.is_exact or agree(pair, met) is not True:
                return None
            questions.append((pair, met))
    if not questions:
        return asked
    from fsmcheck.engines.agreement_in_z3 import agree_in_z3

    return asked if agree_in_z3(questions, declared) is True else None


def _differences(old: Step, new: Step, terms: Terms) -> Iterator[Pair]:
    """What two steps that are otherwise the same differ in: their guards, and the conditions of their events.

    Raises ``_OtherwiseError`` where they are not, where one names variables that the other does not, or where it rests
    on a choice of the abstraction when either is taken: such a choice has the same name for other guards, and stands
    for something else there.
    """
    if _but_when(old, terms) != _but_when(new, terms) or _is_open(old) or _is_open(new):
        raise _OtherwiseError
    if _named(old.guard) != _named(new.guard):
        raise _OtherwiseError
    inputs = _united(old.inputs, new.inputs)
    conditions = [(old.guard, new.guard, inputs)]
    before, after = _by_key(old.events), _by_key(new.events)
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if one is not None and other is not None and _named(one.condition) != _named(other.condition):
            raise _OtherwiseError
        own = [event.inputs for event in (one, other) if event is not None]
        left, right = FALSE if one is None else one.condition, FALSE if other is None else other.condition
        conditions.append((and_(old.guard, left), and_(new.guard, right), _united(inputs, *own)))
    for left, right, free in conditions:
        if terms.digest(left) != terms.digest(right):
            if old.source.phase is not Phase.RUNNING:
                raise _OtherwiseError
            yield _pair(left, right, free, terms)


def _but_when(step: Step, terms: Terms) -> tuple[object, ...]:
    """All of a step but when it is taken and what happens on it."""
    named = variables(step.updates.values())
    chosen = terms.inputs(choice for choice in step.inputs if choice.name in named)
    updates = [(name, terms.digest(term)) for name, term in sorted(step.updates.items())]
    place = (step.name, step.kind, step.source, step.target, step.transition, step.agent)
    return *place, sorted(step.staged), updates, chosen


def _named(term: Term) -> frozenset[str]:
    return frozenset(variables((term,)))


def _compared(steps: Iterable[Step], terms: Terms) -> frozenset[str]:
    """Digests of all comparisons of integers in some steps."""
    roots = [term for step in steps for term in (step.guard, *(event.condition for event in step.events))]
    nodes = (node for node in walk(roots) if node.args and node.args[0].sort is INT)
    return frozenset(terms.digest(node) for node in nodes if node.op in (Op.EQ, Op.LT, Op.LE))


def _is_open(step: Step) -> bool:
    """Whether a choice of the abstraction has a part in when a step is taken or what happens on it."""
    if step.source.phase is not Phase.RUNNING:
        return False
    groups = [(step.guard, step.inputs), *((each.condition, (*step.inputs, *each.inputs)) for each in step.events)]
    return any(
        choice.chooser is Chooser.ABSTRACTION
        for term, inputs in groups
        if (named := variables((term,)))
        for choice in inputs
        if choice.name in named
    )


def _by_key(events: Sequence[Event]) -> dict[object, Event]:
    found: dict[object, Event] = {(event.rule, event.subject, event.case): event for event in events}
    if len(found) < len(events):
        raise _OtherwiseError
    return found


def _united(*inputs: Sequence[Input]) -> tuple[Input, ...]:
    found: dict[str, Input] = {}
    for choice in (each for group in inputs for each in group):
        if found.setdefault(choice.name, choice) != choice:
            raise _OtherwiseError
    return tuple(found.values())


def _pair(left: Term, right: Term, inputs: tuple[Input, ...], terms: Terms) -> Pair:
    """Two conjunctions without the parts about integers that they share: where what is left agrees, the whole does."""
    parts = [{terms.digest(part): part for part in _conjuncts(term)} for term in (left, right)]
    shared = {name for name in parts[0].keys() & parts[1].keys() if not has_no_integers((parts[0][name],))}
    one, other = (and_(*(part for name, part in each.items() if name not in shared)) for each in parts)
    return Pair(one, other, inputs)


def _conjuncts(term: Term) -> tuple[Term, ...]:
    return term.args if term.op is Op.AND else (term,)


Guards = Sequence[Sequence[str]]
"""For each transition of a state the texts of its guards, in order."""


def guards_of(state: State) -> tuple[tuple[str, ...], ...]:
    """The texts of a state's guards."""
    return tuple(tuple(_text(guard) for guard in transition.guards) for transition in state.transitions)


def with_guards(spec: Spec, guards: Mapping[str, Guards]) -> Spec | None:
    """The spec with other texts in the guards of some states; None where they do not fit, or cannot be read."""
    types = {field.name.text: field.type for field in spec.fields}
    try:
        states = tuple(
            _rewritten(state, guards[state.name.text], types) if state.name.text in guards else state
            for state in spec.states
        )
    except (CelSyntaxError, ValueError):
        return None
    return replace(spec, states=states)


def _rewritten(state: State, texts: Guards, types: Mapping[str, Type]) -> State:
    transitions = tuple(
        replace(
            transition,
            guards=tuple(_reread(guard, text, types) for guard, text in zip(transition.guards, own, strict=True)),
        )
        for transition, own in zip(state.transitions, texts, strict=True)
    )
    return replace(state, transitions=transitions)


def _reread(guard: Guard, text: str, types: Mapping[str, Type]) -> Guard:
    if text == _text(guard):
        return guard
    if guard.expression is None:
        raise ValueError("not in CEL")
    tree, problems = check(parse(text), types)
    if problems:
        raise ValueError("it does not check")
    return replace(guard, text=text, expression=replace(guard.expression, text=text, ast=tree, offsets=()))


def _text(guard: Guard) -> str:
    return guard.text if guard.expression is None else guard.expression.text
