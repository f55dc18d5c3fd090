"""The values of --select and --ignore: rule IDs or their beginnings, separated by commas."""

from __future__ import annotations

from collections.abc import Sequence

import click


def rule_prefixes(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    """All the prefixes in some lists, checked: each begins at least one rule's ID.

    Raises:
        click.BadParameter: a list is empty, or a prefix begins no rule's ID.
    """
    if not values:
        return ()
    from fsmcheck.config import known_rules

    prefixes = [part for value in values for part in value.split(",") if part.strip()]
    if not prefixes:
        raise click.BadParameter("expected rule IDs such as FSM403, or beginnings such as FSM4", ctx, param)
    try:
        return known_rules(prefixes)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None
