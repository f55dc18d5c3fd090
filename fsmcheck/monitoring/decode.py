"""A line of a log as an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from fsmcheck.conformance.answers import STATUSES
from fsmcheck.monitoring.event import Complaint, ComplaintKind, Event, EventKind, Said
from fsmcheck.monitoring.lines import LONGEST_LINE, Line
from fsmcheck.monitoring.mapping import LogMapping, Path
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json

_Data = Mapping[str, JsonValue]
_Get = Callable[[_Data], JsonValue]

_BOM = b"\xef\xbb\xbf"
_OUTCOME = ("state", "status", "store", "cap", "awaits", "microsteps")
_NO_STORE: dict[str, JsonValue] = {}


class Decoder:
    """Reads lines of logs that keep to one mapping."""

    __slots__ = (
        "_events",
        "_get",
        "_get_event",
        "_get_run",
        "_ignores",
        "_keys",
        "_one_run",
        "_outcome",
        "_rejections",
    )

    def __init__(self, mapping: LogMapping) -> None:
        self._get = {part: _getter(path) for part, path in mapping.paths.items()}
        self._get_run, self._get_event = self._get["run"], self._get["event"]
        self._one_run = mapping.paths["run"] is None
        self._rejections = mapping.paths["rejected"] is not None
        self._events = mapping.events
        self._ignores = mapping.ignore_others
        self._outcome = [self._get[part] for part in _OUTCOME]
        paths = [mapping.paths[part] for part in _OUTCOME]
        flat = [path[0] for path in paths if path is not None and len(path) == 1]
        self._keys = flat if len(flat) == len(paths) else None

    def event(self, line: Line) -> Event | None:
        """The event of a line, None for one that may be passed over. Raises ``Complaint``."""
        if line.too_long:
            raise Complaint("too-long", f"the line is longer than {LONGEST_LINE} bytes, the most that is read")
        data = self._object(line)
        if data is None:
            return None
        kind = self._kind(data)
        if kind is None:
            return None
        run = "1" if self._one_run else self._run(data)
        try:
            return self._event(run, kind, data)
        except _MalformedError as error:
            raise Complaint("malformed", str(error), run) from None

    def _object(self, line: Line) -> _Data | None:
        raw = line.data.removeprefix(_BOM) if line.number == 1 else line.data
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            raise Complaint(*_cut(line, "not-utf8", f"byte {error.start + 1} of the line is not UTF-8")) from None
        if not text or text.isspace():
            return None
        try:
            data = parse_json(text.strip())
        except StrictJsonError as error:
            reason = str(error).replace(" at line 1, column ", " at column ")
            raise Complaint(*_cut(line, "no-json", f"the line is not strict JSON: {reason}")) from None
        if not isinstance(data, dict):
            raise Complaint("no-object", "the line is no JSON object")
        return data

    def _kind(self, data: _Data) -> EventKind | None:
        name = self._get_event(data)
        kind = self._events.get(name) if isinstance(name, str) else None
        if kind is None and not self._ignores:
            if name is None:
                raise Complaint("no-event", "the line does not say what event it is")
            shown = f'"{name}"' if isinstance(name, str) else "that is no text"
            raise Complaint("unknown-event", f"there is no event {shown}; expected {', '.join(sorted(self._events))}")
        return kind

    def _run(self, data: _Data) -> str:
        run = self._get_run(data)
        if isinstance(run, str) and run:
            return run
        if isinstance(run, int) and not isinstance(run, bool):
            return str(run)
        raise Complaint("no-run", "the line does not say what run it is of: expected a text or an integer")

    def _event(self, run: str, kind: EventKind, data: _Data) -> Event:
        if kind == "end":
            return Event(run, kind, self._said(data))
        time = self._get["time"](data)
        when = "" if time is None else str(time)[:64]
        if kind == "configuration":
            return Event(run, kind, self._said(data), time=when)
        given = self._get["inputs" if kind == "start" else "writes"](data)
        if given is None:
            given = _NO_STORE
        if not isinstance(given, dict):
            raise _MalformedError(f'"{"inputs" if kind == "start" else "writes"}" is no object')
        agent = ""
        if kind == "exchange":
            named = self._get["agent"](data)
            if not isinstance(named, str):
                raise _MalformedError('"agent" is no text')
            agent = named
        return Event(run, kind, self._said(data), agent, given, when)

    def _said(self, data: _Data) -> Said:
        keys = self._keys
        parts = [get(data) for get in self._outcome] if keys is None else [data.get(key) for key in keys]
        rejected = self._get["rejected"](data)
        advance = self._get["advance"](data)
        if advance is not None:
            if not isinstance(advance, dict):
                raise _MalformedError('"advance" is no object')
            parts = [advance.get(name) if part is None else part for name, part in zip(_OUTCOME, parts, strict=True)]
            rejected = advance.get("rejected") if rejected is None else rejected
        state, status, store, cap, awaits, microsteps = parts
        for name, text in (("state", state), ("status", status), ("cap", cap)):
            if text is not None and not isinstance(text, str):
                raise _MalformedError(f'"{name}" is no text')
        if status is not None and status not in STATUSES:
            raise _MalformedError(f'the status "{status}" is none of {", ".join(STATUSES)}')
        if store is not None and not isinstance(store, dict):
            raise _MalformedError('"store" is no object')
        if awaits is not None:
            _check_items("awaits", awaits, (("field", str), ("agent", str)))
        if microsteps is not None:
            _check_items("microsteps", microsteps, (("from", str), ("transition", int), ("to", str)))
        if rejected is None and self._rejections:
            rejected = False
        if rejected is not None and not isinstance(rejected, bool | str):
            raise _MalformedError('"rejected" is neither a text nor true or false')
        return Said(state, status, store, cap, awaits, microsteps, rejected)  # type: ignore[arg-type]


class _MalformedError(Exception):
    """A part of an event has another shape."""


def _cut(line: Line, kind: ComplaintKind, message: str) -> tuple[ComplaintKind, str]:
    return (kind, message) if line.ended else ("truncated", "the last line breaks off")


def _getter(path: Path | None) -> _Get:
    if path is None:
        return lambda _data: None
    if len(path) == 1:
        key = path[0]
        return lambda data: data.get(key)

    def get(data: _Data) -> JsonValue:
        value: JsonValue = cast("JsonValue", data)
        for key in path:
            if not isinstance(value, dict):
                return None
            value = value.get(key)
        return value

    return get


def _check_items(name: str, items: JsonValue, keys: tuple[tuple[str, type], ...]) -> None:
    if not isinstance(items, list):
        raise _MalformedError(f'"{name}" is no list')
    for item in items:
        if not isinstance(item, dict):
            raise _MalformedError(f'an item of "{name}" is no object')
        for key, kind in keys:
            value = item.get(key)
            if not isinstance(value, kind) or isinstance(value, bool):
                raise _MalformedError(
                    f'"{key}" of an item of "{name}" is {"missing" if value is None else "malformed"}'
                )
        if not isinstance(item.get("store", _NO_STORE), dict):
            raise _MalformedError(f'"store" of an item of "{name}" is no object')
