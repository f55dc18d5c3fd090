"""The list of seeded faults is current: each can be applied to the source as it is."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.__main__ import ROOT, applied
from tests.mutants.catalogue import MUTANTS, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_fault_can_be_seeded(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    changed = applied(mutant, text)
    assert changed != text
    ast.parse(changed)
    assert all((ROOT / test).exists() for test in mutant.tests)


def test_names_differ_and_there_are_enough() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 26
