"""``dataclasses.dataclass`` for less of a start.

The standard library writes and compiles six methods for every class that is defined, which for some two hundred classes
is a sixth of a first check. Here they are closures, but for ``__init__``, which is compiled when the first instance is
made. Everything else is as usual: ``fields``, ``replace``, ``field``, matching, copying and pickling.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from types import FunctionType
from typing import TYPE_CHECKING, TypeAlias

__all__ = ["dataclass"]

_Fields: TypeAlias = "Sequence[Field[object]]"
_Values: TypeAlias = Callable[[object], tuple[object, ...]]
_Methods: TypeAlias = "dict[str, Callable[..., object] | _LateInit | None]"

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """What ``dataclasses.dataclass`` makes of a class, with those of its parameters that are used here."""

        def made(plain):
            plain.__doc__ = plain.__doc__ or plain.__name__  # else a signature is made for it, and takes long
            whole = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(plain)
            _complete(whole, frozen, eq, order)
            return whole

        return made if cls is None else made(cls)


def _complete(cls: type, frozen: bool, eq: bool, order: bool) -> None:
    """Add the methods that the class has not itself."""
    every: _Fields = dataclasses.fields(cls)
    compared = _values(each.name for each in every if each.compare)
    methods: _Methods = {"__init__": _LateInit(cls, every, frozen), "__repr__": _repr(every)}
    if eq:
        hashed = _values(each.name for each in every if (each.compare if each.hash is None else each.hash))
        methods |= {"__eq__": _eq(compared), "__hash__": _hash(hashed) if frozen else None}
    if order:
        methods |= _order(compared)
    if frozen:
        methods |= _frozen(cls, frozenset(each.name for each in every))
        if "__slots__" in cls.__dict__ or hasattr(cls, "__setstate__"):
            names = [each.name for each in every]
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


def _order(values: Callable[[object], tuple[object, ...]]) -> _Methods:
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
    names: dict[str, object] = {"_set": object.__setattr__, "_missing": MISSING}
    parameters: list[str] = []
    lines: list[str] = []
    for number, each in enumerate(every):
        value, parameter = each.name, each.name
        if each.default_factory is not MISSING:
            names[f"_make{number}"] = each.default_factory
            value, parameter = f"_make{number}() if {value} is _missing else {value}", f"{parameter}=_missing"
        elif each.default is not MISSING:
            names[f"_default{number}"] = each.default
            parameter += f"=_default{number}"
        parameters.append(parameter)
        lines.append(f"  _set(self, {each.name!r}, {value})" if frozen else f"  self.{each.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("  self.__post_init__()")
    # a text made of the names of fields and nothing else
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines or ["  pass"]), names)  # noqa: S102
    made = names["__init__"]
    if not isinstance(made, FunctionType):
        raise TypeError
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {each.name: each.type for each in every} | {"return": None}
    return made
