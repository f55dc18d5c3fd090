"""The page: a fixed template, its style sheet and script, and the content policy that allows just those two."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from fsmcheck.report.json_writer import compact_pieces

_STYLES = (
    "colours.css",
    "page.css",
    "parts.css",
    "content.css",
    "machine.css",
    "running.css",
    "side.css",
    "settings.css",
)
_SCRIPTS = (
    "elements.js",
    "words.js",
    "layout.js",
    "view.js",
    "graph.js",
    "inspector.js",
    "stepper.js",
    "findings.js",
    "matrix.js",
    "tables.js",
    "spec.js",
    "overview.js",
    "search.js",
    "app.js",
)
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>fsmcheck report</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main" data-to="main">Skip to the report</a>
<header id="top" class="top"><h1 class="brand">fsmcheck report</h1></header>
<main id="main" tabindex="-1">
<noscript><p class="notice">Scripts are off: this is the plain list of findings, without the graphs, the runs to step
through and the tables.</p></noscript>
<div id="plain" class="plain">
{plain}
</div>
</main>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="report">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(data: Mapping[str, object], plain: Iterable[str]) -> Iterator[str]:
    """The whole document in pieces. ``data`` is encodable as JSON, ``plain`` lines of HTML that is safe already."""
    style, script = style_sheet(), program()
    before, around = _TEMPLATE.split("{plain}")
    between, after = around.split("{data}")
    yield before.format(policy=policy(style, script), style=style)
    yield "\n".join(plain)
    yield between
    yield from island(data)
    yield after.format(script=script)


def island(data: Mapping[str, object]) -> Iterator[str]:
    """JSON that no HTML or script parser takes for anything else; iterators in it are lists, as ``compact_pieces``
    says."""
    return (piece.translate(_ESCAPES) for piece in compact_pieces(data))


def policy(style: str, script: str) -> str:
    """The content policy: one style sheet, one script, no way from text to code, and nothing from anywhere else."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def style_sheet() -> str:
    """The text of the style element."""
    return "\n" + "\n".join(_part("page", name) for name in _STYLES)


@cache
def program() -> str:
    """The text of the script element: the layout library with its licence, then the page's own parts in one scope."""
    # The library has a control character in a string. Written as an escape it is the same string, and the page is text.
    text = _part("vendor", "dagre.min.js").replace("\x01", "\\x01")
    library = [line for line in text.splitlines() if not line.startswith(("//#", "/*!"))]
    licence = _part("vendor", "dagre.LICENSE.txt").strip()
    own = "\n".join(_part("page", name) for name in _SCRIPTS)
    return "\n".join(["", f"/*! dagre\n\n{licence}\n*/", *library, "(() => {", '"use strict";', own, "})();", ""])


def _part(folder: str, name: str) -> str:
    return files("fsmcheck.report.html").joinpath(folder, name).read_text(encoding="utf-8")
