"""fsmcheck beside SPIN and NuSMV: one property of the scalable family, whole processes, in pairs.

``python bench/peers.py`` prints a table. Each row is a member of ``bench/family.py``; each figure the median of the
ratios of its pairs: the other tool's time to that of ``fsmcheck check --no-cache --select FSM403`` run right before it,
with everything it does: reading, translating, proving twice, looking. SPIN's time is that of generating, compiling and
running, and of the run alone; its model is the one that ``fsmcheck export`` writes, whose making is not counted.
A tool that is not on the path, or not done within ``--limit`` seconds, has no figure or a lower bound.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))
from family import Member, family

MEMBERS = (
    Member(1, 3, 0, 1),
    Member(1, 4, 3, 2),
    Member(1, 4, 5, 3),
    Member(2, 4, 6, 3),
    Member(2, 4, 8, 4),
    Member(3, 5, 10, 4),
    Member(3, 5, 11, 4),
    Member(3, 5, 13, 4),
    Member(3, 5, 15, 4),
)
FAULTY = (
    Member(1, 4, 3, 2, faulty=True),
    Member(2, 4, 8, 4, faulty=True),
    Member(3, 5, 10, 4, faulty=True),
    Member(3, 5, 15, 4, faulty=True),
)
FSMCHECK = [sys.executable, "-m", "fsmcheck"]
# As in startup.py: every installation keeps its bytecode.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of wall time, whether it came to an end, and what it printed."""

    seconds: float
    ended: bool
    text: str = ""


def timed(command: list[str], folder: Path, limit: float) -> Took:
    began = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return Took(limit, ended=False)
    return Took(time.monotonic() - began, ended=True, text=done.stdout)


def ours(folder: Path, limit: float) -> Took:
    return timed([*FSMCHECK, "check", "--no-cache", "--select", "FSM403", "spec.yaml", "--exit-zero"], folder, limit)


def spin(folder: Path, limit: float, *, breadth: bool) -> tuple[Took, Took]:
    """SPIN from the model to the answer, and its search alone."""
    kind = ["-DBFS"] if breadth else []
    whole = time.monotonic()
    if breadth:  # SPIN searches breadth first only where no variable is hidden from the configuration
        model = folder / "model.pml"
        model.write_text(model.read_text(encoding="utf-8").replace("hidden ", ""), encoding="utf-8")
    timed(["spin", "-a", "model.pml"], folder, limit)
    timed(["cc", "-O2", "-DSAFETY", "-DNOREDUCE", *kind, "-o", "pan", "pan.c"], folder, limit)
    search = timed(["./pan", "-m1000000"], folder, limit)
    search = replace(search, ended=states(search) != "?" and "out of memory" not in search.text)
    return Took(time.monotonic() - whole, search.ended), search


def nusmv(folder: Path, limit: float) -> Took:
    return timed(["NuSMV", "-df", "model.smv"], folder, limit)


def export(folder: Path, member: Member) -> None:
    for language, name in (("promela", "model.pml"), ("smv", "model.smv")):
        command = [*FSMCHECK, "export", "spec.yaml", "--to", language, "--property", "FSM403"]
        more = ["--integers", str(member.history + 1), "--output", name]
        subprocess.run([*command, *more], cwd=folder, check=True)


def states(search: Took) -> str:
    found = re.search(r"^\s*([0-9.e+]+) states, stored", search.text, re.MULTILINE)
    return f"{float(found.group(1)):.3g}" if found else "?"


def configurations(text: str) -> str:
    """How many abstract configurations a spec has, with the bookkeeping for all rules and for FSM403 alone."""
    from fsmcheck.engines.diagram.search import explore_symbolically
    from fsmcheck.source import SourceFile
    from fsmcheck.spec.load import load
    from fsmcheck.system.slice import slice_system
    from fsmcheck.system.translate import translate

    (document,) = load(SourceFile("spec.yaml", text))
    assert document.spec is not None
    system = translate(document.spec, "gated")
    of_one_rule = slice_system(system, lambda event: event.rule == "FSM403")
    return " | ".join(f"{explore_symbolically(each).count:.3g}" for each in (system, of_one_rule))


def ratio(pairs: list[tuple[Took, Took]]) -> str:
    if not pairs:
        return "-"
    sign = "" if all(theirs.ended for _, theirs in pairs) else "> "
    return f"{sign}{median(theirs.seconds / mine.seconds for mine, theirs in pairs):.1f}"


def row(member: Member, pairs: int, limit: float) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spec.yaml").write_text(family(member), encoding="utf-8")
        export(folder, member)
        ours(folder, limit)
        mine: list[Took] = []
        cold: list[tuple[Took, Took]] = []
        alone: list[tuple[Took, Took]] = []
        other: list[tuple[Took, Took]] = []
        stored = "?"
        for _ in range(pairs):
            if shutil.which("spin"):
                mine.append(ours(folder, limit))
                whole, search = spin(folder, limit, breadth=member.faulty)
                cold.append((mine[-1], whole))
                alone.append((mine[-1], search))
                stored = states(search) if search.ended else stored
            if shutil.which("NuSMV"):
                mine.append(ours(folder, limit))
                other.append((mine[-1], nusmv(folder, limit)))
            if any(not each.ended for _, each in (*cold, *other)):
                break
        seconds = f"{median(each.seconds for each in mine):.2f}" if mine else "-"
    counts = configurations(family(member))
    return f"| {member.name} | {counts} | {stored} | {seconds} | {ratio(cold)} | {ratio(alone)} | {ratio(other)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one process")
    parser.add_argument("--only", help="members by their names, with commas between them")
    given = parser.parse_args()
    print("| spec | configurations | for FSM403 | states of SPIN | fsmcheck, s | SPIN, cold | SPIN alone | NuSMV |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for member in (*MEMBERS, *FAULTY):
        if given.only and member.name not in given.only.split(","):
            continue
        print(row(member, given.pairs, given.limit), flush=True)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\nlargest process of all: {most:.0f} MB (SPIN's, where it ran)")


if __name__ == "__main__":
    main()
