"""What a manifest claims. It is read strictly: a key too many or too few is a refusal."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from fsmcheck.certify.refusal import RefusalError

SCHEMA = "fsmcheck.certificate/1"
_SHARED = {"schema", "kind", "spec", "profile", "tool", "claims"}
_KEYS = {
    "induction": _SHARED | {"method", "script", "checks"},
    "explicit": _SHARED | {"configurations", "digest"},
    "diagram": _SHARED | {"configurations", "nodes", "digest"},
}
_CLAIM = {"rule", "subject", "verdict"}
_SAID = _CLAIM | {"method", "says"}
_CLAIM_KEYS = {"induction": _CLAIM | {"bad"}, "explicit": _SAID, "diagram": _SAID}
_SHA256 = re.compile(r"[0-9a-f]{64}")
_RULE = re.compile(r"FSM\d{3}")

Object = dict[str, object]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a rule says at a place."""

    rule: str
    subject: Object
    verdict: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """``kind`` is ``induction``, or that of the search that is only stated; ``checks`` are names with the answers that
    are expected; ``contents`` is a digest of the whole, which the file is named by."""

    kind: str
    profile: str
    spec_sha256: str
    claims: tuple[Claim, ...]
    contents: str
    script_sha256: str = ""
    checks: tuple[tuple[str, str], ...] = ()
    configurations: int = 0
    nodes: int = 0
    digest: str = ""


def read_manifest(text: str) -> Manifest:
    """Read a manifest; ``RefusalError`` where it has not the form of ``fsmcheck.certificate/1``."""
    document = _object(_parsed(text), None, "the manifest")
    if document.get("schema") != SCHEMA:
        raise RefusalError(f'the manifest is not a "{SCHEMA}"')
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise RefusalError("the manifest has no known kind")
    _object(document, _KEYS[kind], "the manifest")
    spec = _object(document["spec"], {"name", "version", "sha256"}, "spec")
    profile = document["profile"]
    if profile not in ("gated", "eager"):
        raise RefusalError("the manifest has no known profile")
    claims = _claims(document["claims"], kind)
    sha256 = _digest(spec["sha256"], "the spec")
    contents = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    if kind != "induction":
        configurations = _count(document["configurations"], "configurations")
        nodes = _count(document["nodes"], "nodes") if kind == "diagram" else 0
        digest = _digest(document["digest"], "the configurations")
        return Manifest(
            kind, str(profile), sha256, claims, contents, configurations=configurations, nodes=nodes, digest=digest
        )
    script = _object(document["script"], {"sha256"}, "script")
    checks = tuple(_check(entry) for entry in _list(document["checks"], "checks"))
    script_sha256 = _digest(script["sha256"], "the script")
    return Manifest(kind, str(profile), sha256, claims, contents, script_sha256, checks)


def _parsed(text: str) -> object:
    def once(pairs: Sequence[tuple[str, object]]) -> Object:
        if len({key for key, _ in pairs}) < len(pairs):
            raise RefusalError("the manifest has a key twice")
        return dict(pairs)

    def constant(name: str) -> NoReturn:
        raise RefusalError(f"the manifest holds {name}")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=constant)
    except (ValueError, RecursionError):
        raise RefusalError("the manifest is not JSON") from None


def _object(value: object, keys: set[str] | None, what: str) -> Object:
    if not isinstance(value, dict) or (keys is not None and value.keys() != keys):
        listed = f" with the keys {', '.join(sorted(keys))}" if keys else ""
        raise RefusalError(f"{what} is not an object{listed}")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list) or not value:
        raise RefusalError(f'"{what}" is not a list with something in it')
    return value


def _count(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise RefusalError(f"the manifest gives no number of {what}")
    return value


def _digest(value: object, what: str) -> str:
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise RefusalError(f"the manifest gives no sha256 of {what}")
    return value


def _check(entry: object) -> tuple[str, str]:
    check = _object(entry, {"check", "expected"}, "a check")
    return str(check["check"]), str(check["expected"])


def _claims(value: object, kind: str) -> tuple[Claim, ...]:
    """The claims: each about another subject, and the nth of an induction about ``bad_n``."""
    found = []
    for number, entry in enumerate(_list(value, "claims")):
        claim = _object(entry, _CLAIM_KEYS[kind], "a claim")
        rule, verdict = claim["rule"], claim["verdict"]
        if not isinstance(rule, str) or not _RULE.fullmatch(rule):
            raise RefusalError("a claim names no rule")
        if not isinstance(verdict, str) or verdict not in ("proved", "violated"):
            raise RefusalError("a claim has no verdict")
        if kind == "induction" and claim["bad"] != f"bad_{number}":
            raise RefusalError(f"claim {number} is not about bad_{number}")
        found.append(Claim(rule, _object(claim["subject"], None, "a subject"), verdict))
    if len({json.dumps([claim.rule, claim.subject], sort_keys=True) for claim in found}) < len(found):
        raise RefusalError("two claims are about the same")
    return tuple(found)
