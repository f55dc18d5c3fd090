"""Writes what the documentation takes from the program; ``--check`` only says whether it is current.

That is docs/rules/, from the docstrings of the rules; the fragments that ``fsmcheck explain`` shows, from the fixtures;
and in README.md each block between ``<!-- $ command -->`` and
``<!-- end -->``, from running the command.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import fragments

from fsmcheck.rules.catalogue import RULES

ROOT = Path(__file__).parent.parent
RULE_PAGES = ROOT / "docs" / "rules"
README = ROOT / "README.md"
EXAMPLES = ROOT / "fsmcheck" / "rules" / "examples.json"
_BLOCK = re.compile(r"<!-- \$ fsmcheck (.*) -->\n.*?<!-- end -->", re.DOTALL)


def pages() -> dict[Path, str]:
    """The text of each file that is written here."""
    rows = "\n".join(
        f"| [{rule.id}]({rule.id}.md) | {rule.slug} | {rule.severity.value} | {rule.summary} |" for rule in RULES
    )
    index = (
        "# Rules\n\nGenerated from the rules by `make docs`; edit their docstrings instead.\n\n"
        f"| rule | name | severity | what it finds |\n|---|---|---|---|\n{rows}\n"
    )
    texts = {
        RULE_PAGES / f"{rule.id}.md": (
            f"# {rule.id} {rule.slug}\n\nSeverity: {rule.severity.value}\n\n{rule.documentation.strip()}\n"
        )
        for rule in RULES
    }
    readme = _BLOCK.sub(_shown, README.read_text(encoding="utf-8"))
    examples = fragments.document(ROOT / "tests" / "cases")
    return {RULE_PAGES / "README.md": index, **texts, README: readme, EXAMPLES: examples}


def _shown(block: re.Match[str]) -> str:
    arguments = block[1]
    done = subprocess.run(  # noqa: S603 - the command stands in our own page
        [sys.executable, "-m", "fsmcheck", *arguments.split()],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode > 1:
        raise RuntimeError(f"fsmcheck {arguments}: {done.stderr}")
    return f"<!-- $ fsmcheck {arguments} -->\n```\n$ fsmcheck {arguments}\n{done.stdout}```\n<!-- end -->"


def main() -> int:
    wanted = pages()
    written = [path for path in (*RULE_PAGES.glob("*.md"), README, EXAMPLES) if path.exists()]
    present = {path: path.read_text(encoding="utf-8") for path in written}
    wrong = sorted(path for path in {*wanted, *present} if wanted.get(path) != present.get(path))
    if "--check" in sys.argv[1:]:
        if wrong:
            print(f"not current, run make docs: {', '.join(str(path.relative_to(ROOT)) for path in wrong)}")
        return 1 if wrong else 0
    RULE_PAGES.mkdir(exist_ok=True)
    for path in wrong:
        if path in wanted:
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
