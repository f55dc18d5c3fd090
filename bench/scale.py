"""What the parts of a large run cost: the figures of docs/scale.md. Processor time, so that a busy machine says much
the same as an idle one; the cluster's share in wall time, on a worker of its own.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
SPECS = sorted(path for path in (ROOT / "specs").rglob("*.yaml") if path.name != "verdicts.yaml")

sys.path.insert(0, str(ROOT))

from fsmcheck import check as checking  # noqa: E402
from fsmcheck import remembered  # noqa: E402
from fsmcheck.obligations.course import Course  # noqa: E402
from fsmcheck.options import Options  # noqa: E402
from fsmcheck.parallel.host import preload  # noqa: E402
from fsmcheck.parallel.pool import Pool  # noqa: E402
from fsmcheck.parallel.unit import Unit, units  # noqa: E402
from fsmcheck.report import formats  # noqa: E402
from fsmcheck.results import SpecReport  # noqa: E402
from fsmcheck.source import SourceFile  # noqa: E402
from fsmcheck.spec.load import load  # noqa: E402


def processor(job: Callable[[], object]) -> float:
    """Seconds of processor time that a job takes, here and in children that are gone."""
    before = sum(os.times()[:4])
    job()
    return sum(os.times()[:4]) - before


def wall(job: Callable[[], object]) -> float:
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def nothing(*_: object) -> None:
    """The work of a unit that is no work."""


def on_cluster(sources: list[SourceFile]) -> tuple[float, float]:
    """Wall seconds for a batch of one task that does nothing, and of one that starts a process for units."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as made,
        Client(made) as client,
    ):
        client.submit(nothing, pure=False).result()
        empty = wall(lambda: client.gather([client.submit(nothing, source, pure=False) for source in sources * 5]))
        started = wall(lambda: client.submit(start_host, pure=False).result())
    return empty / len(sources * 5), started


def start_host() -> None:
    """On a worker: what a batch pays before its first unit."""
    command = "import fsmcheck.check; from fsmcheck.parallel.host import preload; preload()"
    subprocess.run([sys.executable, "-c", command], check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def saying_nothing(unit: Unit, _course: Course) -> SpecReport:
    """A report that says nothing."""
    return SpecReport(unit.source, unit.profile, None, None, (), ())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=10, help="of each shipped spec, for the cache")
    copies = parser.parse_args().copies
    sources = [SourceFile(str(path), path.read_text(encoding="utf-8")) for path in SPECS]
    count = len(sources)
    start = processor(start_host)
    preload()
    loading = processor(lambda: [load(source) for source in sources]) / count
    todo = units([document for source in sources for document in load(source)], Options())
    pool = Pool(checking.check_unit, 2, 1 << 40)
    pooled = processor(lambda: pool.run(todo)) / count
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    empty = processor(lambda: Pool(saying_nothing, 2, 1 << 40).run(todo)) / count
    serial = processor(lambda: checking.check(sources, Options())) / count
    report = checking.check(sources, Options())
    rendering = processor(lambda: [formats.render("json", report) for _ in range(5)]) / count / 5
    sent = sum(len(pickle.dumps(unit.bare)) for unit in todo) / count
    answered = sum(len(pickle.dumps(spec)) for spec in report.specs) / count
    with tempfile.TemporaryDirectory() as folder:
        options = Options(cache=Path(folder))
        many = [SourceFile(s.path, f"{s.text}\n# {number}\n") for s in sources for number in range(copies)]
        remembered.check(many, options)
        hit = processor(lambda: remembered.check(many, options)) / len(many)
        stored = sum(path.stat().st_size for path in Path(folder).iterdir()) / len(many)
    task, started = on_cluster(sources)
    for name, value in {
        "specs": f"{count}",
        "text of a spec": f"{sum(len(s.text) for s in sources) / count / 1000:.1f} kB",
        "loading a spec": f"{loading * 1000:.0f} ms",
        "a spec in one process": f"{serial * 1000:.0f} ms",
        "a spec in a child of its own": f"{pooled * 1000:.0f} ms",
        "an empty child": f"{empty * 1000:.0f} ms",
        "most memory of a child": f"{peak:.0f} MB",
        "starting a process that forks": f"{start * 1000:.0f} ms",
        "a spec from the cache": f"{hit * 1000:.1f} ms",
        "an answer in the cache": f"{stored / 1000:.0f} kB",
        "a report as JSON": f"{rendering * 1000:.1f} ms",
        "a unit sent": f"{sent / 1000:.1f} kB",
        "a report received": f"{answered / 1000:.1f} kB",
        "an empty Dask task (wall)": f"{task * 1000:.1f} ms",
        "a process for a batch on a worker (wall)": f"{started * 1000:.0f} ms",
    }.items():
        print(f"| {name} | {value} |", flush=True)


if __name__ == "__main__":
    main()
