"""Certificates of proofs by decision diagrams: what solvers accept, what they refuse, and what is only stated.

The spec asks for three different answers and goes on only when they differ; so the first and the last are never equal
where it looks whether they are.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.certify.solvers import solver
from fsmcheck.certify.verify import Result, Status, certify
from fsmcheck.check import Options, check
from fsmcheck.cli.certificates import write_certificates
from fsmcheck.cli.main import main
from fsmcheck.engines.explicit import Graph, explore
from fsmcheck.engines.induction import Checked
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagram_proofs, diagrams, recheck
from fsmcheck.obligations.retranslation import Retranslation
from fsmcheck.source import SourceFile
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import Location, Phase
from fsmcheck.system.terms import BOOL
from fsmcheck.system.translate import translate
from tests.certify.written import manifests, rewritten
from tests.forgetful import forgetful
from tests.oracle.generate import load_valid

Z3 = (solver("z3"),)
BOTH = (*Z3, solver("cvc5"))
DIFFERENT = """
fsm:
  name: different
  initialState: ask
  context:
    first: { type: enum, values: [a, b, c, d] }
    second: { type: enum, values: [a, b, c, d] }
    third: { type: enum, values: [a, b, c, d] }
    again: { type: boolean }
  agents: { ann: { canTransition: [ask, look] } }
  states:
    ask:
      requires:
        - { name: first, from: { agent: ann } }
        - { name: second, from: { agent: ann } }
        - { name: third, from: { agent: ann } }
      transitions:
        - toState: ask
          guards:
            - backend: cel
              expression: >-
                context.first == context.second || context.second == context.third || context.first == context.third
          onTransition: [{ assign: { first: "", second: "", third: "" } }]
        - { toState: look }
    look:
      requires: [{ name: again, from: { agent: ann } }]
      transitions:
        - { toState: equal, guards: [{ backend: cel, expression: "context.first == context.third" }] }
        - toState: ask
          guards: [{ backend: cel, expression: context.again }]
          onTransition: [{ assign: { again: null, first: "", second: "", third: "" } }]
        - { toState: done }
    equal: { terminal: true }
    done: { terminal: true }
"""


@pytest.fixture(autouse=True)
def cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explicit search of the whole gives up at once, so that every question goes to the diagrams."""
    monkeypatch.setattr(cases, "WHOLE", 1)


def written(folder: Path, text: str = DIFFERENT, profile: str = "gated") -> list[tuple[str, str]]:
    """The rules and methods of what was decided, once the certificates are in a folder."""
    report = check([SourceFile("different.yaml", text)], Options(profile=profile, certificates=True))
    write_certificates(report, folder)
    return [(each.rule, each.method) for spec in report.specs for each in spec.obligations]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("diagrams")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cases, "WHOLE", 1)
        written(folder)
    return folder


def parts(folder: Path) -> tuple[Path, dict[str, Any], str]:
    (path,) = manifests(folder, "induction")
    return path, json.loads(path.read_text()), path.with_suffix(".smt2").read_text()


def spec_of(text: str = DIFFERENT) -> Spec:
    spec = load_valid(text)
    assert spec is not None
    return spec


def verdict_on(folder: Path, path: Path, manifest: dict[str, Any], script: str, **settings: Any) -> Result:
    """What comes of a certificate in another folder, all its digests and its name as they should be."""
    (folder / path.name).write_text("")
    placed = rewritten(folder / path.name, manifest, script)
    (result,) = certify(folder, Z3, **settings)
    assert result.name == placed.name
    return result


def test_what_never_happens_is_proved_to_both_solvers(made: Path) -> None:
    spec = spec_of()
    results = certify(made, BOTH, {spec.sha256}, describes=Retranslation([spec]))
    assert Counter(result.status for result in results) == {Status.ACCEPTED: 1, Status.STATED: 1}
    claims = parts(made)[1]["claims"]
    found = {(claim["rule"], *claim["subject"].values()): claim["verdict"] for claim in claims}
    assert found["FSM203", "equal"] == "violated"
    assert found["FSM303", "look", 0] == "violated"
    assert found["FSM301", "look"] == found["FSM302", "look", 0, 1] == found["FSM205", "ask"] == "proved"
    (stated,) = manifests(made, "diagram")
    assert {claim["rule"] for claim in json.loads(stated.read_text())["claims"]} == {"FSM204", "FSM502"}


def test_the_case_of_an_overlap_is_named(made: Path) -> None:
    """The first guard in ``look`` is never true, so it is neither true with the second nor on its own."""
    assert "; FSM302 state look transition 0 other 1, both\n" in parts(made)[2]


