"""Specs whose sets have no small decision diagrams: a pack of cards in order, moved as an agent asks.

python bench/shuffled.py --cards 9 > spec.yaml
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence


def moves(count: int) -> Mapping[str, Sequence[int]]:
    """From which place the card of each place comes."""
    half = (count + 1) // 2
    return {
        "turn": range(count)[::-1],
        "riffle": [place // 2 if place % 2 == 0 else half + place // 2 for place in range(count)],
        "swap": [1, 0, *range(2, count)],
        "cut": [*range(1, count), 0],
    }


def shuffled(count: int, kinds: int | None = None) -> str:
    """The text of a spec about so many cards, all different, or of so many kinds.

    The agent turns the pack round, riffles it, swaps the first two cards, puts the first one last, or stops. So every
    order can be made. Then the pack is ``sorted`` or it is ``done``; where all cards are different, it is asked before
    whether some card is there ``twice``.
    """
    different = kinds is None
    names = [f"card{number}" for number in range(count if kinds is None else kinds)]
    places = range(count)
    deck = "\n".join(
        f"    x{place}: {{ type: enum, values: {json.dumps(names)}, default: {names[place % len(names)]} }}"
        for place in places
    )
    twice = " || ".join(f"context.x{one} == context.x{other}" for one in places for other in range(one))
    in_order = " && ".join(f"context.x{place} == '{names[place % len(names)]}'" for place in places)
    made = "\n".join(_transition(name, sources) for name, sources in moves(count).items())
    check = f'        - {{ toState: twice, guards: [ {{ backend: cel, expression: "{twice}" }} ] }}\n'
    return f"""\
fsm:
  name: shuffled
  version: 1
  initialState: arrange
  context:
{deck}
    move: {{ type: enum, values: {json.dumps([*moves(count), "stop"])}, default: "" }}
  agents:
    ann: {{ canTransition: [arrange] }}
  states:
    arrange:
      requires: [ {{ name: move, from: {{ agent: ann }} }} ]
      transitions:
{made}
{check if different else ""}\
        - {{ toState: sorted, guards: [ {{ backend: cel, expression: "{in_order}" }} ] }}
        - {{ toState: done }}
{"    twice: { terminal: true }" if different else ""}
    sorted: {{ terminal: true }}
    done: {{ terminal: true }}
"""


def _transition(name: str, sources: Sequence[int]) -> str:
    writes = ", ".join(f"x{to}: '${{ context.x{place} }}'" for to, place in enumerate(sources) if to != place)
    guard = f"{{ backend: cel, expression: \"context.move == '{name}'\" }}"
    return (
        f"        - {{ toState: arrange, guards: [ {guard} ],"
        f" onTransition: [ {{ assign: {{ {writes}, move: '' }} }} ] }}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cards", type=int, default=9, help="how many (9 by default)")
    parser.add_argument("--kinds", type=int, help="of how many kinds; all different where this is left out")
    options = parser.parse_args()
    print(shuffled(options.cards, options.kinds), end="")


if __name__ == "__main__":
    main()
