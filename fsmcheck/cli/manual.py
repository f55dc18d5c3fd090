"""Help as a manual page: what a command's exit codes mean, examples that can be copied, and what to read next."""

from __future__ import annotations

from collections.abc import Sequence

import click

from fsmcheck.records import dataclass

_ALWAYS = (
    ("2", "the command line or a configuration is wrong, or a file is missing"),
    ("3", "fsmcheck itself failed or was interrupted, or could decide nothing of a spec: nothing may be concluded"),
)


@dataclass(frozen=True, slots=True)
class Example:
    """A command line as it is typed, and what it is for."""

    purpose: str
    line: str


@dataclass(frozen=True, slots=True)
class Page:
    """What the help of a command has besides its text and options.

    ``fine`` and ``found`` say what the exit codes 0 and 1 mean, ``found`` being None where 1 never comes; ``see`` are
    other commands and pages of the documentation.
    """

    examples: Sequence[Example]
    fine: str = "done"
    found: str | None = None
    see: Sequence[str] = ()


class _WithPage(click.Command):
    """Its help ends with the page it has in ``manual_pages``."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, exit codes and references."""
        # Late: only help needs them.
        from fsmcheck.cli.manual_pages import PAGES

        super().format_epilog(ctx, formatter)
        page = PAGES.get(self.name or "")
        if page is not None:
            write_examples(formatter, page.examples)
            _write_codes(formatter, page)
            _write_references(formatter, page.see)


class Documented(_WithPage):
    """A command with a manual page."""


class DocumentedGroup(_WithPage, click.Group):
    """A group of commands with a manual page."""


def write_examples(formatter: click.HelpFormatter, examples: Sequence[Example]) -> None:
    """Write examples: the purpose wrapped to the width, the command line as it is, to be copied."""
    with formatter.section("Examples"):
        for example in examples:
            formatter.write_text(f"{example.purpose}:")
            formatter.write(f"{'':>{formatter.current_indent + 2}}{example.line}\n")


def _write_codes(formatter: click.HelpFormatter, page: Page) -> None:
    found = (("1", page.found),) if page.found is not None else ()
    with formatter.section("Exit codes"):
        formatter.write_dl([("0", page.fine), *found, *_ALWAYS])


def _write_references(formatter: click.HelpFormatter, references: Sequence[str]) -> None:
    if references:
        with formatter.section("See also"):
            formatter.write_text(", ".join(references))
