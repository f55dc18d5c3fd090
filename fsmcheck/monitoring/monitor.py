"""The monitor: takes in lines of logs, follows every run on the reference reducer, tells what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fsmcheck.monitoring.agreement import Disagreement, agrees, disagreement
from fsmcheck.monitoring.coverage import Counts
from fsmcheck.monitoring.decode import Decoder
from fsmcheck.monitoring.event import Complaint, Event, Place, Said
from fsmcheck.monitoring.joining import said_configuration
from fsmcheck.monitoring.judge import Breach as Breached
from fsmcheck.monitoring.judge import Judge, is_known, joined
from fsmcheck.monitoring.lines import Line
from fsmcheck.monitoring.mapping import LogMapping
from fsmcheck.monitoring.outcome import Breach, Departure, Note, Outcome, Tally, Telling, Unjudged
from fsmcheck.monitoring.runs import Run, Runs
from fsmcheck.monitoring.telling import told_breach, told_departure
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Configuration, Profile
from fsmcheck.reducer.monitors.ledger import opening_ledger
from fsmcheck.reducer.record import Advance, Step
from fsmcheck.reducer.reducer import InputError, begin, exchange
from fsmcheck.reducer.runnable import require_runnable
from fsmcheck.spec.model import Spec

UNDETERMINED = "undetermined"
"""In place of a clause where what was logged does not tell."""

MOST_STORIES = 100
"""Departures from one clause that are told as a story and a trace; the others are named."""

MOST_BREACH_STORIES = 3
"""Breaches of one rule at one place that are told as a story and a trace, where every breach is told."""

MOST_MICROSTEPS = 20
"""Of a step that is kept to explain what is said of it later; each has a store of its own."""

_MOST_FIELDS = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept: open runs, lines of one run."""

    runs: int = 10_000
    history: int = 1_000


