"""The page in a real browser: what a reader sees, does with mouse and keys, and what hostile text cannot do."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fsmcheck.check import check
from fsmcheck.diagnostics import Finding
from fsmcheck.options import Options
from fsmcheck.report.html import render
from fsmcheck.results import Report
from fsmcheck.spec.files import read_source
from tests.report import machines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
SPECS = ("specs/faulty/outcome_not_consumed.yaml", "specs/planner_executor.yaml")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

if CHROMIUM is None and not os.environ.get("CI"):
    pytest.skip("there is no Chromium", allow_module_level=True)


@dataclass
class Opened:
    """A page with what its console said and what it asked the network for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        assert CHROMIUM is not None, "CI has to have Chromium"
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def faulty() -> Report:
    return check([read_source(str(ROOT / path)) for path in SPECS], Options(outline=True))


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Callable[..., BrowserContext]:
    """A window without a network for each way to look at a page."""

    @cache
    def context(**settings: Any) -> BrowserContext:
        size = settings.pop("width", 1280)
        made = browser.new_context(
            offline=True, reduced_motion="reduce", viewport={"width": size, "height": 800}, **settings
        )
        made.set_default_timeout(10_000)
        made.add_init_script("addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective));")
        return made

    return context


@pytest.fixture
def opened(contexts: Callable[..., BrowserContext], tmp_path: Path) -> Callable[..., Any]:
    @contextmanager
    def opening(report: Report, address: str = "", **settings: Any) -> Iterator[Opened]:
        file = tmp_path / "report.html"
        file.write_text(render(report), encoding="utf-8")
        page = contexts(**settings).new_page()
        result = Opened(page)
        page.on("console", lambda message: result.said.append(message.text))
        page.on("pageerror", lambda error: result.said.append(str(error)))
        page.on("dialog", lambda dialog: result.said.append(dialog.message))
        page.on("request", lambda request: result.asked.append(request.url))
        page.goto(f"{file.as_uri()}{address}")
        yield result
        assert result.said == []
        assert result.asked == [file.as_uri()]
        page.close()

    return opening


def refires(report: Report) -> tuple[int, Finding]:
    (found,) = ((n, each) for n, each in enumerate(report.specs[0].findings) if each.rule == "FSM403")
    return found


def configurations(finding: Finding) -> list[dict[str, Any]]:
    """The store at each frame, from the trace alone: every exchange as staged, then as each transition left it."""
    trace = finding.trace
    assert trace is not None
    made = [dict(trace["start"]["store"])]
    for step in trace["steps"]:
        made.append({**made[-1], **step["writes"]})
        made.extend(dict(each["store"]) for each in step["advance"]["microsteps"])
    return made


def store(page: Page) -> dict[str, Any]:
    rows = page.locator(".store tbody tr").evaluate_all(
        "rows => rows.map(row => [row.dataset.field, row.querySelector('[data-value]').dataset.value])"
    )
    return {name: json.loads(value) for name, value in rows}


def marked(page: Page, kind: str) -> set[str]:
    return set(page.locator(f".store tr.{kind}").evaluate_all("rows => rows.map(row => row.dataset.field)"))


def current(page: Page) -> str | None:
    return page.locator(".canvas .state.current").get_attribute("data-state")


def test_the_overview_leads_to_a_spec(opened: Any, faulty: Report) -> None:
    with opened(faulty) as on:
        assert on.page.locator("#specs tbody tr").count() == 2
        on.page.click("#specs a >> text=planner-executor")
        assert on.page.evaluate("[scrollY, document.activeElement.id]") == [0, "spec-title"]
        assert on.page.locator("#spec-title").inner_text() == "planner-executor version 1"
        drawn = on.page.locator(".canvas .state").evaluate_all("all => all.map(each => each.dataset.state)")
        assert sorted(drawn) == ["abort", "done", "execute", "finish", "plan", "replan"]
        assert on.page.locator(".canvas .transition").count() == 7
        assert not on.page.locator("#plain").count()
        on.page.go_back()
        assert on.page.locator("#specs").is_visible()


