"""A real scheduler and real workers: the same report, whoever dies on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.check import check
from fsmcheck.cli.main import main
from fsmcheck.options import Options
from fsmcheck.parallel import cluster, versions
from fsmcheck.parallel.losses import ClusterError
from fsmcheck.parallel.unit import units
from fsmcheck.spec.load import load
from tests.parallel.scenario import OTHER, PLAIN, ROOT, mixture, serial_mixture, timeless

QUIET = "--no-dashboard"


@dataclass
class Cluster:
    """A scheduler of our own with its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]
    folder: Path

    def add_worker(self) -> subprocess.Popen[bytes]:
        arguments = [self.address, "--nthreads", "1", "--no-nanny", QUIET]
        worker = program(self.folder, "dask", "worker", *arguments, "--local-directory", str(self.folder))
        self.workers.append(worker)
        return worker


def program(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
    with (folder / "log").open("ab") as log:
        return subprocess.Popen([sys.executable, "-m", *arguments], cwd=folder, env=environment, stdout=log, stderr=log)


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    told = folder / "scheduler.json"
    scheduler = program(
        folder, "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", QUIET, "--scheduler-file", str(told)
    )
    made = Cluster("", [], folder)
    try:
        until = time.monotonic() + 30
        while not made.address:
            assert time.monotonic() < until
            time.sleep(0.05)
            if told.exists() and told.read_text(encoding="utf-8").endswith("}"):
                made.address = json.loads(told.read_text(encoding="utf-8"))["address"]
        yield made
    finally:
        for process in (*made.workers, scheduler):
            process.kill()
            process.wait(timeout=30)


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    with running(tmp_path_factory.mktemp("cluster")) as made:
        made.add_worker()
        yield made


def test_the_report_is_that_of_one_process(dask: Cluster) -> None:
    sources = [PLAIN, OTHER]
    assert timeless(check(sources, Options(cluster=dask.address))) == timeless(check(sources, Options()))


def test_a_document_of_many_is_found_again_by_its_number() -> None:
    for unit in units(load(mixture()[0]), Options(profile="both")):
        there = unit.bare
        assert there.loaded is None
        assert there.document.spec == unit.document.spec


def test_batches_are_even_and_hold_every_unit() -> None:
    """Each weighs as much as the planner, so that 80 of them fill 8 batches of 10 on two threads."""
    many = units([document for _ in range(80) for document in load(PLAIN)], Options())
    batches = cluster._batches(many, threads=2)
    assert [len(batch.units) for batch in batches] == [10] * 8
    assert sorted(place for batch in batches for place in batch.places) == list(range(80))
    assert max(len(batch.units) for batch in cluster._batches(many * 10, threads=1)) <= cluster.MOST_IN_BATCH


def test_a_worker_that_is_killed_loses_nothing(dask: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "MOST_IN_BATCH", 5)
    seen: list[int] = []

    def killing(done: int, _total: int, _what: str) -> None:
        if done and not seen:
            seen.append(done)
            dask.add_worker()
            victim = dask.workers.pop(0)
            victim.send_signal(signal.SIGKILL)
            victim.wait(timeout=30)

    report = check(mixture(), Options(profile="both", cluster=dask.address), killing)
    assert seen[0] < len(report.specs) / 2
    assert timeless(report) == serial_mixture()


class Future:
    """A batch that every worker dies of."""

    status = "error"

    def exception(self) -> Exception:
        from distributed import KilledWorker

        return KilledWorker("batch", None, 3)


class Client:
    """A scheduler that has nothing but such batches."""

    status = "running"

    def __init__(self) -> None:
        self.submitted: list[tuple[Any, ...]] = []

    def submit(self, _function: Any, _work: Any, given: tuple[Any, ...], *_: Any, **_options: Any) -> Future:
        self.submitted.append(given)
        return Future()

    def scheduler_info(self, **_: Any) -> dict[str, Any]:
        return {"workers": {"one": {}}}


def test_what_no_worker_survives_is_tried_alone_and_then_open(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "wait", lambda futures, **_: type("Done", (), {"done": set(futures)}))
    from fsmcheck.check import check_unit

    todo = units([*load(PLAIN), *load(OTHER)], Options())
    client = Client()
    run = cluster._Run(client, check_unit, todo, None, None)
    run.begin([cluster._Batch((0, 1), tuple(unit.bare for unit in todo))])
    while run.pending:
        run.turn()
    assert [len(given) for given in client.submitted] == [2, 1, 1]
    assert sorted(run.reports) == [0, 1]
    for report in run.reports.values():
        reasons = {(each.verdict, each.reason) for each in report.obligations}
        assert reasons == {("unknown", "worker lost: every worker that tried it died")}
        assert {each.rule for each in report.obligations} > {"FSM204", "FSM305", "FSM403"}
        assert any(finding.rule == "FSM901" for finding in report.findings)


def test_other_versions_are_refused(dask: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "__version__", "9.9.9")
    with pytest.raises(ClusterError, match=r'the worker "tcp://.*" has fsmcheck .*, and here it is 9\.9\.9'):
        check([PLAIN], Options(cluster=dask.address))


def test_a_scheduler_that_is_not_there_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster, "ANSWER", 0.5)
    spec = tmp_path / "a.yaml"
    spec.write_text(PLAIN.text, encoding="utf-8")
    assert main(["check", str(spec), "--no-cache", "--cluster", "tcp://127.0.0.1:9"]) == 3
    assert capsys.readouterr().err == 'fsmcheck: no Dask scheduler answers at "tcp://127.0.0.1:9"\n'
    assert main(["check", str(spec), "--cluster", "tcp://127.0.0.1:9", "--jobs", "2"]) == 2
    assert "--cluster and --jobs exclude each other" in capsys.readouterr().err


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r'pip install "fsmcheck\[cluster\]"'):
        check([PLAIN], Options(cluster="tcp://127.0.0.1:9"))


def test_a_scheduler_without_workers_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    with running(tmp_path) as made:
        monkeypatch.setattr(cluster, "ANSWER", 3.0)
        with pytest.raises(ClusterError, match="has no workers"):
            check([PLAIN], Options(cluster=made.address))
    assert threading.active_count() < 50
