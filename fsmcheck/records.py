"""``dataclasses.dataclass`` for less of a start.

The standard library writes and compiles six methods for every class that is defined, which for some two hundred classes
is a sixth of a first check. Here they are closures, but for ``__init__``: that is made when the first instance is, from
the code of any other with as many fields. What ``fields`` tells of is made when it is asked for, and a class with slots
is made with its methods, since each that is added later costs more. Everything else is as usual: ``fields``,
``replace``, ``field``, matching, copying and pickling.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, field
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["dataclass"]

_Given: TypeAlias = Mapping[str, Any]
"""For each field what stands behind it in the class: nothing (``MISSING``), its default or a ``Field``."""
_Values: TypeAlias = Callable[[object], tuple[object, ...]]
_Methods: TypeAlias = "dict[str, object]"

_FIELDS = "__dataclass_fields__"

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """What ``dataclasses.dataclass`` makes of a class, with those of its parameters that are used here."""

        def made(plain):
            own = _declared(plain)
            every = _inherited(plain) | own
            whole = []
            methods = _methods(plain, every, whole, frozen=frozen, slots=slots, eq=eq, order=order)
            for name, given in own.items():
                if isinstance(given, Field) and given.default is MISSING:
                    delattr(plain, name)
                elif isinstance(given, Field):
                    setattr(plain, name, given.default)
            if slots:
                whole.append(_with_slots(plain, own, methods))
            else:
                whole.append(plain)
                for name, method in methods.items():
                    if name not in plain.__dict__:
                        setattr(plain, name, method)
            return whole[0]

        return made if cls is None else made(cls)


def _declared(cls: type) -> _Given:
    """The fields that a class declares."""
    found = {}
    content = cls.__dict__
    kinds = content.get("__annotations__")  # there already, where they are texts
    for name, kind in (get_annotations(cls) if kinds is None else kinds).items():
        if "ClassVar" in (kind if isinstance(kind, str) else str(kind)):
            continue
        given = found[name] = content.get(name, MISSING)
        default = given.default if isinstance(given, Field) else given
        if default is not MISSING and default.__class__.__hash__ is None:
            raise ValueError(f"the default of {name} can be changed: use default_factory")
    return found


def _inherited(cls: type) -> dict[str, Any]:
    """The fields of its bases."""
    found: dict[str, Any] = {}
    for base in cls.__mro__[-2:0:-1]:
        known = base.__dict__.get(_FIELDS)
        found.update(known.given if isinstance(known, _LateFields) else known or {})
    return found


def _kinds(cls: type) -> dict[str, object]:
    """What is said of the type of each field."""
    found: dict[str, object] = {}
    for base in cls.__mro__[-2::-1]:
        found.update(get_annotations(base))
    return found


class _LateFields:
    """Stands for the fields until somebody asks for them."""

    def __init__(self, whole: Sequence[type], given: _Given) -> None:
        self._whole = whole
        self.given = given

    def __get__(self, instance: object, owner: type) -> object:
        (cls,) = self._whole
        kinds = _kinds(cls)
        made = {}
        for name, given in self.given.items():
            each: Field[object] = given if isinstance(given, Field) else field(default=given)
            if not getattr(each, "name", None):
                each.name, each.type = name, kinds[name]
                each._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # no class variable
            made[name] = each
        setattr(cls, _FIELDS, made)
        return made


def _with_slots(cls: type, own: Iterable[str], methods: _Methods) -> type:
    """The class again, with slots, which cannot be added to one, and with the methods that it has not itself."""
    inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    content = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    for name in own:
        content.pop(name, None)
    content["__slots__"] = tuple(name for name in own if name not in inherited)
    again: type = type(cls)(cls.__name__, cls.__bases__, methods | content)
    again.__qualname__ = cls.__qualname__
    return again


def _methods(
    cls: type, every: _Given, whole: Sequence[type], *, frozen: bool, slots: bool, eq: bool, order: bool
) -> _Methods:
    """What a class gets where it has none of its own; ``whole`` holds the class once it is made."""
    names = tuple(every)
    plain = not any(isinstance(given, Field) for given in every.values())
    counted = names if plain else tuple(name for name in names if _counts(every[name], in_hash=False))
    compared = _values(counted)
    methods: _Methods = {_FIELDS: _LateFields(whole, every), "__match_args__": names, "__repr__": _shown}
    methods["__init__"] = _LateInit(whole, every, frozen)
    if eq:
        hashed = counted if plain else tuple(name for name in names if _counts(every[name], in_hash=True))
        methods["__eq__"] = _eq(compared)
        methods["__hash__"] = _hash(compared if hashed == counted else _values(hashed)) if frozen else None
    if order:
        methods |= _order(compared)
    if frozen:
        methods |= _frozen(whole, frozenset(names))
        if slots or hasattr(cls, "__setstate__"):
            methods |= _state(names, compared if names == counted else _values(names))
    return methods


def _counts(given: object, *, in_hash: bool) -> bool:
    """Whether a field counts where instances are compared, or in their hashes."""
    if not isinstance(given, Field):
        return True
    return given.hash if in_hash and given.hash is not None else given.compare


def _values(names: Sequence[str]) -> _Values:
    """A function that gives the values of attributes as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        only = attrgetter(names[0])
        return lambda self: (only(self),)
    return lambda _: ()


