"""One file per counterexample, for ``--trace-dir``."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from fsmcheck.cli.output import write_file
from fsmcheck.diagnostics import Finding
from fsmcheck.report import json_writer
from fsmcheck.results import Report, SpecReport

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST = 120


def write_traces(report: Report, folder: Path) -> int:
    """Write every trace of a report into a folder, which is made if it is missing; how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    for spec in report.specs:
        for finding in spec.findings:
            if finding.trace is not None:
                name = _free(_name(spec, finding), taken)
                write_file(folder / f"{name}.json", chain(json_writer.pieces(finding.trace), ("\n",)))
    return len(taken)


def _name(spec: SpecReport, finding: Finding) -> str:
    parts = [Path(spec.source.path).stem, spec.profile, finding.rule]
    parts.extend(str(value) for value in finding.subject.as_dict().values())
    return "-".join(_UNSAFE.sub("_", part) for part in parts)[:_LONGEST]


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken; file systems that ignore case count as one."""
    candidate, number = name, 1
    while candidate.lower() in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(candidate.lower())
    return candidate
