"""Configuration: ``[tool.fsmcheck]`` of a pyproject.toml, or a whole .fsmcheck.toml.

The file nearest to a folder, going up, is in force, and only that one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from fsmcheck.diagnostics import Severity
from fsmcheck.records import dataclass
from fsmcheck.spelling import suggestion

OWN_FILE = ".fsmcheck.toml"
SHARED_FILE = "pyproject.toml"
PROFILES = ("gated", "eager", "both")
LEAST_MEMORY = 64
"""The fewest megabytes that a process may be held to."""

_MOST_BYTES = 1_000_000
_HEADER = r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$"
_PART = r"""(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)"""
_KEY = rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*="


class ConfigError(Exception):
    """A configuration is wrong; the message is one sentence, with the place."""


@dataclass(frozen=True, slots=True)
class PerFileIgnore:
    """Rules that say nothing of the files that a pattern matches, relative to the folder ``root``.

    ``*`` and ``?`` stay within a folder, ``**`` does not; a pattern without a slash matches the file's name anywhere.
    """

    pattern: str
    rules: tuple[str, ...]
    root: Path

    def matches(self, path: str) -> bool:
        try:
            relative = os.path.relpath(Path(path).absolute(), self.root).replace(os.sep, "/")
        except ValueError:
            return False
        pattern = self.pattern.removeprefix("./")
        if "/" not in pattern:
            relative = relative.rpartition("/")[2]
        return re.fullmatch(_regex(pattern), relative) is not None


@dataclass(frozen=True, slots=True)
class Config:
    """What is in force.

    ``select`` and ``ignore`` are beginnings of rule IDs; ``severity`` pairs such a beginning with what its findings
    weigh; ``timeout`` is in seconds for one obligation, ``memory`` in megabytes for one process; ``path`` is the file
    it comes from and ``lines`` where each key stands in it.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    per_file_ignores: tuple[PerFileIgnore, ...] = ()
    profile: str = "gated"
    timeout: float | None = None
    memory: int | None = None
    fail_on: Severity = Severity.ERROR
    baseline: Path | None = None
    path: Path | None = None
    lines: Mapping[str, int] = field(default_factory=dict, hash=False)


def find(folder: Path) -> Config:
    """The configuration of the nearest file from a folder upwards, the defaults where there is none.

    In one folder .fsmcheck.toml goes before pyproject.toml, which counts only where it has ``[tool.fsmcheck]``.

    Raises:
        ConfigError: the file cannot be read or is wrong.
    """
    for parent in (folder.absolute(), *folder.absolute().parents):
        if (parent / OWN_FILE).is_file():
            return read(parent / OWN_FILE)
        if (parent / SHARED_FILE).is_file():
            config = read(parent / SHARED_FILE)
            if config.path is not None:
                return config
    return Config()


