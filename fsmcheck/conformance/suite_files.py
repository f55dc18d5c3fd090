"""Reading suites, ``fsmcheck.suite/1``, and refusing those that expect something else than the reference does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from fsmcheck.conformance.conduct import Scenario, reference_run
from fsmcheck.conformance.examine import Job
from fsmcheck.conformance.suite import SCHEMA
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.protocol import ProtocolError, Session, respond
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.reducer.trace import advance_json, step_json

_Object = Mapping[str, JsonValue]


class SuiteError(Exception):
    """A file is no suite, or its expectations are not what the reference does; the message is one sentence."""


def read_suites(folder: Path, profiles: tuple[Profile, ...]) -> list[Job]:
    """The suites in a folder that are of some profiles. Raises ``SuiteError``, also where there is none."""
    jobs: list[Job] = []
    for path in sorted(folder.glob("*.json")):
        try:
            data = parse_json(path.read_text(encoding="utf-8"))
            if not isinstance(data, dict) or data.get("schema") != SCHEMA:
                raise SuiteError(f'it is no suite: expected an object whose "schema" is "{SCHEMA}"')
            if data.get("profile") in profiles:
                jobs.append(_job(path.name, data))
        except (OSError, UnicodeDecodeError, StrictJsonError, ProtocolError, SuiteError) as error:
            raise SuiteError(f"{path}: {error}") from None
        except (KeyError, TypeError, AttributeError) as error:
            raise SuiteError(f"{path}: the suite has another shape than {SCHEMA} ({error})") from None
    if not jobs:
        raise SuiteError(f'no suite for the profile {" or ".join(profiles)} in "{folder}"')
    return jobs


def _job(name: str, data: _Object) -> Job:
    request = {"op": "load", "spec": data["document"], "profile": data["profile"]}
    session, _ = respond(Session(), request)
    spec, profile = session.spec, session.profile
    if spec is None:
        raise SuiteError("it has no spec")
    scenarios: list[Scenario] = []
    for number, case in enumerate(cast("list[_Object]", data["cases"]), 1):
        steps = cast("list[_Object]", case["steps"])
        exchanges = tuple((cast("str", step["agent"]), cast("_Object", step["writes"])) for step in steps)
        scenario = Scenario(cast("_Object", case["inputs"]), exchanges)
        run = reference_run(spec, profile, scenario)
        if not run or [case["start"], *steps] != [advance_json(run[0]), *(step_json(step) for step in run[1:])]:
            raise SuiteError(f"case {number} expects something else than the reference does")
        scenarios.append(scenario)
    return Job(f"suite {name}", spec, profile, tuple(scenarios))
