"""Whole answers from the cache: the same report in every format, and never one to another question."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fsmcheck import remembered
from fsmcheck.cache import toolkit
from fsmcheck.cache.place import FILE
from fsmcheck.cache.store import Store, checksum_of
from fsmcheck.cache.toolkit import tool_digest, versions
from fsmcheck.check import RuleCrashError, check
from fsmcheck.config import PerFileIgnore
from fsmcheck.diagnostics import Severity
from fsmcheck.options import Options
from fsmcheck.report import formats, statistics
from fsmcheck.report import text as as_text
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import UnreadableFileError, read_source

SPECS = Path(__file__).parents[2] / "specs"
PLAIN = (SPECS / "planner_executor.yaml").read_text(encoding="utf-8")
PAGE = SPECS.parent / "docs" / "cache.md"
SMALL = """fsm:
  name: small
  initialState: ask
  context:
    answer: { type: enum, values: [go, stop] }
  agents:
    who: { canTransition: [ask] }
  states:
    ask:
      requires:
        - { name: answer, from: { agent: who } }
      transitions:
        - toState: end
          guards:
            - { backend: cel, expression: "context.answer == 'go'" }
    end: { terminal: true }
"""


def shown(report: Report, name: str) -> str:
    """A report in a format, without what the cache may change."""
    text = formats.render(name, report)
    if name in ("json", "html"):
        text = re.sub(r'"cached": ?(true|false)', '"cached": _', text)
        text = re.sub(r'"seconds": ?[0-9.e-]+', '"seconds": _', text)
    return re.sub(r'time="[0-9.]+"', 'time="_"', text) if name == "junit" else text


def cached(report: Report) -> set[bool]:
    return {each.cached for spec in report.specs for each in spec.obligations}


def asked(sources: list[SourceFile | UnreadableFileError], options: Options) -> tuple[Report, Report, Report]:
    """The reports of a first and a second time with the cache, and without."""
    first, second = remembered.check(sources, options), remembered.check(sources, options)
    return first, second, check(sources, replace(options, cache=None))


def same(one: Report, other: Report) -> bool:
    return all(shown(one, name) == shown(other, name) for name in formats.NAMES)


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.yaml"))[::9], ids=lambda path: path.stem)
def test_every_format_is_the_same(path: Path, tmp_path: Path) -> None:
    options = Options(profile="both", cache=tmp_path, outline=True)
    first, second, without = asked([read_source(str(path))], options)
    for name in formats.NAMES:
        assert shown(first, name) == shown(second, name) == shown(without, name)
    for report in (first, second):
        assert as_text.render(report, colour=True) == as_text.render(without, colour=True)
        assert statistics.render(report) == statistics.render(without)
    assert (cached(first), cached(second), cached(without)) == ({False}, {True}, {False})
    assert json.loads(formats.render("json", second))["specs"][0]["obligations"][0]["cached"] is True


def test_seconds_are_those_it_took(tmp_path: Path) -> None:
    first, second, _ = asked([SourceFile("a.yaml", SMALL)], Options(cache=tmp_path))
    assert formats.render("junit", first) == formats.render("junit", second)


def test_the_same_text_elsewhere_is_shown_there(tmp_path: Path) -> None:
    options = Options(cache=tmp_path)
    remembered.check([SourceFile("a.yaml", SMALL)], options)
    moved = remembered.check([SourceFile("b/c.yaml", SMALL)], options)
    assert cached(moved) == {True}
    assert same(moved, check([SourceFile("b/c.yaml", SMALL)], Options()))


def test_some_known_some_not_in_the_order_asked(tmp_path: Path) -> None:
    options = Options(cache=tmp_path, profile="both")
    sources = [SourceFile(f"{number}.yaml", SMALL.replace("ask", f"ask{number}")) for number in range(4)]
    remembered.check([sources[2], sources[0]], options)
    mixed = remembered.check(sources, options)
    assert same(mixed, check(sources, replace(options, cache=None)))
    assert [spec.obligations[0].cached for spec in mixed.specs] == [True, True, False, False, True, True, False, False]


ALLOWED = SMALL.replace("    ask:\n", "    # fsmcheck: allow FSM301 - people answer go\n    ask:\n").replace(
    "    end:", "    # fsmcheck: allow FSM403 - there is none\n    end:"
)


def test_comments_allow_and_are_found_useless_again(tmp_path: Path) -> None:
    first, second, without = asked([SourceFile("a.yaml", ALLOWED)], Options(cache=tmp_path))
    assert "inline" in {finding.suppressed for spec in second.specs for finding in spec.findings}
    assert [notice.kind for notice in second.notices] == ["unused-allow"]
    assert second.notices == first.notices == without.notices
    assert same(second, without)


def test_a_file_that_cannot_be_read_is_said_to_be_so_each_time(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"fsm:\n  name: caf\xe9\n")
    with pytest.raises(UnreadableFileError) as raised:
        read_source(str(path))
    first, second, without = asked([SourceFile("a.yaml", SMALL), raised.value], Options(cache=tmp_path / "cache"))
    assert same(first, without)
    assert same(second, without)


@pytest.mark.parametrize(
    "text", ["", "fsm: [", "fsm: {}\n", "a: 1\n", f"{SMALL}---\n{PLAIN}", SMALL.replace("\n", "\r\n")]
)
def test_broken_and_odd_texts(text: str, tmp_path: Path) -> None:
    first, second, without = asked([SourceFile("a.yaml", text)], Options(cache=tmp_path))
    assert same(first, without)
    assert same(second, without)


DIFFERENT: tuple[tuple[str, Options], ...] = (
    ("profile", Options(profile="eager")),
    ("both profiles", Options(profile="both")),
    ("select", Options(select=("FSM2",))),
    ("ignore", Options(ignore=("FSM301",))),
    ("timeout", Options(timeout=3.0)),
    ("severity", Options(severities=(("FSM301", Severity.INFO),))),
    ("per file", Options(per_file_ignores=(PerFileIgnore("a.yaml", ("FSM301",), Path.cwd()),))),
    ("outline", Options(outline=True)),
)


@pytest.mark.parametrize("options", [pair[1] for pair in DIFFERENT], ids=[pair[0] for pair in DIFFERENT])
def test_another_question_has_another_answer(options: Options, tmp_path: Path) -> None:
    source = SourceFile("a.yaml", SMALL)
    remembered.check([source], Options(cache=tmp_path))
    first, second, without = asked([source], replace(options, cache=tmp_path))
    assert False in cached(first) or not first.specs[0].obligations or options.timeout is None
    assert same(first, without)
    assert same(second, without)
    assert same(remembered.check([source], Options(cache=tmp_path)), check([source], Options()))


def test_a_rule_ignored_in_one_file_is_not_in_another(tmp_path: Path) -> None:
    ignores = (PerFileIgnore("a.yaml", ("FSM301",), Path.cwd()),)
    options = Options(cache=tmp_path, per_file_ignores=ignores)
    sources = [SourceFile("a.yaml", SMALL), SourceFile("b.yaml", SMALL)]
    for _ in range(2):
        report = remembered.check(sources, options)
        assert [any(f.rule == "FSM301" for f in spec.findings) for spec in report.specs] == [False, True]


def test_the_number_of_processes_changes_no_key(tmp_path: Path) -> None:
    source = SourceFile("a.yaml", SMALL)
    remembered.check([source], Options(cache=tmp_path))
    assert cached(remembered.check([source], Options(cache=tmp_path, jobs=2))) == {True}


def test_certificates_are_made_anew(tmp_path: Path) -> None:
    source = SourceFile("a.yaml", SMALL)
    for _ in range(2):
        report = remembered.check([source], Options(cache=tmp_path, certificates=True))
        assert report.specs[0].certificates
        assert cached(report) == {False}


def test_without_being_asked_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FSMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    check([SourceFile("a.yaml", SMALL)], Options())
    remembered.check([SourceFile("a.yaml", SMALL)], Options())
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("how", ["crash", "interrupted"])
def test_what_was_not_finished_is_not_kept(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, options = SourceFile("a.yaml", SMALL), Options(cache=tmp_path)

    def unfinished(*arguments: Any) -> Report:
        if how == "crash":
            raise RuleCrashError("FSM301", ValueError("oh"))
        return replace(check(*arguments), interrupted=True)

    with monkeypatch.context() as patch:
        patch.setattr("fsmcheck.check.check", unfinished)
        if how == "crash":
            with pytest.raises(RuleCrashError):
                remembered.check([source], options)
        else:
            assert remembered.check([source], options).interrupted
    with Store(tmp_path) as store:
        assert not answers(tmp_path)
        assert store.get("about", tool_digest(store)) is None
    assert not remembered.check([source], options).interrupted


def answers(folder: Path) -> list[tuple[str, str]]:
    if not (folder / FILE).exists():
        return []
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return connection.execute("SELECT key, value FROM entries WHERE kind = 'answer'").fetchall()


def poisoned(folder: Path, kind: str, value: str) -> None:
    """Give every row of a kind another value, with the checksum that fits it."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        for (key,) in connection.execute("SELECT key FROM entries WHERE kind = ?", (kind,)).fetchall():
            row = (value, checksum_of(kind, key, value), kind, key)
            connection.execute("UPDATE entries SET value = ?, checksum = ? WHERE kind = ? AND key = ?", row)
        connection.commit()