def read(path: Path) -> Config:
    """The configuration in a file; the defaults, without a path, for a pyproject.toml that has none.

    Raises:
        ConfigError: the file cannot be read or is wrong.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
        if path.name == SHARED_FILE and b"fsmcheck" not in data:
            return Config()
        return _parsed(path, data.decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not TOML: byte 0x{data[error.start]:02X} is not UTF-8") from None


def _parsed(path: Path, text: str) -> Config:
    # Late: most folders have no configuration.
    import tomllib

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: not TOML: nested too deeply") from None
    table: tuple[str, ...] = ()
    if path.name == SHARED_FILE:
        tool = document.get("tool")
        if not isinstance(tool, dict) or "fsmcheck" not in tool:
            return Config()
        document, table = tool["fsmcheck"], ("tool", "fsmcheck")
    return _Reader(path, text, table).config(document)


def known_rules(prefixes: Collection[str]) -> tuple[str, ...]:
    """The beginnings of rule IDs in capitals.

    Raises:
        ValueError: one begins no rule's ID; the message says so and suggests another.
    """
    from fsmcheck.rules.ids import rule_ids

    ids = rule_ids()
    wanted = [prefix.strip().upper() for prefix in prefixes]
    for prefix in wanted:
        if not prefix.startswith("FSM") or not any(rule.startswith(prefix) for rule in ids):
            raise ValueError(f'there is no rule "{prefix}"; {suggestion(prefix, ids, "rules")}')
    return tuple(wanted)


class _Reader:
    """Reads the tables of one file. ``table`` is where our keys are in it."""

    def __init__(self, path: Path, text: str, table: tuple[str, ...]) -> None:
        self.path = path
        self.text = text
        self.table = table

    def config(self, document: object) -> Config:
        readers: dict[str, Callable[[str, Any], object]] = {
            "select": self._rules,
            "ignore": self._rules,
            "severity": self._severities,
            "per-file-ignores": self._per_file_ignores,
            "profile": self._profile,
            "limits": self._limits,
            "fail-on": self._severity,
            "baseline": self._baseline,
        }
        found: dict[str, Any] = {}
        for key, value in self._table("", document, readers).items():
            if key == "limits":
                found |= self._limits(key, value)
            else:
                found[key.replace("-", "_")] = readers[key](key, value)
        lines = {key: line for key in found if (line := self._line(_written(key))) is not None}
        return replace(Config(path=self.path, lines=lines), **found)

    def _fail(self, key: str, message: str) -> ConfigError:
        line = self._line(key)
        return ConfigError(f"{self.path}{'' if line is None else f':{line}'}: {message}")

    def _line(self, key: str) -> int | None:
        """The line on which a key (``limits/timeout``) or its table is written, if it can be told."""
        *parents, last = key.split("/")
        wanted = (*self.table, *parents, last)
        written = list(self._keys())
        for begins in (False, True):
            for number, path in written:
                if (path[: len(wanted)] if begins else path) == wanted:
                    return number
        return self._line("/".join(parents)) if parents else None

    def _keys(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The lines with the header of a table or a key, and what it names, from the top of the file."""
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.text.splitlines(), 1):
            if (header := re.match(_HEADER, line)) is not None:
                table = tuple(_unquoted(part) for part in re.split(r"\s*\.\s*", header[1]))
                yield number, table
            elif (key := re.match(_KEY, line)) is not None:
                yield number, (*table, *(_unquoted(part) for part in re.findall(_PART, key[1])))

    def _table(self, key: str, value: object, known: Collection[str] = ()) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._fail(key, f'"{key or self.table[-1]}" is {_kind(value)}, expected a table')
        for name in value:
            if known and name not in known:
                place = f"{key}/{name}" if key else name
                raise self._fail(place, f'there is no setting "{name}"; {suggestion(name, known, "settings")}')
        return value

    def _rules(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            shown = key.replace("/", ".")
            raise self._fail(key, f'"{shown}" is {_kind(value)}, expected a list of rule IDs such as ["FSM405"]')
        try:
            return known_rules(value)
        except ValueError as error:
            raise self._fail(key, str(error)) from None

    def _severity(self, key: str, value: object) -> Severity:
        names = [severity.value for severity in Severity]
        if value not in names:
            shown = f'"{value}"' if isinstance(value, str) else _kind(value)
            raise self._fail(key, f'"{key.replace("/", ".")}" is {shown}, expected one of {", ".join(names)}')
        return Severity(value)

    def _severities(self, key: str, value: object) -> tuple[tuple[str, Severity], ...]:
        pairs = self._table(key, value).items()
        return tuple((self._rules(f"{key}/{rule}", [rule])[0], self._severity(f"{key}/{rule}", s)) for rule, s in pairs)

    def _per_file_ignores(self, key: str, value: object) -> tuple[PerFileIgnore, ...]:
        root = self.path.absolute().parent
        pairs = self._table(key, value).items()
        return tuple(PerFileIgnore(pattern, self._rules(key, rules), root) for pattern, rules in pairs)

    def _profile(self, key: str, value: object) -> str:
        if value not in PROFILES:
            shown = f'"{value}"' if isinstance(value, str) else _kind(value)
            raise self._fail(key, f'"{key}" is {shown}, expected one of {", ".join(PROFILES)}')
        return str(value)

    def _limits(self, key: str, value: object) -> dict[str, float | int]:
        limits = self._table(key, value, ("timeout", "memory"))
        found: dict[str, float | int] = {}
        if "timeout" in limits:
            timeout = limits["timeout"]
            if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
                raise self._fail(f"{key}/timeout", '"limits.timeout" is no number of seconds above 0')
            found["timeout"] = float(timeout)
        if "memory" in limits:
            memory = limits["memory"]
            if isinstance(memory, bool) or not isinstance(memory, int) or memory < LEAST_MEMORY:
                message = f'"limits.memory" is no whole number of megabytes, {LEAST_MEMORY} or more'
                raise self._fail(f"{key}/memory", message)
            found["memory"] = memory
        return found

    def _baseline(self, key: str, value: object) -> Path:
        if not isinstance(value, str) or not value or "\0" in value:
            raise self._fail(key, f'"{key}" is {_kind(value)}, expected the path of a file')
        return self.path.parent / value


def _written(attribute: str) -> str:
    return f"limits/{attribute}" if attribute in ("timeout", "memory") else attribute.replace("_", "-")


def _unquoted(text: str) -> str:
    return text[1:-1] if text[:1] in ("'", '"') else text


def _kind(value: object) -> str:
    names = {bool: "true or false", str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date")


def _regex(pattern: str) -> str:
    """The regular expression of a pattern with ``**``, ``*`` and ``?``."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", pattern + "**" if pattern.endswith("/") else pattern)
    return "(?s:" + "".join(parts.get(piece, re.escape(piece)) for piece in pieces) + ")"