def _names(script: str) -> tuple[dict[str, str], dict[str, str]]:
    """What the comments say the variables and the places stand for."""
    variables = re.findall(r"^; (x_\d+): (.*)$", script, re.MULTILINE)
    places = re.findall(r"^; (at_\d+): (.*)$", script, re.MULTILINE)
    return {name: variable for variable, name in variables}, {name: place for place, name in places}


def _member(script: str, location: Location, values: dict[str, bool | int], sorts: dict[str, str]) -> str:
    variables, places = _names(script)
    found = [f"(= at {places[f'{location.state}, {location.phase.value}']})"]
    for name, value in values.items():
        sort = sorts[variables[name]]
        text = str(bool(value)).lower() if sort == "Bool" else f"v_{sort.removeprefix('Sort_')}_{value}"
        found.append(f"(= {variables[name]} {text})")
    return f"(and {' '.join(found)})"


def _sorts(script: str) -> dict[str, str]:
    (line,) = re.findall(r"^\(define-fun init (.*)$", script, re.MULTILINE)
    return dict(re.findall(r"\((x_\d+) (\w+)\)", line))


def _with_invariant(script: str, form: str) -> str:
    """The script with another invariant, ``{}`` in the form standing for the one that it has."""
    match = re.search(r"(\(define-fun inv [^\n]* Bool\n  )(.*?)\)\n(?=; FSM)", script, re.DOTALL)
    assert match is not None
    return script[: match.start()] + match[1] + form.format(match[2]) + ")\n" + script[match.end() :]


def _searched() -> Graph:
    graph = explore(translate(spec_of(), "gated"))
    assert graph.complete
    assert {variable.sort == BOOL or variable.sort.size > 2 for variable in graph.system.variables} == {True}
    return graph


def test_a_set_without_one_of_its_members_is_refused(made: Path, tmp_path: Path) -> None:
    """At every place one configuration that explicit search reaches."""
    path, manifest, script = parts(made)
    graph = _searched()
    first = {place: number for number, place in reversed(list(enumerate(graph.locations)))}
    assert len(first) == 7  # ask: start, running, waiting; look: running, waiting; done: running, done
    for place, number in first.items():
        values = dict(zip(graph.packing.index, graph.values[number], strict=True))
        member = _member(script, graph.system.locations[place], values, _sorts(script))
        changed = _with_invariant(script, f"(and (not {member}) {{}})")
        (folder := tmp_path / str(place)).mkdir()
        result = verdict_on(folder, path, manifest, changed)
        assert (result.status, "'sat'" in result.detail) == (Status.REFUSED, True)


def test_a_set_with_the_bad_one_is_refused(made: Path, tmp_path: Path) -> None:
    path, manifest, script = parts(made)
    named, _ = _names(script)
    assert {"first", "second", "third", "again"} <= named.keys()
    given: dict[str, bool | int] = dict.fromkeys(("first", "second", "third"), 1)
    member = _member(script, Location("look", Phase.RUNNING), given, _sorts(script))
    result = verdict_on(tmp_path, path, manifest, _with_invariant(script, f"(or {member} {{}})"))
    assert (result.status, "'sat'" in result.detail) == (Status.REFUSED, True)


def test_a_set_that_says_the_same_is_accepted(made: Path, tmp_path: Path) -> None:
    path, manifest, script = parts(made)
    assert verdict_on(tmp_path, path, manifest, _with_invariant(script, "(or false {})")).status is Status.ACCEPTED


def test_a_step_left_out_everywhere_is_seen_beside_the_spec(made: Path, tmp_path: Path) -> None:
    path, manifest, script = parts(made)
    last = re.findall(r"define-fun (step_\d+)", script)[-1]
    script = re.sub(rf"\(define-fun {last} .*?(?=; The invariant)", "", script, flags=re.DOTALL)
    script = re.sub(rf"; consecution of {last}\n.*?(?=; safety of bad_0\n)", "", script, flags=re.DOTALL)
    checks = [check for check in manifest["checks"] if check["check"] != f"consecution of {last}"]
    forged = {**manifest, "checks": checks}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert verdict_on(tmp_path / "a", path, forged, script).status is Status.ACCEPTED
    result = verdict_on(tmp_path / "b", path, forged, script, describes=Retranslation([spec_of()]))
    assert (result.status, result.detail) == (Status.REFUSED, "the script does not describe the spec")