@pytest.mark.parametrize("kind", ["answer", "about", "tool", "verdict"])
@pytest.mark.parametrize("value", ["null", "1", "[]", "{}", "[[],[]]", "[[[]],[]]", '["x", 1, null]'])
def test_a_row_of_the_wrong_shape_is_no_answer(kind: str, value: str, tmp_path: Path) -> None:
    source, options = SourceFile("a.yaml", SMALL), Options(cache=tmp_path)
    remembered.check([source], options)
    poisoned(tmp_path, kind, value)
    without = check([source], Options())
    assert same(remembered.check([source], options), without)
    assert same(remembered.check([source], options), without)


def test_a_flipped_verdict_is_noticed(tmp_path: Path) -> None:
    source, options = SourceFile("a.yaml", SMALL), Options(cache=tmp_path)
    remembered.check([source], options)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        changed = connection.execute(
            "UPDATE entries SET value = replace(value, 'violated', 'proved') WHERE value LIKE '%violated%'"
        ).rowcount
        connection.commit()
    assert changed > 1
    again = remembered.check([source], options)
    assert same(again, check([source], Options()))
    assert False in cached(again)


def test_the_checksum_is_no_signature(tmp_path: Path) -> None:
    """Who can write to the file can say what is found, as docs/cache.md says."""
    source, options = SourceFile("a.yaml", SMALL), Options(cache=tmp_path)
    found = {each.verdict for each in remembered.check([source], options).specs[0].obligations}
    assert "violated" in found
    ((_, value),) = answers(tmp_path)
    poisoned(tmp_path, "answer", value.replace("violated", "proved"))
    assert {each.verdict for each in remembered.check([source], options).specs[0].obligations} == found - {"violated"}
    assert "a row that somebody forged together with it is believed" in " ".join(PAGE.read_text("utf-8").split())


