"""Small changes to a spec, of every kind that an author makes; each may or may not change what holds."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from fsmcheck.spec.model import Spec
from tests.oracle.generate import dumped, load_valid

Data = dict[str, Any]
Edit = Callable[[random.Random, Data], None]


def _states(fsm: Data) -> list[Data]:
    return [state for state in fsm["states"].values() if state.get("transitions")]


def _transition(rng: random.Random, fsm: Data) -> Data:
    return rng.choice(rng.choice(_states(fsm))["transitions"])  # type: ignore[no-any-return]


def _guards(fsm: Data) -> list[Data]:
    return [
        guard for state in _states(fsm) for transition in state["transitions"] for guard in transition.get("guards", ())
    ]


def guard_negated(rng: random.Random, fsm: Data) -> None:
    guard = rng.choice(_guards(fsm))
    guard["expression"] = f"!({guard['expression']})"


def guard_swapped(rng: random.Random, fsm: Data) -> None:
    one, other = rng.sample(_guards(fsm), 2)
    one["expression"], other["expression"] = other["expression"], one["expression"]


def guard_dropped(rng: random.Random, fsm: Data) -> None:
    guarded = [t for state in _states(fsm) for t in state["transitions"] if t.get("guards")]
    rng.choice(guarded).pop("guards")


def target_changed(rng: random.Random, fsm: Data) -> None:
    _transition(rng, fsm)["toState"] = rng.choice(list(fsm["states"]))


def transitions_turned(rng: random.Random, fsm: Data) -> None:
    rng.choice(_states(fsm))["transitions"].reverse()


def actions_dropped(rng: random.Random, fsm: Data) -> None:
    found = [t for state in _states(fsm) for t in state["transitions"] if t.get("onTransition")]
    rng.choice(found).pop("onTransition")


def field_emptied(rng: random.Random, fsm: Data) -> None:
    actions = _transition(rng, fsm).setdefault("onTransition", [])
    actions.append({"assign": {rng.choice(list(fsm["context"])): ""}})


def requirement_dropped(rng: random.Random, fsm: Data) -> None:
    found = [state for state in fsm["states"].values() if state.get("requires")]
    state = rng.choice(found)
    state["requires"] = state["requires"][1:]


def authority_taken(rng: random.Random, fsm: Data) -> None:
    agents = [agent for agent in fsm["agents"].values() if len(agent["canTransition"]) > 1]
    agent = rng.choice(agents)
    agent["canTransition"] = agent["canTransition"][1:]


def default_changed(rng: random.Random, fsm: Data) -> None:
    name = rng.choice(list(fsm["context"]))
    field = fsm["context"][name]
    if "default" in field:
        field.pop("default")
    else:
        field["default"] = {"list": [], "map": {}}.get(
            field["type"], "" if field["type"] in ("string", "enum") else None
        )


def value_added(rng: random.Random, fsm: Data) -> None:
    field = rng.choice([field for field in fsm["context"].values() if field.get("values")])
    field["values"] = [*field["values"], "another"]


def type_changed(rng: random.Random, fsm: Data) -> None:
    field = rng.choice([field for field in fsm["context"].values() if field["type"] in ("integer", "number")])
    field["type"] = "number" if field["type"] == "integer" else "integer"


def cap_changed(rng: random.Random, fsm: Data) -> None:
    policy = fsm.setdefault("policy", {})
    key = rng.choice(["maxIterations", "maxExchangesPerStage", "maxExchangesPerAgentPerStage"])
    policy[key] = rng.choice([1, 2, 7])


def cap_removed(_: random.Random, fsm: Data) -> None:
    fsm.pop("policy")


def states_moved(rng: random.Random, fsm: Data) -> None:
    names = list(fsm["states"])
    rng.shuffle(names)
    fsm["states"] = {name: fsm["states"][name] for name in names}


def started_elsewhere(rng: random.Random, fsm: Data) -> None:
    fsm["initialState"] = rng.choice(list(fsm["states"]))


def description_mentions(rng: random.Random, fsm: Data) -> None:
    state = rng.choice(list(fsm["states"].values()))
    state["description"] = f"look at {{{{ context.{rng.choice(list(fsm['context']))} }}}}"


def renamed(_: random.Random, fsm: Data) -> None:
    fsm["name"] = "another-name"


def guard_rewritten(rng: random.Random, fsm: Data) -> None:
    """Another way to write the same condition."""
    guard = rng.choice(_guards(fsm))
    ways = ("({0}) || ({0})", "({0}) && ({0})", "!(!({0}))", "({0}) && true", "({0}) ? true : false", "false || ({0})")
    guard["expression"] = rng.choice(ways).format(guard["expression"])


def guard_mutated(rng: random.Random, fsm: Data) -> None:
    """A condition like it, about the same fields as a rule, that may hold elsewhere."""
    guard = rng.choice(_guards(fsm))
    text = guard["expression"]
    signs = [("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"), ("<", "<="), (">=", ">"), ("0", "1"), ("1", "2")]
    old, new = rng.choice([pair for pair in signs if pair[0] in text])
    guard["expression"] = text.replace(old, new, 1)


def described(rng: random.Random, fsm: Data) -> None:
    """What is there for people only."""
    fsm["version"] = "7"
    fsm["description"] = "another text"
    for part in ("states", "agents", "context"):
        rng.choice(list(fsm[part].values()))["description"] = "what this is for"
    _transition(rng, fsm)["description"] = "why"


def nothing(_: random.Random, fsm: Data) -> None:
    del fsm


EDITS: tuple[Edit, ...] = (
    guard_negated, guard_swapped, guard_dropped, target_changed, transitions_turned, actions_dropped, field_emptied,
    requirement_dropped, authority_taken, default_changed, value_added, type_changed, cap_changed, cap_removed,
    states_moved, started_elsewhere, description_mentions, renamed, guard_rewritten, guard_mutated,
    described, nothing,
)  # fmt: skip


def edited(spec: Spec, edit: Edit, seed: int) -> str | None:
    """The text of a spec after an edit; None where it has nothing of that kind or would have a fault."""
    fsm = copy.deepcopy(spec.document)
    assert isinstance(fsm, dict)
    try:
        edit(random.Random(seed), fsm)
    except (IndexError, KeyError, ValueError):
        return None
    text = dumped({"fsm": fsm})
    return text if load_valid(text) is not None else None
