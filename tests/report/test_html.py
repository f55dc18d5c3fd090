from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.check import check
from fsmcheck.cli.main import main
from fsmcheck.diagnostics import Severity, Subject
from fsmcheck.options import Options
from fsmcheck.report.html import render
from fsmcheck.report.html.document import document
from fsmcheck.report.html.page import program
from fsmcheck.results import ObligationRecord, Report
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.files import read_source
from tests.report import machines
from tests.report.sample import TRACE, consequence, finding, report

ROOT = Path(__file__).parents[2]
FAULTY = ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")


class Page(HTMLParser):
    """What a parser makes of the page: its elements with their attributes, and the text of each style and script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.lasttag in ("script", "style") and self.raw and self.cdata_elem is not None:
            tag, attributes, text = self.raw[-1]
            self.raw[-1] = (tag, attributes, text + data)

    def policy(self) -> dict[str, list[str]]:
        (meta,) = (each for tag, each in self.elements if each.get("http-equiv") == "Content-Security-Policy")
        parts = [part.split() for part in (meta["content"] or "").split(";")]
        return {name: values for name, *values in parts}

    def data(self) -> Any:
        (text,) = (text for _, attributes, text in self.raw if attributes.get("type") == "application/json")
        return json.loads(text)


@cache
def checked(profile: str = "gated") -> Report:
    return check([read_source(str(FAULTY))], Options(profile=profile, outline=True))


@pytest.mark.parametrize("make", [report, machines.loop, machines.hostile, lambda: report(specs=())])
def test_the_policy_allows_the_style_and_script_of_the_page_and_nothing_else(make: Any) -> None:
    page = Page(render(make()))
    style, data, script = page.raw
    assert (style[0], data[1], script[1]) == ("style", {"type": "application/json", "id": "report"}, {})

    def source(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    assert page.policy() == {
        "default-src": ["'none'"],
        "script-src": [source(script[2])],
        "style-src": [source(style[2])],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["'none'"],
    }


def test_nothing_is_inline_and_nothing_comes_from_elsewhere() -> None:
    text = render(machines.loop())
    for tag, attributes in Page(text).elements:
        assert tag not in ("link", "iframe", "object", "base", "form", "img")
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc")], tag
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg\")", text)
    assert not re.search(
        r"url\(|@import|\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write", text
    )
    assert not re.search(r"sourceMappingURL|setAttribute\(\"style\"", text)


def test_hostile_text_stays_text_wherever_it_stands() -> None:
    text = render(machines.hostile())
    assert not HIDDEN.search(text.replace(program(), ""))
    page = Page(text)
    assert [tag for tag, _ in page.elements if tag in ("script", "style", "img")] == ["style", "script", "script"]
    raw = text.split('id="report">', 1)[1].split("</script>", 1)[0]
    assert not set("<>&\u2028\u2029") & set(raw)
    shown = page.data()["specs"][0]
    assert shown["findings"][0]["message"].startswith("</script><script>window.pwned=1</script><!--<img")
    assert shown["findings"][0]["message"].split("-->")[1].startswith("\\u2028\\u2029\\u202e\\x1b[31m\\udc80'\"&amp;")
    text.encode("utf-8")


def test_the_page_depends_on_the_report_and_not_on_the_time_it_took() -> None:
    slow = machines.loop()
    (spec,) = slow.specs
    fast = tuple(replace(each, seconds=each.seconds / 7, cached=True) for each in spec.obligations)
    assert render(replace(slow, specs=(replace(spec, obligations=fast),))) == render(machines.loop())


def test_without_scripts_there_is_a_list_of_what_was_found() -> None:
    suppressed = consequence(message="hidden one", suppressed="baseline")
    text = render(report(finding("a < b", story=("start", "it turns")), suppressed))
    plain = text.split('<div id="plain"', 1)[1].split("</main>", 1)[0]
    assert "<strong>FSM403 re-fires</strong>: a &lt; b</p>" in plain
    assert "specs/loop.yaml:5:11: error" in plain
    assert "<pre>start\nit turns</pre>" in plain
    assert "hidden one" not in plain
    assert "<noscript>" in text


def test_an_interrupted_run_says_so_both_ways() -> None:
    text = render(report(specs=(), interrupted=True))
    assert "Interrupted, nothing may be concluded" in text.split("<script", 1)[0]
    assert Page(text).data()["interrupted"] is True


def test_the_library_is_the_one_that_the_note_names() -> None:
    vendor = files("fsmcheck.report.html") / "vendor"
    note = (vendor / "README.md").read_text(encoding="utf-8")
    assert sha256((vendor / "dagre.min.js").read_bytes()).hexdigest() in note
    assert "Permission is hereby granted" in (vendor / "dagre.LICENSE.txt").read_text(encoding="utf-8")
    assert "Permission is hereby granted" in render(report())


def test_marks_say_the_gravest_thing_known_of_a_place() -> None:
    machine = document(machines.loop())["specs"][0]["machine"]  # type: ignore[index]
    # work: FSM301 proved, FSM204 unknown; its transition 0 has the error, 1 nothing; attic is not reached.
    assert [state["mark"] for state in machine["states"]] == ["unknown", "plain", "dead"]
    assert [each["mark"] for each in machine["transitions"]] == ["violated", "plain", "dead"]


def test_a_suppressed_finding_and_a_note_leave_no_mark() -> None:
    made = report(
        finding(suppressed="inline"),
        finding(severity=Severity.INFO, subject=Subject(state="rest")),
        finding(severity=Severity.WARNING, subject=Subject(state="work", transition=1, other=0)),
    )
    (spec,) = made.specs
    quiet = replace(made, specs=(replace(spec, obligations=(), outline=machines.LOOP),))
    machine = document(quiet)["specs"][0]["machine"]  # type: ignore[index]
    assert [state["mark"] for state in machine["states"]] == ["plain", "plain", "dead"]
    assert [each["mark"] for each in machine["transitions"]] == ["warned", "warned", "dead"]


def test_specs_have_links_of_their_own() -> None:
    (one,) = report().specs
    other = replace(one, source=SourceFile("other.yaml", "fsm: {}\n"))
    nameless = replace(other, name=None)
    keys = [spec["key"] for spec in document(report(specs=(one, other, nameless, nameless)))["specs"]]  # type: ignore[attr-defined]
    assert keys == ["specs/loop.yaml", "other.yaml", "other.yaml#2", "other.yaml#3"]
    both = report(specs=(one, replace(one, profile="eager")), profile="both")
    assert [spec["key"] for spec in document(both)["specs"]] == ["loop@gated", "loop@eager"]  # type: ignore[attr-defined]


def stores(run: Any) -> list[dict[str, Any]]:
    """The store at each frame, as the page puts it together."""
    made: list[dict[str, Any]] = []
    store: dict[str, Any] = {}
    for frame in run["frames"]:
        store = {**store, **{name: json.loads(value) for name, value in frame["changes"]}}
        made.append(store)
    return made


def test_every_configuration_of_a_trace_is_a_frame_with_its_store() -> None:
    for original, shown in zip(checked().specs[0].findings, document(checked())["specs"][0]["findings"], strict=True):  # type: ignore[index]
        trace = original.trace
        assert trace is not None
        expected = [trace["start"]["store"]]
        assert not trace["start"]["microsteps"]
        for step in trace["steps"]:
            expected.append({**expected[-1], **step["writes"]})
            expected.extend(each["store"] for each in step["advance"]["microsteps"])
        assert stores(shown["run"]) == expected


def test_the_run_of_a_refiring_transition_frame_by_frame() -> None:
    (shown,) = (each for each in document(checked())["specs"][0]["findings"] if each["rule"] == "FSM403")  # type: ignore[index]
    frames = shown["run"]["frames"]
    # Worked out from the story in README.md: the start, then four exchanges, each of which moves the machine once.
    assert [(frame["step"], frame["name"], frame["via"] is None) for frame in frames] == [
        (0, "plan", True),
        (1, "plan", True),
        (1, "execute", False),
        (2, "execute", True),
        (2, "replan", False),
        (3, "replan", True),
        (3, "execute", False),
        (4, "execute", True),
        (4, "replan", False),
    ]
    assert frames[0]["told"] == [
        'start in "plan" with objective = "objective 1"',
        'waiting in "plan" for plan and directive from "planner"',
    ]
    assert frames[7]["told"] == ['4. "executor" stages result = "result 2"']
    assert frames[7]["staged"] == ["result"]
    # Section 5: outcome and plan survive leaving execute and plan; staging directive or result makes those fresh.
    assert [frame["stale"] for frame in frames[6:8]] == [["outcome", "plan"], ["outcome", "plan"]]
    assert frames[2]["stale"] == []
    assert shown["run"]["end"] == 8
    assert shown["run"]["conclusion"][0].startswith('so "execute" is left because of "outcome"')


ADVANCE = {"microsteps": [], "state": "work", "status": "waiting", "store": {"verdict": ""}, "awaits": []}
STEP = {"agent": "judge", "writes": {"verdict": "bad"}, "advance": ADVANCE}


def run(trace: dict[str, Any], **changes: object) -> Any:
    made = machines.with_outline(report(finding(trace=trace, **changes)), machines.LOOP)
    return document(made)["specs"][0]["findings"][0]["run"]  # type: ignore[index]


def test_a_rejected_exchange_changes_no_store_and_a_run_without_a_story_tells_its_own() -> None:
    rejected = {**STEP, "rejected": "not-in-values"}
    shown = run({**TRACE, "steps": [rejected]})
    assert [frame["changes"] for frame in shown["frames"]] == [[["verdict", '""']], []]
    assert shown["frames"][1]["rejected"] == "not-in-values"
    assert shown["frames"][1]["staged"] == []
    assert shown["frames"][1]["told"] == ['"judge" stages verdict = "bad", rejected: not-in-values']
    assert (shown["end"], shown["conclusion"]) == (1, [])


def test_a_start_that_moves_at_once_begins_with_the_inputs() -> None:
    moved = {
        **ADVANCE,
        "state": "rest",
        "microsteps": [{"from": "work", "transition": 0, "to": "rest", "store": {"verdict": "", "size": 1}}],
    }
    shown = run({**TRACE, "inputs": {"size": 1}, "start": moved, "steps": []})
    assert [(frame["state"], frame["via"], frame["changes"]) for frame in shown["frames"]] == [
        (0, None, [["size", "1"]]),
        (1, 0, [["verdict", '""']]),
    ]


def test_a_story_that_ends_before_the_trace_marks_where_and_a_failed_guard_is_told_where_it_failed() -> None:
    errors = [{"microstep": 0, "state": "work", "transition": 0, "guard": 0, "message": "no"}]
    failed = {**ADVANCE, "guardErrors": errors}
    story = (
        'start in "work"',
        '   guard 0 of transition 0 in "work" counts as false: no',
        '   waiting in "work" for verdict from "judge"',
        "so a guard of it has no value",
    )
    shown = run({**TRACE, "start": failed, "steps": [{**STEP, "advance": ADVANCE}]}, story=story)
    assert shown["frames"][0]["told"] == [line.strip() for line in story[:3]]
    assert (shown["end"], shown["conclusion"]) == (0, ["so a guard of it has no value"])


def test_large_integers_and_what_is_no_number_survive() -> None:
    store = {"verdict": 2**62 + 1, "size": float("inf")}
    shown = run({**TRACE, "start": {**ADVANCE, "store": store}, "steps": []})
    assert shown["frames"][0]["changes"] == [["verdict", "4611686018427387905"], ["size", "Infinity"]]


@pytest.mark.parametrize(
    ("text", "span", "marked"),
    [
        ("a: 1\n", Span(0, 1), [(1, "a")]),
        ("a: 1\nb:\n  c: 2\nd: 3\n", Span(7, 14), [(2, ""), (3, "c: 2")]),
        ("a: 1\nb: 2\n", Span(5, 10), [(2, "b: 2")]),
        ("a: 1", Span(400, 500), []),
        ("", Span(0, 0), []),
        ("x" * 5000, Span(4000, 4003), [(1, "xxx")]),
    ],
)
def test_the_excerpt_marks_the_span(text: str, span: Span, marked: list[tuple[int, str]]) -> None:
    made = document(report(finding(span=span, related=()), source=SourceFile("a.yaml", text)))
    lines = made["specs"][0]["findings"][0]["lines"]  # type: ignore[index]
    assert [(line["number"], line["marked"]) for line in lines if line["marked"]] == [
        each for each in marked if each[1]
    ]
    assert all(len(line["before"] + line["marked"] + line["after"]) < 800 for line in lines)


def test_a_consequence_names_its_root_and_an_obligation_its_finding() -> None:
    spec = document(report(finding(), consequence()))["specs"][0]  # type: ignore[index]
    assert [each["cause"] for each in spec["findings"]] == [None, 0]
    assert [each["finding"] for each in spec["obligations"]] == [0, None, None]


def test_a_vacuous_proof_is_told_apart() -> None:
    (spec,) = report().specs
    record = ObligationRecord("a", "FSM301", Subject(), "proved", "explicit", 0.0, "vacuous: never", vacuous=True)
    made = document(report(specs=(replace(spec, obligations=(record,)),)))
    assert made["specs"][0]["obligations"][0]["verdict"] == "vacuous"  # type: ignore[index]


def test_the_command_line_asks_for_pictures_where_a_page_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FSMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(FAULTY.read_text(encoding="utf-8"), encoding="utf-8")
    pages = []
    for arguments in (
        ["--format=html", "--output=a.html"],
        ["--report=html=a.html"],
        ["--report=html=a.html", "--no-cache"],
    ):
        assert main(["check", "a.yaml", "--isolated", *arguments]) == 1
        pages.append((tmp_path / "a.html").read_bytes())
    # Whether verdicts are remembered or found anew, the page is the same.
    assert pages[0] == pages[1] == pages[2]
    (spec,) = Page(pages[0].decode()).data()["specs"]
    assert [state["name"] for state in spec["machine"]["states"]][:3] == ["plan", "execute", "replan"]
    assert {matrix["state"] for matrix in spec["machine"]["matrices"]} >= {0, 1, 2}
