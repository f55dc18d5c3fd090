"""Report data to JSON and back, guided by the types of the dataclasses' own fields.

What comes back is equal to what went in. Data of any other shape is refused, so that a damaged or foreign entry never
becomes half a report.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import contains
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from fsmcheck.kept_trace import KeptTrace
from fsmcheck.source import SourceFile

_TUPLE = "\0tuple"
_PLAIN = frozenset({str, int, float, bool, NoneType})


class MisfitError(Exception):
    """A value has no form in the cache, or data in the cache is not of the form that was expected."""


class _Form:
    """How values of one type are written and read; both raise ``MisfitError``. Of sources there is only the one that
    is being checked. What is exactly of one of the ``plain`` types fits, and is written and read as it is."""

    __slots__ = ("plain", "read", "write")

    def __init__(
        self,
        write: Callable[[Any, SourceFile], Any],
        read: Callable[[Any, SourceFile], Any],
        plain: frozenset[type] = frozenset(),
    ) -> None:
        self.write = write
        self.read = read
        self.plain = plain


def encoded(kind: Any, value: object, source: SourceFile) -> object:
    """A value of a type as plain JSON data.

    Raises:
        MisfitError: it holds something that the cache cannot keep.
    """
    return _form(kind).write(value, source)


def decoded(kind: Any, data: object, source: SourceFile) -> Any:
    """The value of a type that was encoded, with ``source`` for its source.

    Raises:
        MisfitError: the data is of another form.
    """
    return _form(kind).read(data, source)


def _form(hint: Any) -> _Form:
    return _made(hint)


@cache
def _made(hint: Any) -> _Form:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in (Any, object):
        return _Form(lambda value, _: plain(value), lambda data, _: _unplain(data))
    if hint is SourceFile:
        return _Form(_write_source, _read_source)
    if origin in (Union, UnionType):
        return _union([_form(argument) for argument in arguments])
    if origin is Literal:
        return _scalar(lambda value: value in arguments and isinstance(value, str))
    if origin is tuple:
        return _tuple(arguments)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(_form(arguments[0]), _form(arguments[1]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(hint)
    return _of_scalar(hint)


def _of_scalar(hint: Any) -> _Form:
    if hint in (NoneType, None):
        return _scalar(lambda value: value is None, NoneType)
    if hint is bool:
        return _scalar(lambda value: isinstance(value, bool), bool)
    if hint is int:
        return _scalar(lambda value: isinstance(value, int) and not isinstance(value, bool), int)
    if hint is float:
        return _scalar(lambda value: isinstance(value, int | float) and not isinstance(value, bool), float, int)
    if hint is str:
        return _scalar(lambda value: isinstance(value, str), str)
    raise MisfitError(f"no form for {hint}")


def _scalar(fits: Callable[[Any], bool], *plain: type) -> _Form:
    def same(value: Any, _: SourceFile) -> Any:
        if not fits(value):
            raise MisfitError(f"unexpected {type(value).__name__}")
        return value

    return _Form(same, same, frozenset(plain))


def _write_source(value: Any, source: SourceFile) -> bool:
    if value != source:
        raise MisfitError("another source")
    return True


def _read_source(data: Any, source: SourceFile) -> SourceFile:
    if data is not True:
        raise MisfitError("another source")
    return source


def _union(forms: Sequence[_Form]) -> _Form:
    def first(value: Any, source: SourceFile, *, write: bool) -> Any:
        for form in forms:
            try:
                return (form.write if write else form.read)(value, source)
            except MisfitError:
                continue
        raise MisfitError(f"unexpected {type(value).__name__}")

    return _Form(
        lambda value, source: first(value, source, write=True),
        lambda data, source: first(data, source, write=False),
        frozenset().union(*(form.plain for form in forms)),
    )


def _tuple(arguments: tuple[Any, ...]) -> _Form:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        item = _form(arguments[0])
        return _Form(
            lambda value, source: [item.write(each, source) for each in _items(value, tuple)],
            lambda data, source: tuple(item.read(each, source) for each in _items(data, list)),
        )
    forms = [_form(argument) for argument in arguments]
    return _Form(
        lambda value, source: [
            form.write(each, source) for form, each in zip(forms, _items(value, tuple, len(forms)), strict=True)
        ],
        lambda data, source: tuple(
            form.read(each, source) for form, each in zip(forms, _items(data, list, len(forms)), strict=True)
        ),
    )


def _items(value: Any, kind: type[list[Any]] | type[tuple[Any, ...]], length: int | None = None) -> Any:
    if type(value) is not kind or (length is not None and len(value) != length):
        raise MisfitError(f"unexpected {type(value).__name__}")
    return value


def _mapping(key: _Form, item: _Form) -> _Form:
    def write(value: Any, source: SourceFile) -> Any:
        if isinstance(value, KeptTrace):
            return value.text
        if not isinstance(value, Mapping):
            raise MisfitError(f"unexpected {type(value).__name__}")
        return [[key.write(each, source), item.write(under, source)] for each, under in value.items()]

    def read(data: Any, source: SourceFile) -> Any:
        if isinstance(data, str):
            return _kept_trace(data)
        pairs = [_items(pair, list, 2) for pair in _items(data, list)]
        return {key.read(each, source): item.read(under, source) for each, under in pairs}

    return _Form(write, read)


def _kept_trace(text: str) -> KeptTrace:
    try:
        return KeptTrace.from_text(text)
    except ValueError as error:
        raise MisfitError(str(error)) from error


def _enum(kind: type[Enum]) -> _Form:
    def write(value: Any, _: SourceFile) -> Any:
        if not isinstance(value, kind):
            raise MisfitError(f"unexpected {type(value).__name__}")
        return value.value

    def read(data: Any, _: SourceFile) -> Any:
        try:
            return kind(data)
        except ValueError:
            raise MisfitError(f"unexpected {data!r}") from None

    return _Form(write, read)


def _record(kind: type) -> _Form:
    """The form of a dataclass: its fields in order. Types are looked at when a value needs them, since most fields are
    None, and the types of some cost time to import."""
    names = tuple(each.name for each in fields(kind))
    hints = tuple(str(each.type) for each in fields(kind))
    optional = tuple(hint.endswith("| None") for hint in hints)
    forms: list[_Form | None] = [None] * len(names)
    plain: list[frozenset[type]] = [frozenset({NoneType}) if each else frozenset() for each in optional]

    def form(place: int) -> _Form:
        known = forms[place]
        if known is None:
            known = forms[place] = _form(_meaning(kind, hints[place]))
            plain[place] |= known.plain
        return known

    def write(value: Any, source: SourceFile) -> Any:
        if type(value) is not kind:
            raise MisfitError(f"unexpected {type(value).__name__}")
        parts = [getattr(value, name) for name in names]
        if all(map(contains, plain, map(type, parts))):
            return parts
        return [
            part if type(part) in plain[place] else form(place).write(part, source) for place, part in enumerate(parts)
        ]

    def read(data: Any, source: SourceFile) -> Any:
        parts = _items(data, list, len(names))
        if all(map(contains, plain, map(type, parts))):
            return kind(*parts)
        return kind(
            *[
                part if type(part) in plain[place] else form(place).read(part, source)
                for place, part in enumerate(parts)
            ]
        )

    return _Form(write, read)


def _meaning(kind: type, hint: str) -> Any:
    """The type that an annotation of a dataclass stands for."""
    names = dict(vars(sys.modules[kind.__module__]))
    if "Outline" in hint and "Outline" not in names:
        from fsmcheck import outline

        names["Outline"] = outline.Outline
    return eval(hint, names)  # noqa: S307 - the package's own annotations


def plain(value: object) -> object:
    """Any nesting of JSON values and tuples as JSON that ``_unplain`` makes the same value of.

    Raises:
        MisfitError: there is something else in it.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return value if _PLAIN.issuperset(map(type, value)) else [plain(item) for item in value]
    if isinstance(value, tuple):
        return {_TUPLE: [plain(item) for item in value]}
    if isinstance(value, Mapping) and all(isinstance(key, str) and key != _TUPLE for key in value):
        return {str(key): plain(item) for key, item in value.items()}
    raise MisfitError(f"no form for {type(value).__name__}")


def _unplain(data: Any) -> Any:
    if isinstance(data, list):
        return data if _PLAIN.issuperset(map(type, data)) else [_unplain(item) for item in data]
    if isinstance(data, dict):
        if data.keys() == {_TUPLE}:
            return tuple(_unplain(item) for item in _items(data[_TUPLE], list))
        return {key: _unplain(item) for key, item in data.items()}
    return data
