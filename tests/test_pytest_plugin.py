"""The plugin for pytest: what it collects, what each item comes to, and the fixtures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fsmcheck.conformance.candidate import Trial
from fsmcheck.options import Options
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
STRICT = """
[pytest]
addopts = --strict-markers --strict-config -p no:cacheprovider
filterwarnings = error
"""
SMALL = """
fsm:
  name: small
  initialState: ask
  context:
    verdict: { type: enum, values: [more, enough] }
    note: { type: string }
    kept: { type: list, of: string }
  agents: { hand: { canTransition: [ask] } }
  states:
    ask:
      description: "{{ context.kept }}"
      requires:
        - { name: verdict, from: { agent: hand } }
        - { name: note, from: { agent: hand } }
      exit: [{ append: { kept: "${context.note}" } }]
      transitions:
        - toState: ask  # comment
          guards: [{ backend: cel, expression: "context.verdict == 'more'" }]
          onTransition: [{ assign: { EMPTIED } }]
        - { toState: rest }
    rest: { terminal: true }
  policy: { maxIterations: 6 }
"""
SOUND = SMALL.replace("EMPTIED", 'verdict: "", note: ""')
FAULTY = SMALL.replace("EMPTIED", 'note: ""')
ALLOWED = FAULTY.replace("# comment", "# fsmcheck: allow FSM403 - known")
REFERENCE = """
from fsmcheck.conformance.reference import ReferenceReducer

class Honest:
    def load(self, spec, profile):
        self.inner = ReferenceReducer.__new__(ReferenceReducer)
        from fsmcheck.reducer.protocol import Session
        self.inner._session = Session()
        return self.inner.load(spec, profile)
    def start(self, inputs):
        return self.inner.start(inputs)
    def exchange(self, agent, writes):
        return self.inner.exchange(agent, writes)
