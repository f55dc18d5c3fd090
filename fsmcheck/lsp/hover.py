"""What an editor shows of the thing under the cursor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fsmcheck.diagnostics import Finding
from fsmcheck.lsp.analysis import Analysis
from fsmcheck.lsp.markup import Page
from fsmcheck.lsp.names import Occurrence, Thing
from fsmcheck.outlining.fields import field_outlines, place
from fsmcheck.outlining.words import in_words
from fsmcheck.results import ObligationRecord
from fsmcheck.rules.catalogue import RULES
from fsmcheck.source import Span
from fsmcheck.spec.model import Action, Agent, Spec, State, Transition
from fsmcheck.suppress import allowances

_RULE_ID = re.compile(r"FSM\d{3}", re.IGNORECASE)
_MOST_NAMED = 12
_MOST_STORY = 40


def hover(
    analysis: Analysis,
    offset: int,
    findings: Sequence[Finding],
    records: Sequence[ObligationRecord] | None,
    *,
    is_markdown: bool,
) -> tuple[str, Span] | None:
    """The text and what it is about; None where there is nothing to say.

    ``findings`` are those that are shown, ``records`` the verdicts on the spec, None where they are not known (yet).
    """
    rule = _rule_at(analysis, offset)
    if rule is not None:
        return rule
    page = Page(is_markdown)
    names = analysis.names_at(offset)
    found = None if names is None else names.at(offset)
    if names is not None and found is not None:
        _told(page, names.spec, found, records)
    touching = [each for each in findings if each.story and each.span.start <= offset <= each.span.end]
    for finding in touching:
        page.paragraph(page.strong(f"How {finding.rule} happens"))
        page.verbatim(finding.story[:_MOST_STORY])
    if not page.parts:
        return None
    return page.text, found.span if found is not None else touching[0].span


def _rule_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    text = analysis.source.text
    line = analysis.lines.position(offset).line
    start, end = analysis.lines.bounds(line)
    hit = next((hit for hit in _RULE_ID.finditer(text, start, end) if hit.start() <= offset <= hit.end()), None)
    if hit is None or not any(each.span.start <= offset <= each.span.end for each in allowances(analysis.source)[0]):
        return None
    rule = next((rule for rule in RULES if rule.id == hit.group().upper()), None)
    if rule is None:
        return None
    return f"# {rule.id} {rule.slug}\n\n{rule.documentation}", Span(*hit.span())


def _told(page: Page, spec: Spec, found: Occurrence, records: Sequence[ObligationRecord] | None) -> None:
    match found.thing:
        case Thing.FIELD if found.name in spec.field_by_name:
            _field(page, spec, found.name)
        case Thing.STATE if found.name in spec.state_by_name:
            _state(page, spec, spec.state_by_name[found.name], records)
        case Thing.AGENT if found.name in spec.agent_by_name:
            _agent(page, spec, spec.agent_by_name[found.name])
        case _:
            page.paragraph(f"{page.code(found.name)} is not a declared {found.thing.value}")


def _field(page: Page, spec: Spec, name: str) -> None:
    outline = next(each for each in field_outlines(spec) if each.name == name)
    page.paragraph(f"{page.strong('field')} {page.code(name)}: {page.code(outline.type)}")
    if outline.description:
        page.paragraph(page.words(outline.description))
    required = tuple(state.name.text for state in spec.states if any(r.field.text == name for r in state.requires))
    lines = []
    if name in spec.input_names:
        lines.append("given when a run starts")
    lines.extend(
        f"{what}: {page.codes(_few(places))}"
        for what, places in (
            ("written by", outline.writers),
            ("required in", required),
            ("read in", outline.readers),
            ("set in", outline.assigners),
            ("emptied in", outline.emptiers),
        )
        if places
    )
    if required and not outline.emptiers:
        lines.append("emptied nowhere")
    page.items(lines)


def _state(page: Page, spec: Spec, state: State, records: Sequence[ObligationRecord] | None) -> None:
    name = state.name.text
    traits = [word for word, holds in (("initial", name == spec.initial.text), ("terminal", state.terminal)) if holds]
    page.paragraph(f"{page.strong(' '.join([*traits, 'state']))} {page.code(name)}")
    if state.description is not None and state.description.parts:
        written = (part if isinstance(part, str) else f"{{{{ {part.text} }}}}" for part in state.description.parts)
        page.paragraph(page.words("".join(written)))
    lines = [f"requires {page.code(req.field.text)} from {page.code(req.agent.text)}" for req in state.requires]
    lines.extend(_actions(page, "entry", state.entry))
    lines.extend(_actions(page, "exit", state.exit))
    lines.extend(_way_out(page, transition) for transition in state.transitions)
    ways_in = tuple(
        dict.fromkeys(
            place(spec, other.name.text, transition.index)
            for other in spec.states
            for transition in other.transitions
            if transition.target.text == name
        )
    )
    lines.append(f"entered by {page.codes(_few(ways_in))}" if ways_in else "entered by no transition")
    page.items(lines)
    if records is not None:
        _verdicts(page, [record for record in records if record.subject.state == name])


def _actions(page: Page, when: str, actions: Sequence[Action]) -> Iterator[str]:
    words = in_words(actions)
    if words:
        yield f"{when}: {page.codes(_few(words))}"


def _way_out(page: Page, transition: Transition) -> str:
    guards = tuple(guard.text.strip() for guard in transition.guards)
    when = f" when {' and '.join(page.code(guard) for guard in guards)}" if guards else ""
    words = in_words(transition.actions)
    then = f", then {page.codes(_few(words))}" if words else ""
    return f"to {page.code(transition.target.text)}{when}{then}"


def _verdicts(page: Page, records: Sequence[ObligationRecord]) -> None:
    counts = Counter(record.verdict for record in records)
    if not counts:
        return
    told = ", ".join(f"{counts[each]} {each}" for each in ("proved", "violated", "unknown", "skipped") if counts[each])
    page.paragraph(f"{page.strong('Verdicts')}: {told}")
    lines = []
    for record in records:
        if record.verdict in ("violated", "unknown"):
            what = [f"{key} {page.code(str(value))}" for key, value in record.subject.as_dict().items()][1:]
            reason = f": {page.words(record.reason)}" if record.reason and record.verdict == "unknown" else ""
            lines.append(f"{record.rule} {record.verdict}{''.join(f', {each}' for each in what)}{reason}")
    page.items(list(dict.fromkeys(lines)))


def _agent(page: Page, spec: Spec, agent: Agent) -> None:
    page.paragraph(f"{page.strong('agent')} {page.code(agent.name.text)}")
    if agent.description:
        page.paragraph(page.words(agent.description))
    lines = [f"may act in {page.codes(_few(tuple(name.text for name in agent.can_transition)))}"]
    for state in spec.states:
        asked = tuple(req.field.text for req in state.requires if req.agent.text == agent.name.text)
        if asked:
            lines.append(f"{page.code(state.name.text)} asks it for {page.codes(_few(asked))}")
    page.items(lines)


def _few(names: tuple[str, ...]) -> tuple[str, ...]:
    more = len(names) - _MOST_NAMED
    return names if more <= 1 else (*names[:_MOST_NAMED], f"and {more} more")
