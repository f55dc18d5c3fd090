"""What the parent knows of one unit, over all processes that were lost over it."""

from __future__ import annotations

from dataclasses import field

from fsmcheck.diagnostics import Subject
from fsmcheck.obligations.course import TEXT, AllDecided, Begun, Course, Decided, Planned, Shared, Step
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.parallel.unit import Unit
from fsmcheck.records import dataclass
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.rule import Rule

MOST_IN_A_ROW = 3
"""Processes that may be lost without a verdict in between before the unit is given up."""

MOST_LOST = 12
"""Processes that may be lost over one unit in all."""

LEAST_PATIENCE = 60.0
"""Seconds without any step after which a process hangs, where the limits would allow for less."""

CHARACTERS_A_SECOND = 500
"""Text for which reading and translating it may take a second more, before anything is decided."""

_ON_TEXT = "FSM305"
"""The rule on the text that asks a solver."""


@dataclass
class Job:
    """A unit and how far it is. ``place`` is its place in the report, ``reason`` why it was given up."""

    place: int
    unit: Unit
    given: dict[tuple[str, Subject], Verdict] = field(default_factory=dict)
    plan: tuple[Obligation, ...] | None = None
    doing: str = TEXT
    patience: float | None = None
    is_shared: bool = False
    lost: int = 0
    in_a_row: int = 0
    final: tuple[Verdict, ...] | None = None
    reason: str = ""
    reads_text: bool = True

    def step(self, step: Step) -> None:
        """Take note of a step."""
        if isinstance(step, Planned):
            self.plan, self.patience = step.obligations, step.patience
            self.doing = "the first search"
        elif isinstance(step, Begun | Shared):
            self.doing = step.what
            self.is_shared = isinstance(step, Shared)
        elif isinstance(step, Decided | AllDecided):
            for verdict in step.verdicts if isinstance(step, AllDecided) else (step.verdict,):
                self.given[verdict.obligation.rule, verdict.obligation.subject] = verdict
            self.in_a_row = 0

    @property
    def decided(self) -> int:
        return len(self.given)

    @property
    def course(self) -> Course:
        """How the next process goes on."""
        return Course(dict(self.given), self.final, self.reason, reads_text=self.reads_text)

    @property
    def most_seconds(self) -> float:
        """How long the present step may take."""
        if self.patience is None or self.doing == TEXT:
            return LEAST_PATIENCE + len(self.unit.source.text) / CHARACTERS_A_SECOND
        longest = max(LEAST_PATIENCE, self.patience)
        # Its process ends what takes too long by itself, and should have the time to do so.
        return 2 * longest if self.is_shared else longest

    def lose(self, reason: str) -> bool:
        """Its process is lost: what it was deciding stays open for that ``reason``. Whether another one can go on."""
        if self.final is not None:
            return False
        self.lost += 1
        self.in_a_row += 1
        for obligation in self.plan or ():
            key = (obligation.rule, obligation.subject)
            if obligation.id == self.doing and key not in self.given:
                self.given[key] = Verdict(obligation, "unknown", "none", reason=reason)
        if self.in_a_row >= MOST_IN_A_ROW or self.lost >= MOST_LOST:
            self.give_up(reason)
        return True

    def give_up(self, reason: str) -> None:
        """Leave open whatever is not decided."""
        profile, asks = self.unit.profile, self.unit.options.asks
        plan = self.plan
        if plan is None:
            rules = (rule.id for rule in RULES if isinstance(rule, BehaviourRule))
            plan = tuple(Obligation(rule, Subject(), profile) for rule in rules if asks(rule))
        if self.doing == TEXT and asks(_ON_TEXT):
            plan = (*plan, Obligation(_ON_TEXT, Subject(), profile))
        self.reason = reason
        self.final = tuple(
            self.given.get((each.rule, each.subject)) or Verdict(each, "unknown", "none", reason=reason)
            for each in plan
        )

    def abandon(self, reason: str) -> None:
        """Leave open the rules on the text as well, after a process was lost that only had to tell of a unit given up,
        so that this takes next to nothing."""
        profile, wants = self.unit.profile, self.unit.options.wants
        final = self.final or ()
        told = {verdict.obligation.rule for verdict in final}
        rules = (rule.id for rule in RULES if isinstance(rule, Rule) and rule.id not in told and wants(rule.id))
        self.final = (
            *final,
            *(Verdict(Obligation(rule, Subject(), profile), "unknown", "none", reason=reason) for rule in rules),
        )
        self.reads_text = False
