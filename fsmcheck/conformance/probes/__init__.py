"""Probes: small specs with a run each, in which one clause makes the difference."""

from __future__ import annotations

from fsmcheck.conformance.probes.acting import PROBES as _ACTING
from fsmcheck.conformance.probes.calculating import PROBES as _CALCULATING
from fsmcheck.conformance.probes.limiting import PROBES as _LIMITING
from fsmcheck.conformance.probes.moving import PROBES as _MOVING
from fsmcheck.conformance.probes.probe import Probe
from fsmcheck.conformance.probes.refusing import PROBES as _REFUSING
from fsmcheck.conformance.probes.starting import PROBES as _STARTING

__all__ = ["PROBES", "Probe"]

PROBES: tuple[Probe, ...] = (
    *_STARTING,
    *_ACTING,
    *_CALCULATING,
    *_MOVING,
    *_REFUSING,
    *_LIMITING,
)
