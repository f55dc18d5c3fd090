"""The functions of the subset on values."""

from __future__ import annotations

from collections.abc import Callable

from fsmcheck.cel.conversions import to_bool, to_double, to_int, to_string
from fsmcheck.cel.operators import OperationFailed, shape
from fsmcheck.cel.patterns import matches
from fsmcheck.cel.values import MapValue, Value

_CONVERSIONS: dict[str, Callable[[Value], Value]] = {
    "int": to_int,
    "double": to_double,
    "string": to_string,
    "bool": to_bool,
}


def apply(function: str, args: tuple[Value, ...], spend: Callable[[int], None]) -> Value:
    """The result of a function of ``functions.SIGNATURES`` for as many arguments as it takes.

    ``spend`` is told of the work before it is done and may raise. Raises OperationFailed where there is no result.
    """
    if function in _CONVERSIONS:
        return _CONVERSIONS[function](args[0])
    if function == "size":
        return size(args[0])
    text, other = args
    if not (isinstance(text, str) and isinstance(other, str)):
        wrong = other if isinstance(text, str) else text
        raise OperationFailed(f'"{function}" has {shape(wrong)}: expected a string')
    spend((len(text) + len(other)) // 64)
    match function:
        case "startsWith":
            return text.startswith(other)
        case "endsWith":
            return text.endswith(other)
        case "contains":
            return other in text
        case _:
            return _matches(text, other, spend)


def size(value: Value) -> int:
    """Code points of a string, elements of a list, entries of a map; OperationFailed for anything else."""
    if isinstance(value, str | tuple | MapValue):
        return len(value)
    raise OperationFailed(f'"size" has {shape(value)}: expected a string, a list or a map')


def _matches(text: str, pattern: str, spend: Callable[[int], None]) -> bool:
    spend(len(text) * (1 + len(pattern) // 16) // 64)
    try:
        return matches(text, pattern)
    except ValueError as error:
        raise OperationFailed(f"invalid regular expression: {error}") from None
