"""The reports in reports/ are those of the specs as they are. ``make reports`` writes them anew."""

from __future__ import annotations

import json
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from fsmcheck import __version__
from fsmcheck.report.html.document import document
from fsmcheck.report.html.page import page, program, style_sheet

ROOT = Path(__file__).parents[1]
REPORTS = ROOT / "reports"
FAULTY = "specs/faulty/outcome_not_consumed.yaml"
LOOP = "specs/planner_executor.yaml"
MOST_BYTES = 6_000_000


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import reports

    yield reports
    del sys.modules["reports"]


@cache
def data(name: str) -> Any:
    text = (REPORTS / f"{name}.html").read_text(encoding="utf-8")
    return json.loads(text.split('id="report">', 1)[1].split("</script>", 1)[0])


def test_every_shipped_spec_is_there_as_it_is(reports: Any) -> None:
    def shown(name: str) -> set[tuple[str, str, str]]:
        return {(spec["path"], spec["profile"], spec["sha256"]) for spec in data(name)["specs"]}

    def expected(paths: list[str]) -> set[tuple[str, str, str]]:
        digests = {path: sha256((ROOT / path).read_bytes()).hexdigest() for path in paths}
        return {(path, profile, digest) for path, digest in digests.items() for profile in ("gated", "eager")}

    assert shown("planner_executor") == expected([LOOP])
    assert shown("specs") == expected(reports.shipped())
    assert len(data("specs")["specs"]) == 2 * len(reports.shipped())


@pytest.mark.parametrize("name", ["planner_executor", "specs"])
def test_the_page_is_that_of_this_version(name: str) -> None:
    text = (REPORTS / f"{name}.html").read_text(encoding="utf-8")
    plain = text.split('<div id="plain" class="plain">\n', 1)[1].split("\n</div>\n</main>", 1)[0]
    assert data(name)["tool"]["version"] == __version__
    assert style_sheet() in text
    assert program() in text
    assert "".join(page(data(name), [plain])) == text


@pytest.mark.parametrize(("name", "path"), [("planner_executor", LOOP), ("specs", LOOP), ("specs", FAULTY)])
def test_what_is_said_of_two_specs_is_what_is_found_now(reports: Any, name: str, path: str) -> None:
    found = document(reports.checked([path], certificates=name == "planner_executor"))
    kept = [spec for spec in data(name)["specs"] if spec["path"] == path]
    assert [_settled(spec) for spec in kept] == [_settled(spec) for spec in json.loads(json.dumps(found))["specs"]]


def _settled(spec: dict[str, Any]) -> dict[str, Any]:
    """Without what another version of the solver may do otherwise: by which method, resting on which invariant."""
    obligations = [{**each, "method": None, "certificate": None} for each in spec["obligations"]]
    certificates = sorted(json.dumps(claim) for each in spec["certificates"] for claim in each["claims"])
    return {**spec, "key": None, "obligations": obligations, "certificates": certificates}


def test_the_folder_stays_small() -> None:
    assert sum(path.stat().st_size for path in REPORTS.iterdir()) < MOST_BYTES
