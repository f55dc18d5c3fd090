from __future__ import annotations

import pytest

from fsmcheck.report import formats
from tests.report.sample import finding, report


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_renders_the_same_report_the_same_way_twice(name: str) -> None:
    assert formats.render(name, report(finding())) == formats.render(name, report(finding()))


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="formats: text, json"):
        formats.render("xml", report())
