"""Fixtures for projects that test their own reducer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

import pytest

if TYPE_CHECKING:
    from fsmcheck.conformance.examine import Examination
    from fsmcheck.conformance.reference import ReferenceReducer
    from fsmcheck.reducer.configuration import Profile
    from fsmcheck.spec.model import Spec

_MARKER = '@pytest.mark.fsm_spec("path.yaml")'


class Conformance(Protocol):
    """What ``fsm_conformance`` gives."""

    def __call__(
        self,
        candidate: object,
        *,
        runs: int | None = None,
        seed: int = 0,
        probes: bool = False,
        deadline: float | None = 10.0,
    ) -> Examination: ...


@pytest.fixture
def fsm_spec(request: pytest.FixtureRequest) -> Spec:
    """The spec that the test's marker names, else the option --fsmcheck-spec, else the setting fsmcheck_spec.

    A path is relative to the folder of the test or, where it is not found there, to the root of the project.
    """
    from fsmcheck.pytest_plugin.settings import text

    marker = request.node.get_closest_marker("fsm_spec")
    given = marker.args[0] if marker is not None and marker.args else None
    if given is None and marker is not None:
        given = marker.kwargs.get("path")
    given = given or text(request.config, "spec")
    if given is None:
        _fail(f"there is no spec for this test: mark it with {_MARKER}, or give --fsmcheck-spec")
    name = marker.kwargs.get("name") if marker is not None else None
    return _loaded(_found(request, str(given)), name)


@pytest.fixture
def fsm_reducer(request: pytest.FixtureRequest, fsm_spec: Spec) -> ReferenceReducer:
    """The reference reducer with ``fsm_spec`` loaded, under the first profile asked for."""
    from fsmcheck.conformance.reference import ReferenceReducer

    return ReferenceReducer(fsm_spec, _profiles(request)[0])


@pytest.fixture
def fsm_conformance(request: pytest.FixtureRequest, fsm_spec: Spec) -> Conformance:
    """A function that puts a reducer in this process through ``fsm_spec``, and fails the test where it differs."""
    profiles = _profiles(request)

    def conformance(
        candidate: object,
        *,
        runs: int | None = None,
        seed: int = 0,
        probes: bool = False,
        deadline: float | None = 10.0,
    ) -> Examination:
        __tracebackhide__ = True
        from fsmcheck.conformance.candidate import RUNS, Trial, complaint, examine_candidate
        from fsmcheck.conformance.in_process import CandidateError
        from fsmcheck.report import sanitise

        if runs is None:
            runs = RUNS if _has_hypothesis() else 0
        elif runs and not _has_hypothesis():
            _fail("random runs need hypothesis: install fsmcheck[conform]")
        try:
            found = examine_candidate(candidate, fsm_spec, profiles, Trial(runs, seed, probes, deadline))
        except CandidateError as error:
            _fail(str(error))
        told = complaint(found)
        if told:
            pytest.fail(sanitise.block(told), pytrace=False)
        return found

    return conformance


def _has_hypothesis() -> bool:
    from importlib.util import find_spec

    return find_spec("hypothesis") is not None


def _profiles(request: pytest.FixtureRequest) -> tuple[Profile, ...]:
    from fsmcheck.pytest_plugin.settings import PROFILES, profile

    marker = request.node.get_closest_marker("fsm_spec")
    given = (marker.kwargs.get("profile") if marker is not None else None) or profile(request.config)
    if given not in PROFILES:
        _fail(f'the profile is "{given}", expected one of {", ".join(PROFILES)}')
    return ("gated", "eager") if given == "both" else (cast("Profile", given),)


def _found(request: pytest.FixtureRequest, given: str) -> Path:
    places = (request.path.parent / given, request.config.rootpath / given)
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        _fail(f'there is no spec "{given}", neither beside the test nor in {request.config.rootpath}')
    return found


def _loaded(path: Path, name: str | None) -> Spec:
    from fsmcheck.spec.load import load_path

    documents = load_path(str(path))
    for document in documents:
        if document.spec is None or document.faults:
            fault = document.faults[0]
            line, column = document.source.position(fault.span.start)
            _fail(f"{path}:{line}:{column}: {fault.message}")
    specs = [document.spec for document in documents if document.spec is not None]
    named = [spec for spec in specs if name is None or (spec.name is not None and spec.name.text == name)]
    if len(named) != 1:
        what = f'{len(named)} specs named "{name}"' if name is not None else f"{len(named)} specs"
        _fail(f'"{path}" holds {what}, expected one; {_MARKER[:-1]}, name="...") picks one')
    return named[0]


def _fail(message: str) -> NoReturn:
    pytest.fail(message, pytrace=False)
