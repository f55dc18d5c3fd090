"""What fsmcheck says of a spec, held against what other model checkers say of its exported model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fsmcheck.engines.explicit import Key, Limits, explore
from fsmcheck.engines.survey import Survey
from fsmcheck.export.build import build
from fsmcheck.export.model import Model
from fsmcheck.export.model import Question as Asked
from fsmcheck.export.questions import Language, place_of
from fsmcheck.export.refusal import ExportError
from fsmcheck.export.whole_numbers import WholeNumbers
from fsmcheck.export.write import posed, rendered
from fsmcheck.obligations.obligation import Question
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from fsmcheck.system.slice import slice_system
from fsmcheck.system.standstill import with_standstill
from fsmcheck.system.system import Event, System
from fsmcheck.system.translate import translate
from tests.oracle.compare import Decisions
from tests.peers.plain import TooManyError, search
from tests.peers.tools import Answer, ask_nusmv, ask_spin, nusmv, spin

MOST = 200_000
"""Configurations up to which a finite system is compared."""

MOST_PLAIN = 3_000
"""Configurations up to which one with whole numbers is, which is searched the slow way."""

BOUND = 2
"""How far whole numbers go there."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Configurations by our own search, and the questions (by identifier) whose event it sees."""

    configurations: int
    found: frozenset[str]


def ours(system: System, model: Model) -> Expected | None:
    """Our own search of what a model is about; None where it is too much. A finite system is searched by the explicit
    engine, one with whole numbers by counting through them."""
    keys = {question.identifier: question.asked.key for question in model.questions if not is_ends(question)}

    def is_asked(event: Event) -> bool:
        return (event.rule, event.subject, event.case) in keys.values()

    sliced = slice_system(system, is_asked)
    if model.bound is None:
        graph = explore(sliced, Limits(MOST, 120))
        if not graph.complete:
            return None
        happened = frozenset(graph.hits)
        count = len(graph.values)
    else:
        try:
            count, happened = search(sliced, model.bound, is_asked, MOST_PLAIN)  # type: ignore[assignment]
        except TooManyError:
            return None
    return Expected(count, frozenset(name for name, key in keys.items() if key in happened))


def is_ends(question: Asked) -> bool:
    return question.asked.question is Question.ENDS


Ask = Callable[[Model, Path], Answer]


def by_spin(model: Model, folder: Path) -> Answer:
    return ask_spin(rendered(model, Language.PROMELA).text, folder)


def by_nusmv(model: Model, folder: Path) -> Answer:
    ends = [question.identifier for question in model.questions if is_ends(question)]
    others = [question.identifier for question in model.questions if not is_ends(question)]
    return ask_nusmv(rendered(model, Language.SMV).text, folder, names=(*ends, *others))


def peers() -> dict[str, Ask]:
    """The tools that are there."""
    found: dict[str, Ask] = {}
    if spin() is not None:
        found["spin"] = by_spin
    if nusmv() is not None:
        found["nusmv"] = by_nusmv
    return found


def machine(spec: Spec, profile: str) -> tuple[System, Model]:
    """A spec's machine, without questions."""
    system = translate(spec, profile)
    bound = BOUND if WholeNumbers(system).of_machine is not None else None
    return system, build(system, domains(spec), (), bound, {})


def questioned(spec: Spec, profile: str, language: Language) -> tuple[System, Model]:
    """A spec's machine with all the questions that can be put without a bound, or all where it needs one."""
    system = translate(spec, profile)
    bound = BOUND if WholeNumbers(system).of_machine is not None else None
    return system, posed(spec, system, language, (), bound)


