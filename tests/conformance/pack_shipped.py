"""Pack the specs and their suites into the package again: ``python tests/conformance/pack_shipped.py``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> int:
    from fsmcheck.conformance import shipped

    archive = ROOT / "fsmcheck" / "conformance" / shipped.ARCHIVE
    archive.write_bytes(shipped.packed(dict(shipped.contents(ROOT / "specs"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
