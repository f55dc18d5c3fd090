"""When two JSON values are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import is_not


def same_json(left: object, right: object) -> bool:
    """Whether two JSON values read the same: 1, 1.0 and true differ, so do 0.0 and -0.0; the order of keys does not
    count. Quick where values are shared."""
    if left is right:
        return True
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, Mapping):
        return (
            isinstance(right, Mapping)
            and left.keys() == right.keys()
            and all(same_json(value, right[key]) for key, value in left.items())
        )
    if isinstance(left, Sequence):
        return isinstance(right, Sequence) and len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return repr(left) == repr(right)
    return type(left) is type(right) and left == right


def changed_fields(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """The entries of ``after`` that are not the same in ``before``, where a missing one counts as null."""
    if before is after:
        return {}
    if before.keys() == after.keys() and list(before) == list(after):
        others = compress(
            zip(after.items(), before.values(), strict=True), map(is_not, after.values(), before.values())
        )
        return {field: value for (field, value), known in others if not same_json(known, value)}
    found = {}
    for field, value in after.items():
        known = before.get(field)
        if known is not value and not same_json(known, value):
            found[field] = value
    return found
