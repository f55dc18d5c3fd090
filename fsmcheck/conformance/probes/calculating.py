"""Expressions, as far as reducers are likely to differ."""

from __future__ import annotations

from fsmcheck.conformance.probes.probe import Probe, at_start, choosing

_INTEGERS = "a: { type: integer, default: -7 }, b: { type: integer, default: 2 }, r: { type: integer }"
_BIG = "a: { type: integer, default: 9007199254740992 }, r: { type: integer }"
_BIGGEST = "a: { type: integer, default: 9223372036854775807 }, r: { type: integer }"
_NULL = "n: { type: integer, default: null }"
_COLLECTIONS = "l: { type: list, of: string, default: [p, q] }, m: { type: map, of: integer, default: { k: 0 } }"


def _computing(context: str, expression: str) -> str:
    return at_start(context, f'{{ assign: {{ r: "${{ {expression} }}" }} }}')


PROBES = (
    Probe("arithmetic", "division truncates", _computing(_INTEGERS, "context.a / context.b")),
    Probe("arithmetic", "the remainder has the sign of the dividend", _computing(_INTEGERS, "context.a % context.b")),
    Probe("arithmetic", "integers beyond 2^53 are exact", _computing(_BIG, "context.a + 1")),
    Probe("arithmetic", "overflow fails", _computing(_BIGGEST, "context.a + 1")),
    Probe("arithmetic", "division by zero fails", _computing(_INTEGERS, "context.a / (context.b - 2)")),
    Probe("arithmetic", "null is no number", _computing(f"{_NULL}, r: {{ type: integer }}", "context.n + 1")),
    Probe("absorption", "an error or true", choosing(_NULL, "context.n > 0 || true")),
    Probe("absorption", "an error and false", choosing(_NULL, "!(context.n > 0 && false)")),
    Probe("absorption", "true or an error", choosing(_NULL, "true || context.n > 0")),
    Probe("absorption", "an error or false", choosing(_NULL, "!(context.n > 0 || false)", "true")),
    Probe(
        "access",
        "elements and keys",
        choosing(_COLLECTIONS, "!('q' in context.l)", "!('k' in context.m)", "'z' in context.m"),
    ),
    Probe("access", "an index out of range", choosing(_COLLECTIONS, "context.l[2] != 'p'", "context.l[1] == 'q'")),
    Probe("access", "an index before the first", choosing(_COLLECTIONS, "context.l[0 - 1] != 'p'")),
    Probe("access", "a missing key", choosing(_COLLECTIONS, "context.m['z'] != 1", "context.m['k'] == 0")),
    Probe(
        "set-and-empty",
        "has of 0, of null and of text",
        at_start(
            "z: { type: integer, default: 0 }, n: { type: integer, default: null }, s: { type: string, default: '' }, "
            "f: { type: boolean, default: false }, "
            "rz: { type: boolean }, rn: { type: boolean }, rs: { type: boolean }, rf: { type: boolean }",
            *(f'{{ assign: {{ r{name}: "${{ has(context.{name}) }}" }} }}' for name in ("z", "n", "s", "f")),
        ),
    ),
    Probe("text-size", "code points", choosing("s: { type: string, default: 'é😀' }", "size(context.s) == 2")),
)
