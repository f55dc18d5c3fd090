"""Options, then the settings of pytest, then those of fsmcheck: what to check, and what fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest

from fsmcheck.records import dataclass

if TYPE_CHECKING:
    from fsmcheck.config import Config
    from fsmcheck.diagnostics import Severity
    from fsmcheck.options import Options
    from fsmcheck.suppress import Key

PROFILES = ("gated", "eager", "both")
UNKNOWN = ("fail", "xfail", "skip", "pass")


@dataclass(frozen=True, slots=True)
class Settings:
    """``unknown`` is what an undecided obligation comes to, None where its severity decides: it fails from
    ``fail_on`` up and is skipped below."""

    KEY: ClassVar[pytest.StashKey[Settings]] = pytest.StashKey()

    options: Options
    config: Config
    fail_on: Severity
    unknown: str | None
    baseline: tuple[Key, ...]


def read(config: pytest.Config) -> Settings:
    """The settings in force. Raises ``pytest.UsageError`` where one is wrong."""
    from fsmcheck.baseline import BaselineError
    from fsmcheck.baseline import read as read_baseline
    from fsmcheck.config import ConfigError, find
    from fsmcheck.diagnostics import Severity
    from fsmcheck.options import Options

    try:
        ours = find(config.rootpath)
        known = read_baseline(ours.baseline) if ours.baseline is not None else ()
    except (ConfigError, BaselineError) as error:
        raise pytest.UsageError(f"fsmcheck: {error}") from None
    options = Options(
        profile=_choice(config, "profile", PROFILES) or ours.profile,
        select=_rules(config, "select") or ours.select,
        ignore=_rules(config, "ignore") or ours.ignore,
        timeout=_seconds(config) or ours.timeout,
        severities=ours.severity,
        per_file_ignores=ours.per_file_ignores,
    )
    fail_on = _choice(config, "fail_on", tuple(severity.value for severity in Severity))
    return Settings(
        options,
        ours,
        Severity(fail_on) if fail_on else ours.fail_on,
        _choice(config, "unknown", UNKNOWN),
        known,
    )


def text(config: pytest.Config, name: str) -> str | None:
    """An option, else the setting of the same name, None where neither is given."""
    given = config.getoption(f"fsmcheck_{name}") or config.getini(f"fsmcheck_{name}")
    return str(given) if given else None


def profile(config: pytest.Config) -> str:
    """The profile for fixtures: gated where nothing is said."""
    from fsmcheck.config import ConfigError, find

    try:
        return _choice(config, "profile", PROFILES) or find(config.rootpath).profile
    except ConfigError as error:
        raise pytest.UsageError(f"fsmcheck: {error}") from None


def _choice(config: pytest.Config, name: str, known: tuple[str, ...]) -> str | None:
    given = text(config, name)
    if given is not None and given not in known:
        raise pytest.UsageError(f'fsmcheck: the {_shown(name)} is "{given}", expected one of {", ".join(known)}')
    return given


def _rules(config: pytest.Config, name: str) -> tuple[str, ...]:
    from fsmcheck.config import known_rules

    given = config.getoption(f"fsmcheck_{name}")
    listed = [given] if given else config.getini(f"fsmcheck_{name}")
    prefixes = [part for value in listed for part in str(value).split(",") if part.strip()]
    try:
        return known_rules(prefixes)
    except ValueError as error:
        raise pytest.UsageError(f"fsmcheck: {error}") from None


def _seconds(config: pytest.Config) -> float | None:
    given = text(config, "timeout")
    if given is None:
        return None
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise pytest.UsageError(f'fsmcheck: the timeout is "{given}", expected a number of seconds above 0')
    return seconds


def _shown(name: str) -> str:
    return {"fail_on": "least severity that fails", "unknown": "outcome of what is undecided"}.get(name, name)
