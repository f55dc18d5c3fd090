"""``check --diff``: in real git repositories."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from fsmcheck.report import formats

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

HEAD = "fsm:\n  name: m\n  initialState: a\n  states:\n    a: { terminal: true }\n"
UNREACHED_B = HEAD + "    b: { terminal: true }\n"
RULES = ["--select", "FSM0,FSM201"]
UNREACHED_BC = UNREACHED_B + "    c: { terminal: true }\n"


class Repository:
    """A git repository, which is the current folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@localhost")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.path, check=True, capture_output=True)

    def put(self, name: str, text: str | bytes) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Repository(folder)


def checked(
    capfdbinary: pytest.CaptureFixture[bytes], *arguments: str, code: int
) -> list[tuple[str, str, str, str | None]]:
    """Path, rule, state and suppression of each finding."""
    assert main(["check", *arguments, *RULES, "--format", "json", "--fail-on", "info"]) == code
    document = json.loads(capfdbinary.readouterr().out)
    return [
        (spec["path"], found["rule"], found["subject"].get("state", ""), found.get("suppressed"))
        for spec in document["specs"]
        for found in spec["findings"]
    ]


def test_only_what_is_new_is_open(repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    assert checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=0) == [("m.yaml", "FSM201", "b", "baseline")]
    repository.put("m.yaml", "# lines move\n\n" + UNREACHED_BC)
    found = checked(capfdbinary, "m.yaml", "--diff", "main", code=1)
    assert found == [("m.yaml", "FSM201", "b", "baseline"), ("m.yaml", "FSM201", "c", None)]
    repository.commit()
    assert checked(capfdbinary, ".", "--diff", "HEAD", code=0)[1][3] == "baseline"
    assert checked(capfdbinary, ".", "--diff", "HEAD~1", code=1)[1][3] is None


def test_a_renamed_file_keeps_its_findings_and_an_added_one_has_new_ones(
    repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("specs/old name.yaml", UNREACHED_B + "# a comment\n" * 9)
    repository.put("specs/gone.yaml", UNREACHED_B.replace("name: m", "name: gone"))
    repository.commit()
    repository.git("mv", "specs/old name.yaml", "specs/né\tw.yaml")
    repository.put("specs/né\tw.yaml", UNREACHED_BC + "# a comment\n" * 9)
    repository.git("rm", "--quiet", "specs/gone.yaml")
    repository.put("specs/added.yaml", UNREACHED_B.replace("name: m", "name: added"))
    assert checked(capfdbinary, "specs", "--diff", "HEAD", code=1) == [
        ("specs/added.yaml", "FSM201", "b", None),
        ("specs/né\tw.yaml", "FSM201", "b", "baseline"),
        ("specs/né\tw.yaml", "FSM201", "c", None),
    ]


@pytest.mark.parametrize("before", [b"fsm:\n  name: caf\xe9\n", b"fsm: [", b"", b"fsm:\n" + b"#" * 1_000_001])
def test_a_file_that_could_not_be_read_has_only_new_findings(
    before: bytes, repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("m.yaml", before)
    repository.commit()
    repository.put("m.yaml", UNREACHED_B)
    assert checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=1) == [("m.yaml", "FSM201", "b", None)]


def test_what_was_a_link_has_only_new_findings(
    repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("a.yaml", UNREACHED_B)
    (repository.path / "m.yaml").symlink_to("a.yaml")
    repository.commit()
    (repository.path / "m.yaml").unlink()
    repository.put("m.yaml", UNREACHED_B)
    assert checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=1) == [("m.yaml", "FSM201", "b", None)]


def test_a_finding_whose_comment_is_taken_away_is_new(
    repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("m.yaml", UNREACHED_B.rstrip() + " # fsmcheck: allow FSM201 - later\n")
    repository.commit()
    assert checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=0) == [("m.yaml", "FSM201", "b", "inline")]
    repository.put("m.yaml", UNREACHED_B)
    assert checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=1) == [("m.yaml", "FSM201", "b", None)]


