from __future__ import annotations

import pytest

from fsmcheck.report import formats, text
from tests.report.sample import finding, report


@pytest.mark.parametrize("name", formats.NAMES)
def test_every_format_renders_the_same_report_the_same_way_twice(name: str) -> None:
    assert formats.render(name, report(finding())) == formats.render(name, report(finding()))


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="formats: text, json"):
        formats.render("xml", report())


@pytest.mark.parametrize("name", formats.NAMES)
def test_the_pieces_are_the_whole(name: str) -> None:
    several = report(finding(), finding())
    assert "".join(formats.pieces(name, several)) == formats.render(name, several)
    assert "".join(formats.pieces("text", several, colour=True)) == text.render(several, colour=True)
