"""Whether the script of a certificate is about a spec: its definitions, but for the invariant, against the translation.

So whoever trusts the translation need not trust anything else that made a certificate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from fsmcheck.certify.manifest import Claim, Manifest
from fsmcheck.certify.refusal import RefusalError
from fsmcheck.certify.script import definitions, headings
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.certificate import heading_of, script
from fsmcheck.engines.explicit import Key, Limits
from fsmcheck.obligations.case import Case, make_case, obligations_of
from fsmcheck.obligations.decide import profile_named
from fsmcheck.obligations.diagram_proofs import cases_of
from fsmcheck.spec.model import Spec
from fsmcheck.system.slice import restrict, slice_system
from fsmcheck.system.standstill import with_standstill
from fsmcheck.system.system import System


class Retranslation:
    """Compares scripts with some specs, each translated once for each profile."""

    def __init__(self, specs: Iterable[Spec]) -> None:
        self._specs = {spec.sha256: spec for spec in specs}
        self._translated = cache(self._translate)

    def __call__(self, manifest: Manifest, text: str) -> None:
        """Raises ``RefusalError`` where a script is not what the translation of the manifest's spec gives for its
        claims."""
        case, planned = self._translated(manifest.spec_sha256, manifest.profile)
        keys = _keys(manifest.claims, planned, headings(text))
        found = definitions(text)
        if not any(definitions(script(system, None, keys, ()).text) == found for system in _systems(case, keys)):
            raise RefusalError("the script does not describe the spec")

    def _translate(self, sha256: str, profile: str) -> tuple[Case, frozenset[tuple[str, Subject]]]:
        if sha256 not in self._specs:
            raise RefusalError("it is about another spec")
        case = make_case(self._specs[sha256], profile_named(profile), Limits())
        return case, frozenset((each.rule, each.subject) for each in obligations_of(case))


def _systems(case: Case, keys: Sequence[Key]) -> Iterator[System]:
    """The systems that a proof about some events may be about: the whole, as it is and with the ends of advances that
    make no progress, and slices that these depend on."""
    yield case.system
    ended = with_standstill(case.system, case.layout)
    if ended is not None:
        yield ended
    rule, subject, _ = keys[0]
    if (rule, subject) in case.cones.by_subject:
        by_subject = case.cones.by_subject
        keep = by_subject[rule, subject]
        yield restrict(case.system, keep, lambda event: by_subject[event.rule, event.subject] == keep)
    if len(keys) == 1:
        yield slice_system(case.system, lambda event: (event.rule, event.subject, event.case) == keys[0])


def _keys(claims: Sequence[Claim], planned: frozenset[tuple[str, Subject]], said: Mapping[int, str]) -> tuple[Key, ...]:
    """The event that each claim says never happens; where it may be one of several, the script says which it means."""
    found = []
    for number, claim in enumerate(claims):
        about = (claim.rule, _subject(claim.subject))
        if about not in planned:
            raise RefusalError(f"{claim.rule} asks nothing of the spec at {json.dumps(claim.subject)}")
        possible = [(*about, which) for which in cases_of(claim.rule, claim.verdict)]
        if not possible:
            raise RefusalError(f"that something never happens does not make {claim.rule} {claim.verdict}")
        found.append(next((key for key in possible if heading_of(key) == said.get(number)), possible[0]))
    return tuple(found)


def _subject(described: object) -> Subject:
    try:
        return Subject(**described)  # type: ignore[arg-type]
    except TypeError:
        raise RefusalError("a claim has a subject of no known form") from None
