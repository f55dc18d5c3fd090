"""From the transition system and the questions to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from fsmcheck.export.bounding import MOST, Folding, span
from fsmcheck.export.identifiers import Identifiers
from fsmcheck.export.model import Action, Cell, Choice, Model, Probe, Question
from fsmcheck.export.questions import Asked, Key, key_of
from fsmcheck.export.refusal import ExportError
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.domains import Domains
from fsmcheck.system.slice import slice_system
from fsmcheck.system.symbolic import slot_terms
from fsmcheck.system.system import Chooser, Event, Input, Location, Step, StepKind, System, Variable
from fsmcheck.system.terms import FALSE, INT, Op, Sort, SortKind, Term


@dataclass
class _Builder:
    system: System
    domains: Domains
    bound: int | None
    identifiers: Identifiers = field(default_factory=Identifiers)
    meanings: dict[str, str] = field(default_factory=dict)
    labels: dict[tuple[str, int], str] = field(default_factory=dict)
    bounded: bool = False

    @cached_property
    def events(self) -> dict[Key | None, list[tuple[Step, Event]]]:
        """The events with their steps, by what they are about."""
        found: dict[Key | None, list[tuple[Step, Event]]] = {}
        for step in self.system.steps:
            for event in step.events:
                found.setdefault(key_of(event), []).append((step, event))
        return found

    @cached_property
    def others(self) -> dict[str, int | None]:
        """By the sort of a class of texts: the index of the label that stands for all other texts."""
        return {each.sort.name: each.other for each in self.domains.text.values()}

    def named(self, key: object, text: str, meaning: str, otherwise: str = "name") -> str:
        """An identifier, with what it stands for noted where it is not the text itself."""
        identifier = self.identifiers.of(key, text, otherwise)
        if identifier != text:
            self.meanings[identifier] = meaning
        return identifier

    def special(self, name: str, meaning: str) -> str:
        """The identifier of a value that no text of the spec spells."""
        identifier = self.identifiers.of(("special", name), name)
        self.meanings[identifier] = meaning
        return identifier

    def location(self, location: Location) -> str:
        text = f"{location.state}_{location.phase.value}"
        return self.named(location, text, f'{location.phase.value} in "{location.state}"', "state")

    def cell(self, variable: Variable) -> Cell:
        identifier = self.named(("variable", variable.name), variable.name, variable.name, "variable")
        initial = int(self.system.initial[variable.name])
        values = self.values_of(variable)
        if initial not in values:
            raise ExportError(f'"{variable.name}" starts at {initial}, beyond the bound on integers')
        self.label_all(variable.sort)
        return Cell(variable.name, identifier, variable.sort, initial, values)

    def values_of(self, item: Variable | Input) -> range:
        if item.sort is not INT:
            return range(item.sort.size)
        if self.bound is None:
            name = item.name if isinstance(item, Variable) else "a value that is chosen"
            raise ExportError(f'"{name}" is a whole number without a bound: say with --integers N how far to look')
        self.bounded = True
        low, high = span(item, self.bound)
        return range(low, high + 1)

    def label_all(self, sort: Sort) -> None:
        """Name the values of a finite sort; the same text has the same name wherever it is a value."""
        if sort.kind is not SortKind.FINITE:
            return
        for index, label in enumerate(sort.labels):
            if (sort.name, index) in self.labels:
                continue
            if index == 0:
                name = self.special("unset", "the empty value, and where there is none")
            elif self.others.get(sort.name) == index:
                name = self.special("other_text", "a text that is compared with nothing here")
            elif sort.name in self.others:
                name = self.named(("text", label), label, f'text "{label}"', "text")
            else:
                name = self.named(("number", label), f"number_{label}", f"number {label}")
            self.labels[sort.name, index] = name

    def choices(self, step: Step, inputs: Iterable[Input], terms: Sequence[Term]) -> tuple[Choice, ...]:
        """The inputs that occur in some terms, named by the field they give a value to."""
        used = t.variables(terms)
        fields: dict[str, tuple[str, str]] = {}
        for name, staged in step.staged.items():
            for term in slot_terms(staged.slot):
                if term.op is Op.VAR:
                    fields.setdefault(str(term.value), (f"new_{name}", f'what "{name}" is given'))
            if staged.write is not None:
                fields[staged.write] = (f"writes_{name}", f'whether "{name}" is written')
        found: list[Choice] = []
        counts: dict[str, int] = {}
        for each in inputs:
            if each.name not in used:
                continue
            guessed = each.chooser is Chooser.ABSTRACTION
            stem, meaning = fields.get(each.name, ("guess", "a value that is not known"))
            counts[stem] = counts.get(stem, 0) + 1
            text = stem if counts[stem] == 1 else f"{stem}_{counts[stem]}"
            identifier = self.named(("choice", text, each.sort), text, meaning)
            self.label_all(each.sort)
            values = each.domain or self.values_of(each)
            found.append(Choice(each.name, identifier, each.sort, values, guessed))
        return tuple(found)

    def folding(self, cells: Sequence[Cell], choices: Iterable[Choice]) -> Folding:
        spans = {cell.name: (cell.values[0], cell.values[-1]) for cell in cells if cell.sort is INT}
        spans |= {each.name: (each.values[0], each.values[-1]) for each in choices if each.sort is INT}
        return Folding(spans)

    def action(self, step: Step, cells: Sequence[Cell]) -> Action | None:
        """The step within the bounds; None where nothing of it is left."""
        choices = self.choices(step, step.inputs, [step.guard, *step.updates.values()])
        if not all(choice.values for choice in choices):
            return None
        folding = self.folding(cells, choices)
        guards = [folding.fold(step.guard)]
        updates: dict[str, Term] = {}
        by_name = {cell.name: cell for cell in cells}
        for name, term in step.updates.items():
            values = by_name[name].values
            if term.sort is INT:
                guards.append(_within(folding, term, values))
            updates[name] = folding.fold(term)
        guard = t.and_(*guards)
        if guard is FALSE:
            return None
        identifier = self.identifiers.of(("step", step.name), f"do_{_action_name(step)}", "do_step")
        return Action(identifier, step.kind, _title(step), step.source, step.target, guard, choices, updates)

    def question(self, asked: Asked, cells: Sequence[Cell]) -> Question:
        place = f"{asked.place}_{asked.case}" if asked.case else asked.place
        identifier = self.identifiers.of(("question", place), f"ask_{place}")
        probes: list[Probe] = []
        for step, event in self.events.get(asked.key, ()):
            condition = t.and_(step.guard, event.condition)
            choices = self.choices(step, (*step.inputs, *event.inputs), [condition])
            if not all(choice.values for choice in choices):
                continue
            condition = self.folding(cells, choices).fold(condition)
            if condition is not FALSE:
                name = self.identifiers.of(("probe", identifier, len(probes)), f"see_{identifier}_{len(probes) + 1}")
                probes.append(Probe(name, _title(step), step.source, condition, choices))
        return Question(identifier, asked, tuple(probes))


def _within(folding: Folding, term: Term, values: range) -> Term:
    """That an integer term lies in a range."""
    low, high = t.integer(values[0]), t.integer(values[-1])
    return t.and_(folding.fold(t.le(low, term)), folding.fold(t.le(term, high)))


def _action_name(step: Step) -> str:
    name = f"{step.source.state}_by_{step.agent}" if step.agent is not None else step.name
    return f"{name}_fails" if step.kind is StepKind.FAIL else name


def _title(step: Step) -> str:
    source = f'"{step.source.state}"'
    if step.agent is not None:
        return f'an exchange of "{step.agent}" in {source}'
    if step.transition is None:
        return f"{step.kind.value} in {source}"
    failing = " whose actions fail" if step.kind is StepKind.FAIL else f' to "{step.target.state}"'
    return f"transition {step.transition} of {source}{failing}"


def build(
    system: System,
    domains: Domains,
    asked: Sequence[Asked],
    bound: int | None,
    unasked: Mapping[str, tuple[str, ...]],
) -> Model:
    """The model of the slice that some questions depend on (the machine alone where there are none).

    Raises:
        ExportError: there are integers and no bound on them, or they go beyond what the tools calculate with.
    """
    if bound is not None and bound > MOST:
        raise ExportError(f"the bound on integers can be at most {MOST}")
    keys = {each.key for each in asked}
    sliced = slice_system(system, lambda event: key_of(event) in keys)
    builder = _Builder(sliced, domains, bound)
    locations = {location: builder.location(location) for location in sliced.locations}
    cells = tuple(builder.cell(variable) for variable in sliced.variables)
    actions = tuple(action for step in sliced.steps if (action := builder.action(step, cells)) is not None)
    questions = tuple(builder.question(each, cells) for each in asked)
    return Model(
        title=sliced.spec_name,
        profile=sliced.profile,
        locations=locations,
        labels=builder.labels,
        start=sliced.start,
        cells=cells,
        actions=actions,
        questions=questions,
        meanings=builder.meanings,
        bound=bound if builder.bounded else None,
        unasked=unasked,
    )
