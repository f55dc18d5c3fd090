"""Scalars that hold CEL: guards, values of actions, templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.check import check
from fsmcheck.cel.errors import CelError, CelSyntaxError
from fsmcheck.cel.syntax import parse
from fsmcheck.cel.types import Kind, Type
from fsmcheck.diagnostics import Edit, Fix, Subject
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.embedded import Brackets, Hit, embedded_expressions
from fsmcheck.spec.fitting import worded
from fsmcheck.spec.forms import FaultLog
from fsmcheck.spec.model import Concatenation, Expression, Template
from fsmcheck.spec.nodes import ScalarNode, Style
from fsmcheck.spec.offsets import Content, content_of
from fsmcheck.spec.wording import shown
from fsmcheck.spec.yaml_errors import quote_hint

_WRAPPED = re.compile(r"\s*(\$\{.*\}|\{\{.*\}\})\s*", re.DOTALL)
_MOST_KEPT = 4_096
_NO_TEXT = frozenset({Kind.LIST, Kind.MAP, Kind.NULL})


@dataclass(frozen=True, slots=True)
class ExpressionReader:
    """Compiles the expressions of one document against the types of its fields.

    ``fields_known`` is False where the fields could not be read: unknown names are then no faults.
    """

    log: FaultLog
    types: Mapping[str, Type]
    fields_known: bool

    def guard(self, node: ScalarNode, subject: Subject) -> Expression:
        """A whole scalar that is a condition."""
        whole = Span(0, len(node.text))
        expression = self._compile(content_of(self.log.source.text, node), Hit(whole, whole), subject)
        tree = expression.tree
        if tree is not None and tree.type.kind not in (Kind.BOOLEAN, Kind.DYN):
            message = f"this guard is {worded(tree.type)}, expected a boolean"
            hint = "compare it with something, for example \"!= ''\"" if tree.type.kind is Kind.STRING else None
            self.log.add("FSM004", message, expression.place(tree.span), hint, subject)
        return expression

    def value(self, node: ScalarNode, subject: Subject) -> str | Expression | Concatenation:
        """Text that is one ``${ … }``, holds some, or none."""
        if Brackets.VALUE.opening not in node.text:
            return node.text
        content = content_of(self.log.source.text, node)
        hits = self._hits(content, Brackets.VALUE, subject)
        if not hits:
            return node.text
        text = node.text.rstrip("\r\n") if node.style in (Style.LITERAL, Style.FOLDED) else node.text
        first = hits[0]
        if first.inner is not None and first.outer == Span(0, len(text)):
            return self._compile(content, first, subject)
        parts = self._parts(content, hits, subject)
        for part in parts:
            tree = part.tree if isinstance(part, Expression) else None
            if isinstance(part, Expression) and tree is not None and tree.type.kind in _NO_TEXT:
                message = f"{worded(tree.type)} cannot become part of a text"
                self.log.add("FSM004", message, part.place(tree.span), "embed text, a number or a boolean", subject)
        return Concatenation(parts, node.span)

    def template(self, node: ScalarNode, subject: Subject) -> Template:
        """A description with its ``{{ … }}``."""
        if Brackets.TEMPLATE.opening not in node.text:
            return Template((node.text,) if node.text else (), node.span)
        content = content_of(self.log.source.text, node)
        return Template(self._parts(content, self._hits(content, Brackets.TEMPLATE, subject), subject), node.span)

    def _hits(self, content: Content, brackets: Brackets, subject: Subject) -> tuple[Hit, ...]:
        hits = embedded_expressions(content.text, brackets)
        if hits and hits[-1].inner is None:
            opening, closing = brackets.value
            hint = self._cut_hint(content.node) or f'write "{opening} … {closing}"'
            place = content.place(hits[-1].outer)
            self.log.add("FSM003", f'this "{opening}" has no closing "{closing}"', place, hint, subject)
            return hits[:-1]
        return hits

    def _parts(self, content: Content, hits: Iterable[Hit], subject: Subject) -> tuple[str | Expression, ...]:
        parts: list[str | Expression] = []
        position = 0
        for hit in hits:
            if hit.inner is None:
                continue
            if hit.outer.start > position:
                parts.append(content.text[position : hit.outer.start])
            parts.append(self._compile(content, hit, subject))
            position = hit.outer.end
        if position < len(content.text):
            parts.append(content.text[position:])
        return tuple(parts)

    def _compile(self, content: Content, hit: Hit, subject: Subject) -> Expression:
        inner = hit.inner or hit.outer
        text = content.text[inner.start : inner.end]
        offsets = content.offsets[inner.start : inner.end + 1]
        span = content.place(inner if inner.start < inner.end else hit.outer)
        expression = Expression(text, None, span, offsets)
        if not text.strip():
            self.log.add("FSM003", "the expression is empty", span, "write a condition or a value", subject)
            return expression
        tree, is_sound = self._checked(content.node, expression, subject)
        return Expression(text, tree if is_sound else None, span, offsets, None if is_sound else tree)

    def _checked(self, node: ScalarNode, expression: Expression, subject: Subject) -> tuple[Expr | None, bool]:
        """The typed tree as far as there is one, and whether nothing is wrong with it."""
        tree: Expr | None
        rejected: tuple[CelError, ...] = ()
        try:
            tree = _parsed(expression.text)
        except CelSyntaxError as error:
            tree, rejected = error.tree, error.errors
            for problem in rejected:
                rule = "FSM004" if problem.kind == "unknown-name" else "FSM003"
                self._report(rule, problem, expression, self._syntax_hint(node, expression, problem), subject)
            if tree is None:
                return None, False
        tree, problems = check(tree, self.types)
        for problem in problems:
            if problem.kind != "unknown-field":
                self._report("FSM004", problem, expression, problem.help, subject)
            elif self.fields_known:
                self._report("FSM102", problem, expression, problem.help, subject)
        return tree, not rejected and not problems

    def _report(self, rule: str, problem: CelError, expression: Expression, hint: str | None, subject: Subject) -> None:
        place = expression.place(problem.span)
        if place.end <= place.start:
            place = Span(place.start, min(place.start + 1, max(expression.span.end, place.start)))
        fix = None
        written = self.log.source.text[place.start : place.end]
        if problem.meant is not None and written == expression.within(problem.span):
            fix = Fix(f"change to {shown(problem.meant)}", (Edit(place, problem.meant),))
        self.log.add(rule, problem.message, place, hint, subject, fix)

    def _syntax_hint(self, node: ScalarNode, expression: Expression, problem: CelError) -> str | None:
        if _WRAPPED.fullmatch(expression.text):
            return "write the bare expression, without brackets around it"
        return self._cut_hint(node) or problem.help

    def _cut_hint(self, node: ScalarNode) -> str | None:
        """Where a comment follows an unquoted scalar, it may well have been meant as part of it."""
        text = self.log.source.text
        line_end = text.find("\n", node.span.end)
        rest = text[node.span.end : len(text) if line_end < 0 else line_end]
        if node.style is Style.PLAIN and rest.lstrip().startswith("#"):
            return f'an unquoted " #" starts a comment: {quote_hint(text, node.span.start)}'
        return None


@lru_cache(_MOST_KEPT)
def _parsed(text: str) -> Expr:
    """The tree of an expression, kept: while somebody types, all others come again and again."""
    return parse(text)
