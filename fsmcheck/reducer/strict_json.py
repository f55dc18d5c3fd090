"""JSON read strictly: no duplicate keys, no NaN or infinities, no lone surrogates."""

from __future__ import annotations

import json
import math

from fsmcheck.reducer.json_values import JsonValue


class StrictJsonError(ValueError):
    """The text is no strict JSON; the message is one sentence."""


def parse_json(text: str) -> JsonValue:
    """The data of a JSON text. Raises ``StrictJsonError``, also for nesting and numbers beyond all measure."""
    try:
        data: JsonValue = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise StrictJsonError(f"no JSON at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise StrictJsonError("the JSON is nested too deeply") from error
    except StrictJsonError:
        raise
    except ValueError as error:
        raise StrictJsonError("a number of the JSON is too long") from error
    if ("\\u" in text or not _encodable(text)) and _has_surrogate(data):
        raise StrictJsonError("a text of the JSON holds a lone surrogate")
    return data


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for number, key in enumerate(keys) if key in keys[:number])
        raise StrictJsonError(f"the key {json.dumps(twice)} occurs twice")
    return result


def _constant(name: str) -> JsonValue:
    raise StrictJsonError(f"{name} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise StrictJsonError("a number of the JSON is beyond a double")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _has_surrogate(data: JsonValue) -> bool:
    pending = [data]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            if any("\ud800" <= char <= "\udfff" for char in value):
                return True
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, dict):
            pending.extend(value)
            pending.extend(value.values())
    return False
