"""Certificates to test with: those of a planner, and of a loop whose counters only Spacer can tell equal."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from fsmcheck.check import Options, check
from fsmcheck.cli.certificates import write_certificates
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import read_source

SPECS = Path(__file__).parents[2] / "specs"
PLANNER = SPECS / "planner_executor.yaml"
COUNTERS = """
fsm:
  name: "two counters; (assert false) | \\" \\u202e é"
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back, "v_0_0", "a|b;\\"c", "(assert false)"] }
    n: { type: integer, default: 0 }
    m: { type: integer, default: 0 }
    limit: { type: integer }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: last, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - toState: ask
          guards: [{ backend: cel, expression: "context.n < context.limit" }]
          onTransition: [{ assign: { verdict: "", n: "${context.n + 1}", m: "${context.m + 1}" } }]
        - { toState: last }
    last:
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.n == context.m" }] }
    done: { terminal: true }
"""


def write(source: SourceFile | Path, folder: Path, profile: str = "gated") -> Report:
    """Check a spec and write its certificates into a folder."""
    read = read_source(str(source)) if isinstance(source, Path) else source
    report = check([read], Options(profile=profile, certificates=True))
    write_certificates(report, folder)
    return report


def counters() -> SourceFile:
    return SourceFile("counters.yaml", COUNTERS)


def manifests(folder: Path, kind: str) -> list[Path]:
    """The manifests of a kind, the largest script first."""
    found = [path for path in folder.glob("*.json") if json.loads(path.read_text())["kind"] == kind]
    return sorted(found, key=lambda path: -len(path.with_suffix(".smt2").read_text()) if kind == "induction" else 0)


def rewritten(path: Path, manifest: dict[str, object], script: str) -> Path:
    """Put a changed certificate in the place of one, with all digests as they should be."""
    manifest = {**manifest, "script": {"sha256": hashlib.sha256(script.encode()).hexdigest()}}
    return renamed(path, manifest, script)


def renamed(path: Path, manifest: dict[str, object], script: str | None) -> Path:
    """Put a changed certificate in the place of one, under the name that belongs to its contents."""
    path.unlink()
    path.with_suffix(".smt2").unlink(missing_ok=True)
    digest = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:16]
    placed = path.with_name(f"{path.stem.rpartition('-')[0]}-{digest}.json")
    placed.write_text(json.dumps(manifest))
    if script is not None:
        placed.with_suffix(".smt2").write_text(script)
    return placed
