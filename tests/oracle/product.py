"""The one place where the oracle's harness touches the product: adapt here when its API changes."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from fsmcheck.spec.model import Spec
from tests.oracle.compare import Decisions, Reach


def available() -> bool:
    """Whether the product can be asked for verdicts yet."""
    return find_spec("fsmcheck.check") is not None and hasattr(import_module("fsmcheck.check"), "verdicts")


def verdicts_of(spec: Spec, profile: str) -> Decisions:
    """The product's verdict on every behaviour obligation of a spec."""
    decisions: Decisions = import_module("fsmcheck.check").verdicts(spec, profile)
    return decisions


def reachable_of(spec: Spec, profile: str) -> Reach | None:
    """The product's reachable set, None while it does not offer one."""
    return None