def test_a_run_is_stepped_forwards_and_backwards_over_the_picture(opened: Any, faulty: Report) -> None:
    number, finding = refires(faulty)
    expected = configurations(finding)
    with opened(faulty, f"#outcome-not-consumed//finding/{number}") as on:
        on.page.click(f"#finding-{number} .go")
        seen = []
        for index, configuration in enumerate(expected):
            assert on.page.locator(".counter").inner_text() == f"{index + 1} of {len(expected)}"
            assert store(on.page) == configuration
            before = expected[index - 1] if index else configuration
            changed = {name for name, value in configuration.items() if before[name] != value}
            assert marked(on.page, "changed") == changed
            seen.append(current(on.page))
            on.page.keyboard.press("Enter")
        assert seen == ["plan", "plan", "execute", "execute", "replan", "replan", "execute", "execute", "replan"]
        assert on.page.locator(".now .so").inner_text().startswith('so "execute" is left because of "outcome"')
        assert on.page.locator(".canvas .fired").get_attribute("data-transition") == "execute/1"
        for index in range(len(expected) - 2, -1, -1):
            on.page.keyboard.press("ArrowLeft")
            assert store(on.page) == expected[index]
            assert current(on.page) == seen[index]
        on.page.click(".story li:nth-child(8) button")
        assert store(on.page) == expected[7]
        assert marked(on.page, "stale") == {"outcome", "plan"}
        assert on.page.url.endswith(f"#outcome-not-consumed//run/{number}/7")


def test_a_state_is_found_by_search_and_its_address_leads_back_to_it(opened: Any, faulty: Report) -> None:
    with opened(faulty) as on:
        on.page.fill("#search", "replan")
        first = on.page.locator("#hits [role=option]").first
        assert first.get_attribute("aria-selected") == "true"
        assert first.inner_text().startswith("state")
        on.page.press("#search", "Enter")
        assert on.page.url.endswith("#outcome-not-consumed/replan")
        assert on.page.inner_text("#side h3").endswith("state replan")
        assert on.page.locator(".canvas .selected").get_attribute("data-state") == "replan"
        for asked, kind in (("outcome", "field"), ("FSM403", "finding"), ("FSM505", "finding")):
            on.page.fill("#search", asked)
            kinds = on.page.locator("#hits .kind").all_inner_texts()
            assert kind in kinds
    with opened(faulty, "#planner-executor/execute/2") as on:
        assert on.page.inner_text("#side h3").endswith("transition 2 execute → abort")
        for nowhere in ("#planner-executor/nowhere/3", "#planner-executor//run/99/1", "#%E0%A4%A", "#nobody"):
            on.page.evaluate("hash => { location.hash = hash; }", nowhere)
            on.page.wait_for_function("!document.querySelector('.selected')")
            assert on.page.locator("#spec-title").is_visible()


def test_everything_can_be_done_by_keyboard(opened: Any, faulty: Report) -> None:
    number, finding = refires(faulty)
    with opened(faulty, "#outcome-not-consumed") as on:
        press = on.page.keyboard.press
        press("Tab")
        assert on.page.evaluate("document.activeElement.textContent") == "Skip to the report"
        press("Enter")
        assert on.page.evaluate("document.activeElement.id") == "main"
        press("/")
        assert on.page.evaluate("document.activeElement.id") == "search"
        on.page.keyboard.type("plan")
        press("ArrowDown")
        press("ArrowUp")
        press("Enter")
        assert on.page.evaluate("document.activeElement.dataset.state") == "plan"
        for _ in range(3):
            press("ArrowDown")
        press("Enter")
        chosen = on.page.evaluate("document.activeElement.dataset")
        assert chosen.get("state") or chosen.get("transition")
        assert on.page.locator(".canvas .selected").evaluate("each => each === document.activeElement")
        outline = "getComputedStyle(document.activeElement.querySelector('.halo, .plate')).stroke"
        assert on.page.evaluate(outline) not in ("none", "")
        on.page.focus(f"#finding-{number} .go")
        press("Enter")
        for _ in range(3):
            press("ArrowRight")
        assert store(on.page) == configurations(finding)[3]
        press("End")
        press("ArrowRight")
        assert store(on.page) == configurations(finding)[-1]
        assert on.page.evaluate("document.activeElement.textContent") == "Next ▶"
        press("Home")
        assert store(on.page) == configurations(finding)[0]
        assert on.page.inner_text("#live").startswith("step 1 of 9")
        press("Escape")
        assert not on.page.locator(".stepper").count()


def test_the_guard_matrix_names_gaps_overlaps_and_errors(opened: Any) -> None:
    with opened(machines.loop(), "#loop") as on:
        rows = on.page.locator(".matrix tbody tr, .matrix tfoot tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.textContent))"
        )
        assert rows == [
            ["▶ fires", "▶ fires", "· no", "· no", "· no"],
            ["· no", "✓ enabled", "✕ error", "· no", "· no"],
            ["✓one", "!overlap", "✕gap", "–gap", "…waits"],
            ["yes", "yes", "not known", "no", "yes"],
        ]
        assert "verdict" in on.page.inner_text(".matrix thead")
        summary = on.page.inner_text("#matrix-0 summary")
        assert all(each in summary for each in ("5 classes", "1 gap", "1 overlap", "1 with an error"))


