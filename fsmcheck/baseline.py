"""The file of findings that were there before: ``fsmcheck.baseline/1``, known by rule and subject, not by line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from fsmcheck.results import Report
from fsmcheck.suppress import Key, baseline_keys

SCHEMA = "fsmcheck.baseline/1"
_MOST_BYTES = 50_000_000


class BaselineError(Exception):
    """A file is no baseline; the message is one sentence."""


def path_in(baseline: Path, path: str) -> str:
    """The path of a checked file as a baseline writes it: relative to the folder that the baseline is in."""
    if path.startswith("<"):
        return path
    try:
        return os.path.relpath(Path(path).absolute(), baseline.absolute().parent).replace(os.sep, "/")
    except ValueError:
        return path


def read(path: Path) -> tuple[Key, ...]:
    """The entries of a baseline.

    Raises:
        BaselineError: it cannot be read, or is none.
    """
    try:
        with path.open("rb") as file:
            document = json.loads(file.read(_MOST_BYTES))
        if document["schema"] != SCHEMA:
            raise BaselineError(f'{path}: its schema is "{document["schema"]}", expected "{SCHEMA}"')
        findings = document["findings"]
        return tuple(_entry(each) for each in (findings if isinstance(findings, list) else _refuse()))
    except FileNotFoundError:
        raise BaselineError(f"{path}: there is no such file; --write-baseline writes it") from None
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BaselineError(f"{path}: this is no baseline; --write-baseline writes one") from None


def _entry(data: Mapping[str, object]) -> Key:
    about = data["subject"]
    subject = json.dumps(about if isinstance(about, dict) else _refuse(), sort_keys=True, ensure_ascii=True)
    texts = [data[key] for key in ("path", "spec", "profile", "rule")]
    message = data.get("message", "")
    path, spec, profile, rule, said = (text if isinstance(text, str) else _refuse() for text in (*texts, message))
    return (path, spec, profile, rule, subject, said)


def _refuse() -> NoReturn:
    raise TypeError


def written(report: Report, baseline: Path) -> str:
    """The text of a baseline of all findings of a report that no comment allows."""
    keys = sorted(
        key
        for spec in report.specs
        for finding, key in baseline_keys(spec, path_in(baseline, spec.source.path))
        if finding.suppressed != "inline"
    )
    entries = [
        {"path": path, "spec": spec, "profile": profile, "rule": rule, "subject": json.loads(subject)}
        | ({"message": message} if message else {})
        for path, spec, profile, rule, subject, message in keys
    ]
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=2, ensure_ascii=True) + "\n"
