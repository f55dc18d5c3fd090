"""The verdicts worked out by hand against many random runs on the reference reducer, without the checker."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from fsmcheck.cel.types import Kind
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.monitors import violations
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec

SPECS = Path(__file__).parent.parent / "specs"
FOLDERS = {"": SPECS, "patterns/": SPECS / "patterns"}
VERDICTS = {
    prefix + path: profiles
    for prefix, folder in FOLDERS.items()
    for path, profiles in yaml.safe_load((folder / "verdicts.yaml").read_text(encoding="utf-8"))["specs"].items()
}
# What one run shows by itself; the other rules are about all runs, or about the text.
SHOWN_BY_A_RUN = frozenset(f"FSM{number}" for number in (205, 301, 304, 401, 402, 403, 404, 405, 406, 407, 502))
RUNS, STEPS = 150, 26
# Between the limits that the specs compare numbers with, on them and beyond.
NUMBERS = (-3, 0, 1, 5, 6, 7, 8)


def walk(spec: Spec, profile: Profile, rng: random.Random) -> list[Step]:
    run = [start(spec, {name: value(spec, name, rng) for name in spec.input_names}, profile, caps=False)]
    while len(run) <= STEPS and run[-1].configuration.status == "waiting":
        configuration = run[-1].configuration
        requires = spec.state_by_name[configuration.state].requires
        agent = rng.choice(requires).agent.text
        fields = [req.field.text for req in requires if req.agent.text == agent and rng.random() < 0.6]
        writes = {name: value(spec, name, rng) for name in fields}
        run.append(exchange(spec, configuration, agent, writes, profile, caps=False))
    return run


def value(spec: Spec, field: str, rng: random.Random) -> Any:
    declared = spec.field_by_name[field].type
    match declared.kind:
        case Kind.ENUM:
            return rng.choice(declared.values)
        case Kind.BOOLEAN:
            return rng.random() < 0.5
        case Kind.INTEGER:
            return rng.choice(NUMBERS)
        case Kind.NUMBER:
            return float(rng.choice(NUMBERS))
        case Kind.LIST:
            return tuple(f"{field} {index}" for index in range(rng.randrange(1, 4)))
        case _:
            return f"{field} {rng.randrange(1000)}"


@pytest.mark.parametrize("profile", ["gated", "eager"])
@pytest.mark.parametrize("path", VERDICTS)
def test_random_runs_show_what_was_worked_out_and_nothing_else(path: str, profile: Profile) -> None:
    (document,) = load_path(str(SPECS / path))
    assert document.spec is not None
    assert document.faults == ()
    rng = random.Random(f"{path} {profile}")
    shown: set[tuple[str, tuple[tuple[str, Any], ...]]] = set()
    for _ in range(RUNS):
        for found in violations(document.spec, profile, walk(document.spec, profile, rng)):
            shown.add((found.rule, tuple(sorted(found.subject.as_dict().items()))))
    assert shown == {
        (entry["rule"], tuple(sorted(entry["subject"].items())))
        for entry in VERDICTS[path][profile]
        if entry["rule"] in SHOWN_BY_A_RUN
    }
