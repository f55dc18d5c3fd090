"""The documentation says what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import yaml

from fsmcheck.check import Options, check
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_what_is_generated_is_current() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_first_spec_of_the_guide_has_no_faults() -> None:
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    spec = re.search(r"```yaml\n(fsm:.*?)```", text, re.DOTALL)
    assert spec is not None
    yaml.safe_load(spec[1])
    source = SourceFile("first.yaml", spec[1])
    (document,) = load(source)
    assert document.spec is not None
    assert document.faults == ()
    report = check([source], Options(profile="both"))
    assert {finding.rule for each in report.specs for finding in each.findings} == {"FSM505"}


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
