"""Plain scalars mean what YAML 1.2 says."""

from __future__ import annotations

import math

import pytest

from fsmcheck.spec.scalars import NumberTooLongError, resolve_plain


@pytest.mark.parametrize(
    "text",
    [
        "on",
        "off",
        "yes",
        "no",
        "y",
        "N",
        "On",
        "NO",
        "tRUE",
        "12:30",
        "190:20:30",
        "2024-01-31",
        "99-99-9999",
        "2001-12-14t21:59:43.10-05:00",
        "1_000",
        "0b11",
        "0o8",
        "0xg",
        "-0x1",
        "1e",
        ".",
        "-",
        "+",
        "..",
        "<<",
        "=",
        "٣",
        "1٣",
        "nan",
        "inf",
        ".NAn",
        "nil",
        "None",
        "1.2.3",
        "０",
    ],
)
def test_text(text: str) -> None:
    assert resolve_plain(text) == text
    assert isinstance(resolve_plain(text), str)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("-12", -12),
        ("+3", 3),
        ("0", 0),
        ("-0", 0),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.5e-1", -0.05),
        ("1.0", 1.0),
        (".inf", math.inf),
        ("-.Inf", -math.inf),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ("Null", None),
        ("1e999", math.inf),
    ],
)
def test_values(text: str, value: object) -> None:
    found = resolve_plain(text)
    assert found == value
    assert type(found) is type(value)


def test_not_a_number() -> None:
    found = resolve_plain(".nan")
    assert isinstance(found, float)
    assert math.isnan(found)


@pytest.mark.parametrize("text", ["1" * 401, "0x" + "f" * 400, "0." + "1" * 500])
def test_too_long(text: str) -> None:
    with pytest.raises(NumberTooLongError):
        resolve_plain(text)
