"""``int``, ``double``, ``string`` and ``bool`` on values.

Where implementations of CEL differ (white space and case in texts, how a double is written) this follows Google's
C++ one, except that hexadecimal texts are not numbers.
"""

from __future__ import annotations

import math
import re

from fsmcheck import late
from fsmcheck.cel.literals import INT_MAX, INT_MIN
from fsmcheck.cel.operators import OperationFailed, shape
from fsmcheck.cel.values import Value

_INT = late.pattern(r"[ \t\n\v\f\r]*([+-]?)0*([0-9]{1,19})[ \t\n\v\f\r]*")
_DOUBLE = late.pattern(
    r"[ \t\n\v\f\r]*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)[ \t\n\v\f\r]*",
    re.IGNORECASE | re.ASCII,
)
_TRUE = frozenset({"1", "t", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "false", "FALSE", "False"})


def to_int(value: Value) -> int:
    """CEL's ``int()``: a double is truncated. Raises OperationFailed outside int64 and for a text that is none."""
    match value:
        case bool():
            pass
        case int():
            return value
        case float():
            if INT_MIN < value <= INT_MAX and int(value) <= INT_MAX:
                return int(value)
            raise OperationFailed("the number does not fit an integer")
        case str():
            found = _INT.fullmatch(value)
            number = int(found[1] + found[2]) if found else INT_MAX + 1
            if INT_MIN <= number <= INT_MAX:
                return number
            raise OperationFailed("the text is no integer")
    raise OperationFailed(f"{shape(value)} cannot become an integer")


def to_double(value: Value) -> float:
    """CEL's ``double()``. Raises OperationFailed for a text that is no number."""
    match value:
        case bool():
            pass
        case int() | float():
            return float(value)
        case str():
            if _DOUBLE.fullmatch(value):
                return float(value)
            raise OperationFailed("the text is no number")
    raise OperationFailed(f"{shape(value)} cannot become a number")


def to_bool(value: Value) -> bool:
    """CEL's ``bool()``. Raises OperationFailed for a text other than the spellings of true and false."""
    match value:
        case bool():
            return value
        case str():
            if value in _TRUE or value in _FALSE:
                return value in _TRUE
            raise OperationFailed("the text is neither true nor false")
    raise OperationFailed(f"{shape(value)} cannot become a boolean")


def to_string(value: Value) -> str:
    """CEL's ``string()``. Raises OperationFailed for null, a list or a map."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _double_text(value)
        case str():
            return value
    raise OperationFailed(f"{shape(value)} cannot become a string")


def _double_text(value: float) -> str:
    """The fewest digits that read back as the same double, with an exponent below 1e-4 and from 1e6 on."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    from decimal import Decimal

    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    power = len(digits) + int(exponent) - 1 if any(digits) else 0
    minus = "-" if sign else ""
    if -4 <= power < 6:
        return minus + _positional(text, power)
    fraction = f".{text[1:]}" if len(text) > 1 else ""
    return f"{minus}{text[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _positional(digits: str, power: int) -> str:
    if power < 0:
        return "0." + "0" * (-power - 1) + digits
    whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return f"{whole}.{fraction}" if fraction else whole