@recursive_repr()
def _shown(self: object) -> str:
    fields: Mapping[str, Field[object]] = getattr(self, _FIELDS)
    parts = ", ".join(f"{name}={getattr(self, name)!r}" for name, each in fields.items() if each.repr)
    return f"{self.__class__.__qualname__}({parts})"


def _eq(values: _Values) -> Callable[..., object]:
    def __eq__(self: object, other: object) -> object:  # noqa: N807 - the name it has in the class
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(values: _Values) -> Callable[..., object]:
    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _order(values: _Values) -> _Methods:
    def compared(name: str) -> Callable[..., object]:
        compare = getattr(tuple, name)

        def method(self: object, other: object) -> object:
            return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

        method.__name__ = name
        return method

    return {name: compared(name) for name in ("__lt__", "__le__", "__gt__", "__ge__")}


def _frozen(whole: Sequence[type], names: frozenset[str]) -> _Methods:
    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807
        if type(self) is whole[0] or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807
        if type(self) is whole[0] or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _state(names: Sequence[str], values: _Values) -> _Methods:
    def __getstate__(self: object) -> object:  # noqa: N807
        return values(self)

    def __setstate__(self: object, state: Sequence[object]) -> None:  # noqa: N807
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}


class _LateInit:
    """Stands for ``__init__`` until somebody asks for it."""

    def __init__(self, whole: Sequence[type], every: _Given, frozen: bool) -> None:
        self._asked = (whole, every, frozen)

    def __get__(self, instance: object, owner: type) -> object:
        (cls,), every, frozen = self._asked
        made = _init(cls, every, frozen)
        setattr(cls, "__init__", made)  # noqa: B010 - mypy forbids the plain form
        return made.__get__(instance, owner)


def _init(cls: type, every: _Given, frozen: bool) -> FunctionType:
    factories = [given.default_factory if isinstance(given, Field) else MISSING for given in every.values()]
    defaults = [given.default if isinstance(given, Field) else given for given in every.values()]
    made_late = tuple(factory is not MISSING for factory in factories)
    code = _pattern(made_late, frozen, hasattr(cls, "__post_init__"))
    renamed = {f"_{number}": name for number, name in enumerate(every)}
    code = code.replace(
        co_varnames=("self", *every),
        co_names=tuple(renamed.get(name, name) for name in code.co_names),
        co_consts=tuple(renamed.get(each, each) if isinstance(each, str) else each for each in code.co_consts),
        co_qualname=f"{cls.__qualname__}.__init__",
    )
    names: dict[str, object] = {f"_make{n}": factory for n, factory in enumerate(factories) if made_late[n]}
    made = FunctionType(code, names | {"_set": object.__setattr__, "_missing": MISSING}, "__init__")
    # MISSING is the default of what is made late
    made.__defaults__ = tuple(default for n, default in enumerate(defaults) if made_late[n] or default is not MISSING)
    kinds = _kinds(cls)
    made.__annotations__ = {name: kinds[name] for name in every} | {"return": None}
    return made


@cache
def _pattern(made_late: tuple[bool, ...], frozen: bool, is_followed: bool) -> CodeType:
    """The code of an ``__init__`` for fields ``_0``, ``_1`` and so on."""
    lines = []
    for number, late in enumerate(made_late):
        name = f"_{number}"
        value = f"_make{number}() if {name} is _missing else {name}" if late else name
        lines.append(f"  _set(self, {name!r}, {value})" if frozen else f"  self.{name} = {value}")
    if is_followed:
        lines.append("  self.__post_init__()")
    parameters = ", ".join(["self", *(f"_{number}" for number in range(len(made_late)))])
    names: dict[str, object] = {}
    exec(f"def __init__({parameters}):\n" + "\n".join(lines or ["  pass"]), names)  # noqa: S102 - of numbers only
    made = names["__init__"]
    if not isinstance(made, FunctionType):
        raise TypeError
    return made.__code__
