"""The microsteps that a log leaves out, where what it does say leaves one possibility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fsmcheck.conformance.answers import Answer
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Effect, Step
from fsmcheck.spec.model import Spec

_Object = dict[str, JsonValue]


def filled_in(spec: Spec, step: Step, answer: Answer) -> Answer:
    """The answer with the microsteps that explain how it differs from what the reference did.

    The same state with another store: the values came about in the last microstep whose actions write them. Another
    state: one transition less, one more or another one leads to it, if there is only one such way. Otherwise as it
    was.
    """
    if step.rejected is not None or "rejected" in answer:
        return answer
    if answer["state"] == step.configuration.state:
        return _with_values(step, answer)
    ways = list(_ways(spec, step, answer))
    return {**answer, "microsteps": ways[0]} if len(ways) == 1 else answer


def _ways(spec: Spec, step: Step, answer: Answer) -> Iterator[list[JsonValue]]:
    """The routes to the state of the answer that part from the reference's in one place, at their end."""
    taken, wanted = step.advance.microsteps, answer["state"]
    told = cast("list[JsonValue]", answer["microsteps"])
    for number in range(len(taken) + 1):
        source = taken[number].source if number < len(taken) else step.configuration.state
        if source == wanted and number < len(taken):
            yield told[:number]
        for transition in spec.state_by_name[source].transitions:
            if transition.target.text == wanted and (
                number == len(taken) or transition.index != taken[number].transition
            ):
                route = {"from": source, "transition": transition.index, "to": wanted, "store": answer["store"]}
                yield [*told[:number], cast("JsonValue", route)]


def _with_values(step: Step, answer: Answer) -> Answer:
    microsteps = [dict(cast("Mapping[str, JsonValue]", each)) for each in cast("list[JsonValue]", answer["microsteps"])]
    store = cast("_Object", answer["store"])
    if not microsteps:
        return answer
    settled = cast("_Object", microsteps[-1]["store"])
    for name, value in store.items():
        if settled[name] == value and type(settled[name]) is type(value):
            continue
        writing = [number for number, each in enumerate(step.advance.microsteps) if _writes(each.effects, name)]
        for number in range(writing[-1], len(microsteps)) if writing else ():
            microsteps[number]["store"] = {**cast("_Object", microsteps[number]["store"]), name: value}
    return {**answer, "microsteps": cast("list[JsonValue]", microsteps)}


def _writes(effects: tuple[Effect, ...], name: str) -> bool:
    return any(write.field.text == name for effect in effects for write in effect.action.writes)
