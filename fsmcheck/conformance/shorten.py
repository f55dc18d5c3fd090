"""Making a run on which a reducer differs shorter, without losing that it does."""

from __future__ import annotations

from fsmcheck.conformance.conduct import Reducer, Scenario, deviation
from fsmcheck.conformance.examine import Miss


def shortened(reducer: Reducer, miss: Miss) -> Miss:
    """Leave out every exchange without which the two still differ; the spec is loaded.

    Raises ``ReducerFailure`` as the reducer does.
    """
    miss = _upto(miss)
    at = 0
    while at < len(miss.scenario.exchanges):
        made = miss.scenario.exchanges
        without = Scenario(miss.scenario.inputs, made[:at] + made[at + 1 :])
        still = deviation(reducer, miss.job.spec, miss.job.profile, without)
        if still is None:
            at += 1
        else:
            miss = _upto(Miss(miss.job, without, still))
    return miss


def _upto(miss: Miss) -> Miss:
    """Without what comes after the difference."""
    made = miss.scenario.exchanges[: miss.deviation.difference.step]
    return Miss(miss.job, Scenario(miss.scenario.inputs, made), miss.deviation)
