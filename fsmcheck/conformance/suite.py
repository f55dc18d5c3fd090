"""Suites, ``fsmcheck.suite/1``: a spec, runs that cover it, and the configurations that are expected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from fsmcheck.conformance.conduct import Scenario, reference_run
from fsmcheck.conformance.examine import Job
from fsmcheck.conformance.exploration import Exploration, Node
from fsmcheck.conformance.goals import KINDS, Goal, covered, goals
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.trace import advance_json, step_json
from fsmcheck.spec.model import Spec

SCHEMA = "fsmcheck.suite/1"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one kind of goal: how many there are, and those that no run of the suite reaches: the ``missing`` ones, and
    those that no run can reach, each with the reason."""

    kind: str
    total: int
    missing: tuple[str, ...]
    impossible: tuple[tuple[str, str], ...] = ()

    @property
    def covered(self) -> int:
        return self.total - len(self.missing) - len(self.impossible)


@dataclass(frozen=True, slots=True)
class Suite:
    """Runs that cover a spec under a profile, and what they cover."""

    spec: Spec
    profile: Profile
    scenarios: tuple[Scenario, ...]
    coverage: tuple[Coverage, ...]

    @property
    def name(self) -> str:
        return self.spec.name.text if self.spec.name is not None else "a spec without a name"

    @property
    def exchanges(self) -> int:
        return sum(len(scenario.exchanges) for scenario in self.scenarios)

    def job(self) -> Job:
        return Job(f"suite of {self.name}", self.spec, self.profile, self.scenarios)


def make_suite(spec: Spec, profile: Profile) -> Suite:
    """A suite of few runs: greedily the ones that cover most for their length, then without those that others cover."""
    scenarios = tuple(node.scenario() for node in _chosen(Exploration(spec, profile).run()))
    reached: set[Goal] = set()
    for scenario in scenarios:
        for step in reference_run(spec, profile, scenario):
            reached |= covered(spec, step)
    return Suite(spec, profile, scenarios, tuple(_coverage(goals(spec), reached)))


def explained(suite: Suite) -> Suite:
    """The suite with runs that the engines have found for what it did not cover, and with the reasons why there are
    none for the rest, as far as they are known."""
    from fsmcheck.conformance.impossible import Inquiry

    missing = {Goal(row.kind, what) for row in suite.coverage for what in row.missing}
    inquiry = Inquiry(suite.spec, suite.profile)
    inquiry.ask(missing)
    scenarios = list(suite.scenarios)
    for scenario in sorted(inquiry.runs, key=lambda scenario: len(scenario.exchanges)):
        fresh = inquiry.covers(scenario) & missing
        if fresh:
            scenarios.append(scenario)
            missing -= fresh
    why = {goal: reason for goal, reason in inquiry.why.items() if goal in missing}
    rows = tuple(
        Coverage(
            row.kind,
            row.total,
            tuple(what for what in row.missing if (goal := Goal(row.kind, what)) in missing and goal not in why),
            tuple((what, why[Goal(row.kind, what)]) for what in row.missing if Goal(row.kind, what) in why),
        )
        for row in suite.coverage
    )
    return Suite(suite.spec, suite.profile, tuple(scenarios), rows)


def _chosen(nodes: list[Node]) -> list[Node]:
    remaining: set[Goal] = set().union(*(node.goals for node in nodes)) if nodes else set()
    best: dict[frozenset[Goal], Node] = {}
    for node in nodes:
        if node.goals not in best or node.depth < best[node.goals].depth:
            best[node.goals] = node
    chosen: list[Node] = []
    while remaining:
        node = max(best.values(), key=lambda node: (len(node.goals & remaining) / (node.depth + 1), -node.depth))
        chosen.append(node)
        remaining -= node.goals
    for node in sorted(chosen, key=lambda node: -node.depth):
        others = set().union(*(other.goals for other in chosen if other is not node))
        if node.goals <= others:
            chosen.remove(node)
    return chosen


def _coverage(wanted: Iterable[Goal], reached: set[Goal]) -> Iterable[Coverage]:
    for kind in KINDS:
        of_kind = [goal for goal in wanted if goal.kind == kind]
        if of_kind:
            yield Coverage(kind, len(of_kind), tuple(goal.what for goal in of_kind if goal not in reached))


def suite_json(suite: Suite) -> dict[str, JsonValue]:
    """The suite as plain data, enough to put a reducer through it without this tool."""
    spec = suite.spec
    cases: list[JsonValue] = [case_json(spec, suite.profile, scenario) for scenario in suite.scenarios]
    name = spec.name.text if spec.name is not None else None
    coverage: dict[str, JsonValue] = {
        row.kind: {
            "total": row.total,
            "covered": row.covered,
            "missing": list(row.missing),
            "impossible": [{"what": what, "why": why} for what, why in row.impossible],
        }
        for row in suite.coverage
    }
    return {
        "schema": SCHEMA,
        "spec": {"name": name, "version": spec.version, "sha256": spec.sha256},
        "profile": suite.profile,
        "document": cast("JsonValue", spec.document),
        "coverage": coverage,
        "cases": cases,
    }


def case_json(spec: Spec, profile: Profile, scenario: Scenario) -> dict[str, JsonValue]:
    """One case of a suite; its ``start`` is ``{"ok": false}`` where the inputs have to be refused."""
    run = reference_run(spec, profile, scenario)
    return {
        "inputs": dict(scenario.inputs),
        "start": advance_json(run[0]) if run else {"ok": False},
        "steps": [step_json(step) for step in run[1:]],
    }


def coverage_lines(suite: Suite) -> list[str]:
    """The coverage as a table, and what is missing below it."""
    title = f'suite of "{suite.name}", {suite.profile}'
    lines = [f"{title}: {_counted(len(suite.scenarios), 'run')}, {_counted(suite.exchanges, 'exchange')}"]
    lines.extend(f"  {row.kind:<11}{row.covered:>4} of {row.total}{_besides(row)}" for row in suite.coverage)
    for row in suite.coverage:
        lines.extend(f"  not reached: {row.kind} {what}" for what in row.missing)
        lines.extend(f"  impossible: {row.kind} {what}: {why}" for what, why in row.impossible)
    return lines


def _besides(row: Coverage) -> str:
    counts = ((len(row.impossible), "impossible"), (len(row.missing), "not reached"))
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    return f" ({told})" if told else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