def test_obligations_are_filtered_by_verdict(opened: Any) -> None:
    with opened(machines.loop(), "#loop") as on:
        rows = on.page.locator("#obligations tbody tr:visible")
        assert rows.count() == 3
        on.page.click("#obligations [data-kind=unknown]")
        assert rows.count() == 1
        assert "limit reached; holds up to depth 7" in rows.inner_text()


def test_what_runs_have_visited_is_a_heat_map(opened: Any) -> None:
    with opened(machines.loop(), "#loop") as on:
        assert not on.page.locator(".canvas .count >> text=3×").is_visible()
        on.page.click("text=Heat map")
        assert on.page.locator(".canvas .count >> text=3×").is_visible()
        assert on.page.locator(".canvas .state.unvisited").get_attribute("data-state") == "attic"
        assert "2 of 3 states entered, 1 of 3 transitions fired" in on.page.inner_text("#coverage")


def test_hostile_text_runs_nothing_and_is_shown_as_text(opened: Any) -> None:
    report = machines.hostile()
    with opened(report) as on:
        for address in ("#", "//finding/0", "//run/0/0", "//run/0/2"):
            on.page.evaluate("hash => { location.hash = hash; }", address)
            on.page.wait_for_function("document.querySelector('main').children.length > 0")
        on.page.fill("#search", "script")
        assert on.page.locator("#hits [role=option]").count() >= 4
        on.page.press("#search", "Enter")
        assert on.page.evaluate("window.pwned") is None
        assert on.page.locator("main script, main img, main iframe").count() == 0
        assert "<script>window.pwned=1</script>" in on.page.inner_text("#spec-title")


def luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# Each piece of text with its colour and that of the nearest ground that is not transparent.
TEXTS = """() => [...document.querySelectorAll('main *, header *')].filter(each => each instanceof HTMLElement
  && [...each.childNodes].some(child => child.nodeType === 3 && child.textContent.trim())
  && each.checkVisibility() && !each.closest('.unseen')).map(each => {
    let ground = each;
    while (ground && /rgba\\(.*, 0\\)/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    return [each.textContent.slice(0, 40), getComputedStyle(each).color, getComputedStyle(ground).backgroundColor];
  })"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_keeps_its_contrast_in_light_and_dark(opened: Any, faulty: Report, scheme: str) -> None:
    number, _ = refires(faulty)
    with opened(faulty, f"#outcome-not-consumed//run/{number}/7", color_scheme=scheme) as on:
        ground = luminance(on.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert ground < 0.1 if scheme == "dark" else ground > 0.8
        texts = on.page.evaluate(TEXTS)
        assert len(texts) > 200
        for text, colour, behind in texts:
            low, high = sorted((luminance(colour), luminance(behind)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (text, colour, behind)


@pytest.mark.parametrize("address", ["", "#outcome-not-consumed", "#outcome-not-consumed//run/0/3"])
def test_a_narrow_window_needs_no_sideways_scrolling(opened: Any, faulty: Report, address: str) -> None:
    with opened(faulty, address, width=400) as on:
        assert on.page.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_large_machine_is_drawn_and_a_huge_one_is_listed(opened: Any) -> None:
    with opened(machines.chain(150), "#loop") as on:
        assert on.page.locator(".canvas .state").count() == 150
    with opened(machines.chain(201), "#loop/stage_200") as on:
        assert not on.page.locator(".canvas").count()
        assert "201 states, too many for a picture" in on.page.inner_text("main")
        assert on.page.locator("#machine a >> text=stage_200").first.is_visible()
        assert on.page.inner_text("#side h3").endswith("state stage_200")


def test_without_scripts_the_findings_are_listed(opened: Any, faulty: Report) -> None:
    with opened(faulty, java_script_enabled=False) as on:
        text = on.page.inner_text("main")
        assert "Scripts are off" in text
        assert "FSM403 re-fires" in text
        assert 'so "execute" is left because of "outcome"' in text


def test_on_paper_nothing_is_folded_away(opened: Any, faulty: Report) -> None:
    with opened(faulty, "#outcome-not-consumed") as on:
        on.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        on.page.emulate_media(media="print")
        assert not on.page.locator("main details:not([open]):not(.aside)").count()
        assert not on.page.locator(".search").is_visible()
        assert on.page.locator(".canvas").is_visible()
