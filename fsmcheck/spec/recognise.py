"""Telling specs from other YAML files at a glance."""

from __future__ import annotations

import re

from fsmcheck import late

_KEY = re.compile(r"""(?:fsm|"fsm"|'fsm')\s*:(?=\s|$|\{)""", re.MULTILINE)
_BETWEEN = re.compile(r"^(?:---|\.\.\.)(?=\s|$)", re.MULTILINE)
_FLOW_TOKEN = late.pattern(r"""[{}\[\],]|"(?:[^"\\]|\\.)*"|'[^']*'""", re.DOTALL)
_FLOW_KEY = late.pattern(r"""\s*(?:fsm\s*:\s|["']fsm["']\s*:)""")


def has_top_level_fsm(text: str) -> bool:
    """Whether a YAML text seems to hold a document with the top-level key ``fsm``.

    It looks at lines and brackets only, so that a file which is not valid YAML is found too, and then reported.
    """
    return any(_document_has_fsm(document) for document in _BETWEEN.split(text.removeprefix("\ufeff")))


def holds_fsm(data: bytes) -> bool:
    """The same of a file's bytes, in whatever encoding: a spec saved as UTF-16 is to be reported, not passed over."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    return has_top_level_fsm(data.decode(encoding, "replace"))


def _document_has_fsm(document: str) -> bool:
    lines = [line for line in document.splitlines() if line.strip() and not line.lstrip().startswith(("#", "%"))]
    if not lines:
        return False
    if lines[0].lstrip().startswith("{"):
        return _flow_map_has_fsm("\n".join(lines))
    margin = len(lines[0]) - len(lines[0].lstrip(" "))
    return any(_KEY.match(line, margin) for line in lines if not line[:margin].strip(" "))


def _flow_map_has_fsm(text: str) -> bool:
    depth = 0
    for token in _FLOW_TOKEN.finditer(text):
        opening = token.group()[0]
        depth += (opening in "{[") - (opening in "}]")
        if depth == 1 and opening in "{," and _FLOW_KEY.match(text, token.end()):
            return True
    return False