def differences(
    spec: Spec,
    profile: str,
    folder: Path,
    decisions: Decisions,
    tools: Mapping[str, Ask],
    *,
    alone: bool = True,
    counts: Counter[str] | None = None,
) -> Iterator[str]:
    """Where a tool and fsmcheck disagree, each in a sentence; ``alone`` asks about the machine without questions
    as well. ``counts`` takes what was compared."""
    counts = Counter() if counts is None else counts
    for name, ask in tools.items():
        language = Language.SMV if ask is by_nusmv else Language.PROMELA
        for system, model in models(spec, profile, language):
            if not model.questions and not alone:
                continue
            expected = ours(system, model)
            if expected is None:
                counts["models too large"] += 1
                continue
            answer = ask(model, folder)
            counts[f"{'finite' if model.bound is None else 'bounded'} models by {name}"] += 1
            counts[f"configurations by {name}"] += answer.configurations
            counts[f"questions by {name}"] += len(model.questions)
            events = frozenset(q.identifier for q in model.questions if not is_ends(q))
            # NuSMV also counts the configurations just after an event.
            if (not model.questions or ask is by_spin) and answer.configurations != expected.configurations:
                yield f"{name}: {answer.configurations} configurations, fsmcheck: {expected.configurations}"
            for question in sorted((answer.found & events) ^ expected.found):
                yield f"{name}: {question} is found by {'it' if question in answer.found else 'our search'} only"
            ruled_out = _verdicts(model, answer, decisions, _turning(system, model), _ended(spec, profile))
            yield from (f"{name}: {told}" for told in ruled_out)


def models(spec: Spec, profile: str, language: Language) -> Iterator[tuple[System, Model]]:
    """The machine alone, and with its questions, as far as its numbers fit within the bound."""
    for make in (lambda: machine(spec, profile), lambda: questioned(spec, profile, language)):
        try:
            yield make()
        except ExportError as error:
            if "bound" not in str(error) and "32 bits" not in str(error):
                raise


def _turning(system: System, model: Model) -> frozenset[str]:
    """The states with configurations in which an advance may go round for ever, of which models do not ask."""
    if not any(is_ends(question) for question in model.questions):
        return frozenset()
    graph = explore(slice_system(system, lambda _: False), Limits(MOST, 120))
    return frozenset(graph.location(number).state for number in Survey(graph).in_microstep_loop)


def _ended(spec: Spec, profile: str) -> frozenset[Key | None]:
    """The events that happen only behind the end of an advance that makes no progress."""
    system = translate(spec, profile)
    stopping = with_standstill(system, Layout(spec, domains(spec)))
    if stopping is None:
        return frozenset()
    whole, graph = (explore(each, Limits(MOST, 120)) for each in (system, stopping))
    return frozenset(whole.hits) - frozenset(graph.hits) if graph.complete else frozenset()


def _verdicts(
    model: Model, answer: Answer, decisions: Decisions, turning: frozenset[str], ended: frozenset[Key | None]
) -> Iterator[str]:
    """Verdicts of fsmcheck that what a tool has found, or has not, rules out. Models go on where an advance makes no
    progress: what happens only there, ``ended``, is no event of the machine."""
    places: dict[str, list[Asked]] = {}
    for question in model.questions:
        places.setdefault(place_of(question.asked.obligation), []).append(question)
    for place, questions in places.items():
        obligation = questions[0].asked.obligation
        word, reason = decisions[obligation.rule, obligation.subject]
        if ended.intersection(each.asked.key for each in questions):
            continue
        found = all(question.identifier in answer.found for question in questions)
        if questions[0].asked.question is Question.POSSIBLE:
            wrong, right = ("proved", "violated") if not found else ("violated", "proved")
        else:
            wrong, right = ("violated", "proved") if not found else ("proved", "violated")
        if word != wrong or ("vacuous" in reason and not found):
            continue
        if is_ends(questions[0]) and not found and obligation.subject.state in turning:
            continue
        # What is found may be a guess of the abstraction; nothing is proved by looking within a bound.
        is_sure = not model.guesses if found else model.bound is None
        if is_sure:
            yield f"{place} should be {right}, fsmcheck: {word} ({reason})"
