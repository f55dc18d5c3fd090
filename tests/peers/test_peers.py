"""SPIN, and NuSMV where it is there, find the same configurations and the same events, and contradict no verdict.

``python -m tests.soak --peers`` asks about as many generated specs as you like, and about all in ``specs/``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsmcheck.export.questions import Language
from fsmcheck.export.write import rendered
from fsmcheck.spec.load import load_path
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid
from tests.oracle.product import verdicts_of
from tests.peers.tools import ask_spin, nusmv, spin
from tests.peers.witness import by_spin, differences, peers, questioned

ROOT = Path(__file__).parents[2]
SPECS = sorted(path for path in (ROOT / "specs").rglob("*.yaml") if path.name != "verdicts.yaml")
FEW = [path for path in SPECS if path.parent.name in ("specs", "faulty") and path.parents[1].name != "patterns"]
GENERATED = (1, 4, 6, 8, 9, 17, 18, 23, 26, 31)


@pytest.fixture(scope="module")
def asked() -> dict[str, object]:
    """The tools that are there. Where everything is tested, SPIN has to be."""
    if spin() is None:
        if os.environ.get("CI"):
            pytest.fail("SPIN is not installed")
        pytest.skip("SPIN is not installed")
    return dict(peers())


@pytest.mark.parametrize("path", FEW, ids=lambda path: path.stem)
def test_shipped_specs(path: Path, asked: dict[str, object], tmp_path: Path) -> None:
    (document,) = load_path(str(path))
    assert document.spec is not None
    decisions = verdicts_of(document.spec, "gated")
    alone = path.stem == "planner_executor"
    assert list(differences(document.spec, "gated", tmp_path, decisions, peers(), alone=alone)) == []


@pytest.mark.parametrize("seed", GENERATED)
def test_generated_specs(seed: int, asked: dict[str, object], tmp_path: Path) -> None:
    spec = load_valid(generate(seed))
    assert spec is not None
    profile = profile_of(seed).value
    assert list(differences(spec, profile, tmp_path, verdicts_of(spec, profile), peers(), alone=False)) == []


def test_a_wrong_model_is_noticed(asked: dict[str, object], tmp_path: Path) -> None:
    """The comparison itself: one update left out of the model changes what SPIN stores."""
    (document,) = load_path(str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"))
    assert document.spec is not None
    _, model = questioned(document.spec, "gated", Language.PROMELA)
    text = rendered(model, Language.PROMELA).text
    assert text.count("-> directive = unset; result = unset;") == 1
    wrong = ask_spin(text.replace("-> directive = unset; result = unset;", "-> result = unset;"), tmp_path)
    right = by_spin(model, tmp_path)
    assert "ask_FSM403_execute_1_outcome" in right.found
    assert (wrong.configurations, wrong.found) != (right.configurations, right.found)


def test_a_verdict_that_is_turned_round_is_noticed(asked: dict[str, object], tmp_path: Path) -> None:
    (document,) = load_path(str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"))
    assert document.spec is not None
    turned = {"violated": "proved", "proved": "violated", "unknown": "unknown"}
    decisions = {key: (turned[word], reason) for key, (word, reason) in verdicts_of(document.spec, "gated").items()}
    told = list(differences(document.spec, "gated", tmp_path, decisions, {"spin": by_spin}, alone=False))
    assert len(told) > 20
    assert any("FSM403@execute/1/outcome should be violated, fsmcheck: proved" in each for each in told)


def test_nusmv_is_asked_where_it_is_there() -> None:
    assert ("nusmv" in peers()) == (nusmv() is not None)
