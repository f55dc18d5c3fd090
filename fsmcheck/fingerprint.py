"""What a finding is known by when lines move: its rule and subject, in its spec."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from fsmcheck.diagnostics import Finding
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a finding.

    ``unnamed`` is the path of a spec without a name, and ``subject`` JSON with sorted keys. A finding without a
    subject is known by its ``message`` as well; where several have all this in common, ``number`` counts them from 0 in
    the order of the report.
    """

    spec: str
    unnamed: str
    profile: str
    rule: str
    subject: str
    message: str
    number: int

    @property
    def digest(self) -> str:
        """The same in 32 hexadecimal digits."""
        # Late, since most reports need none.
        from hashlib import sha256

        parts = [self.spec, self.unnamed, self.profile, self.rule, self.subject, self.message, self.number]
        return sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:32]


def identities(spec: SpecReport) -> Iterator[tuple[Finding, Identity]]:
    """Each finding of a spec with what it is known by."""
    met: Counter[tuple[str, str, str]] = Counter()
    for finding in spec.findings:
        subject = finding.subject.as_dict()
        told = json.dumps(subject, sort_keys=True, ensure_ascii=True)
        message = "" if subject else finding.message
        key = (finding.rule, told, message)
        unnamed = "" if spec.name else spec.source.path
        yield finding, Identity(spec.name or "", unnamed, spec.profile, *key, met[key])
        met[key] += 1
