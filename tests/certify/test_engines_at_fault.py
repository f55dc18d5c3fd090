"""A solver that fails while a spec is checked leaves no certificate of a proof by induction behind."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
import z3

from fsmcheck.cli.main import main
from tests.answers import intercept
from tests.certify.written import COUNTERS, PLANNER, counters, manifests, write


@pytest.mark.parametrize("source", [PLANNER, counters()], ids=["planner", "counters"])
def test_unknown_certifies_nothing(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    intercept(monkeypatch, lambda _: z3.unknown)
    report = write(source, tmp_path)
    assert not any("induction" in each.method for spec in report.specs for each in spec.obligations)
    assert manifests(tmp_path, "induction") == []
    assert not list(tmp_path.glob("*.smt2"))


@pytest.mark.parametrize("error", [z3.Z3Exception(b"out of memory"), MemoryError()])
def test_a_crash_certifies_nothing(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(_: object) -> NoReturn:
        raise error

    intercept(monkeypatch, dies)
    spec = tmp_path / "counters.yaml"
    spec.write_text(COUNTERS, encoding="utf-8")
    main(["check", str(spec), "--certificates", str(tmp_path / "certificates")])
    assert not list(tmp_path.rglob("*.smt2"))


def test_an_answer_of_satisfiable_certifies_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmcheck.engines.induction._decide", lambda *_: True)
    assert main(["check", str(PLANNER), "--certificates", str(tmp_path)]) == 3
    assert list(tmp_path.iterdir()) == []
