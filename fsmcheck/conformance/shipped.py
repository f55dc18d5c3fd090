"""The specs that come with fsmcheck, and their suites: one archive, which ``fsmcheck suite --shipped`` unpacks.

As plain JSON the suites take two megabytes; packed together, since they are much alike, a few per cent of that.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from fsmcheck.reducer.configuration import Profile
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.conformance.examine import Job
    from fsmcheck.conformance.suite import Suite

ARCHIVE = "shipped.tar.xz"
PROFILES: tuple[Profile, ...] = ("gated", "eager")


@cache
def shipped() -> Mapping[str, str]:
    """Path and text of each file: ``specs/….yaml``, and ``suites/…-gated.json`` and ``-eager.json`` for each."""
    data = files("fsmcheck.conformance").joinpath(ARCHIVE).read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:xz") as archive:
        return {member.name: _text(archive, member) for member in archive.getmembers()}


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    content = archive.extractfile(member)
    return "" if content is None else content.read().decode()


def shipped_jobs(profiles: tuple[Profile, ...]) -> list[Job]:
    """The suites under some profiles."""
    from fsmcheck.conformance.suite_files import job_of

    found = ((path, json.loads(text)) for path, text in shipped().items() if path.startswith("suites/"))
    return [job_of(path.removeprefix("suites/"), data) for path, data in found if data["profile"] in profiles]


def suite_text(suite: Suite) -> str:
    """A suite as it is written to a file."""
    from fsmcheck.conformance.suite import suite_json

    return sanitise.json_text(json.dumps(suite_json(suite), indent=1, ensure_ascii=False)) + "\n"


def contents(folder: Path, *, proofs: bool = True) -> Iterator[tuple[str, str]]:
    """What there is to pack for the specs in a folder: every file that holds one whole spec, and its suites.

    Without ``proofs`` the suites do not say what is impossible, and lack runs that are found by proving only.
    """
    from fsmcheck.conformance.suite import explained, make_suite
    from fsmcheck.spec.load import load_path

    for path in sorted(folder.rglob("*.yaml")):
        documents = load_path(str(path))
        spec = documents[0].spec if len(documents) == 1 and not documents[0].faults else None
        if spec is not None:
            name = path.relative_to(folder).with_suffix("").as_posix()
            yield f"specs/{name}.yaml", path.read_text(encoding="utf-8")
            for profile in PROFILES:
                suite = make_suite(spec, profile)
                yield f"suites/{name}-{profile}.json", suite_text(explained(suite) if proofs else suite)


def packed(texts: Mapping[str, str]) -> bytes:
    """The archive of some files, the same for the same texts."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz", preset=9) as archive:
        for name, text in texts.items():
            data = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()
