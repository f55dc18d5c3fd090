"""Expressions, as far as reducers are likely to differ."""

from __future__ import annotations

from fsmcheck.conformance.probes.probe import Probe, at_start, choosing

_INTEGERS = "a: { type: integer, default: -7 }, b: { type: integer, default: 2 }, r: { type: integer }"
_BIG = "a: { type: integer, default: 9007199254740992 }, r: { type: integer }"
_BIGGEST = "a: { type: integer, default: 9223372036854775807 }, r: { type: integer }"
_LEAST = "a: { type: integer, default: -9223372036854775808 }, r: { type: integer }"
_NULL = "n: { type: integer, default: null }"
_NUMBERS = "i: { type: integer, default: 3 }, n: { type: number }, r: { type: number }"
_LIST = "l: { type: list, of: integer, default: [0, 1, 2] }"
_TEXT = "s: { type: string, default: abc }"
_COLLECTIONS = "l: { type: list, of: string, default: [p, q] }, m: { type: map, of: integer, default: { k: 0 } }"


def _computing(context: str, expression: str) -> str:
    return at_start(context, f'{{ assign: {{ r: "${{ {expression} }}" }} }}')


PROBES = (
    Probe("arithmetic", "division truncates", _computing(_INTEGERS, "context.a / context.b")),
    Probe("arithmetic", "the remainder has the sign of the dividend", _computing(_INTEGERS, "context.a % context.b")),
    Probe("arithmetic", "integers beyond 2^53 are exact", _computing(_BIG, "context.a + 1")),
    Probe("arithmetic", "overflow fails", _computing(_BIGGEST, "context.a + 1")),
    Probe("arithmetic", "overflow of a difference fails", _computing(_LEAST, "context.a - 1")),
    Probe("arithmetic", "overflow of a product fails", _computing(_BIGGEST, "context.a * 2")),
    Probe("arithmetic", "overflow of a quotient fails", _computing(_LEAST, "context.a / -1")),
    Probe("arithmetic", "the least integer has no negative", _computing(_LEAST, "-context.a")),
    Probe("arithmetic", "division by zero fails", _computing(_INTEGERS, "context.a / (context.b - 2)")),
    Probe("arithmetic", "null is no number", _computing(f"{_NULL}, r: {{ type: integer }}", "context.n + 1")),
    Probe(
        "arithmetic",
        "an integer that is put into a number",
        at_start(_NUMBERS, '{ assign: { n: "${ context.i }" } }', '{ assign: { r: "${ context.n / 2.0 }" } }'),
    ),
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
    Probe(
        "functions",
        "one element of which a condition holds",
        choosing(_LIST, "context.l.exists_one(x, x > 0)", "context.l.exists_one(x, x > 1)"),
    ),
    Probe("functions", "an error beside the one element", choosing(_LIST, "context.l.exists_one(x, 2 / x == 2)")),
    Probe("functions", "an error beside one of some", choosing(_LIST, "context.l.exists(x, 2 / x == 1)")),
    Probe("functions", "an error beside one of not all", choosing(_LIST, "!context.l.all(x, 2 / x == 1)")),
    Probe("functions", "all and some of none", choosing(_LIST, "[].exists(x, true)", "[].all(x, false)")),
    Probe(
        "functions",
        "lists made of lists",
        at_start(
            f"{_LIST}, twice: {{ type: list, of: integer }}, some: {{ type: list, of: integer }}",
            '{ assign: { twice: "${ context.l.map(x, x * 2) }", some: "${ context.l.filter(x, x > 0) }" } }',
        ),
    ),
    Probe(
        "functions",
        "parts of text",
        choosing(
            _TEXT,
            "context.s.startsWith('b')",
            "context.s.endsWith('b')",
            "context.s.contains('ac')",
            "context.s.matches('^b')",
            "context.s.startsWith('ab') && context.s.endsWith('bc') && context.s.contains('b') "
            "&& context.s.matches('b')",
        ),
    ),
    Probe("functions", "a fraction becomes an integer", choosing(_NULL, "int(2.9) == 3", "int(-2.9) == -2")),
    Probe(
        "functions", "text becomes an integer", choosing(_NULL, "int('2.9') == 2 || int('') == 0", "int('-7') == -7")
    ),
    Probe("functions", "text becomes a boolean", choosing(_NULL, "!bool('no')", "bool('true')")),
    Probe("text-size", "code points", choosing("s: { type: string, default: 'é😀' }", "size(context.s) == 2")),
    Probe(
        "text-size", "order", choosing("s: { type: string, default: '😀' }", "context.s < '\\uffff'", "context.s > 'z'")
    ),
)
