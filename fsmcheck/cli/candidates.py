"""What a shell may complete a value to, where click does not know by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, which the shell knows best."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def folders(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def commands(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Our own commands."""
    from click.shell_completion import CompletionItem

    group = ctx.find_root().command
    names = group.list_commands(ctx) if isinstance(group, click.Group) else []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def rule(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ID of a rule, or its slug once that is begun, with what it finds."""
    from click.shell_completion import CompletionItem

    from fsmcheck.rules.catalogue import RULES

    begun = incomplete.lower()
    ids = [CompletionItem(each.id, help=each.summary) for each in RULES if each.id.lower().startswith(begun)]
    slugs = [CompletionItem(each.slug, help=each.summary) for each in RULES if begun and each.slug.startswith(begun)]
    return ids + slugs


def rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The last one of some IDs of rules, or beginnings such as FSM4, that are separated by commas."""
    from click.shell_completion import CompletionItem

    from fsmcheck.rules.catalogue import RULES

    before, comma, last = incomplete.rpartition(",")
    begun = last.upper()
    found = {each.id: each.summary for each in RULES}
    if len(begun) <= len("FSM"):
        found = {each.id[:4]: f"all of {each.id[:4]}xx" for each in RULES}
    return [
        CompletionItem(f"{before}{comma}{name}", help=told) for name, told in found.items() if name.startswith(begun)
    ]
