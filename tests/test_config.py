from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsmcheck.check import Options
from fsmcheck.cli.main import main
from fsmcheck.config import Config, ConfigError, PerFileIgnore, find, read
from fsmcheck.diagnostics import Severity
from fsmcheck.results import Report
from tests.report.sample import finding

ALL = """
[project]
name = "x"

[tool.fsmcheck]
select = ["FSM4", "fsm201"]
ignore = ["FSM405"]
profile = "both"
fail-on = "warning"
baseline = "known.json"
limits.timeout = 2

[tool.fsmcheck.severity]
FSM402 = "error"

[tool.fsmcheck.per-file-ignores]
"drafts/**" = ["FSM1"]
"""


def write(folder: Path, text: str, name: str = ".fsmcheck.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_that_can_be_set(tmp_path: Path) -> None:
    config = find(write(tmp_path, ALL, "pyproject.toml").parent)
    assert config == Config(
        select=("FSM4", "FSM201"),
        ignore=("FSM405",),
        severity=(("FSM402", Severity.ERROR),),
        per_file_ignores=(PerFileIgnore("drafts/**", ("FSM1",), tmp_path),),
        profile="both",
        timeout=2.0,
        fail_on=Severity.WARNING,
        baseline=tmp_path / "known.json",
        path=tmp_path / "pyproject.toml",
        lines=config.lines,
    )
    assert config.lines == {
        "select": 6, "ignore": 7, "profile": 8, "fail_on": 9, "baseline": 10, "timeout": 11, "severity": 13,
        "per_file_ignores": 16,
    }  # fmt: skip


def test_the_nearest_file_is_in_force_and_only_that(tmp_path: Path) -> None:
    write(tmp_path, 'ignore = ["FSM1"]')
    write(tmp_path / "a", "[project]\nname = 'x'\n", "pyproject.toml")
    write(tmp_path / "a" / "b", "[tool.fsmcheck]\nselect = ['FSM2']\n", "pyproject.toml")
    assert find(tmp_path / "a" / "b" / "c").select == ("FSM2",)
    assert find(tmp_path / "a" / "b").ignore == ()
    assert find(tmp_path / "a").ignore == ("FSM1",)


def test_in_one_folder_the_own_file_goes_first(tmp_path: Path) -> None:
    write(tmp_path, "[tool.fsmcheck]\nselect = ['FSM2']\n", "pyproject.toml")
    assert find(write(tmp_path, "select = ['FSM3']").parent).select == ("FSM3",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\nselct = []", '2: there is no setting "selct"; did you mean "select"?'),
        ("\n[limits]\ntimeot = 1", '3: there is no setting "timeot"; did you mean "timeout"?'),
        ("select = ['FSM999']", '1: there is no rule "FSM999"'),
        ("select = 'FSM403'", '1: "select" is text, expected a list of rule IDs'),
        ("ignore = [1]", '1: "ignore" is a list, expected a list of rule IDs'),
        ("severity = 1", '1: "severity" is a number, expected a table'),
        ("[severity]\nFSM403 = 'fatal'", '2: "severity.FSM403" is "fatal", expected one of error, warning, info'),
        ("[severity]\nFSM4O3 = 'error'", '2: there is no rule "FSM4O3"; did you mean "FSM403"?'),
        ("fail-on = true", '1: "fail-on" is true or false, expected one of error, warning, info'),
        ("profile = 'lazy'", '1: "profile" is "lazy", expected one of gated, eager, both'),
        ("limits = { timeout = 0 }", '1: "limits.timeout" is no number of seconds above 0'),
        ("limits = { timeout = nan }", '1: "limits.timeout" is no number of seconds above 0'),
        ("limits = { memory = 63 }", '1: "limits.memory" is no whole number of megabytes, 64 or more'),
        ("\n[limits]\ntimeout = 1\nmemory = true", '4: "limits.memory" is no whole number of megabytes, 64 or more'),
        ("limits.memory = 100.0", '1: "limits.memory" is no whole number of megabytes, 64 or more'),
        ("limits.memory = '1 GB'", '1: "limits.memory" is no whole number of megabytes, 64 or more'),
        ("limits.memry = 100", '1: there is no setting "memry"; did you mean "memory"?'),
        ("limits.timeout = 1\nlimits.memory = 1", '2: "limits.memory" is no whole number of megabytes'),
        ("limits.timeout = 1\n'limits' . memory = 1", '2: "limits.memory" is no whole number of megabytes'),
        ("severity.FSM402 = 'info'\nseverity.FSM403 = 'fatal'", '2: "severity.FSM403" is "fatal", expected one of'),
        ("limits = 1", '1: "limits" is a number, expected a table'),
        ("baseline = ''", '1: "baseline" is text, expected the path of a file'),
        ("[per-file-ignores]\n'a.yaml' = 'FSM1'", '1: "per-file-ignores" is text, expected a list'),
        ("a = [", " not TOML: "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    if text.startswith("x = 1"):
        text = text.replace("x = 1", "")
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}:{message}")


def test_the_example_of_the_guide_is_right(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "configuration.md").read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    config = read(write(tmp_path, example, "pyproject.toml"))
    assert (config.profile, config.timeout, config.severity) == ("both", 5.0, (("FSM402", Severity.ERROR),))
    assert config.memory == 2000


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / ".fsmcheck.toml"
    path.write_bytes(b"select = '\xff'")
    with pytest.raises(ConfigError, match="not TOML"):
        read(path)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.yaml", "a/b/c.yaml", True),
        ("c.yaml", "a/b/c.yaml", True),
        ("a/*.yaml", "a/b/c.yaml", False),
        ("a/**/*.yaml", "a/c.yaml", True),
        ("a/**", "a/b/c.yaml", True),
        ("a/", "a/b/c.yaml", True),
        ("./a/b/?.yaml", "a/b/c.yaml", True),
        ("b/**", "a/b/c.yaml", False),
        ("a/**", "../a/c.yaml", False),
        ("a.b/*", "axb/c", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert PerFileIgnore(pattern, (), tmp_path / "here").matches(path) is expected


def test_a_severity_is_for_findings_of_the_default_severity_and_the_longest_prefix_wins() -> None:
    options = Options(severities=(("FSM403", Severity.INFO), ("FSM4", Severity.WARNING)))
    assert options.weigh(finding()).severity is Severity.INFO
    assert options.weigh(finding(rule="FSM404")).severity is Severity.WARNING
    assert options.weigh(finding(rule="FSM404", severity=Severity.INFO)).severity is Severity.INFO
    assert options.weigh(finding(rule="FSM501")).severity is Severity.ERROR


UNREACHED = "fsm:\n  name: a\n  initialState: a\n  states:\n    a: { terminal: true }\n    b: { terminal: true }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, UNREACHED, "a.yaml")
    write(tmp_path / "drafts", UNREACHED, "b.yaml")
    return tmp_path


def check(*arguments: str) -> int:
    return main(["check", *(arguments or (".",)), "--select", "FSM201"])


def test_a_check_follows_the_configuration(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check() == 1
    write(folder, "severity.FSM201 = 'warning'\n[per-file-ignores]\n'drafts/**' = ['FSM201']")
    capsys.readouterr()
    assert check() == 0
    told = capsys.readouterr().out
    assert f".{os.sep}a.yaml:6:5: warning FSM201" in told or "a.yaml:6:5: warning FSM201" in told
    assert "b.yaml:6:5" not in told
    assert check(".", "--fail-on", "warning") == 1
    assert check(".", "--isolated") == 1
    assert check(".", "--config", "missing.toml") == 2
    other = write(folder / "drafts", "fail-on = 'info'\nseverity.FSM201 = 'info'", "other.toml")
    assert check(".", "--config", str(other)) == 1
    assert check(".", "--config", str(other), "--isolated") == 2


def test_a_wrong_configuration_is_a_usage_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "selct = []")
    assert check() == 2
    assert 'there is no setting "selct"; did you mean "select"?' in capsys.readouterr().err
    write(folder, "[tool]", "pyproject.toml")
    assert check(".", "--config", "pyproject.toml") == 2
    assert "has no [tool.fsmcheck]" in capsys.readouterr().err


def test_config_shows_what_is_in_force_and_from_where(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, ALL, "pyproject.toml")
    assert main(["config"]) == 0
    assert capsys.readouterr().out == (
        "# pyproject.toml\n"
        'select = ["FSM4", "FSM201"]  # pyproject.toml:6\n'
        'ignore = ["FSM405"]  # pyproject.toml:7\n'
        'profile = "both"  # pyproject.toml:8\n'
        'fail-on = "warning"  # pyproject.toml:9\n'
        'baseline = "known.json"  # pyproject.toml:10\n'
        "limits.timeout = 2.0  # pyproject.toml:11\n"
        'severity.FSM402 = "error"  # pyproject.toml:13\n'
        'per-file-ignores."drafts/**" = ["FSM1"]  # pyproject.toml:16\n'
    )
    assert main(["config", "--isolated"]) == 0
    assert capsys.readouterr().out.startswith("# no configuration file: all as it comes\nselect = []  # default\n")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"select = ['\xe9']\n", "not TOML: byte 0xE9 is not UTF-8"),
        (b"select = " + b"[" * 100_000, "not TOML: nested too deeply"),
    ],
)
def test_a_file_that_is_no_toml_is_told_in_plain_words(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / ".fsmcheck.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as raised:
        read(path)
    assert str(raised.value) == f"{path}: {told}"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / ".fsmcheck.toml"
    path.write_bytes(b'\xef\xbb\xbfprofile = "eager"\r\n')
    assert read(path).profile == "eager"


def test_the_most_memory_is_said_in_a_file_or_on_the_command_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int | None] = []

    def checked(_sources: object, options: Options) -> Report:
        asked.append(options.memory)
        return Report("gated", (), "0", "0")

    monkeypatch.setattr("fsmcheck.cli.check._check", checked)
    assert check("--format", "json", ".") == 0
    write(folder, "limits.memory = 300\nlimits.timeout = 1")
    assert check("--format", "json", ".") == 0
    assert check("--format", "json", "--memory", "100", ".") == 0
    assert check("--format", "json", "--isolated", ".") == 0
    assert asked == [None, 300, 100, None]
    capsys.readouterr()
    assert main(["config"]) == 0
    shown = capsys.readouterr().out
    assert "limits.memory = 300  # .fsmcheck.toml:1\n" in shown
    assert "limits.timeout = 1.0  # .fsmcheck.toml:2\n" in shown
