"""What is undecided of the rules that were selected is told, however they were selected, unless FSM901 is ignored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsmcheck import remembered
from fsmcheck.check import Options, check
from fsmcheck.cli.main import main
from fsmcheck.config import PerFileIgnore
from fsmcheck.report import formats
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from tests.lsp.editor import codes, editor

pytest_plugins = ["pytester"]

TEXT = (Path(__file__).parent / "cases" / "FSM901" / "bad_text.yaml").read_text(encoding="utf-8")
"""Undecided is FSM303 for transition 0 of ask, and nothing else."""
ALLOWING = "        # fsmcheck: allow FSM901 - nobody can say\n        - toState: done"
ALLOWED = TEXT.replace("        - toState: done", ALLOWING, 1)
OPEN = ("FSM901", "ask", 0)


def checked(text: str = TEXT, **options: object) -> Report:
    return check([SourceFile("words.yaml", text)], Options(**options))  # type: ignore[arg-type]


def told(report: Report) -> list[tuple[str, str | None, int | None]]:
    """The findings that nothing suppresses."""
    return [
        (each.rule, each.subject.state, each.subject.transition)
        for spec in report.specs
        for each in spec.findings
        if each.suppressed is None
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [OPEN]),
        ({"select": ("FSM303",)}, [OPEN]),
        ({"select": ("FSM303",), "jobs": 1}, [OPEN]),
        ({"select": ("FSM3", "FSM9")}, [OPEN]),
        ({"select": ("FSM303",), "ignore": ("FSM901",)}, []),
        ({"select": ("FSM303", "FSM901"), "ignore": ("FSM9",)}, []),
        ({"select": ("FSM303",), "per_file_ignores": (PerFileIgnore("words.yaml", ("FSM901",), Path.cwd()),)}, []),
        ({"select": ("FSM301",)}, []),
        ({"select": ("FSM3",), "ignore": ("FSM303",)}, []),
    ],
)
def test_it_comes_with_the_rules_that_were_selected(options: dict[str, object], expected: list[object]) -> None:
    assert told(checked(**options)) == expected


@pytest.mark.parametrize("select", ["FSM901", "FSM101"])
def test_by_itself_it_asks_nothing(select: str) -> None:
    (spec,) = checked(select=(select,)).specs
    assert (spec.findings, spec.obligations, spec.bounds) == ((), (), None)


def test_a_comment_lets_it_be_and_is_judged_only_where_every_rule_is_asked() -> None:
    report = checked(ALLOWED, select=("FSM303",))
    assert (told(report), report.notices) == ([], ())
    assert checked(ALLOWED, select=("FSM301",)).notices == ()
    decided = ALLOWED.replace("context.word", "'b'")
    assert decided != ALLOWED
    assert checked(decided, select=("FSM303",)).notices == ()
    assert [each.kind for each in checked(decided).notices] == ["unused-allow"]


@pytest.mark.parametrize("name", formats.NAMES)
def test_what_is_recalled_is_the_same(name: str, tmp_path: Path) -> None:
    options = Options(select=("FSM303",), cache=tmp_path)
    first, second = (remembered.check([SourceFile("words.yaml", TEXT)], options) for _ in range(2))
    assert told(first) == told(second) == [OPEN]
    assert all(each.cached for each in second.specs[0].obligations)
    if name not in ("json", "html"):  # they say what was recalled
        assert formats.render(name, first) == formats.render(name, second)
    quiet = Options(select=("FSM303",), ignore=("FSM901",), cache=tmp_path)
    assert told(remembered.check([SourceFile("words.yaml", TEXT)], quiet)) == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the spec, where the program is run."""
    (tmp_path / "words.yaml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("cache", [[], ["--no-cache"]])
def test_the_exit_code_is_that_of_its_severity(folder: Path, cache: list[str]) -> None:
    run = ["check", "words.yaml", "--select", "FSM303", *cache]
    for _ in range(2):
        assert main(run) == 0
        assert main([*run, "--fail-on", "warning"]) == 1
        assert main([*run, "--fail-on", "warning", "--ignore", "FSM901"]) == 0
    (folder / ".fsmcheck.toml").write_text('select = ["FSM303"]\n[severity]\nFSM901 = "error"\n', encoding="utf-8")
    assert main(["check", "words.yaml", *cache]) == 1
    (folder / ".fsmcheck.toml").write_text('select = ["FSM303"]\nignore = ["FSM901"]\n', encoding="utf-8")
    assert main(["check", "words.yaml", "--fail-on", "info", *cache]) == 0


def test_a_baseline_with_it_is_not_stale_where_other_rules_are_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "words.yaml", "--baseline", "known.json", "--write-baseline", "--fail-on", "info"]) == 0
    assert [each["rule"] for each in json.loads((folder / "known.json").read_text())["findings"]] == ["FSM901"]
    capsys.readouterr()
    for select in ("FSM303", "FSM301", "FSM101"):
        run = ["check", "words.yaml", "--baseline", "known.json", "--fail-on", "info", "--select", select]
        assert main(run) == 0
        assert capsys.readouterr().err == ""


def test_a_test_of_it_fails_where_its_severity_does(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("words.yaml").write_text(TEXT, encoding="utf-8")

    def outcomes(*arguments: str) -> dict[str, int]:
        given = ["--fsmcheck", "words.yaml", "--fsmcheck-select=FSM303", "-p", "no:cacheprovider", *arguments]
        return pytester.runpytest_subprocess(*given).parseoutcomes()

    assert outcomes() == {"passed": 1, "skipped": 1}
    assert outcomes("--fsmcheck-fail-on=warning") == {"passed": 1, "failed": 1}
    assert outcomes("--fsmcheck-fail-on=warning", "--fsmcheck-ignore=FSM901") == {"passed": 1, "skipped": 1}


def test_an_editor_shows_it(folder: Path) -> None:
    (folder / ".fsmcheck.toml").write_text('select = ["FSM303"]\n', encoding="utf-8")
    uri = (folder / "words.yaml").as_uri()
    with editor() as session:
        session.open(uri, TEXT)
        session.settled(uri, "FSM901")
        (folder / ".fsmcheck.toml").write_text('select = ["FSM303"]\nignore = ["FSM901"]\n', encoding="utf-8")
        session.save(uri)
        session.diagnostics(uri, lambda found: codes(found) == [])
