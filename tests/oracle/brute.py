"""The oracle: all concrete runs of a spec over small exhaustive domains, and a verdict for every behaviour rule."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import product

from fsmcheck.diagnostics import Subject
from fsmcheck.spec import model
from tests.oracle.domains import Domains, guard_values
from tests.oracle.expressions import Store, is_set
from tests.oracle.freshness import Book, Bookkeeper, graph_reaches
from tests.oracle.graph import RestGraph, configurations
from tests.oracle.loops import Loop, loops
from tests.oracle.machine import Advance, Machine, Profile, Status
from tests.oracle.program import Program, Site, all_hold, bits, truth

RULES = (
    *("FSM111", "FSM203", "FSM204", "FSM205", "FSM301", "FSM302", "FSM303", "FSM304", "FSM305"),
    *("FSM401", "FSM402", "FSM403", "FSM404", "FSM405", "FSM406", "FSM407"),
    *("FSM501", "FSM502", "FSM503", "FSM504", "FSM505"),
)
NEVER_RULES = frozenset({"FSM111", "FSM203", "FSM204", "FSM303", "FSM503", "FSM504"})
"""A violation of these says that something never happens: only a complete exploration can tell."""
BOOK_RULES = frozenset({"FSM401", "FSM402", "FSM403", "FSM404", "FSM406"})
EDGE_LIMIT = 6000
BOOK_LIMIT = 20000

Key = tuple[str, Subject]


class Verdict(Enum):
    """``unsettled`` where the page can be read both ways; ``not-asked`` where the rule does not ask."""

    HOLDS = "holds"
    FAILS = "fails"
    INCOMPLETE = "incomplete"
    UNSETTLED = "unsettled"
    NOT_ASKED = "not-asked"


@dataclass
class Result:
    """What brute force knows of a spec under a profile.

    ``reachable`` maps (state, abstract store) to the fewest exchanges to it, at rest or within an advance.
    ``complete``: everything was explored, over domains that are exhaustive.
    """

    program: Program
    profile: Profile
    domains: Domains
    complete: bool
    books_complete: bool
    fails: set[Key] = field(default_factory=set)
    unsettled: set[Key] = field(default_factory=set)
    not_asked: set[Key] = field(default_factory=set)
    reachable: dict[tuple[str, tuple[object, ...]], int] = field(default_factory=dict)
    terminals: dict[str, int] = field(default_factory=dict)
    most_microsteps: int = 0
    loops: list[Loop] = field(default_factory=list)
    nodes: int = 0

    def verdict(self, rule: str, subject: Subject) -> Verdict:
        """The oracle's word on one obligation."""
        key = (rule, subject)
        complete = self.complete and (rule not in BOOK_RULES or self.books_complete)
        if key in self.fails:
            return Verdict.FAILS if complete or rule not in NEVER_RULES else Verdict.INCOMPLETE
        if key in self.unsettled:
            return Verdict.UNSETTLED
        if not complete and rule != "FSM305":
            return Verdict.INCOMPLETE
        return Verdict.NOT_ASKED if key in self.not_asked else Verdict.HOLDS

    def failing(self, *rules: str) -> set[Key]:
        """The definite violations, of the given rules or of all."""
        return {key for key in self.fails if (not rules or key[0] in rules) and self.verdict(*key) is Verdict.FAILS}


def explore(
    spec: model.Spec,
    profile: Profile,
    edge_limit: int = EDGE_LIMIT,
    book_limit: int = BOOK_LIMIT,
    generosity: int = 0,
) -> Result:
    """Explore a spec under a profile. Raises ``NotCoveredError`` for constructs outside the oracle's subset."""
    program = Program(spec)
    domains = Domains(program, generosity)
    graph = RestGraph(Machine(program, profile), domains, edge_limit)
    return _Judge(graph, domains, profile, book_limit).result


