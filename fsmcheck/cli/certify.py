"""``fsmcheck certify``: re-check certificates from their files alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import complain, concluding, emit
from fsmcheck.cli.progress import Progress
from fsmcheck.cli.seconds import Seconds
from fsmcheck.cli.specs import whole_specs
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.certify.solvers import Solver
    from fsmcheck.certify.verify import Comparison, Result

_GET_CVC5 = "cvc5 is not installed (pip install 'fsmcheck[certify]')"


@click.command("certify", cls=Documented, short_help="Re-check certificates from their files alone.")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--solver",
    type=click.Choice(["z3", "cvc5", "both"]),
    default="both",
    show_default=True,
    help="Who has to agree.",
)
@click.option(
    "--spec",
    "spec_path",
    metavar="SPEC",
    shell_complete=candidates.files,
    help="The file with the specs that they must be about, and translate to.",
)
@click.option(
    "--timeout",
    type=Seconds(),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="Time for one solver and every 500 checks of a certificate.",
)
def command(folder: Path, solver: str, spec_path: str | None, timeout: float) -> int:
    """Re-check the certificates that "check --certificates DIR" wrote.

    Every proof by induction is put to Z3 and to cvc5 again; what a complete search found is only stated, with the
    number and digest of its configurations. With --spec, scripts are held against the translation of the spec, too.
    """
    from fsmcheck.certify.solvers import Limits
    from fsmcheck.certify.verify import certify

    wanted, describes = _about(spec_path)
    solvers = _solvers(solver)
    progress = Progress()
    try:
        results = certify(folder, solvers, wanted, Limits(seconds=timeout), progress, describes)
    finally:
        progress.close()
    if not results:
        raise click.UsageError(f'there are no certificates in "{folder}"')
    code = exits.FOUND if any(result.status.value == "refused" for result in results) else exits.FINE
    with concluding(code):
        _tell(results)
    return code


def _about(spec_path: str | None) -> tuple[set[str] | None, Comparison]:
    """The sha256 of the specs in a file (None: of any) and what holds scripts against their translation."""
    if spec_path is None:
        return None, lambda _manifest, _text: None
    from fsmcheck.obligations.retranslation import Retranslation

    specs = whole_specs(spec_path)
    return {spec.sha256 for spec in specs}, Retranslation(specs)


def _solvers(asked: str) -> list[Solver]:
    from fsmcheck.certify.solvers import NAMES, is_installed, solver

    if asked != "both":
        if not is_installed(asked):
            raise click.UsageError(_GET_CVC5)
        return [solver(asked)]
    if not is_installed("cvc5"):
        complain(f"{_GET_CVC5}: only Z3 is asked")
        return [solver("z3")]
    return [solver(name) for name in NAMES]


def _tell(results: Sequence[Result]) -> None:
    for result in results:
        emit(f"{sanitise.line(result.name)}: {result.status.value}: {sanitise.line(result.detail)}\n")
    counts = Counter(result.status.value for result in results)
    told = [f"{counts['accepted']} accepted"]
    if counts["stated"]:
        told.append(f"{counts['stated']} of complete searches, which files alone cannot prove")
    told.append(f"{counts['refused']} refused")
    emit(f"certificates: {', '.join(told)}\n")
