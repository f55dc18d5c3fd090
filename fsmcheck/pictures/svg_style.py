"""How an SVG drawing looks in light and in dark: marks differ in colour, in line and in what is written."""

from __future__ import annotations

from fsmcheck.pictures.machine import Mark

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1d2939",
    "faint": "#667085",
    "line": "#475467",
    "box": "#f2f6fc",
    "violated": "#b42318",
    "violated-box": "#fef1f0",
    "dead": "#667085",
    "dead-box": "#f7f8fa",
}
DARK = {
    "paper": "#14181f",
    "ink": "#e6eaf0",
    "faint": "#a3adbd",
    "line": "#aeb8c8",
    "box": "#1f2733",
    "violated": "#ff8a7a",
    "violated-box": "#3a1f1e",
    "dead": "#8a94a6",
    "dead-box": "#191e26",
}
_SHAPES = """
text{text-anchor:middle}
.name{font:600 14px system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
.note{font:11px system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
.code{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.left{text-anchor:start}
.box{stroke-width:1.5}
.box.violated{stroke-width:3}
.box.dead{stroke-dasharray:6 4}
.box.undeclared{stroke-dasharray:2 3}
.inner{fill:none;stroke-width:1.2}
.inner.dead{stroke-dasharray:6 4}
.edge{fill:none;stroke-width:1.5}
.edge.violated{stroke-width:2.75}
.edge.dead{stroke-dasharray:6 4}
.reach{fill:none;stroke:transparent;stroke-width:12}
.tip{stroke-width:1.2;stroke-linejoin:round}
"""


def style() -> str:
    """The style sheet."""
    return f"{_SHAPES}{_colours(LIGHT)}\n@media (prefers-color-scheme:dark){{{_colours(DARK)}}}\n"


def mark_class(mark: Mark) -> str:
    """The class of what is marked so."""
    return "" if mark is Mark.REACHABLE else f" {mark.value}"


def _colours(colour: dict[str, str]) -> str:
    rules = {
        ".paper,.label": f"fill:{colour['paper']}",
        "text,.dot,.badge-mark": f"fill:{colour['ink']}",
        ".note,.heading": f"fill:{colour['faint']}",
        ".box": f"fill:{colour['box']};stroke:{colour['line']}",
        ".inner,.edge": f"stroke:{colour['line']}",
        ".tip": f"fill:{colour['line']};stroke:{colour['line']}",
        ".box.violated": f"fill:{colour['violated-box']};stroke:{colour['violated']}",
        ".inner.violated,.edge.violated": f"stroke:{colour['violated']}",
        ".tip.violated": f"fill:{colour['violated']};stroke:{colour['violated']}",
        "text.violated": f"fill:{colour['violated']}",
        ".badge": f"fill:{colour['violated']};stroke:{colour['paper']};stroke-width:1.5;paint-order:stroke",
        ".box.dead": f"fill:{colour['dead-box']};stroke:{colour['dead']}",
        ".inner.dead,.edge.dead": f"stroke:{colour['dead']}",
        ".tip.dead": f"fill:{colour['paper']};stroke:{colour['dead']}",
        "text.dead": f"fill:{colour['dead']}",
        ".badge-mark": f"fill:{colour['paper']}",
    }
    return "".join(f"{selector}{{{what}}}" for selector, what in rules.items())
