"""The types of expressions and of context fields."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from fsmcheck.records import dataclass


class Kind(Enum):
    """The shape of a value."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ENUM = "enum"
    LIST = "list"
    MAP = "map"
    NULL = "null"
    DYN = "dyn"


@dataclass(frozen=True)
class Type:
    """A type: its kind, the values of an enum, the element of a list or map, the key of a map.

    ``nullable`` is CEL's wrapper type: the value or null. Context fields of kind integer, number and
    boolean are nullable; every other field never reads as null.
    """

    kind: Kind
    values: tuple[str, ...] = ()
    element: Type | None = None
    key: Type | None = None
    nullable: bool = False

    @cached_property
    def value_set(self) -> frozenset[str]:
        """The values of an enum."""
        return frozenset(self.values)

    def __str__(self) -> str:
        if self.kind is Kind.LIST:
            return f"list of {self.element or DYN}"
        if self.kind is Kind.MAP:
            return f"map of {self.element or DYN}"
        return str(self.kind.value)


STRING = Type(Kind.STRING)
INTEGER = Type(Kind.INTEGER)
NUMBER = Type(Kind.NUMBER)
BOOLEAN = Type(Kind.BOOLEAN)
NULL = Type(Kind.NULL)
DYN = Type(Kind.DYN)
