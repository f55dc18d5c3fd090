"""Re-check the certificates in a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from fsmcheck.certify.manifest import Manifest, read_manifest
from fsmcheck.certify.refusal import RefusalError
from fsmcheck.certify.script import read_script
from fsmcheck.certify.solvers import Limits, Solver, refute

LARGEST = 256 << 20

Comparison = Callable[[Manifest, str], None]


class Status(Enum):
    """``stated``: well-formed, and of a kind that files alone cannot prove."""

    ACCEPTED = "accepted"
    STATED = "stated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one certificate; ``claims`` is how many obligations it is about."""

    name: str
    status: Status
    detail: str
    claims: int = 0


def certify(
    folder: Path,
    solvers: Sequence[Solver],
    specs: Collection[str] | None = None,
    limits: Limits | None = None,
    progress: Callable[[int, int, str], None] = lambda _done, _all, _name: None,
    describes: Comparison = lambda _manifest, _text: None,
) -> list[Result]:
    """The result for every certificate in a folder, and for every script there that no manifest names.

    ``specs`` are the sha256 of the specs that certificates may be about (None: any); ``describes`` raises
    ``RefusalError`` where a script is not what its manifest says it is about.
    """
    manifests = sorted(folder.glob("[!.]*.json"))
    results = [_orphan(path) for path in sorted(folder.glob("[!.]*.smt2")) if not path.with_suffix(".json").exists()]
    for number, path in enumerate(manifests):
        progress(number, len(manifests), path.name)
        try:
            results.append(_checked(path, solvers, specs, limits or Limits(), describes))
        except RefusalError as refusal:
            results.append(Result(path.name, Status.REFUSED, str(refusal)))
    return results


def _orphan(path: Path) -> Result:
    return Result(path.name, Status.REFUSED, "no manifest belongs to this script")


def _checked(
    path: Path, solvers: Iterable[Solver], specs: Collection[str] | None, limits: Limits, describes: Comparison
) -> Result:
    manifest = read_manifest(_text(path))
    if not path.stem.endswith(f"-{manifest.contents[:16]}"):
        raise RefusalError("it has not the name that belongs to its contents")
    if specs is not None and manifest.spec_sha256 not in specs:
        raise RefusalError("it is about another spec")
    if manifest.kind != "induction":
        size = f" in {manifest.nodes} nodes" if manifest.kind == "diagram" else ""
        detail = f"{manifest.configurations} reachable configurations{size}, digest {manifest.digest[:16]}"
        return Result(path.name, Status.STATED, detail, len(manifest.claims))
    names = [solver.name for solver in solvers]
    if not names:
        raise RefusalError("no solver was asked")
    _prove(path, manifest, solvers, limits, describes)
    detail = f"{len(manifest.checks)} checks by {' and '.join(names)}"
    return Result(path.name, Status.ACCEPTED, detail, len(manifest.claims))


def _prove(path: Path, manifest: Manifest, solvers: Iterable[Solver], limits: Limits, describes: Comparison) -> None:
    text = _text(path.with_suffix(".smt2"))
    if hashlib.sha256(text.encode()).hexdigest() != manifest.script_sha256:
        raise RefusalError("the script is not the one that the manifest was written for")
    script = read_script(text)
    if manifest.checks != tuple((name, "unsat") for name in script.names):
        raise RefusalError("the manifest does not expect unsat of exactly the checks that belong to the script")
    if len(manifest.claims) != script.bads:
        raise RefusalError("the claims are not as many as what the script excludes")
    describes(manifest, text)
    for asked in solvers:
        refute(asked, script, limits)


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            raise RefusalError(f'there is no file "{path.name}"')
        if path.stat().st_size > LARGEST:
            raise RefusalError(f'"{path.name}" is too large')
        return path.read_bytes().decode()
    except OSError as error:
        raise RefusalError(f'"{path.name}" cannot be read: {error.strerror}') from None
    except UnicodeDecodeError:
        raise RefusalError(f'"{path.name}" is not UTF-8') from None
