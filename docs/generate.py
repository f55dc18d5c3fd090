"""Writes docs/rules/ from the docstrings of the rules; ``--check`` only says whether the pages are current."""

from __future__ import annotations

import sys
from pathlib import Path

from fsmcheck.rules.catalogue import RULES

FOLDER = Path(__file__).parent / "rules"


def pages() -> dict[str, str]:
    """The text of each page by file name."""
    rows = "\n".join(
        f"| [{rule.id}]({rule.id}.md) | {rule.slug} | {rule.severity.value} | {rule.summary} |" for rule in RULES
    )
    index = (
        "# Rules\n\nGenerated from the rules by `make docs`; edit their docstrings instead.\n\n"
        f"| rule | name | severity | what it finds |\n|---|---|---|---|\n{rows}\n"
    )
    texts = {
        f"{rule.id}.md": f"# {rule.id} {rule.slug}\n\nSeverity: {rule.severity.value}\n\n{rule.documentation.strip()}\n"
        for rule in RULES
    }
    return {"README.md": index, **texts}


def main() -> int:
    wanted = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    if "--check" in sys.argv[1:]:
        wrong = sorted(name for name in {*wanted, *present} if wanted.get(name) != present.get(name))
        if wrong:
            print(f"not current, run make docs: {', '.join(wrong)}")
        return 1 if wrong else 0
    FOLDER.mkdir(exist_ok=True)
    for name in present.keys() - wanted.keys():
        (FOLDER / name).unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
