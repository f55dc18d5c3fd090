"""Where an expression is translated: the domains, the inputs introduced so far, and which store it is read in."""

from __future__ import annotations

from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import Domains
from fsmcheck.system.symbolic import Sized, SomeText, Sym, real, text, truth, whole
from fsmcheck.system.terms import FALSE, TRUE, Term


@dataclass(frozen=True, slots=True)
class Scope:
    """``snapshot`` names the store: under one of them, one expression has one value."""

    domains: Domains
    choices: Choices
    snapshot: object

    def unknown(self, kind: Type, key: object, error: Term | None = None) -> Sym:
        """An unconstrained value of a type. ``error`` says when evaluation fails, None that it may or may not."""
        key = (self.snapshot, key)
        failed = self.choices.boolean((key, "error")) if error is None else error
        null = self.choices.boolean((key, "null")) if kind.nullable or kind.kind is Kind.DYN else FALSE
        match kind.kind:
            case Kind.BOOLEAN:
                return Sym(kind, failed, null, self.choices.boolean((key, "value")))
            case Kind.INTEGER:
                return Sym(kind, failed, null, self.choices.integer((key, "value")))
            case Kind.NUMBER:
                sort = self.domains.number_sort()
                return Sym(kind, failed, null, self.choices.finite((key, "value"), sort, tuple(range(1, sort.size))))
            case Kind.STRING | Kind.ENUM:
                leaf = SomeText(self.choices.boolean((key, "nonempty")))
                return Sym(kind, failed, null, ((TRUE, leaf),))
            case Kind.LIST | Kind.MAP:
                return Sym(kind, failed, null, Sized(self.choices.integer((key, "size"), 0)))
            case Kind.NULL:
                return Sym(kind, failed, TRUE, None)
            case Kind.DYN:
                return Sym(kind, failed, null, None)

    def constant(self, value: object, key: object) -> Sym:
        """A constant of a scalar type."""
        match value:
            case bool():
                return truth(t.boolean(value))
            case int():
                return whole(t.integer(value))
            case float():
                sort = self.domains.number_sort()
                return real(t.label(sort, self.domains.region(value)))
            case str():
                return text(value)
            case None:
                return Sym(DYN, FALSE, TRUE, None)
            case _:
                return self.unknown(DYN, key)
