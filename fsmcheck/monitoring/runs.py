"""The runs that are under way, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict

from fsmcheck.monitoring.lines import Line
from fsmcheck.reducer.configuration import Configuration
from fsmcheck.reducer.monitors.ledger import Ledger
from fsmcheck.reducer.record import Step

MOST_ENDED = 256
"""Runs that are kept for a while after their end, since a log may still speak of it."""

MOST_BYTES = 32 * 1024 * 1024
"""Of lines kept in all, for stories and traces."""


class Run:
    """A run: its configuration (None while nothing is known of it) and the bookkeeping of freshness.

    ``begun``: it was followed from its start, so ``history`` (its lines) makes a trace, unless ``cut``. ``counted``:
    the counters are known, so that caps can be judged. ``step`` is the number of the ``last`` step.
    ``over``: the log said that it ended. ``unread`` is how many lines could not be read before the configuration was
    known.
    """

    __slots__ = (
        "begun",
        "configuration",
        "counted",
        "cut",
        "departed",
        "history",
        "id",
        "last",
        "ledger",
        "over",
        "size",
        "step",
        "unread",
    )

    def __init__(self, identity: str, ledger: Ledger, unread: int) -> None:
        self.id = identity
        self.configuration: Configuration | None = None
        self.ledger = ledger
        self.last: Step | None = None
        self.step = 0
        self.history: list[Line] = []
        self.size = 0
        self.begun = False
        self.counted = False
        self.cut = False
        self.departed = False
        self.over = False
        self.unread = unread


class Runs:
    """Open runs, those dropped first that nothing was heard of for longest; and a few that have ended."""

    __slots__ = ("_bytes", "_ended", "_history", "_most", "_most_bytes", "_open", "_told")

    def __init__(self, most: int, history: int, most_bytes: int = MOST_BYTES) -> None:
        self._open: OrderedDict[str, Run] = OrderedDict()
        self._ended: OrderedDict[str, Run] = OrderedDict()
        self._told: OrderedDict[str, Run] = OrderedDict()
        self._most = most
        self._history = history
        self._bytes = 0
        self._most_bytes = most_bytes

    def __len__(self) -> int:
        return len(self._open)

    def find(self, identity: str) -> Run | None:
        """The run of this name, open or lately ended; it is now the one last heard of."""
        run = self._open.get(identity)
        if run is not None:
            self._open.move_to_end(identity)
            return run
        return self._ended.get(identity)

    def is_open(self, identity: str) -> bool:
        return identity in self._open

    def begin(self, run: Run) -> Run | None:
        """Take up a run in place of one of the same name; the run that had to go for it, if one had."""
        self.forget(run.id)
        self._open[run.id] = run
        if len(self._open) <= self._most:
            return None
        _, dropped = self._open.popitem(last=False)
        self._clear(dropped)
        return dropped

    def end(self, run: Run) -> None:
        """A run is over: it is kept for a little while."""
        if self._open.pop(run.id, None) is None:
            return
        self._ended[run.id] = run
        if len(self._ended) > MOST_ENDED:
            self._clear(self._ended.popitem(last=False)[1])

    def forget(self, identity: str) -> None:
        """Nothing more is kept of a run."""
        for runs in (self._open, self._ended):
            run = runs.pop(identity, None)
            if run is not None:
                self._clear(run)

    def remember(self, run: Run, line: Line) -> None:
        """Keep a line of a run, as long as there is room."""
        if run.cut or not run.begun:
            return
        if len(run.history) >= self._history:
            self._cut(run)
            return
        run.history.append(line)
        run.size += len(line.data)
        self._bytes += len(line.data)
        self._told[run.id] = run
        self._told.move_to_end(run.id)
        while self._bytes > self._most_bytes and self._told:
            self._cut(next(iter(self._told.values())))

    def release(self, run: Run) -> None:
        """Its lines are of no more use."""
        self._clear(run)

    def _cut(self, run: Run) -> None:
        self._clear(run)
        run.cut = True

    def _clear(self, run: Run) -> None:
        if self._told.get(run.id) is run:
            del self._told[run.id]
        self._bytes -= run.size
        run.size = 0
        run.history = []