def test_an_edit_of_the_tool_has_another_digest(tmp_path: Path) -> None:
    for number, change in enumerate(
        (lambda file: file.write_text("x = 2\n"), lambda file: file.rename(file.with_name("b.py")))
    ):
        package = tmp_path / f"package{number}"
        package.mkdir()
        (package / "a.py").write_text("x = 1\n", encoding="utf-8")
        with Store(tmp_path / "cache") as store:
            before = tool_digest(store, package)
            assert tool_digest(store, package) == before
            assert toolkit.is_unchanged(package)
            change(package / "a.py")
            assert not toolkit.is_unchanged(package)
            toolkit._seen_first.cache_clear()
            toolkit._content.cache_clear()
            assert tool_digest(store, package) != before


def test_a_library_of_another_version_has_another_digest(tmp_path: Path) -> None:
    (tmp_path / "z3_solver-5.4.1.0.dist-info").mkdir()
    (tmp_path / "unrelated-1.dist-info").mkdir()
    assert versions((str(tmp_path),)) == ("z3_solver-5.4.1.0.dist-info",)
    with Store(tmp_path / "cache") as store:
        with_it = tool_digest(store, path=[str(tmp_path)])
        assert tool_digest(store, path=[]) != with_it


def test_an_edit_while_it_runs_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmcheck.remembered.is_unchanged", lambda: False)
    monkeypatch.setattr("fsmcheck.obligations.cache.is_unchanged", lambda: False)
    remembered.check([SourceFile("a.yaml", SMALL)], Options(cache=tmp_path))
    assert not answers(tmp_path)
