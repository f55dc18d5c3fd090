"""The report as one HTML file that needs no network, no server and no trust in what it shows.

The page is a fixed template. What the report says is one JSON document inside it, which a script puts in place as
text; its content policy lets nothing run or load but that one script and style sheet. Without scripts there is a plain
list of the findings.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.report.html.document import lazy_document
from fsmcheck.report.html.page import page
from fsmcheck.report.html.plain import plain
from fsmcheck.results import Report


def render(report: Report) -> str:
    """The report as one HTML document; the same for the same report, whenever and however long it took."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The same, piece by piece."""
    return page(lazy_document(report), plain(report))
