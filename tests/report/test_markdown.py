from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from fsmcheck.diagnostics import Subject
from fsmcheck.report.markdown import MOST_CHARACTERS, prose, render
from fsmcheck.results import LOST_SPEC, Notice
from fsmcheck.source import SourceFile, Span
from tests.report.sample import consequence, finding, report


def test_figures_table_and_findings() -> None:
    assert render(report(finding(story=("start", "it turns")), consequence(suppressed="baseline"))) == (
        "## fsmcheck: 1 error in 1 spec\n"
        "\n"
        "| spec | file | profile | errors | warnings | notes | proved | violated | unknown |\n"
        "|---|---|---|--:|--:|--:|--:|--:|--:|\n"
        "| loop | specs/loop.yaml | gated | 1 | 0 | 0 | 1 | 1 | 1 |\n"
        "\n"
        "❌ **FSM403 re-fires** specs/loop.yaml:5:11<br>it goes round\n"
        "<br>help: stop it\n"
        "\n"
        "```text\n"
        "    5 |         - toState: rest\n"
        "      |           ^^^^^^^^^^^^^\n"
        "```\n"
        "\n"
        "<details><summary>How it happens (gated)</summary>\n"
        "\n"
        "```text\n"
        "start\n"
        "it turns\n"
        "```\n"
        "\n"
        "</details>\n"
    )


def test_it_stays_below_what_a_comment_may_have() -> None:
    many = [finding(f"number {number}", story=("x" * 500,)) for number in range(500)]
    rendered = render(report(*many))
    assert len(rendered) <= MOST_CHARACTERS + 100
    assert rendered.rstrip().endswith("more findings")


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "![x](https://example.org/x.png)",
        "a | b\n\n# heading",
        "`*_~code~_*`",
        "&lt;img src=x&gt;",
        "```\n</details>",
        "www.example.org and https://example.org",
    ],
)
def test_hostile_text_is_no_markup(hostile: str) -> None:
    bad = finding(hostile, subject=Subject(state=hostile), help=hostile, story=(hostile,), span=Span(0, 1))
    rendered = render(report(bad, source=SourceFile(hostile, hostile.replace("\n", " ")), name=hostile))
    page = MarkdownIt("gfm-like", {"linkify": False}).render(rendered)
    for tag in ("<script", "<img", "<a ", "<h1", "<em>", "<s>"):
        assert tag not in page.lower()
    assert page.count("</details>") == 1
    assert page.count("<table>") == 1
    assert page.count("<strong>") == 1


def test_nobody_is_mentioned_and_nothing_is_linked() -> None:
    assert prose("@octocat #12 www.x.org https://x") == (
        "@&#8203;octocat &#35;&#8203;12 www.&#8203;x.org https:&#8203;//x"
    )


def test_a_lost_spec_is_said_at_the_top() -> None:
    told = render(report(notices=(Notice(LOST_SPEC, "lost"),)))
    assert "**Nothing was decided of 1 spec, so nothing may be concluded.**" in told


def test_an_interrupted_run_says_so() -> None:
    assert "Interrupted, nothing may be concluded" in render(report(specs=(), interrupted=True))
