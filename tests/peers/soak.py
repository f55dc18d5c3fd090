"""Other model checkers on every shipped spec and on as many generated ones as you like."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid
from tests.oracle.product import verdicts_of
from tests.peers.witness import differences, peers

SPECS = Path(__file__).parents[2] / "specs"


def _shipped() -> Iterator[tuple[str, Spec, str]]:
    for path in sorted(SPECS.rglob("*.yaml")):
        for document in load_path(str(path)):
            if document.spec is not None and not document.faults:
                for profile in ("gated", "eager"):
                    yield f"{path.relative_to(SPECS)} {profile}", document.spec, profile


def _generated(count: int, seed: int) -> Iterator[tuple[str, Spec, str]]:
    for number in range(seed, seed + count):
        spec = load_valid(generate(number))
        assert spec is not None
        yield f"seed {number}", spec, profile_of(number).value


def soak(count: int, seed: int, progress: Callable[[int, int, int], None]) -> int:
    """Compare; each disagreement is printed at once. Exit code 1 where there is one, or no tool.

    ``progress`` is told how many specs are done, of how many, and the disagreements.
    """
    tools = peers()
    if not tools:
        sys.stdout.write("neither SPIN nor NuSMV is installed\n")
        return 1
    specs = [*_shipped(), *_generated(count, seed)]
    counts: Counter[str] = Counter()
    lost = 0
    for number, (name, spec, profile) in enumerate(specs, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                told = list(differences(spec, profile, Path(folder), verdicts_of(spec, profile), tools, counts=counts))
            except AssertionError as error:
                told = [f"crash: {error}"]
        for each in told:
            sys.stdout.write(f"\n{name}: {each}\n")
            sys.stdout.flush()
        lost += len(told)
        progress(number, len(specs), lost)
    listed = ", ".join(f"{counts[key]} {key}" for key in sorted(counts))
    sys.stdout.write(f"\n{len(specs)} specs, {listed}, {lost} disagreements\n")
    return 1 if lost else 0
