"""Certificates that were changed are refused, also where all digests and names were brought up to date."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.certify.solvers import solver
from fsmcheck.certify.verify import Result, Status, certify
from tests.certify.written import manifests, renamed, rewritten

Z3 = (solver("z3"),)
Change = Callable[[dict[str, Any], str], tuple[dict[str, Any], str]]


def refusals(folder: Path, **settings: Any) -> list[Result]:
    return [result for result in certify(folder, Z3, **settings) if result.status is Status.REFUSED]


def test_what_was_not_changed_is_accepted(folder: Path) -> None:
    results = certify(folder, Z3)
    assert [result.status for result in results].count(Status.ACCEPTED) == 2
    assert not refusals(folder)


def _body(script: str, name: str, body: str) -> str:
    """The script with another body for a definition."""
    changed, count = re.subn(
        rf"(\(define-fun {name} (?:\(\)|\((?:\([^()]*\) ?)+\)) Bool\n).*?\)\n(?=;|\()",
        lambda match: f"{match[1]}  {body})\n",
        script,
        count=1,
        flags=re.DOTALL,
    )
    assert count == 1
    return changed


def _without(script: str, first: str, behind: str) -> str:
    """The script without what lies between two texts."""
    start = script.index(first)
    return script[:start] + script[script.index(behind, start) :]


def inv(body: str) -> Change:
    return lambda manifest, script: (manifest, _body(script, "inv", body))


def weaker_by_a_place(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    """Anything may be at a place in the middle of the machine."""
    return manifest, _body(script, "inv", f"(or (= at at_1) {_invariant(script)})")


def without_a_place(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    place = re.findall(r"\(= at (at_\d+)\)", _invariant(script))[-1]
    return manifest, _body(script, "inv", f"(and (not (= at {place})) {_invariant(script)})")


def _invariant(script: str) -> str:
    found = re.search(r"\(define-fun inv [^\n]*\n(.*?)\)\n; FSM", script, re.DOTALL)
    assert found is not None
    return found[1]


def _last_step(script: str) -> str:
    return re.findall(r"define-fun (step_\d+)", script)[-1]


def step_dropped_from_the_script(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    last = _last_step(script)
    script = _without(script, f"(define-fun {last} ", "; The invariant")
    return manifest, _without(script, f"; consecution of {last}\n", "; safety of bad_0\n")


def step_left_unchecked(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    last = _last_step(script)
    checks = [check for check in manifest["checks"] if check["check"] != f"consecution of {last}"]
    return {**manifest, "checks": checks}, _without(script, f"; consecution of {last}\n", "; safety of bad_0\n")


def initiation_left_unchecked(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    return {**manifest, "checks": manifest["checks"][1:]}, _without(script, "; initiation\n", "; consecution of step_0")


def safety_left_unchecked(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    checks = [check for check in manifest["checks"] if not check["check"].startswith("safety")]
    return {**manifest, "checks": checks}, script[: script.index("; safety of bad_0\n")]


def definition_dropped(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    return manifest, _without(script, f"(define-fun {_last_step(script)} ", "; The invariant")


def expectation(answer: str) -> Change:
    def change(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
        checks = [dict(check) for check in manifest["checks"]]
        checks[-1]["expected"] = answer
        return {**manifest, "checks": checks}, script

    return change


def claim_dropped(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    return {**manifest, "claims": manifest["claims"][:-1]}, script


def claim_added(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    claims = manifest["claims"]
    new = {"rule": "FSM401", "subject": {"state": "x"}, "verdict": "proved", "bad": f"bad_{len(claims)}"}
    return {**manifest, "claims": [*claims, new]}, script


def claim_doubled(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    claims = manifest["claims"]
    return {**manifest, "claims": [*claims, {**claims[0], "bad": f"bad_{len(claims)}"}]}, script


def no_claims(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
    return {**manifest, "claims": [], "checks": []}, script


def put_in(text: str, before: str) -> Change:
    return lambda manifest, script: (manifest, script.replace(before, f"{text}\n{before}", 1))


def put_for(old: str, new: str) -> Change:
    def change(manifest: dict[str, Any], script: str) -> tuple[dict[str, Any], str]:
        assert old in script
        return manifest, script.replace(old, new, 1)

    return change


def other_key(key: str, value: object) -> Change:
    return lambda manifest, script: ({**manifest, key: value}, script)


CHANGES: dict[str, Change] = {
    "invariant true": inv("true"),
    "invariant false": inv("false"),
    "invariant weaker by a place": weaker_by_a_place,
    "invariant without a place": without_a_place,
    "step dropped from the script": step_dropped_from_the_script,
    "step left unchecked": step_left_unchecked,
    "initiation left unchecked": initiation_left_unchecked,
    "safety left unchecked": safety_left_unchecked,
    "definition dropped": definition_dropped,
    "sat expected": expectation("sat"),
    "unknown expected": expectation("unknown"),
    "claim dropped": claim_dropped,
    "claim added": claim_added,
    "claim doubled": claim_doubled,
    "no claims": no_claims,
    "false assumed at the top": put_in("(assert false)", "(declare-datatypes"),
    "false assumed before the checks": put_in("(assert false)", "(push 1)"),
    "false assumed in a check": put_in("(assert false)", "(check-sat)"),
    "invariant assumed afterwards": put_in("(assert (inv at_next x_0_next))", "(check-sat)"),
    "answers printed": put_in('(echo "unsat")', "(check-sat)"),
    "option set": put_in("(set-option :timeout 1)", "(declare-datatypes"),
    "another logic": put_for("(set-logic ALL)", "(set-logic QF_UF)"),
    "check left out": put_for("(check-sat)\n", ""),
    "check doubled": put_for("(check-sat)\n", "(check-sat)\n(check-sat)\n"),
    "pop left out": put_for("(pop 1)\n", ""),
    "operator redefined": put_in("(define-fun not ((b Bool)) Bool true)", "(define-fun init"),
    "invariant defined twice": put_in("(define-fun inv ((at Location)) Bool true)", "(define-fun init"),
    "constant left open": put_in("(declare-const free Bool)", "(define-fun init"),
    "function left open": put_in("(declare-fun free () Bool)", "(define-fun init"),
    "empty sort": put_for("(declare-datatypes ((Location 0)) (((at_0)", "(declare-datatypes ((Location 0)) ((("),
    "constructor twice": put_for("(at_1)", "(at_0)"),
    "constructor with a part": put_for("(at_1)", "(at_1 (part Int))"),
    "quantifier": inv("(forall ((y Bool)) y)"),
    "invariant by another function": inv("(init at x_0)"),
    "unknown symbol": inv("free"),
    "quoted symbol": inv("|true|"),
    "local name of a parameter": inv("(let ((x_0 true)) true)"),
    "local name bound twice": inv("(let ((t_0 true)) (let ((t_0 false)) t_0))"),
    "local name out of scope": inv("(or (let ((t_0 true)) t_0) t_0)"),
    "body of another sort": inv("1"),
    "deep": inv("(not " * 100_000 + "true" + ")" * 100_000),
    "unbalanced": put_for("(pop 1)", "(pop 1))"),
    "cut off": lambda manifest, script: (manifest, script[:-5]),
    "nothing": lambda manifest, script: (manifest, ""),
    "empty command": put_in("()", "(push 1)"),
    "carriage return in a comment": put_in("; comment\r(assert false)", "(push 1)"),
    "beyond ASCII": put_in("\u00a0", "(push 1)"),
    "another schema": other_key("schema", "fsmcheck.certificate/2"),
    "another kind": other_key("kind", "trusted"),
    "another profile": other_key("profile", "lenient"),
    "no checks": other_key("checks", []),
    "checks of no form": other_key("checks", ["initiation"]),
    "key too many": other_key("trusted", True),
    "no digest of the spec": other_key("spec", {"name": "x", "version": 1, "sha256": "0"}),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("place", [0, 1], ids=["whole", "spacer"])
def test_a_changed_certificate_is_refused(change: str, place: int, folder: Path) -> None:
    path = manifests(folder, "induction")[place]
    manifest, script = CHANGES[change](json.loads(path.read_text()), path.with_suffix(".smt2").read_text())
    placed = rewritten(path, manifest, script)
    assert [result.name for result in refusals(folder)] == [placed.name]


def test_the_changes_are_refused_for_themselves(folder: Path) -> None:
    """Putting a certificate in its own place, digests brought up to date, changes nothing."""
    for path in manifests(folder, "induction"):
        rewritten(path, json.loads(path.read_text()), path.with_suffix(".smt2").read_text())
    assert not refusals(folder)


def test_a_script_is_the_one_of_its_manifest(folder: Path) -> None:
    first, second = (path.with_suffix(".smt2") for path in manifests(folder, "induction"))
    first.write_text(second.read_text())
    (refused,) = refusals(folder)
    assert refused.detail == "the script is not the one that the manifest was written for"


def test_a_manifest_has_the_name_of_its_contents(folder: Path) -> None:
    path = manifests(folder, "explicit")[0]
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "configurations": manifest["configurations"] + 1}))
    assert [result.name for result in refusals(folder)] == [path.name]


@pytest.mark.parametrize("suffix", [".json", ".smt2"])
def test_one_file_alone_is_refused(suffix: str, folder: Path) -> None:
    manifests(folder, "induction")[0].with_suffix(suffix).unlink()
    assert len(refusals(folder)) == 1


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "null", '{"schema": 1, "schema": 2}', '{"schema": NaN}', "[" * 100_000]
)
def test_a_manifest_that_is_none_is_refused(text: str, folder: Path) -> None:
    (folder / "other.json").write_text(text)
    assert [result.name for result in refusals(folder)] == ["other.json"]


def test_files_that_cannot_be_read_as_text_are_refused(folder: Path) -> None:
    (folder / "bytes.json").write_bytes(b"\xff\xfe")
    (folder / "folder.json").mkdir()
    assert [result.name for result in refusals(folder)] == ["bytes.json", "folder.json"]


@pytest.mark.parametrize("changed", [{"configurations": 0}, {"configurations": True}, {"digest": "x"}, {"claims": []}])
def test_a_statement_without_its_figures_is_refused(changed: dict[str, object], folder: Path) -> None:
    path = manifests(folder, "explicit")[0]
    placed = renamed(path, {**json.loads(path.read_text()), **changed}, None)
    assert [result.name for result in refusals(folder)] == [placed.name]


def test_certificates_of_another_spec_are_refused(folder: Path) -> None:
    own = json.loads(manifests(folder, "explicit")[0].read_text())["spec"]["sha256"]
    assert not refusals(folder, specs={own})
    assert len(refusals(folder, specs={"0" * 64})) == len(list(folder.glob("*.json")))
