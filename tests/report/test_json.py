from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from importlib.resources import files

import jsonschema

from fsmcheck.diagnostics import Subject
from fsmcheck.report.json import render
from fsmcheck.source import SourceFile, Span
from tests.report.sample import TRACE, consequence, finding, report

VALIDATOR = jsonschema.Draft7Validator(json.loads(files("fsmcheck.report").joinpath("report_schema.json").read_text()))


def test_the_schema_is_itself_valid() -> None:
    jsonschema.Draft7Validator.check_schema(VALIDATOR.schema)


def test_a_report_has_the_form_that_the_schema_and_the_page_give() -> None:
    document = json.loads(render(report(finding(), consequence(suppressed="baseline"))))
    VALIDATOR.validate(document)
    first, second = document["specs"][0]["findings"]
    assert first == {
        "rule": "FSM403",
        "slug": "re-fires",
        "severity": "error",
        "message": "it goes round",
        "help": "stop it",
        "subject": {"state": "work", "transition": 0, "field": "verdict"},
        "location": {"path": "specs/loop.yaml", "line": 5, "column": 11, "endLine": 5, "endColumn": 24},
        "related": [
            {
                "message": "required here",
                "location": {"path": "specs/loop.yaml", "line": 2, "column": 3, "endLine": 2, "endColumn": 9},
            }
        ],
        "trace": TRACE,
    }
    assert second["causedBy"] == {"rule": "FSM403", "subject": first["subject"]}
    assert second["suppressed"] == "baseline"
    assert document["summary"] == {
        "error": 1,
        "warning": 0,
        "info": 0,
        "proved": 1,
        "vacuous": 0,
        "violated": 1,
        "unknown": 1,
    }
    assert document["specs"][0]["bounds"]["loops"][0]["turnsInMachine"] is None


def test_a_proof_of_nothing_and_a_certificate_are_marked() -> None:
    (spec,) = report().specs
    marked = tuple(replace(each, vacuous=True, certificate="loop.json") for each in spec.obligations[1:2])
    document = json.loads(render(report(specs=(replace(spec, obligations=marked),))))
    VALIDATOR.validate(document)
    assert document["summary"]["vacuous"] == 1
    (obligation,) = document["specs"][0]["obligations"]
    assert (obligation["vacuous"], obligation["certificate"]) == (True, "loop.json")


def test_an_empty_report_is_valid() -> None:
    document = json.loads(render(report(specs=(), interrupted=True)))
    VALIDATOR.validate(document)
    assert document["interrupted"] is True


def test_hostile_text_survives_and_nothing_hidden_is_printed() -> None:
    hostile = '"\\\x1b[2J\x9b\r\n\u202e\u2028</script>\U000e0041\x7f'
    source = SourceFile(hostile, "x: 1\n")
    rendered = render(report(finding(hostile, span=Span(0, 1), subject=Subject(state=hostile)), source=source))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\U000e0000-\U000e007f]", rendered)
    document = json.loads(rendered)
    VALIDATOR.validate(document)
    entry = document["specs"][0]["findings"][0]
    assert (entry["message"], entry["subject"]["state"], entry["location"]["path"]) == (hostile, hostile, hostile)


def test_lone_surrogates_and_figures_without_a_json_form_are_spelt_out() -> None:
    trace = {**TRACE, "inputs": {"a\ud800": "b\udfff", "n": math.nan, "i": -math.inf}}
    rendered = render(report(finding(trace=trace)))
    rendered.encode()
    inputs = json.loads(rendered)["specs"][0]["findings"][0]["trace"]["inputs"]
    assert inputs == {"a\\ud800": "b\\udfff", "n": "NaN", "i": "-Infinity"}
