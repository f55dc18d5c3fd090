"""Reading suites, ``fsmcheck.suite/1``, and refusing those that expect something else than the reference does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from fsmcheck.conformance.conduct import Scenario
from fsmcheck.conformance.examine import Job
from fsmcheck.conformance.suite import SCHEMA, case_json
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.protocol import ProtocolError, Session, respond
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.spec.files import UnreadableFileError, read_source

_Object = Mapping[str, JsonValue]


MOST_BYTES = 100_000_000


class SuiteError(Exception):
    """A file is no suite, or its expectations are not what the reference does; the message is one sentence."""


def read_suites(folder: Path, profiles: tuple[Profile, ...]) -> list[Job]:
    """The suite in a file, or the suites in a folder, that are of some profiles.

    Raises ``SuiteError``, also where there is none.
    """
    jobs: list[Job] = []
    for path in [folder] if folder.is_file() else sorted(folder.glob("*.json")):
        try:
            data = parse_json(read_source(str(path), limit=MOST_BYTES).text)
            if not isinstance(data, dict) or data.get("schema") != SCHEMA:
                raise SuiteError(f'it is no suite: expected an object whose "schema" is "{SCHEMA}"')
            if data.get("profile") in profiles:
                jobs.append(job_of(path.name, data))
        except (UnreadableFileError, StrictJsonError, SuiteError) as error:
            raise SuiteError(f"{path}: {error}") from None
    if not jobs:
        raise SuiteError(f'no suite for the profile {" or ".join(profiles)} in "{folder}"')
    return jobs


def job_of(name: str, data: _Object) -> Job:
    """The runs of a suite. Raises ``SuiteError`` where it is none, or not what the reference does."""
    try:
        return _job(name, data)
    except ProtocolError as error:
        raise SuiteError(str(error)) from None
    except KeyError as error:
        raise SuiteError(f'the suite has another shape than {SCHEMA}: there is no "{error.args[0]}"') from None
    except (TypeError, AttributeError):
        raise SuiteError(f"the suite has another shape than {SCHEMA}") from None


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
        told = case_json(spec, profile, scenario)
        if (case["start"], steps) != (told["start"], told["steps"]):
            raise SuiteError(f"case {number} expects something else than the reference does")
        scenarios.append(scenario)
    if not scenarios:
        raise SuiteError("it has no cases")
    return Job(f"suite {name}", spec, profile, tuple(scenarios))
