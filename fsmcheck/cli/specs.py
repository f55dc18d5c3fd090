"""One spec for the commands that run it: whole, or a message that says where to look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fsmcheck.spec.model import Spec


def whole_specs(path: str) -> list[Spec]:
    """The specs in a file, all free of faults that would leave a run without meaning.

    Raises:
        click.UsageError: one is not, or there is none.
    """
    from fsmcheck.spec.load import load_path

    specs = []
    for document in load_path(path):
        if document.spec is None or document.faults:
            fault = document.faults[0]
            line, column = document.source.position(fault.span.start)
            place = f"{document.source.path}:{line}:{column}"
            raise click.UsageError(f'{place}: {fault.message}; "fsmcheck check" lists all there is to mend')
        specs.append(document.spec)
    return specs


def one_spec(path: str, name: str | None) -> Spec:
    """The only spec of a file, or the one of a name.

    Raises:
        click.UsageError: there is no such spec, or there are several.
    """
    specs = [spec for spec in whole_specs(path) if name is None or _name(spec) == name]
    if len(specs) == 1:
        return specs[0]
    if not specs:
        raise click.UsageError(f'"{path}" holds no spec named "{name}"')
    names = ", ".join(f'"{_name(spec)}"' for spec in specs)
    raise click.UsageError(f'"{path}" holds several specs, name one of them with --name: {names}')


def _name(spec: Spec) -> str | None:
    return spec.name.text if spec.name else None