def test_a_certificate_of_a_spec_that_was_altered_is_refused(made: Path, tmp_path: Path) -> None:
    """The altered spec goes on from equal answers, so the claim is wrong of it, whichever digest the manifest has."""
    altered = spec_of(DIFFERENT.replace(" || context.first == context.third", ""))
    (refused, _) = certify(made, Z3, {altered.sha256}, describes=Retranslation([altered]))
    assert (refused.status, refused.detail) == (Status.REFUSED, "it is about another spec")
    path, manifest, script = parts(made)
    forged = {**manifest, "spec": {**manifest["spec"], "sha256": altered.sha256}}
    result = verdict_on(tmp_path, path, forged, script, specs={altered.sha256}, describes=Retranslation([altered]))
    assert (result.status, result.detail) == (Status.REFUSED, "the script does not describe the spec")


@pytest.mark.parametrize(
    ("claim", "detail"),
    [
        ({"rule": "FSM401", "subject": {"state": "nowhere"}}, "asks nothing of the spec"),
        ({"subject": {"place": "look"}}, "a subject of no known form"),
        ({"verdict": "violated"}, "does not make FSM205 violated"),
        ({"rule": "FSM204"}, "does not make FSM204 proved"),
    ],
)
def test_a_claim_that_does_not_follow_is_refused(
    claim: dict[str, object], detail: str, made: Path, tmp_path: Path
) -> None:
    path, manifest, script = parts(made)
    claims = manifest["claims"]
    place = next(number for number, each in enumerate(claims) if each["rule"] == "FSM205")
    changed = [{**each, **claim} if number == place else each for number, each in enumerate(claims)]
    result = verdict_on(tmp_path, path, {**manifest, "claims": changed}, script, describes=Retranslation([spec_of()]))
    assert (result.status, detail in result.detail) == (Status.REFUSED, True), result.detail


def test_the_profile_of_a_certificate_cannot_be_changed(made: Path, tmp_path: Path) -> None:
    path, manifest, script = parts(made)
    result = verdict_on(tmp_path, path, {**manifest, "profile": "eager"}, script, describes=Retranslation([spec_of()]))
    assert result.status is Status.REFUSED


def test_sets_that_are_too_large_are_stated_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagram_proofs, "MOST_NODES", 10)
    written(tmp_path)
    assert manifests(tmp_path, "induction") == []
    stated = [json.loads(path.read_text()) for path in manifests(tmp_path, "diagram")]
    says = {claim["rule"]: claim["says"] for each in stated for claim in each["claims"]}
    assert re.search(r"; not for solvers: \d+ nodes are more than the 10 up to which", says["FSM301"])
    assert "not for solvers" not in says["FSM204"]
    assert {result.status for result in certify(tmp_path, Z3)} == {Status.STATED}
    graph = _searched()
    assert len(graph.values) in [each["configurations"] for each in stated]


def test_many_claims_go_into_several_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagram_proofs, "MOST_CLAIMS", 25)
    methods = written(tmp_path)
    paths = manifests(tmp_path, "induction")
    claims = [claim for path in paths for claim in json.loads(path.read_text())["claims"]]
    assert [len(json.loads(path.read_text())["claims"]) <= 25 for path in paths] == [True] * len(paths)
    about = {json.dumps([claim["rule"], claim["subject"]]) for claim in claims}
    assert (
        len(about)
        == len(claims)
        == sum(
            method in ("diagram", "diagram+induction") and rule not in ("FSM204", "FSM502") for rule, method in methods
        )
    )
    assert {result.status for result in certify(tmp_path, Z3)} == {Status.ACCEPTED, Status.STATED}


def test_what_z3_does_not_confirm_is_stated_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmcheck.engines.induction.check_induction", lambda *_, **__: Checked(None, "initiation"))
    written(tmp_path)
    assert not list(tmp_path.glob("*.smt2"))
    says = [
        claim["says"] for path in manifests(tmp_path, "diagram") for claim in json.loads(path.read_text())["claims"]
    ]
    assert any(each.endswith("; not for solvers: Z3 gives up on it (initiation)") for each in says)


def test_two_searches_that_miss_the_same_certify_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both forget a configuration, and the set is held to be too large to be checked at once."""
    monkeypatch.setattr(diagrams, "explore_symbolically", forgetful(diagrams.explore_symbolically))
    monkeypatch.setattr(diagrams, "look_again", lambda diagram, _limits: diagrams.Second(diagram))
    monkeypatch.setattr(recheck, "SMALL_DIAGRAM", 0)
    spec = tmp_path / "different.yaml"
    spec.write_text(DIFFERENT, encoding="utf-8")
    assert main(["check", str(spec), "--certificates", str(tmp_path / "certificates")]) == 3
    assert not (tmp_path / "certificates").exists() or not list((tmp_path / "certificates").iterdir())
