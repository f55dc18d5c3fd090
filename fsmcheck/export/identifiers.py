"""Identifiers that all three languages take, as near to the user's names as they allow."""

from __future__ import annotations

import re

_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9]+")
_LONGEST = 60

_PROMELA = """
active assert atomic bit bool break byte chan do else empty enabled eval false fi for full get_priority goto hidden if
in init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid print printf printm priority
proctype provided return run select set_priority short show skip timeout trace true typedef unless unsigned xr xs
always eventually until weakuntil stronguntil implies equivalent release weakrelease machine d_step c_code c_decl
c_expr c_state c_track
"""
_C = """
auto case char const continue default double enum extern final float getframe iam_alive linux long main max min mix
now rand register rot signed sizeof static struct switch uchar uint ulong union unix ushort void volatile wasnew while
xor
"""
_SMV = """
abs array bool boolean case count esac extend init integer mod next of process real resize rest self signed sizeof
step toint union unsigned uwconst swconst word word1 xnor at at_rest event_seen no_event step_taken
"""
_TLA = "Init Next Spec Int Nat Integers Quotient Remainder Abs Types vars"

RESERVED = frozenset(f"{_PROMELA} {_C} {_SMV} {_TLA}".split())
"""Words with a meaning in one of the languages, in C, or in the models themselves."""


def legal(text: str, otherwise: str) -> str:
    """The nearest identifier to a text: letters, digits and single underscores, at least one small letter, no
    reserved word; ``otherwise`` where nothing is left of it."""
    word = _OTHER_CHARACTERS.sub("_", text).strip("_")[:_LONGEST].rstrip("_") or otherwise
    if word in RESERVED:
        return f"{word}_"
    needs_prefix = word[0].isdigit() or word == word.upper() or word.startswith(("WF_", "SF_"))
    return f"x_{word}" if needs_prefix else word


class Identifiers:
    """Gives out identifiers, each once: a second one of the same look gets a number."""

    def __init__(self) -> None:
        self._given: dict[object, str] = {}
        self._taken: set[str] = set()

    def of(self, key: object, text: str, otherwise: str = "name") -> str:
        """The identifier of a key: what it was given before, else one that looks like ``text``."""
        known = self._given.get(key)
        if known is None:
            stem = legal(text, otherwise)
            known, number = stem, 1
            while known in self._taken:
                number += 1
                known = f"{stem.rstrip('_')}_{number}"
            self._taken.add(known)
            self._given[key] = known
        return known
