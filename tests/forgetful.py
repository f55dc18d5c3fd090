"""A search by decision diagrams that forgets one configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def forgetful(honest: Callable[..., Any]) -> Callable[..., Any]:
    """A search as an honest one, but for one configuration of the location that has most of them."""

    def search(*arguments: Any, **options: Any) -> Any:
        diagram = honest(*arguments, **options)
        sets = diagram.ready.sets
        place = max(range(len(diagram.reached)), key=lambda number: sets.count(diagram.reached[number]))
        node = diagram.reached[place]
        diagram.reached[place] = sets.minus(node, sets.single(sets.first(node)))
        return diagram

    return search
