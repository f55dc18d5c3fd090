"""What proofs rest on, for ``--certificates``: a manifest each, and the script of those by induction."""

from __future__ import annotations

import json
from pathlib import Path

from fsmcheck.cli.output import UndeliveredError, write_file
from fsmcheck.report import sanitise
from fsmcheck.results import Report


def write_certificates(report: Report, folder: Path) -> None:
    """Write every certificate of a report into a folder, which is made if it is missing.

    A manifest comes after its script, so that one that is there is complete.

    Raises:
        UndeliveredError: something cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UndeliveredError(f'"{folder}" cannot be made: {error.strerror}') from None
    for spec in report.specs:
        for certificate in spec.certificates:
            if certificate.script is not None:
                write_file(folder / f"{certificate.name}.smt2", certificate.script)
            text = json.dumps(certificate.manifest, indent=2, ensure_ascii=True)
            write_file(folder / f"{certificate.name}.json", sanitise.json_text(text) + "\n")
