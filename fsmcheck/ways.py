"""Which states follow on others in the graph of transitions, by all of them or without those that no run takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from fsmcheck.spec.model import Spec, State, Transition


class Ways:
    """Ways through a spec. ``closed`` are transitions that no run takes, each by its state and index."""

    def __init__(self, spec: Spec, closed: Collection[tuple[str, int]]) -> None:
        self._spec = spec
        self._closed = closed

    def onward(self, state: State) -> Iterator[Transition]:
        """The open transitions of a state."""
        return (each for each in state.transitions if (state.name.text, each.index) not in self._closed)

    def from_states(self, starts: Iterable[str]) -> frozenset[str]:
        """The declared states on some way from one of ``starts``, these included."""
        declared = self._spec.state_by_name
        found: set[str] = set()
        ahead = [name for name in starts if name in declared]
        while ahead:
            name = ahead.pop()
            if name not in found:
                found.add(name)
                targets = (each.target.text for each in self.onward(declared[name]))
                ahead.extend(target for target in targets if target in declared)
        return frozenset(found)
