"""Files as they were at a git revision. Git is asked in a process, without a shell, and nothing is written."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fsmcheck.records import dataclass

_HEXADECIMAL = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SINCE = "..."
_FILES = (b"100644", b"100755")
_SUBMODULES = (b"160000",)


class RevisionError(Exception):
    """Git cannot say how the files were; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit, or the empty tree, of the repository with its work tree at ``root``; ``name`` is how it was named."""

    name: str
    commit: str
    root: Path


def find(name: str, folder: Path) -> Revision:
    """The commit of a name such as ``main`` or ``HEAD~1``, in the repository that a folder is in.

    ``main...`` is the last commit that ``main`` and the current one have in common. Before the first commit of a
    repository ``HEAD`` stands for one without files.

    Raises:
        RevisionError: the folder is in no work tree, there is no such commit, or git is not installed.
    """
    root = _ask(("rev-parse", "--show-toplevel"), folder, f'"{folder}" is in no git repository').removesuffix(b"\n")
    told, since, rest = name.partition(_SINCE)
    if since and rest in ("", "HEAD"):
        ends = (_commit(told or "HEAD", folder), _commit("HEAD", folder))
        commit = _ask(("merge-base", *ends), folder, f'"{told}" and "HEAD" have no commit in common').decode().strip()
    elif name == "HEAD" and _has_no_commit(folder):
        # Git knows the empty tree without being given it.
        commit = _ask(("hash-object", "-t", "tree", "--stdin"), folder).decode().strip()
    else:
        commit = _commit(name, folder)
    return Revision(name, commit, Path(os.fsdecode(root)))


def _has_no_commit(folder: Path) -> bool:
    try:
        _ask(("rev-parse", "--verify", "--quiet", "HEAD"), folder)
    except RevisionError:
        return True
    return False


def _commit(name: str, folder: Path) -> str:
    # A name with a dash in front would be read as an option.
    wrong = f'there is no revision "{name}" in this repository; a shallow clone has only the latest ones'
    if not name or name.startswith("-") or not name.isprintable():
        raise RevisionError(wrong)
    told = _ask(("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"), folder, wrong)
    found = _HEXADECIMAL.search(told)
    if found is None:
        raise RevisionError(wrong)
    return found[0].decode()


def contents(revision: Revision, paths: Sequence[str], limit: int) -> Mapping[str, bytes]:
    """What each file held at a revision, also where it had another name then.

    A file that was not there, was no regular file or is larger than ``limit`` bytes is left out.

    Raises:
        RevisionError: a path is outside the work tree, or git fails.
    """
    inside = {path: _inside(revision.root, path) for path in paths}
    renamed = _renamed(revision)
    files = _listed(revision, _FILES)
    objects: dict[str, bytes] = {}
    for path, name in inside.items():
        named = files.get(name) or files.get(renamed.get(name, name))
        if named is not None:
            objects[path] = named
    texts = _blobs(revision, sorted(set(objects.values())), limit)
    found = {path: texts[name] for path, name in objects.items() if name in texts}
    for below, commit in _listed(revision, _SUBMODULES).items():
        within = [path for path, name in inside.items() if name.startswith(below + b"/")]
        if within:
            found.update(
                _in_submodule(Revision(revision.name, commit.decode(), _below(revision, below)), within, limit)
            )
    return found


def _below(revision: Revision, name: bytes) -> Path:
    return revision.root / os.fsdecode(name)


def _in_submodule(submodule: Revision, paths: Sequence[str], limit: int) -> Mapping[str, bytes]:
    """What files of a submodule held at the commit that the revision names; none where it is not at hand."""
    try:
        return contents(submodule, paths, limit)
    except RevisionError:
        return {}


def _inside(root: Path, path: str) -> bytes:
    try:
        return os.fsencode(Path(os.path.realpath(path)).relative_to(root.resolve()).as_posix())
    except ValueError:
        raise RevisionError(f'"{path}" is outside the git repository "{root}"') from None


def _renamed(revision: Revision) -> dict[bytes, bytes]:
    """The name at the revision of each file that git takes for one renamed since."""
    command = ("diff", "--name-status", "-z", "-M", "--diff-filter=R", "--no-ext-diff", revision.commit, "--")
    parts = iter(_ask(command, revision.root).split(b"\0"))
    return {new: old for status, old, new in zip(parts, parts, parts, strict=False) if status.startswith(b"R")}


def _listed(revision: Revision, kinds: Sequence[bytes]) -> dict[bytes, bytes]:
    """The object of each entry of some kinds at the revision: of a file its content, of a submodule a commit."""
    listed = _ask(("ls-tree", "-r", "-z", "--full-tree", revision.commit), revision.root)
    entries = (line.partition(b"\t") for line in listed.split(b"\0") if line)
    return {path: about.split()[2] for about, _, path in entries if about.split()[0] in kinds}


def _blobs(revision: Revision, names: Sequence[bytes], limit: int) -> dict[bytes, bytes]:
    told = _ask(("cat-file", "--batch-check"), revision.root, given=_lines(names))
    sized = (line.split() for line in told.splitlines())
    small = [parts[0] for parts in sized if len(parts) == 3 and parts[1] == b"blob" and int(parts[2]) <= limit]
    return dict(_batch(_ask(("cat-file", "--batch"), revision.root, given=_lines(small)))) if small else {}


def _lines(names: Sequence[bytes]) -> bytes:
    return b"".join(name + b"\n" for name in names)


def _batch(answer: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The objects in an answer of ``git cat-file --batch``: each a line with name, kind and size, then the content."""
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        name, _, size = answer[at:end].split()
        yield name, answer[end + 1 : end + 1 + int(size)]
        at = end + 1 + int(size) + 1


def _ask(command: Sequence[str], folder: Path, wrong: str | None = None, given: bytes = b"") -> bytes:
    """What a git command answers; ``wrong`` is what it means where it fails.

    Raises:
        RevisionError: it fails, or git is not installed.
    """
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603 - a list of arguments, and no name in it can be an option
            ["git", "-c", "core.fsmonitor=false", "-c", "diff.autoRefreshIndex=false", *command],  # noqa: S607 - the user's own git
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise RevisionError(f"git cannot be run: {error.strerror}") from None
    except ValueError:
        raise RevisionError(wrong or f"git {command[0]} cannot be asked that") from None
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    if wrong is None or "dubious ownership" in said:
        raise RevisionError(f"git {command[0]} fails: {said}")
    raise RevisionError(wrong)