def test_one_known_finding_hides_one_only(repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Both documents are named alike, so their findings have one identity; the baseline has taken the known one."""
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    assert main(["check", "m.yaml", "--baseline", "known.json", "--write-baseline", *RULES]) == 0
    capfdbinary.readouterr()
    repository.put("m.yaml", f"{UNREACHED_B}---\n{UNREACHED_B}")
    found = checked(capfdbinary, "m.yaml", "--diff", "HEAD", "--baseline", "known.json", code=1)
    assert [suppressed for *_, suppressed in found] == ["baseline", None]


def test_three_dots_mean_since_the_branches_parted(
    repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "topic")
    repository.git("checkout", "--quiet", "main")
    repository.put("m.yaml", HEAD)
    repository.commit()
    repository.git("checkout", "--quiet", "topic")
    assert checked(capfdbinary, "m.yaml", "--diff", "main", code=1)[0][3] is None
    assert checked(capfdbinary, "m.yaml", "--diff", "main...", code=0)[0][3] == "baseline"


@pytest.mark.parametrize("form", formats.NAMES)
def test_no_format_shows_an_old_finding_as_open(
    form: str, repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    repository.put("m.yaml", UNREACHED_BC)
    assert main(["check", "m.yaml", "--diff", "HEAD", "--format", form, *RULES]) == 1
    told = capfdbinary.readouterr().out.decode()
    if form == "json":
        old, new = json.loads(told)["specs"][0]["findings"]
        assert (old["suppressed"], old["justification"]) == ("baseline", 'it was there at "HEAD"')
        assert "suppressed" not in new
    elif form == "sarif":
        old, new = json.loads(told)["runs"][0]["results"]
        assert old["suppressions"] == [{"kind": "external", "justification": 'it was there at "HEAD"'}]
        assert "suppressions" not in new
    elif form == "junit":
        assert told.count("<failure") == 1
    elif form in ("text", "github", "markdown"):
        assert 'state "b"' not in told.replace("\\", "")
        assert '"c"' in told
    if form == "text":
        assert "1 finding suppressed" in told


@pytest.mark.parametrize(
    "name", ["nope", "--output=owned", "-O", "", "HEAD:m.yaml", "a\nb", "HEAD --output=owned", "$(touch owned)", "..."]
)
def test_a_name_that_is_no_revision_is_a_usage_error(
    name: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    code = main(["check", "m.yaml", f"--diff={name}", *RULES])
    told = capsys.readouterr()
    if name == "...":
        assert code == 0
    else:
        assert (code, told.out) == (2, "")
        assert "--diff: there is no revision" in told.err
    assert not (repository.path / "owned").exists()


def refused(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["check", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


def test_a_file_elsewhere_and_standard_input_have_no_revision(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    (tmp_path / "other.yaml").write_text(UNREACHED_B)
    assert "is outside the git repository" in refused(["../other.yaml", "--diff", "HEAD"], capsys)
    assert "standard input is none" in refused(["-", "--diff", "HEAD"], capsys)


def test_without_a_repository_a_commit_or_git_it_says_so(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.put("m.yaml", UNREACHED_B)
    assert "there is no revision" in refused(["m.yaml", "--diff", "main"], capsys)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "m.yaml").write_text(UNREACHED_B)
    monkeypatch.chdir(outside)
    assert "is in no git repository" in refused(["m.yaml", "--diff", "HEAD"], capsys)
    monkeypatch.setenv("PATH", str(outside))
    assert "git cannot be run" in refused(["m.yaml", "--diff", "HEAD"], capsys)


def test_from_a_folder_of_the_repository(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    repository.put("specs/deep/m.yaml", UNREACHED_B)
    repository.put("specs/n.yaml", HEAD)
    repository.commit()
    repository.put("specs/n.yaml", UNREACHED_B)
    monkeypatch.chdir(repository.path / "specs" / "deep")
    found = checked(capfdbinary, "m.yaml", "../n.yaml", "--diff", "HEAD", code=1)
    assert [(path, suppressed) for path, _, _, suppressed in found] == [("m.yaml", "baseline"), ("../n.yaml", None)]


def test_the_repository_is_left_as_it_was(repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.commit()
    os.utime(repository.path / "m.yaml", (1, 1))
    index = (repository.path / ".git" / "index").read_bytes()
    checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=0)
    assert (repository.path / ".git" / "index").read_bytes() == index


def test_a_file_in_a_submodule_is_compared_with_the_commit_that_is_named(
    repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (repository.path / "inner").mkdir()
    inner = Repository(repository.path / "inner")
    inner.put("a.yaml", UNREACHED_B)
    inner.commit()
    repository.commit()
    old = ("inner/a.yaml", "FSM201", "b", "baseline")
    assert checked(capfdbinary, "inner", "--diff", "HEAD", code=0) == [old]
    inner.put("a.yaml", UNREACHED_BC)
    assert checked(capfdbinary, "inner", "--diff", "HEAD", code=1) == [old, ("inner/a.yaml", "FSM201", "c", None)]
    inner.commit()
    assert checked(capfdbinary, "inner", "--diff", "HEAD", code=1) == [old, ("inner/a.yaml", "FSM201", "c", None)]
    repository.commit()
    assert all(each[3] for each in checked(capfdbinary, "inner", "--diff", "HEAD", code=0))


def test_before_the_first_commit_all_is_new(repository: Repository, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    repository.put("m.yaml", UNREACHED_B)
    repository.git("add", "--all")
    assert checked(capfdbinary, "m.yaml", "--diff", "HEAD", code=1) == [("m.yaml", "FSM201", "b", None)]
