"""A run on which a reducer differs as a test: a case in the form of suites, and a file for pytest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pprint import pformat
from typing import cast

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.conduct import Scenario
from fsmcheck.conformance.examine import Miss
from fsmcheck.conformance.suite import SCHEMA, case_json
from fsmcheck.reducer.json_values import JsonValue

_HEAD = '''"""Runs on which a reducer differed from what the spec language says, as fsmcheck conform found them."""

from fsmcheck.conformance.repeat import must_conform

# Change this to where the reducer is now.
COMMAND = {command}
DEADLINE = {deadline!r}
'''
_TEST = '''

def test_{name}() -> None:
    """{says}."""
    must_conform(COMMAND, CASE_{number}, DEADLINE)


CASE_{number} = {case}
'''


def suite_of(miss: Miss) -> dict[str, JsonValue]:
    """A suite of one case: the run up to the difference; ``diverges`` in it says what the reducer answered instead."""
    spec, found = miss.job.spec, miss.deviation
    made = miss.scenario.exchanges[: found.difference.step]
    case = case_json(spec, miss.job.profile, Scenario(miss.scenario.inputs, made))
    case["diverges"] = {
        "clause": found.clause,
        "says": CLAUSES[found.clause],
        "step": found.difference.step,
        "path": found.difference.path,
        "expected": found.difference.expected,
        "actual": found.difference.actual,
    }
    return {
        "schema": SCHEMA,
        "spec": {
            "name": spec.name.text if spec.name is not None else None,
            "version": spec.version,
            "sha256": spec.sha256,
        },
        "profile": miss.job.profile,
        "document": cast("JsonValue", spec.document),
        "coverage": {},
        "cases": [case],
    }


def pytest_file(misses: Sequence[Miss], command: Sequence[str], deadline: float) -> str:
    """A file for pytest with a test for each run, which passes once the reducer does what the reference does."""
    return "".join(_parts(misses, command, deadline))


def _parts(misses: Sequence[Miss], command: Sequence[str], deadline: float) -> Iterator[str]:
    yield _HEAD.format(command=pformat(list(command), width=110), deadline=deadline)
    for number, miss in enumerate(misses, 1):
        clause = miss.deviation.clause
        name = f"{clause.replace('-', '_')}_{miss.job.profile}_{number}"
        case = pformat(suite_of(miss), width=110, sort_dicts=False)
        yield _TEST.format(name=name, says=CLAUSES[clause], number=number, case=case)