class _Judge:
    """Reads the verdicts off the explored graph."""

    def __init__(self, graph: RestGraph, domains: Domains, profile: Profile, book_limit: int) -> None:
        self.graph = graph
        self.domains = domains
        self.program = graph.program
        self.spec = self.program.spec
        books_complete = self._books(book_limit)
        self.result = Result(
            self.program, profile, domains, graph.complete and domains.exact, books_complete, nodes=len(graph.nodes)
        )
        for event in self.bookkeeper.found:
            self._fail(event[0], event[1], event[2], event[3])
        self.entered: set[int] = {self.program.initial}
        self.taken: set[Site] = set()
        self.stores: list[set[Store]] = [set() for _ in self.program.places]
        for advance in graph.advances:
            self._advance(advance)
        self._bounds()
        self._rest()
        self._coverage()
        self._overlaps()
        self._constant_guards()
        self._loops()
        self._caps()
        self.result.unsettled -= self.result.fails

    def _subject(
        self, state: int | None, move: int | None = None, slot: int | None = None, other: int | None = None
    ) -> Subject:
        return Subject(
            state=self.program.state_names[state] if state is not None else None,
            transition=move,
            field=self.program.names[slot] if slot is not None else None,
            other=other,
        )

    def _fail(self, rule: str, state: int | None, move: int | None = None, slot: int | None = None) -> None:
        self.result.fails.add((rule, self._subject(state, move, slot)))

    # -- bookkeeping

    def _books(self, limit: int) -> bool:
        """Explore the bookkeeping over the graph at rest; whether all of it was seen."""
        self.bookkeeper = keeper = Bookkeeper(self.program, self.domains)
        trails: dict[int, int] = {}
        known: dict[object, int] = {}
        kinds = []

        def numbered(advance: Advance) -> int:
            if id(advance) not in trails:
                trail = keeper.trail(advance)
                if trail not in known:
                    known[trail] = len(kinds)
                    kinds.append(trail)
                trails[id(advance)] = known[trail]
            return trails[id(advance)]

        edges = [
            list(dict.fromkeys((edge.staged, numbered(edge.advance), edge.target) for edge in node.edges))
            for node in self.graph.nodes
        ]
        agenda: deque[tuple[int, Book]] = deque()
        seen: set[tuple[int, Book]] = set()
        followed: dict[tuple[int, int, Book], Book] = {}
        for advance, target in self.graph.starts:
            book = keeper.follow(kinds[numbered(advance)], Book(), exchanged=False)
            agenda.append((target, book))
        seen.update(agenda)
        while agenda:
            number, book = agenda.popleft()
            if len(seen) > limit:
                return False
            for staged, kind, target in edges[number]:
                step = (staged, kind, book)
                if step not in followed:
                    followed[step] = keeper.follow(kinds[kind], keeper.staged(book, staged), exchanged=True)
                following = (target, followed[step])
                if following not in seen:
                    seen.add(following)
                    agenda.append(following)
        return True

    # -- what one advance shows

    def _advance(self, advance: Advance) -> None:
        for site, slot in advance.errors:
            self._fail("FSM304", site[0], site[1], slot)
        for site, slot in advance.perhaps:
            self.result.unsettled.add(("FSM304", self._subject(site[0], site[1], slot)))
        for site, slot in advance.empty_uses:
            self._fail("FSM407", site[0], site[1], slot)
        if advance.loop:
            self._fail("FSM502", min(advance.loop))
        for step in advance.steps:
            self.taken.add((step.source, step.move))
        for state, store in configurations(advance):
            self.entered.add(state)
            self.stores[state].add(store)
        if advance.status is Status.WAITING:
            self._parked(advance)
        self.result.most_microsteps = max(self.result.most_microsteps, len(advance.steps))

    def _parked(self, advance: Advance) -> None:
        """FSM405, where the machine parks on entering."""
        if advance.steps:
            arrival, entering = advance.steps[-1].left, advance.steps[-1].entering
        elif advance.starting:
            arrival, entering = advance.arrival, advance.entering
        else:
            return
        assigned = 0
        for effect in entering:
            assigned |= effect.assigned
        for slot in bits(self.program.places[advance.end_state].requires & ~assigned):
            if is_set(arrival[slot]) and is_set(advance.end_store[slot]):
                self._fail("FSM405", advance.end_state, None, slot)

    # -- what the nodes at rest show

    def _rest(self) -> None:
        parked: dict[int, int] = {}
        for node, fine in zip(self.graph.nodes, self.graph.finishing(), strict=True):
            place = self.program.places[node.state]
            if node.status is Status.STUCK:
                self._fail("FSM301", node.state)
            if not fine:
                self._unfinished(node.state, node.status)
            if node.status is Status.WAITING:
                mask = self.program.set_fields(node.store)
                parked[node.state] = parked.get(node.state, 0) | mask
                unmet = place.requires & ~mask
                for agent in place.owed:
                    unmet &= ~self.graph.writable(node.state, agent)
                if unmet:
                    self._fail("FSM205", node.state)
        for state, place in enumerate(self.program.places):
            for slot in bits(place.template):
                if state not in parked:
                    self.result.not_asked.add(("FSM111", self._subject(state, None, slot)))
                elif not parked[state] >> slot & 1:
                    self._fail("FSM111", state, None, slot)

    def _unfinished(self, state: int, status: Status) -> None:
        """FSM204. In which state of an endless loop the advance stops is decided by values that nothing learns
        of (folded here) and by the microstep limit, so its other states are left open."""
        if status is not Status.RUNAWAY:
            self._fail("FSM204", state)
        if status in (Status.NO_PROGRESS, Status.RUNAWAY):
            for advance in self.graph.advances:
                if advance.status is status and advance.end_state == state:
                    self.result.unsettled |= {("FSM204", self._subject(other)) for other in advance.loop}

    def _bounds(self) -> None:
        for node in self.graph.nodes:
            if node.status is Status.DONE:
                name = self.program.state_names[node.state]
                self.result.terminals[name] = min(node.depth, self.result.terminals.get(name, node.depth))
        for (state, store), depth in self.graph.depths.items():
            self.result.reachable[self.program.state_names[state], store] = depth

    def _coverage(self) -> None:
        """FSM203 and FSM303."""
        reaches = graph_reaches(self.program, self.program.initial)
        for state, place in enumerate(self.program.places):
            if state not in reaches:
                self.result.not_asked.add(("FSM203", self._subject(state)))
            elif state not in self.entered:
                self._fail("FSM203", state)
            for number in range(len(place.moves)):
                if state not in self.entered or place.terminal:
                    self.result.not_asked.add(("FSM303", self._subject(state, number)))
                elif (state, number) not in self.taken:
                    self._fail("FSM303", state, number)
        first = self.program.initial
        if all(advance.stillborn for advance, _ in self.graph.starts):
            # Is a state entered whose first entry fails? The page does not say.
            open_keys = {("FSM203", self._subject(first))}
            moves = range(len(self.program.places[first].moves))
            open_keys |= {("FSM303", self._subject(first, move)) for move in moves}
            self.result.fails -= open_keys
            self.result.unsettled |= open_keys

    def _overlaps(self) -> None:
        """FSM302, over the reachable stores in which the requirements are met."""
        for state, place in enumerate(self.program.places):
            guarded = [number for number, move in enumerate(place.moves) if move.guards]
            if place.terminal or len(guarded) < 2:
                continue
            shown = set()
            mentioned = self.program.mask(slot for number in guarded for slot in bits(place.moves[number].mentions))
            read = list(bits(mentioned))
            seen = set()
            for store in self.stores[state]:
                part = tuple(store[slot] for slot in read)
                if part not in seen and self.graph.machine.met(state, store):
                    seen.add(part)
                    shown.add(tuple(all_hold(place.moves[number], store) for number in guarded))
            for first, second in _pairs(len(guarded)):
                one, two = guarded[first], guarded[second]
                seen_pairs = {(row[first], row[second]) for row in shown}
                alike = place.moves[one].shape == place.moves[two].shape
                if not alike and {(True, True), (True, False), (False, True)} <= seen_pairs:
                    self.result.fails.add(("FSM302", self._subject(state, one, other=two)))

    def _constant_guards(self) -> None:
        """FSM305, over all values of the fields, the empty one included. Failing to evaluate is neither true nor
        false, or false: the page does not say, so guards for which it matters are left open."""
        for state, place in enumerate(self.program.places):
            for number, move in enumerate(place.moves):
                key = ("FSM305", self._subject(state, number))
                for guard, source in zip(move.guards, self.spec.states[state].transitions[number].guards, strict=True):
                    assert source.expression is not None
                    slots = list(bits(self.program.mentioned(source.expression.ast)))
                    found: set[bool | None] = set()
                    for choice in product(*(guard_values(self.program, self.domains, slot) for slot in slots)):
                        store = list(self.program.empties)
                        for slot, value in zip(slots, choice, strict=True):
                            store[slot] = value
                        found.add(truth(guard, tuple(store)))
                        if {True, False} <= found:
                            break
                    unsure = self.domains.reading.coarse or any(
                        slot in self.domains.reading.computed or "order" in self.domains.reading.list_reads[slot]
                        for slot in slots
                    )
                    if len(found) == 1 and None not in found and not unsure:
                        self.result.fails.add(key)
                    elif not {True, False} <= found:
                        self.result.unsettled.add(key)

    # -- loops and caps

    def _loops(self) -> None:
        self.result.loops = loops(self.graph)
        rule = "FSM501" if self.spec.policy.max_iterations is None else "FSM505"
        for loop in self.result.loops:
            key = (rule, self._subject(loop.states[0]))
            if loop.endless:
                self.result.fails.add(key)
            elif loop.perhaps:
                self.result.unsettled.add(key)
            elif not loop.turned:
                self.result.not_asked.add(key)
        turned = {loop.states[0] for loop in self.result.loops if loop.turned}
        self.result.not_asked = {
            key
            for key in self.result.not_asked
            if key[0] != rule or self.program.state_numbers[key[1].state or ""] not in turned
        }

    def _caps(self) -> None:
        """FSM503 and FSM504."""
        policy = self.spec.policy
        if policy.max_iterations is not None and self.result.terminals:
            if policy.max_iterations < min(self.result.terminals.values()):
                self._fail("FSM503", None)
        else:
            self.result.not_asked.add(("FSM503", Subject()))
        total = policy.max_exchanges_per_stage
        each = policy.max_exchanges_per_agent_per_stage
        leaves = {state for state, _ in self.taken}
        for state in range(len(self.program.places)):
            if state not in leaves or (total is None and each is None):
                self.result.not_asked.add(("FSM504", self._subject(state)))
            elif not self._left_within(state, total, each):
                self._fail("FSM504", state)

    def _left_within(self, state: int, total: int | None, each: int | None) -> bool:
        """Whether some visit that leaves the state stays within the caps."""
        agents = list(self.program.places[state].owed)
        agenda: deque[tuple[int, tuple[int, ...]]] = deque()
        for advance in self.graph.advances:
            # From the second microstep on (or the first, at the start) a state is left with no exchange at all.
            position = 0 if advance.starting else 1
            if any(step.source == state for step in advance.steps[position:]):
                return True
        for advance, target in self._ends():
            if advance.status is Status.WAITING and advance.end_state == state and (advance.steps or advance.starting):
                agenda.append((target, (0,) * len(agents)))
        seen = set(agenda)
        while agenda:
            number, counts = agenda.popleft()
            for edge in self.graph.nodes[number].edges:
                place = agents.index(edge.agent)
                spent = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                if (total is not None and sum(spent) > total) or (each is not None and max(spent) > each):
                    continue
                if edge.advance.steps:
                    return True
                following = (edge.target, spent)
                if edge.advance.status is Status.WAITING and following not in seen:
                    seen.add(following)
                    agenda.append(following)
        return False

    def _ends(self) -> Iterator[tuple[Advance, int]]:
        yield from self.graph.starts
        for node in self.graph.nodes:
            for edge in node.edges:
                yield edge.advance, edge.target


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    for first in range(count):
        for second in range(first + 1, count):
            yield first, second