class Monitor:
    """Follows the runs of one spec through its logs.

    ``wants`` says which rules are watched; ``every`` tells each breach and not only the first at its place. Raises
    ``UnrunnableSpecError`` where the spec cannot be run. ``tally`` and ``counts`` are what it has come to so far.
    """

    def __init__(
        self,
        spec: Spec,
        profile: Profile,
        mapping: LogMapping | None = None,
        limits: Limits | None = None,
        wants: Callable[[str], bool] = lambda _rule: True,
        *,
        every: bool = False,
    ) -> None:
        require_runnable(spec)
        limits = limits or Limits()
        self._spec = spec
        self._profile: Profile = profile
        self._decoder = Decoder(mapping or LogMapping())
        self._runs = Runs(limits.runs, limits.history)
        self._judge = Judge(spec)
        self._wants = wants
        self._every = every
        self._opening = opening_ledger(spec)
        self._fields = frozenset(spec.field_by_name)
        self._unknown: set[str] = set()
        self._unread = 0
        self._told: dict[Breached, int] = {}
        self.tally = Tally()
        self.counts = Counts(spec, profile)

    @property
    def open_runs(self) -> int:
        """Runs that have not ended."""
        return len(self._runs)

    def feed(self, path: str, line: Line) -> list[Outcome]:
        """Take in one line; what there is to tell of it, most often nothing."""
        self.tally.lines += 1
        try:
            event = self._decoder.event(line)
        except Complaint as complaint:
            return list(self._complained(Place(path, line.number), complaint))
        if event is None:
            self.tally.ignored += 1
            return []
        self.tally.events += 1
        self.counts.events += 1
        place = Place(path, line.number)
        try:
            found = list(self._unknown_fields(place, event))
            found.extend(self._event(place, event, line))
        except Complaint as complaint:
            return list(self._complained(place, complaint))
        except RecursionError:
            deep = Complaint("malformed", "a value is nested too deeply", event.run)
            return list(self._complained(place, deep))
        return found

    def close(self, path: str) -> list[Outcome]:
        """All lines have been taken in."""
        if self.tally.events or not self.tally.lines or self.tally.complaints:
            return []
        message = f"no line is an event of a run: {self.tally.lines} were passed over"
        return list(self._complained(Place(path, self.tally.lines), Complaint("nothing-read", message)))

    def _complained(self, place: Place, complaint: Complaint) -> Iterator[Outcome]:
        self.tally.complaints[complaint.kind] += 1
        run = self._runs.find(complaint.run) if complaint.run is not None else None
        if run is not None and complaint.kind == "malformed":
            run.configuration = None
        elif complaint.run is None:
            self._unread += 1
        yield Unjudged(place, complaint.kind, complaint.message, complaint.run)

    def _unknown_fields(self, place: Place, event: Event) -> Iterator[Outcome]:
        store = event.said.store
        if store is None or self._fields >= store.keys():
            return
        for name in sorted(store.keys() - self._fields):
            self.tally.complaints["unknown-field"] += 1
            if name not in self._unknown and len(self._unknown) < _MOST_FIELDS:
                self._unknown.add(name)
                message = f'the store has a field "{name}" that is not declared; it is let be'
                yield Unjudged(place, "unknown-field", message, event.run)

    def _event(self, place: Place, event: Event, line: Line) -> Iterator[Outcome]:
        if event.kind == "start":
            yield from self._start(place, event, line)
            return
        run = self._runs.find(event.run)
        if run is not None and run.over:
            raise Complaint("after-end", f'the log said before that "{run.id}" had ended', run.id)
        if event.kind == "end":
            yield from self._end(place, event, run)
        elif run is None or run.configuration is None:
            yield from self._without_configuration(place, event, run)
        elif event.kind == "exchange":
            self._runs.remember(run, line)
            step = exchange(self._spec, run.configuration, event.agent, event.given, self._profile, caps=run.counted)
            run.step += 1
            yield from self._settle(place, event, run, step)
        else:
            yield from self._compare(place, event, run)

    def _start(self, place: Place, event: Event, line: Line) -> Iterator[Outcome]:
        if self._runs.is_open(event.run):
            self.tally.restarted += 1
        run = Run(event.run, self._opening, self._unread)
        run.begun = run.counted = True
        try:
            step = begin(self._spec, event.given, self._profile)
        except InputError as error:
            if event.said.rejected:
                self.tally.refused += 1
                return
            yield from self._take_up(place, run)
            found = Disagreement("inputs", str(error), dict(event.given), "inputs", {})
            yield from self._depart(place, event, run, found)
            self._join(run, event.said)
            return
        yield from self._take_up(place, run)
        self._runs.remember(run, line)
        yield from self._settle(place, event, run, step)

    def _take_up(self, place: Place, run: Run) -> Iterator[Outcome]:
        self.tally.runs += 1
        dropped = self._runs.begin(run)
        if dropped is not None:
            self.tally.dropped += 1
            if self.tally.dropped == 1:
                yield Note(place, f'more runs are open than are kept: "{dropped.id}" and others are dropped')

    def _settle(self, place: Place, event: Event, run: Run, step: Step) -> Iterator[Outcome]:
        """Compare a step of the reference with what is said of it, and go on from there."""
        run.last = step
        if not agrees(self._spec, step, event.said, counted=run.counted):
            found = disagreement(self._spec, self._profile, run.step, step, event.said)
            yield from self._depart(place, event, run, found)
            run.ledger = self._judge.breaches(run.step, step, run.ledger)[1]
            self._after_departure(run, event.said)
            return
        self.counts.step(step)
        yield from self._judged(place, event, run, step)
        run.configuration = step.configuration
        if len(step.advance.microsteps) > MOST_MICROSTEPS:
            run.last = None
        self._close_run(run, event.said)

    def _close_run(self, run: Run, said: Said) -> None:
        over = run.configuration is not None and run.configuration.status != "waiting"
        if (over or said.status == "capped") and self._runs.is_open(run.id):
            self.tally.ended += 1
            self._runs.end(run)

    def _judged(self, place: Place, event: Event, run: Run, step: Step) -> Iterator[Outcome]:
        before = run.ledger
        if run.begun:
            breaches, run.ledger = self._judge.breaches(run.step, step, before)
            wanted = [each for each in breaches if self._wants(each[0])]
        else:
            found, run.ledger = self._judge.violations(run.step, step, before)
            known = [each for each in found if self._wants(each.rule) and is_known(self._spec, each)]
            wanted = [(each.rule, each.subject) for each in known]
        if not wanted:
            return
        fresh = {each for each in wanted if self._every or not self.tally.breaches[each]}
        self.tally.breaches.update(wanted)
        if not fresh:
            return
        for each in self._judge.violations(run.step, step, before)[0]:
            if (each.rule, each.subject) in fresh:
                if not self._every:
                    fresh.discard((each.rule, each.subject))
                told = self._told[each.rule, each.subject] = self._told.get((each.rule, each.subject), 0) + 1
                telling = Telling()
                if told <= MOST_BREACH_STORIES:
                    telling = told_breach(self._spec, self._profile, self._decoder, run, each)
                count = self.tally.breaches[each.rule, each.subject]
                yield Breach(place, run.id, run.step, event.time, each, telling, count)

    def _compare(self, place: Place, event: Event, run: Run) -> Iterator[Outcome]:
        """A configuration is said of a run that is known."""
        if run.configuration is None:
            return
        said = event.said._replace(rejected=None)
        last = run.last or _standing(self._spec, run.configuration)
        if agrees(self._spec, last, said, counted=run.counted):
            self._close_run(run, said)
            return
        found = disagreement(self._spec, self._profile, run.step, last, said)
        if run.last is None:
            found = replace(found, clause=None)
        yield from self._depart(place, event, run, found)
        self._after_departure(run, said)

    def _depart(self, place: Place, event: Event, run: Run, found: Disagreement) -> Iterator[Outcome]:
        clause = found.clause or UNDETERMINED
        self.tally.departures[clause] += 1
        telling = Telling()
        if self.tally.departures[clause] <= MOST_STORIES:
            telling = told_departure(self._spec, self._profile, self._decoder, run, found, place)
        yield Departure(place, run.id, run.step, event.time, found, telling, run.unread < self._unread)
        if not run.departed:
            self.tally.departed += 1
        run.departed = True

    def _after_departure(self, run: Run, said: Said) -> None:
        """Go on where the reference is, if that is where the log is, else from what is said."""
        if run.last is not None and _same_place(self._spec, run.last, said):
            run.configuration = run.last.configuration
            self._close_run(run, said)
        else:
            self._join(run, said)

    def _join(self, run: Run, said: Said) -> None:
        """Go on from the configuration that is said, if it is all there."""
        configuration = run.configuration = said_configuration(self._spec, said)
        run.begun = run.counted = False
        run.last = None
        self._runs.release(run)
        if configuration is not None:
            run.ledger = joined(self._opening)
            run.unread = self._unread
            self._close_run(run, said)

    def _without_configuration(self, place: Place, event: Event, run: Run | None) -> Iterator[Outcome]:
        self.tally.skipped += 1
        if run is None:
            run = Run(event.run, self._opening, self._unread)
            self.tally.joined += 1
            if self.tally.joined == 1:
                yield Note(place, f'the log does not hold the start of "{run.id}": it is judged from where it is known')
            yield from self._take_up(place, run)
        self._join(run, event.said)

    def _end(self, place: Place, event: Event, run: Run | None) -> Iterator[Outcome]:
        if run is None:
            return
        if event.said.anything:
            yield from self._compare(place, event, run)
        if self._runs.is_open(run.id):
            self.tally.ended += 1
            self._runs.end(run)
        run.over = True


def _standing(spec: Spec, configuration: Configuration) -> Step:
    """A step that only stands in a configuration."""
    requires = spec.state_by_name[configuration.state].requires if configuration.status == "waiting" else ()
    awaits = tuple(req for req in requires if not configuration.store.is_set(req.field.text))
    return Step(configuration, "", {}, None, Advance(configuration.store, (), awaits), configuration)


def _same_place(spec: Spec, step: Step, said: Said) -> bool:
    """Whether the run is where the reference is, and differs only in what it says of the way or of a refusal."""
    if not agrees(spec, step, Said(said.state, said.status, said.store)):
        return False
    both_rejected = step.rejected is not None and said.rejected not in (None, False)
    return both_rejected or (said.state is not None and said.status is not None)
