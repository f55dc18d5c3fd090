"""The shape of answers: what has to be there before anything in it is compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from fsmcheck.reducer.json_values import JsonValue

Answer = Mapping[str, JsonValue]

STATUSES = ("waiting", "done", "stuck", "no-progress", "runaway", "capped", "failed")


class MalformedAnswerError(Exception):
    """An answer has another shape than the protocol; the message says where."""


def is_refusal(answer: Answer) -> bool:
    """Whether this is ``{"ok": false, "error": text}``."""
    return answer.get("ok") is False


def require_loaded(answer: Answer) -> None:
    """An answer to ``load``: ``{"ok": true}``, or a refusal. Raises ``MalformedAnswerError``."""
    if answer.get("ok") is not True and answer.get("ok") is not False:
        raise MalformedAnswerError('"ok" is neither true nor false')
    _require_error(answer)


def require_advance(answer: Answer) -> None:
    """An answer to ``start`` or ``exchange``: an advance, or a refusal. Raises ``MalformedAnswerError``."""
    if "ok" in answer and not is_refusal(answer):
        raise MalformedAnswerError('an advance has no "ok"')
    if is_refusal(answer):
        _require_error(answer)
        return
    _need(answer, "state", str, "the answer")
    _need(answer, "status", str, "the answer")
    if answer["status"] not in STATUSES:
        raise MalformedAnswerError(f'the status "{answer["status"]}" is none of {", ".join(STATUSES)}')
    _need(answer, "store", dict, "the answer")
    if not isinstance(answer.get("rejected", ""), str):
        raise MalformedAnswerError('"rejected" is no text')
    if not isinstance(answer.get("cap", ""), str):
        raise MalformedAnswerError('"cap" is no text')
    _need_items(answer, "microsteps", (("from", str), ("transition", int), ("to", str), ("store", dict)))
    _need_items(answer, "awaits", (("field", str), ("agent", str)))
    if "guardErrors" in answer:
        _need_items(answer, "guardErrors", (("state", str), ("transition", int), ("guard", int)))


def _require_error(answer: Answer) -> None:
    if is_refusal(answer) and not isinstance(answer.get("error"), str):
        raise MalformedAnswerError('"error" of a refusal is no text')


def _need_items(answer: Answer, key: str, keys: Sequence[tuple[str, type]]) -> None:
    _need(answer, key, list, "the answer")
    for item in cast("list[JsonValue]", answer[key]):
        if not isinstance(item, dict):
            raise MalformedAnswerError(f'an item of "{key}" is no object')
        for name, kind in keys:
            _need(item, name, kind, f'an item of "{key}"')


def _need(data: Answer, key: str, kind: type, where: str) -> None:
    value = data.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "an object", list: "a list", str: "a text", int: "an integer"}
        missing = "is missing" if key not in data else f"is not {names[kind]}"
        raise MalformedAnswerError(f'"{key}" of {where} {missing}')