"""


@pytest.fixture(autouse=True, scope="module")
def _everything_is_imported() -> None:
    """Pytester forgets the modules that a run in this process imports, and classes that exist twice are different."""
    from fsmcheck.conformance.candidate import examine_candidate
    from fsmcheck.conformance.reference import ReferenceReducer
    from fsmcheck.pytest_plugin import nodes, telling

    assert telling.Telling
    source = SourceFile("small.yaml", FAULTY)
    nodes.check([source], Options())
    spec = load(source)[0].spec
    assert spec is not None
    assert examine_candidate(ReferenceReducer(spec), spec, ("gated",), Trial(runs=2)).passed


def write(pytester: pytest.Pytester, **texts: str) -> None:
    for name, text in texts.items():
        pytester.path.joinpath(f"{name}.yaml").write_text(text, encoding="utf-8")


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makefile(".ini", pytest=STRICT)
    write(pytester, other="name: no spec\nfsm_like: 1\n", sound=SOUND, faulty=FAULTY)
    return pytester


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and " " not in line]


def test_without_the_option_nothing_is_collected(project: pytest.Pytester) -> None:
    assert project.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_loading_the_plugin_imports_nothing_heavy() -> None:
    code = (
        "import sys, fsmcheck.pytest_plugin\n"
        "heavy = ('z3', 'networkx', 'celpy', 'yaml', 'lark', 'click', 'hypothesis')\n"
        "print([name for name in sys.modules if name in heavy],\n"
        "      sorted(name for name in sys.modules if name.startswith('fsmcheck')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = ["fsmcheck", "fsmcheck.first_moments", "fsmcheck.pytest_plugin", "fsmcheck.pytest_plugin.fixtures"]
    assert done.stdout == f"[] {own}\n"


def test_ids_are_readable_and_collecting_asks_no_solver(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fsmcheck.pytest_plugin.nodes.check", None)
    monkeypatch.setattr("fsmcheck.obligations.case.explore", None)
    found = ids(project.runpytest("--fsmcheck", "--collect-only", "-q"))
    assert "sound.yaml::small::FSM105[gated]" in found
    assert "sound.yaml::small::FSM403:ask/0/verdict[gated]" in found
    assert len(set(found)) == len(found)
    assert not any(each.startswith("other.yaml") for each in found)
    both = ids(project.runpytest("--fsmcheck", "--collect-only", "-q", "--fsmcheck-profile", "both"))
    assert {each.replace("[eager]", "[gated]") for each in both} == set(found)
    assert len(both) == 2 * len(found)


def test_a_violation_fails_with_its_story_and_no_traceback(project: pytest.Pytester) -> None:
    result = project.runpytest("--fsmcheck", "faulty.yaml", "-k", "FSM403")
    result.assert_outcomes(failed=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.re_match_lines(
        [
            r'faulty\.yaml:18:20: error FSM403 re-fires: "ask" can leave for "ask" .*',
            r"   18 \| .*",
            r"    how it happens \(gated\):",
            r'        1\. "hand" stages verdict = "more" and note = .*',
        ],
        consecutive=False,
    )
    assert "Traceback" not in result.stdout.str()
    assert "nodes.py" not in result.stdout.str()


def test_what_holds_passes_and_the_verdicts_are_counted(project: pytest.Pytester) -> None:
    result = project.runpytest("--fsmcheck", "sound.yaml", "-k", "FSM401 or FSM403 or FSM105")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["obligations: * proved, 0 unknown"])


def test_a_lesser_finding_is_noted_unless_it_is_to_fail(project: pytest.Pytester) -> None:
    result = project.runpytest("--fsmcheck", "sound.yaml", "-k", "FSM505")
    assert result.ret == pytest.ExitCode.OK
    assert result.parseoutcomes()["noted"] == 1
    result.stdout.fnmatch_lines(["sound.yaml::small::FSM505:ask?gated?: info: *"])
    again = project.runpytest("--fsmcheck", "sound.yaml", "-k", "FSM505", "--fsmcheck-fail-on", "info")
    assert again.parseoutcomes()["failed"] == 1


def test_what_is_suppressed_is_skipped_with_the_reason(project: pytest.Pytester) -> None:
    write(project, allowed=ALLOWED)
    result = project.runpytest("--fsmcheck", "allowed.yaml", "-k", "FSM403", "-rs")
    assert result.parseoutcomes()["skipped"] == 1
    result.stdout.fnmatch_lines(["*allowed.yaml:*: FSM403:ask/0/verdict: suppressed (inline): known"])


@pytest.mark.parametrize(
    ("given", "outcome"), [((), "skipped"), (("fail",), "failed"), (("xfail",), "xfailed"), (("pass",), "noted")]
)
def test_what_is_undecided_never_looks_like_a_proof(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], outcome: str
) -> None:
    from fsmcheck.obligations import run
    from fsmcheck.obligations.obligation import Verdict

    monkeypatch.setattr(run, "decide", lambda _case, each: Verdict(each, "unknown", "none", reason="limit reached"))
    options = [f"--fsmcheck-unknown={each}" for each in given]
    result = project.runpytest("--fsmcheck", "sound.yaml", "-k", "FSM403", *options)
    posed = result.parseoutcomes()
    assert posed == {outcome: posed[outcome], "deselected": posed["deselected"]}
    result.stdout.fnmatch_lines(["sound.yaml::small::FSM403:ask/0/verdict?gated?: *limit reached*"])
    result.stdout.fnmatch_lines(["obligations: 0 proved, * unknown"])


def test_undecided_as_the_ini_says(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    from fsmcheck.obligations import run
    from fsmcheck.obligations.obligation import Verdict

    monkeypatch.setattr(run, "decide", lambda _case, each: Verdict(each, "unknown", "none", reason="limit reached"))
    project.makefile(".ini", pytest=f"{STRICT}fsmcheck = true\nfsmcheck_unknown = xfail\n")
    result = project.runpytest("sound.yaml", "-k", "FSM403")
    assert result.parseoutcomes()["xfailed"] >= 1


def test_a_spec_without_a_meaning(project: pytest.Pytester) -> None:
    write(project, broken=SOUND.replace("toState: rest", "toState: nowhere"), torn="fsm: [")
    result = project.runpytest("--fsmcheck", "broken.yaml", "torn.yaml", "-k", "FSM001 or FSM101 or FSM403", "-rfs")
    assert result.parseoutcomes()["skipped"] == 2
    result.stdout.fnmatch_lines(["*SKIPPED*FSM403 is skipped: the spec has no meaning before * mended*"])
    failed = [line for line in result.outlines if line.startswith("FAILED")]
    assert [line.split(" ")[1] for line in failed] == [
        "broken.yaml::small::FSM101[gated]",
        "torn.yaml::document-1::FSM001[gated]",
    ]


def test_selecting_by_marker_and_rule(project: pytest.Pytester) -> None:
    found = ids(project.runpytest("--fsmcheck", "sound.yaml", "--collect-only", "-q", "-m", 'fsmcheck(rule="FSM403")'))
    assert found
    assert all("::FSM403:" in each for each in found)
    selected = ids(project.runpytest("--fsmcheck", "sound.yaml", "--collect-only", "-q", "--fsmcheck-select", "FSM403"))
    assert selected == found
    assert project.runpytest("--fsmcheck", "sound.yaml", "-m", "not fsmcheck").ret == 5


def test_the_configuration_of_the_project(project: pytest.Pytester) -> None:
    project.path.joinpath(".fsmcheck.toml").write_text('profile = "eager"\nignore = ["FSM4"]\n', encoding="utf-8")
    found = ids(project.runpytest("--fsmcheck", "sound.yaml", "--collect-only", "-q"))
    assert all("[eager]" in each and "::FSM4" not in each for each in found)
    project.path.joinpath(".fsmcheck.toml").write_text('profil = "eager"\n', encoding="utf-8")
    result = project.runpytest("--fsmcheck")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(['ERROR: fsmcheck: *there is no setting "profil"*'])


def test_a_spec_is_checked_once_and_with_xdist_by_one_worker(project: pytest.Pytester) -> None:
    counting = """
        import fsmcheck.pytest_plugin.nodes as nodes
        real = nodes.check
        def check(*given):
            with open("checked", "a") as file:
                file.write(given[0][0].path + "\\n")
            return real(*given)
        nodes.check = check
    """
    project.makeconftest(counting)
    together = project.runpytest_subprocess("--fsmcheck", "-k", "FSM40", "-q", "-n", "2", "--dist", "loadfile")
    alone = project.runpytest("--fsmcheck", "-k", "FSM40", "-q").parseoutcomes()
    assert alone == {**together.parseoutcomes(), "deselected": alone["deselected"]}
    checked = project.path.joinpath("checked").read_text(encoding="utf-8").splitlines()
    assert len(checked) == 4
    assert len(set(checked)) == 2


def test_junit_and_stopping_at_the_first_failure(project: pytest.Pytester) -> None:
    project.runpytest("--fsmcheck", "faulty.yaml", "-k", "FSM40", "--junitxml", "out.xml", "-x")
    (suite,) = ET.parse(project.path / "out.xml").getroot()
    failed = [case for case in suite if case.find("failure") is not None]
    (case,) = failed
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message", "").startswith("error: ")
    assert "how it happens" in (failure.text or "")
    told = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert told["fsmcheck.verdict"] == "violated"


def test_last_failed(project: pytest.Pytester) -> None:
    project.makefile(".ini", pytest="[pytest]\naddopts = --strict-markers\n")
    first = project.runpytest("--fsmcheck", "-k", "FSM40").parseoutcomes()
    again = project.runpytest("--fsmcheck", "--lf").parseoutcomes()
    assert again["failed"] == first["failed"]
    assert "passed" not in again


def test_a_failure_of_the_tool_is_an_error_and_no_verdict(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fsmcheck.check import RuleCrashError

    def crash(*_given: object) -> None:
        raise RuleCrashError("FSM105", ValueError("no"))

    monkeypatch.setattr("fsmcheck.pytest_plugin.nodes.check", crash)
    result = project.runpytest("--fsmcheck", "sound.yaml", "-k", "FSM105")
    assert result.parseoutcomes()["errors"] == 1
    result.stdout.fnmatch_lines(["fsmcheck: the tool failed, and nothing may be concluded: rule FSM105 failed: *"])


def test_the_fixtures(project: pytest.Pytester) -> None:
    project.makepyfile(
        f"""
        import pytest
        {REFERENCE.replace(chr(10), chr(10) + " " * 8)}

        @pytest.mark.fsm_spec("sound.yaml")
        def test_spec(fsm_spec):
            assert fsm_spec.initial.text == "ask"

        @pytest.mark.fsm_spec("sound.yaml")
        def test_reducer(fsm_reducer):
            assert fsm_reducer.start()["status"] == "waiting"
            assert fsm_reducer.exchange("hand", {{"verdict": "enough", "note": "x"}})["state"] == "rest"
            assert fsm_reducer.exchange("hand", {{}})["rejected"] == "not-waiting"

        @pytest.mark.fsm_spec("sound.yaml", profile="both")
        def test_honest(fsm_conformance):
            assert fsm_conformance(Honest, runs=20).runs > 20

        @pytest.mark.fsm_spec("sound.yaml")
        def test_dishonest(fsm_conformance):
            class Dishonest(Honest):
                def exchange(self, agent, writes):
                    answer = super().exchange(agent, writes)
                    answer["store"]["kept"] = answer["store"]["kept"][:1]
                    return answer
            fsm_conformance(Dishonest)

        @pytest.mark.fsm_spec("sound.yaml")
        def test_raises(fsm_conformance):
            class Raising(Honest):
                def exchange(self, agent, writes):
                    if len(str(writes.get("note", ""))) == 2:
                        raise ValueError("too short")
                    return super().exchange(agent, writes)
            fsm_conformance(Raising)

        def test_without_a_spec(fsm_spec):
            pass
        """
    )
    result = project.runpytest()
    result.assert_outcomes(passed=3, failed=2, errors=1)
    result.stdout.fnmatch_lines(
        [
            "there is no spec for this test: *",
            "the reducer breaks *",
            '*1. hand stages {*"verdict": "more"*}',
            '*2. hand stages {*"verdict": "more"*}',
            "the reducer fails by raises: the call raised an exception (ValueError: too short at *",
        ]
    )
    result.stdout.fnmatch_lines(['        1. {"op": "start"*', '        2. {"op": "exchange"*, where it fails'])
    assert "Traceback" not in result.stdout.str()
