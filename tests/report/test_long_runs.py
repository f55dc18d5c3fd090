"""An advance of a thousand transitions is told in a few lines, the same in every report; its trace stays whole."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fsmcheck.check import check
from fsmcheck.options import Options
from fsmcheck.report import github, html, markdown, sarif, text
from fsmcheck.results import Report
from fsmcheck.source import SourceFile

HOT = """\
fsm:
  name: hot
  initialState: ask
  context:
    answer: { type: enum, values: [go, halt] }
    log: { type: list, of: string }
  agents:
    worker: { canTransition: [ask] }
  states:
    ask:
      requires: [{ name: answer, from: { agent: worker } }]
      transitions:
        - { toState: note, guards: [{ backend: cel, expression: "context.answer == 'go'" }] }
        - { toState: done }
    note:
      entry: [{ append: { log: "${ context.answer }" } }]
      transitions: [{ toState: ask }]
    done: { terminal: true }
"""

# The reducer stops at its limit of 1000 microsteps; 12 are told from the beginning and 4 from the end.
GAP = "… 984 more transitions …"


@cache
def _report() -> Report:
    return check([SourceFile("hot.yaml", HOT)], Options(select=("FSM502",), outline=True))


def _trace() -> Any:
    (finding,) = _report().specs[0].findings
    return finding.trace


def test_the_trace_is_whole() -> None:
    assert len(_trace()["steps"][0]["advance"]["microsteps"]) == 1000


def test_stories_tell_the_beginning_and_the_end() -> None:
    (finding,) = _report().specs[0].findings
    assert finding.story[2:6] == (
        '1. "worker" stages answer = "go"',
        '   "ask" → "note" by transition 0: log = ["go"]',
        '   "note" → "ask" by transition 0',
        '   "ask" → "note" by transition 0: log = ["go", "go"]',
    )
    assert finding.story[15] == f"   {GAP}"
    assert len(finding.story) == 2 + 1 + 12 + 1 + 4 + 1 + 1
    for render in (text.render, github.render, markdown.render):
        told = render(_report())
        assert GAP in told
        assert len(told) < 6_000


def test_a_code_flow_skips_what_the_story_does() -> None:
    (result,) = json.loads(sarif.render(_report()))["runs"][0]["results"]
    locations = result["codeFlows"][0]["threadFlows"][0]["locations"]
    told = [each["location"]["message"]["text"] for each in locations]
    assert len(told) == 2 + 1 + 16 + 1
    assert told[15] == f'{GAP} "ask" → "note" by transition 0'


def test_the_page_skips_what_the_story_does() -> None:
    from fsmcheck.report.html.frames import frames

    (finding,) = _report().specs[0].findings
    made = frames(_trace(), finding.story, finding.stale).frames
    assert [frame.microstep for frame in made] == [None, None, *range(12), *range(996, 1000)]
    assert made[14].told[0] == GAP
    assert made[14].told[1].startswith('"ask" → "note" by transition 0: log = ')
    assert len(made[-1].store["log"]) == 500
    assert made[-1].told[-1] == 'in "ask", runaway: the machine keeps moving and never comes to rest'
    shown = frames(_trace(), finding.story, finding.stale, finding.stale_passing).frames
    # "ask" was left with the answer in place; from the second visit on that is old, in the middle of the advance too.
    assert [sorted(frame.stale) for frame in shown[:6]] == [[], [], [], ["answer"], ["answer"], ["answer"]]
    without_story = frames(_trace(), (), ()).frames
    assert without_story[14].told == (GAP, '"ask" → "note" by transition 0')
    assert len(html.render(_report())) < 400_000
