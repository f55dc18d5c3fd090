"""The certificates of every shipped spec are accepted by both solvers, and claim what the report says."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from fsmcheck.certify.solvers import solver
from fsmcheck.certify.verify import Status, certify
from fsmcheck.engines.explicit import explore
from fsmcheck.obligations.retranslation import Retranslation
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import LoadedDocument, load, load_path
from fsmcheck.system.translate import translate
from tests.certify.written import PLANNER, SPECS, counters, manifests, write
from tests.obligations.test_standstill import ALONE
from tests.system.test_standstill import EXITS, TWO

BOTH = (solver("z3"), solver("cvc5"))
SHIPPED = sorted(path.relative_to(SPECS).as_posix() for path in SPECS.rglob("*.yaml") if path.name != "verdicts.yaml")


@pytest.mark.parametrize("name", SHIPPED)
def test_the_certificates_of_a_shipped_spec_are_accepted(name: str, tmp_path: Path) -> None:
    _are_accepted(load_path(SPECS / name), SPECS / name, tmp_path)


@pytest.mark.parametrize("text", [ALONE, TWO.replace("EXIT", EXITS["nothing"][0])])
def test_those_of_machines_that_make_no_progress(text: str, tmp_path: Path) -> None:
    """Some of their proofs know where an advance ends."""
    source = SourceFile("turning.yaml", text)
    _are_accepted(load(source), source, tmp_path)
    assert any("!reached[plan]" in path.read_text() for path in tmp_path.glob("*.smt2"))


def _are_accepted(documents: Sequence[LoadedDocument], source: Path | SourceFile, tmp_path: Path) -> None:
    report = write(source, tmp_path, "both")
    specs = [document.spec for document in documents if document.spec is not None]
    results = certify(tmp_path, BOTH, describes=Retranslation(specs))
    assert not [result for result in results if result.status is Status.REFUSED]
    inductive = sum("induction" in each.method for spec in report.specs for each in spec.obligations)
    assert sum(result.claims for result in results if result.status is Status.ACCEPTED) == inductive > 0
    for spec in report.specs:
        for each in spec.obligations:
            shown_by_a_run = each.method in ("witness", "none", "bounded search") or each.verdict == "unknown"
            if each.verdict == "proved" and not shown_by_a_run:
                assert each.certificate is not None, each
            if each.certificate is not None:
                _claims_it(tmp_path / each.certificate, each.rule, each.subject.as_dict(), each.verdict)


def _claims_it(path: Path, rule: str, subject: dict[str, object], verdict: str) -> None:
    claims = json.loads(path.read_text())["claims"]
    claimed = [claim for claim in claims if (claim["rule"], claim["subject"]) == (rule, subject)]
    assert [claim["verdict"] for claim in claimed] == [verdict]


def test_integers_are_proved_by_spacer_and_names_do_no_harm(tmp_path: Path) -> None:
    report = write(counters(), tmp_path)
    methods = {(each.rule, each.subject.state): each.method for each in report.specs[0].obligations}
    assert methods["FSM301", "last"] == "spacer+induction"
    (document,) = load(counters())
    assert document.spec is not None
    results = certify(tmp_path, BOTH, describes=Retranslation([document.spec]))
    assert {result.status for result in results} == {Status.ACCEPTED, Status.STATED}
    for path in tmp_path.iterdir():
        assert re.fullmatch(r"two_counters_assert_false_[0-9a-z_-]*\.(json|smt2)", path.name), path.name
        path.read_bytes().decode("ascii")


def test_an_explicit_certificate_gives_the_configurations_of_the_search(tmp_path: Path) -> None:
    write(PLANNER, tmp_path)
    spec = load_path(str(PLANNER))[0].spec
    assert spec is not None
    whole = explore(translate(spec, "gated"))
    stated = [json.loads(path.read_text()) for path in manifests(tmp_path, "explicit")]
    assert (len(whole.values), whole.digest()) in [(each["configurations"], each["digest"]) for each in stated]
    assert {claim["rule"] for each in stated for claim in each["claims"]} >= {"FSM204", "FSM302", "FSM502"}


def test_the_same_run_writes_the_same_files(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(counters(), tmp_path / folder)
    first, second = (sorted((tmp_path / folder).iterdir()) for folder in ("a", "b"))
    assert [path.name for path in first] == [path.name for path in second]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
