"""What is kept of a complete search: with which values each state was evaluated."""

from __future__ import annotations

import zlib
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping, Sequence

from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.packing import Packed
from fsmcheck.system.system import Phase

_QUICK = 1
_TYPE = "L"


def kept_members(graph: Graph) -> dict[str, str]:
    """For each state the values with which a run evaluates it, as text."""
    return {
        location.state: _packed(graph.members.get(location, ()))
        for location in graph.system.locations
        if location.phase is Phase.RUNNING
    }


def members_of(kept: Mapping[str, object], state: str, width: int) -> tuple[Packed, ...]:
    """The values that were kept of a state, ``width`` of them in each row; none where it is never evaluated.

    Raises:
        LookupError: nothing was kept of the state.
        ValueError: they are not of that form.
    """
    text = kept[state]
    if not isinstance(text, str):
        raise ValueError("no text")
    values = array(_TYPE)
    try:
        values.frombytes(zlib.decompress(a2b_base64(text, strict_mode=True)))
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if width < 1 or len(values) % width:
        raise ValueError("rows of another width")
    return tuple(tuple(values[start : start + width]) for start in range(0, len(values), width))


def _packed(rows: Sequence[Packed]) -> str:
    values = array(_TYPE)
    for row in rows:
        values.extend(row)
    return b2a_base64(zlib.compress(values.tobytes(), _QUICK), newline=False).decode("ascii")
