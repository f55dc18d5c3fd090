"""``dataclasses.dataclass`` for less of a start.

The standard library writes and compiles six methods for every class that is defined, which for some two hundred classes
is a sixth of a first check. Here they are closures, but for ``__init__``: that is made when the first instance is, from
the code of any other with as many fields. Everything else is as usual: ``fields``, ``replace``, ``field``, matching,
copying and pickling.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, field
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, TypeAlias

__all__ = ["dataclass"]

_Fields: TypeAlias = "Sequence[Field[object]]"
_Values: TypeAlias = Callable[[object], tuple[object, ...]]
_Methods: TypeAlias = "dict[str, Callable[..., object] | _LateInit | None]"

_FIELDS = "__dataclass_fields__"

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """What ``dataclasses.dataclass`` makes of a class, with those of its parameters that are used here."""

        def made(plain):
            own, every = _fields(plain)
            whole = _with_slots(plain, own) if slots else plain
            setattr(whole, _FIELDS, {each.name: each for each in every})
            whole.__match_args__ = tuple(each.name for each in every)
            _complete(whole, every, frozen, eq, order)
            return whole

        return made if cls is None else made(cls)


def _fields(cls: type) -> tuple[list[str], _Fields]:
    """The names of the fields that a class declares, and all its fields, those of its bases first."""
    found: dict[str, Field[object]] = {}
    for base in cls.__mro__[-1:0:-1]:
        found.update(getattr(base, _FIELDS, {}))
    kinds = get_annotations(cls)
    own = [name for name, kind in kinds.items() if "ClassVar" not in str(kind)]
    for name in own:
        given = cls.__dict__.get(name, MISSING)
        each: Field[object] = given if isinstance(given, Field) else field(default=given)
        if each.default is not MISSING:
            if each.default.__class__.__hash__ is None:
                raise ValueError(f"the default of {name} can be changed: use default_factory")
            setattr(cls, name, each.default)
        elif isinstance(given, Field):
            delattr(cls, name)
        each.name, each.type = name, kinds[name]
        each._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # what tells it from a class variable
        found[name] = each
    return own, list(found.values())


def _with_slots(cls: type, own: Iterable[str]) -> type:
    """The class again, with slots, which cannot be added to one."""
    inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    content = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    for name in own:
        content.pop(name, None)
    content["__slots__"] = tuple(name for name in own if name not in inherited)
    again: type = type(cls)(cls.__name__, cls.__bases__, content)
    again.__qualname__ = cls.__qualname__
    return again


def _complete(cls: type, every: _Fields, frozen: bool, eq: bool, order: bool) -> None:
    """Add the methods that the class has not itself."""
    compared = _values(each.name for each in every if each.compare)
    methods: _Methods = {"__init__": _LateInit(cls, every, frozen), "__repr__": _repr(every)}
    if eq:
        hashed = _values(each.name for each in every if (each.compare if each.hash is None else each.hash))
        methods |= {"__eq__": _eq(compared), "__hash__": _hash(hashed) if frozen else None}
    if order:
        methods |= _order(compared)
    if frozen:
        names = [each.name for each in every]
        methods |= _frozen(cls, frozenset(names))
        if "__slots__" in cls.__dict__ or hasattr(cls, "__setstate__"):
            methods |= _state(names, _values(names))
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)


def _values(names: Iterable[str]) -> _Values:
    """A function that gives the values of attributes as a tuple."""
    wanted = list(names)
    if len(wanted) > 1:
        return attrgetter(*wanted)
    if wanted:
        only = attrgetter(wanted[0])
        return lambda self: (only(self),)
    return lambda _: ()


def _eq(values: _Values) -> Callable[..., object]:
    def __eq__(self: object, other: object) -> object:  # noqa: N807 - the name it has in the class
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(values: _Values) -> Callable[..., object]:
    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _repr(every: _Fields) -> Callable[..., object]:
    shown = [each.name for each in every if each.repr]

    @recursive_repr()
    def __repr__(self: object) -> str:  # noqa: N807
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.__class__.__qualname__}({parts})"

    return __repr__


def _order(values: _Values) -> _Methods:
    def compared(name: str) -> Callable[..., object]:
        compare = getattr(tuple, name)

        def method(self: object, other: object) -> object:
            return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

        method.__name__ = name
        return method

    return {name: compared(name) for name in ("__lt__", "__le__", "__gt__", "__ge__")}


def _frozen(cls: type, names: frozenset[str]) -> _Methods:
    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
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

    def __init__(self, cls: type, every: _Fields, frozen: bool) -> None:
        self._asked = (cls, every, frozen)

    def __get__(self, instance: object, owner: type) -> object:
        made = _init(*self._asked)
        setattr(self._asked[0], "__init__", made)  # noqa: B010 - mypy forbids the plain form
        return made.__get__(instance, owner)


def _init(cls: type, every: _Fields, frozen: bool) -> FunctionType:
    made_late = tuple(each.default_factory is not MISSING for each in every)
    code = _pattern(made_late, frozen, hasattr(cls, "__post_init__"))
    renamed = {f"_{number}": each.name for number, each in enumerate(every)}
    code = code.replace(
        co_varnames=("self", *renamed.values()),
        co_names=tuple(renamed.get(name, name) for name in code.co_names),
        co_consts=tuple(renamed.get(each, each) if isinstance(each, str) else each for each in code.co_consts),
        co_qualname=f"{cls.__qualname__}.__init__",
    )
    names: dict[str, object] = {f"_make{n}": each.default_factory for n, each in enumerate(every) if made_late[n]}
    made = FunctionType(code, names | {"_set": object.__setattr__, "_missing": MISSING}, "__init__")
    # MISSING is the default of what is made late
    made.__defaults__ = tuple(
        each.default for n, each in enumerate(every) if made_late[n] or each.default is not MISSING
    )
    made.__annotations__ = {each.name: each.type for each in every} | {"return": None}
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
