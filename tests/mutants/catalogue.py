"""The seeded faults, as source patches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: in ``file`` the text ``old``, which occurs once, becomes ``new``.

    ``tests`` are those that should notice it soonest; others are run only where they do not.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


FRESHNESS = ("tests/system/test_freshness.py",)
TRANSLATION = ("tests/system/test_translate.py",)
EXPRESSIONS = ("tests/system/test_expressions.py",)
ACTIONS = ("tests/system/test_actions.py",)
TERMS = ("tests/system/test_terms.py",)
INTERVALS = ("tests/engines/test_intervals.py",)
STANDSTILL = ("tests/system/test_standstill.py",)
COMPILED = ("tests/engines/test_compile.py",)
ENCODING = ("tests/engines/test_smt.py",)
HANDLES = ("tests/engines/test_handles.py",)
COVERAGE = ("tests/engines/test_coverage.py",)
TURNS = ("tests/engines/test_turns.py",)
LAYERS = ("tests/engines/test_frontier.py",)
DIAGRAMS = ("tests/engines/test_diagram.py",)
FAULTS = ("tests/test_fault_injection.py",)
SLICES = ("tests/system/test_slice.py",)
STEPS = ("tests/reducer",)
OBLIGATIONS = ("tests/obligations",)

CARRIED = ("tests/cache/test_same_runs.py",)
STALENESS = ("tests/system/test_staleness.py",)
CONDITIONS = ("tests/obligations/test_conditions.py",)

TRANSLATION_MUTANTS = (
    Mutant(
        "only the state a value was left in a moment ago can be stale",
        "fsmcheck/system/staleness.py",
        "after = {name: mask for name, mask in before.items() if name not in written}",
        "after: Facts = {}",
        STALENESS,
    ),
    Mutant(
        "a second way to a state adds nothing to what may be stale there",
        "fsmcheck/system/staleness.py",
        "if known is None or any(known.get(name, 0) | mask != known.get(name, 0) for name, mask in came.items()):",
        "if known is None:",
        STALENESS,
    ),
    Mutant(
        "a requirement is dropped from the gate",
        "fsmcheck/system/translate.py",
        "is_set(store[req.field.text]) for req in state.requires))",
        "is_set(store[req.field.text]) for req in state.requires[1:]))",
        TRANSLATION,
    ),
    Mutant(
        "the order of transitions is ignored",
        "fsmcheck/system/translate.py",
        "fires = t.and_(tried[transition.index], terms.all)",
        "fires = t.and_(gates[transition.index], terms.all)",
        TRANSLATION,
    ),
    Mutant(
        "eager leaves a state before its requirements are met where nothing guards the way",
        "fsmcheck/system/translate.py",
        'gate = met if self.profile == "gated" or not transition.guards else TRUE',
        'gate = met if self.profile == "gated" else TRUE',
        TRANSLATION,
    ),
    Mutant(
        "gated looks at guards before requirements are met",
        "fsmcheck/system/translate.py",
        'gate = met if self.profile == "gated" or not transition.guards else TRUE',
        "gate = met if not transition.guards else TRUE",
        TRANSLATION,
    ),
    Mutant(
        "onTransition runs before exit",
        "fsmcheck/system/translate.py",
        "for actions, place in ((state.exit, here), (transition.actions, edge)):",
        "for actions, place in ((transition.actions, edge), (state.exit, here)):",
        TRANSLATION,
    ),
    Mutant(
        "guards are evaluated after exit",
        "fsmcheck/system/translate.py",
        'evaluator = Evaluator(store, self.layout.types, self.layout.domains, choices, (name, "pre"))',
        'early = SymbolicRun(self.layout, store, choices, (name, "early"))\n'
        "        early.run(state.exit, Subject(state=name))\n"
        '        evaluator = Evaluator(early.store, self.layout.types, self.layout.domains, choices, (name, "pre"))',
        TRANSLATION,
    ),
    Mutant(
        "parking anywhere reads what any description mentions",
        "fsmcheck/system/translate.py",
        "freshness.read(self.spec.template_fields[name])",
        "freshness.read(field for fields in self.spec.template_fields.values() for field in fields)",
        FRESHNESS,
    ),
    Mutant(
        "only the guards of the transition taken read",
        "fsmcheck/system/translate.py",
        "for earlier in state.transitions[: transition.index + 1]:",
        "for earlier in state.transitions[transition.index : transition.index + 1]:",
        FRESHNESS,
    ),
    Mutant(
        "any stale field that guards mention re-fires, trigger or not",
        "fsmcheck/system/translate.py",
        "differs(self.layout, name, other), t.not_(guards.all))",
        "differs(self.layout, name, other))",
        TRANSLATION,
    ),
    Mutant(
        "a field is staged only where it was empty",
        "fsmcheck/system/translate.py",
        "store[field] = choose(writes, new, old)",
        "store[field] = choose(t.and_(writes, t.not_(is_set(old))), new, old)",
        TRANSLATION,
    ),
    Mutant(
        "one assign writes one after the other",
        "fsmcheck/system/actions.py",
        "before = dict(self.store)",
        "before = self.store",
        ACTIONS,
    ),
    Mutant(
        "where two classes of texts meet the literals of one are forgotten",
        "fsmcheck/system/domains.py",
        "self.texts[head] |= self.texts.pop(root)",
        "self.texts.pop(root)",
        EXPRESSIONS,
    ),
)

FRESHNESS_MUTANTS = (
    Mutant(
        "an exchange in the last visit counts in this one",
        "fsmcheck/system/freshness.py",
        "self.bits[EXCHANGED] = FALSE",
        "pass",
        FRESHNESS,
    ),
    Mutant(
        "an exchange is not noticed",
        "fsmcheck/system/freshness.py",
        "self.bits[EXCHANGED] = TRUE",
        "pass",
        FRESHNESS,
    ),
    Mutant(
        "what was assigned on leaving is stale",
        "fsmcheck/system/freshness.py",
        "still = t.boolean(name not in assigned)",
        "still = TRUE",
        FRESHNESS,
    ),
    Mutant(
        "what is staged stays stale: cleared too late",
        "fsmcheck/system/freshness.py",
        "self._forget(name, t.not_(condition))",
        "pass",
        FRESHNESS,
    ),
    Mutant(
        "append makes fresh: cleared too early",
        "fsmcheck/system/freshness.py",
        "if record.operator is Operator.ASSIGN:\n                    self._forget(record.field, FALSE)",
        "self._forget(record.field, FALSE)",
        FRESHNESS,
    ),
    Mutant(
        "an action loses what it reads itself",
        "fsmcheck/system/freshness.py",
        "            for _, record in group:\n                self.read(record.mentions)\n",
        "",
        FRESHNESS,
    ),
    Mutant(
        "being set is use enough for every field",
        "fsmcheck/system/freshness.py",
        "self.read(name for name in names if self.layout.types[name].kind in (Kind.BOOLEAN, Kind.ENUM))",
        "self.read(names)",
        FRESHNESS,
    ),
    Mutant(
        "staleness begins after entry",
        "fsmcheck/system/translate.py",
        "        freshness.leave(state, frozenset(assigned), run.store)\n"
        "        freshness.enter(target, run.store)\n"
        "        records = run.run(target.entry, Subject(state=target.name.text))\n"
        "        found += events.of_records(records, freshness.act(records))\n",
        "        freshness.enter(target, run.store)\n"
        "        records = run.run(target.entry, Subject(state=target.name.text))\n"
        "        found += events.of_records(records, freshness.act(records))\n"
        "        freshness.leave(state, frozenset(assigned), run.store)\n",
        FRESHNESS,
    ),
)

EXPRESSION_MUTANTS = (
    Mutant(
        "a failure on the left is not absorbed",
        "fsmcheck/system/expressions.py",
        "true, false = t.and_(t1, t2), t.or_(f1, f2)",
        "true, false = t.and_(t1, t2), t.or_(f1, t.and_(t1, f2))",
        EXPRESSIONS,
    ),
    Mutant(
        "a third conjunct is dropped",
        "fsmcheck/system/terms.py",
        "return flat[0] if len(flat) == 1 else Term(op, BOOL, tuple(flat))",
        "return flat[0] if len(flat) == 1 else Term(op, BOOL, tuple(flat[:2]))",
        TERMS,
    ),
    Mutant(
        "division rounds down",
        "fsmcheck/system/terms.py",
        "return quotient if (left < 0) == (right < 0) else -quotient",
        "return left // right",
        TERMS,
    ),
    Mutant(
        "the condition of a three-argument map never fails",
        "fsmcheck/system/totality.py",
        "asked = [source, *([] if condition is None else [condition]), ",
        "asked = [source, ",
        EXPRESSIONS,
    ),
    Mutant(
        "an empty list is set",
        "fsmcheck/system/symbolic.py",
        "return t.lt(t.integer(0), size)",
        "return t.le(t.integer(0), size)",
        ACTIONS,
    ),
)

ENGINE_MUTANTS = (
    Mutant(
        "a partition loses its largest point",
        "fsmcheck/engines/intervals.py",
        "range(points[0], points[-1] + 1)]",
        "range(points[0], points[-1])]",
        INTERVALS,
    ),
    Mutant(
        "sizes are cut one too low",
        "fsmcheck/engines/intervals.py",
        "constants.append(int(node.value))",
        "constants.append(int(node.value) - 1)",
        COMPILED,
    ),
    Mutant(
        "a sum forgets that both may be large",
        "fsmcheck/engines/intervals.py",
        "return (a[0] + b[0], a[1] + b[1])",
        "return (a[0] + b[0], a[1])",
        INTERVALS,
    ),
    Mutant(
        "what may be less is taken for what must be",
        "fsmcheck/engines/codegen.py",
        'FuzzyBool(f"({a}[0] < {b}[1])"',
        'FuzzyBool(f"({a}[1] < {b}[0])"',
        COMPILED,
    ),
    Mutant(
        "exchanges are searched before microsteps",
        "fsmcheck/engines/explicit.py",
        "(later if costs else queue).append(target)",
        "(queue if costs else later).append(target)",
        COMPILED,
    ),
    Mutant(
        "a configuration is as deep as it was first found",
        "fsmcheck/engines/explicit.py",
        "elif graph.depths[known] > graph.depths[number] + stage:",
        "elif graph.depths[known] < 0:",
        OBLIGATIONS,
    ),
    Mutant(
        "a cone follows what is read only once",
        "fsmcheck/system/slice.py",
        "frontier += self._read_by_updates[name] - found",
        "found |= self._read_by_updates[name]",
        SLICES,
    ),
    Mutant(
        "Z3 divides as it likes",
        "fsmcheck/engines/formulas.py",
        "return self.choice(self.equal(falls, backs), magnitude, self.computed(Op.SUB, zero, magnitude))",
        "return self.computed(Op.DIV, left, right)",
        ENCODING,
    ),
    Mutant(
        "what a step does not update is anything",
        "fsmcheck/engines/smt.py",
        "value = state[variable.name] if update is None else self.term(update, values, memo)",
        "value = after[variable.name] if update is None else self.term(update, values, memo)",
        ENCODING,
    ),
    Mutant(
        "bounded search reads unknown as no",
        "fsmcheck/engines/symbolic.py",
        "        if answer != z3.unsat:\n            return Bounded(None, length, exhausted=True)\n",
        "",
        FAULTS,
    ),
    Mutant(
        "k-induction reads unknown as proved",
        "fsmcheck/engines/symbolic.py",
        "if answer == z3.unsat:\n            return depth + 1",
        "if answer != z3.sat:\n            return depth + 1",
        FAULTS,
    ),
    Mutant(
        "Z3's library: what was asked before counts",
        "fsmcheck/engines/handles.py",
        "        self._library.solver_pop(context, solver, 1)\n",
        "",
        HANDLES,
    ),
    Mutant(
        "Z3's library: unknown is read as no",
        "fsmcheck/engines/handles.py",
        "False if answer == _UNSATISFIABLE else None",
        "False",
        HANDLES,
    ),
    Mutant(
        "Z3's library: a check that fails is an answer",
        "fsmcheck/engines/handles.py",
        "return 0 if self._library.get_error_code(self._context) else answer",
        "return answer",
        HANDLES,
    ),
    Mutant(
        "Z3's library: constants of a step are not moved",
        "fsmcheck/engines/handles.py",
        "return substitute(self.context, formula, len(pairs), _array(before), _array(after)) or self.refused()",
        "return formula",
        HANDLES,
    ),
    Mutant(
        "an unknown check of safety passes",
        "fsmcheck/engines/induction.py",
        'if refuted is not False:\n                return Checked(None if refuted is None else False, f"safety',
        'if refuted:\n                return Checked(None if refuted is None else False, f"safety',
        FAULTS,
    ),
    Mutant(
        "Spacer is believed",
        "fsmcheck/obligations/settle.py",
        "if checked.holds:",
        "if checked is not None:",
        FAULTS,
    ),
    Mutant(
        "a condition says nothing of where its steps lead",
        "fsmcheck/obligations/conditions.py",
        "parts += [step_digest(step, terms), reached(step.target), repr(excluded)]",
        "parts += [step_digest(step, terms), repr(excluded)]",
        CONDITIONS,
    ),
    Mutant(
        "a condition says nothing of what is not to happen",
        "fsmcheck/obligations/conditions.py",
        "parts += [step_digest(step, terms), reached(step.target), repr(excluded)]",
        "parts += [step_digest(step, terms), reached(step.target)]",
        CONDITIONS,
    ),
    Mutant(
        "a run is said to show what the one before it showed",
        "fsmcheck/obligations/witnesses.py",
        "        del self._after[same + 1 :]",
        "        pass",
        OBLIGATIONS,
    ),
    Mutant(
        "exchanges of an earlier visit count for a later one",
        "fsmcheck/obligations/visits.py",
        "                found.add(microstep.source)\n            exchanges = []",
        "                found.add(microstep.source)",
        OBLIGATIONS,
    ),
    Mutant(
        "a disagreement is passed over",
        "fsmcheck/obligations/recheck.py",
        "if checked.holds is False:",
        "if checked.holds is False and checked.reason is None:",
        FAULTS,
    ),
    Mutant(
        "a run that may end is one that surely does",
        "fsmcheck/engines/survey.py",
        "return surely_ends(self.graph)",
        "return possibly_ends(self.graph)",
        OBLIGATIONS,
    ),
    Mutant(
        "the abstraction chooses what suits the agents",
        "fsmcheck/engines/coverage.py",
        "graph.location(source).phase is Phase.WAITING or waiting_for[source] == 0",
        "graph.location(source).phase is Phase.WAITING or waiting_for[source] >= 0",
        COVERAGE,
    ),
    Mutant(
        "a counter that is reset is progress",
        "fsmcheck/engines/ranking.py",
        "        if not all(part.always(step, measure, Claim.KEEPS) for step in part.steps):\n            continue\n",
        "",
        TURNS,
    ),
    Mutant(
        "a measure may fall for ever",
        "fsmcheck/engines/ranking.py",
        "Claim.FLOORED: before_value >= 0,",
        "Claim.FLOORED: before_value >= before_value,",
        TURNS,
    ),
    Mutant(
        "the last turn does not count",
        "fsmcheck/engines/turns.py",
        "best[edge[1]] = value + edge[3]",
        "best[edge[1]] = value",
        TURNS,
    ),
    Mutant(
        "a cap that just suffices is too low",
        "fsmcheck/obligations/caps.py",
        "if graph.depths[number] <= limit]",
        "if graph.depths[number] < limit]",
        OBLIGATIONS,
    ),
    Mutant(
        "two texts of which nothing is known are the same",
        "fsmcheck/system/standstill.py",
        "return t.and_(_equal(before, after), t.not_(some))",
        "return _equal(before, after)",
        STANDSTILL,
    ),
    Mutant(
        "two lists of one size are the same",
        "fsmcheck/system/standstill.py",
        "return t.and_(_equal(size, given[0]), t.eq(size, t.integer(0)))",
        "return _equal(size, given[0])",
        STANDSTILL,
    ),
    Mutant(
        "what was reached stays so when the store changes",
        "fsmcheck/system/standstill.py",
        "t.and_(idle, t.var(name, BOOL)) for name in followed.values()",
        "t.var(name, BOOL) for name in followed.values()",
        STANDSTILL,
    ),
    Mutant(
        "what was reached stays so when an agent stages something",
        "fsmcheck/system/standstill.py",
        "idle.get(number, FALSE)",
        "idle.get(number, TRUE)",
        STANDSTILL,
    ),
    Mutant(
        "a step that is not known to change nothing ends an advance",
        "fsmcheck/system/standstill.py",
        "FALSE if entered is None else t.and_(idle, t.var(entered, BOOL))",
        "FALSE if entered is None else t.var(entered, BOOL)",
        STANDSTILL,
    ),
    Mutant(
        "a run that turns twice turns for ever",
        "fsmcheck/obligations/endless.py",
        "if any(identity(before[name]) != identity(after[name]) for name in fields):",
        "if not fields:",
        ("tests/obligations/test_repeated.py",),
    ),
    Mutant(
        "nothing hangs on what guards mention",
        "fsmcheck/obligations/endless.py",
        "found |= mentioned_by_guards(transition)",
        "found |= frozenset()",
        ("tests/obligations/test_repeated.py",),
    ),
    Mutant(
        "what no question depends on is no part of the store",
        "fsmcheck/obligations/standstill.py",
        "with_standstill(self.case.entire, self.case.layout)",
        "with_standstill(self.case.system, self.case.layout)",
        ("tests/obligations/test_standstill.py",),
    ),
    Mutant(
        "a way round ends at any state of it",
        "fsmcheck/system/standstill.py",
        "idle = {number: when for number, when in idle.items() if when is TRUE}\n        followed = _going_round("
        "system.steps[number] for number in idle)",
        "followed = _going_round(system.steps[number] for number, when in idle.items() if when is TRUE)",
        ("tests/obligations/test_standstill.py",),
    ),
    Mutant(
        "keys have no order",
        "fsmcheck/obligations/endless.py",
        "if makes_lists_of_maps(case.spec):",
        "if not case.spec:",
        ("tests/obligations/test_repeated.py",),
    ),
    Mutant(
        "whoever requires something asks for it",
        "fsmcheck/system/unasked.py",
        "empty = _emptied(actions).intersection(req.field.text for req in target.requires)",
        "empty = frozenset(req.field.text for req in target.requires)",
        ("tests/system/test_unasked.py",),
    ),
    Mutant(
        "what is not 'go' may not be empty",
        "fsmcheck/system/unasked.py",
        'return literal.value is None if field.type.kind in _READ_AS_NULL else literal.value == ""',
        "return True",
        ("tests/system/test_unasked.py",),
    ),
    Mutant(
        "a monitor that blames somebody else will do",
        "fsmcheck/obligations/confirm.py",
        "violations(spec, profile, run, rule):\n            if found.rule == rule and found.subject == subject:",
        "violations(spec, profile, run, rule):\n            if found.rule == rule:",
        FAULTS,
    ),
)

REDUCER_MUTANTS = (
    Mutant(
        "the reducer runs entry before onTransition",
        "fsmcheck/reducer/advance.py",
        "        (transition.actions, Phase.TRANSITION, name, index),\n"
        "        (target.entry, Phase.ENTRY, target.name.text, None),\n",
        "        (target.entry, Phase.ENTRY, target.name.text, None),\n"
        "        (transition.actions, Phase.TRANSITION, name, index),\n",
        STEPS,
    ),
    Mutant(
        "the reducer evaluates guards after exit",
        "fsmcheck/reducer/advance.py",
        "found = search(spec.state_by_name[state], store, profile)",
        "left = run_actions(spec, spec.state_by_name[state].exit, store, Phase.EXIT, state)\n"
        "        found = search(spec.state_by_name[state], left[-1].after if left else store, profile)",
        STEPS,
    ),
    Mutant(
        "the reducer assigns one after the other",
        "fsmcheck/reducer/actions.py",
        "value = _evaluate(write.value, store)",
        "value = _evaluate(write.value, store.updated(changes))",
        STEPS,
    ),
    Mutant(
        "the eager reducer leaves without a guard before requirements are met",
        "fsmcheck/reducer/guards.py",
        "return Tried(transition.index, (), enabled=not unmet)",
        "return Tried(transition.index, (), enabled=True)",
        STEPS,
    ),
    Mutant(
        "the caps of the policy allow one more",
        "fsmcheck/reducer/exchange.py",
        "counters.total >= policy.max_iterations:",
        "counters.total > policy.max_iterations:",
        STEPS,
    ),
)

CEL_MUTANTS = (
    Mutant(
        "0 and false are empty",
        "fsmcheck/cel/values.py",
        "return value is None or (type(value)",
        "return not value or (type(value)",
        ("tests/cel/test_cel_evaluation.py",),
    ),
    Mutant(
        "a failure is never absorbed",
        "fsmcheck/cel/evaluate.py",
        "failure = failure or error",
        "raise error",
        ("tests/cel/test_cel_evaluation.py",),
    ),
    Mutant(
        "1 equals true",
        "fsmcheck/cel/operators.py",
        "    if isinstance(one, bool) or isinstance(other, bool):\n        return one is other\n",
        "",
        ("tests/cel/test_cel_evaluation.py",),
    ),
)

FRONTIER_MUTANTS = (
    Mutant(
        "parts of a step are taken in the wrong order",
        "fsmcheck/engines/frontier/parts.py",
        "return found[::-1]",
        "return found",
        LAYERS,
    ),
    Mutant(
        "an event that depends on inputs forgets the guard",
        "fsmcheck/engines/frontier/steps.py",
        "return [self._part(merged([*touched, condition])), *map(self._part, rest)]",
        "return [self._part(condition), *map(self._part, rest)]",
        LAYERS,
    ),
    Mutant(
        "intervals are compared by their lower ends",
        "fsmcheck/engines/frontier/pointwise.py",
        "return a[0] < b[1], a[1] >= b[0]",
        "return a[0] < b[0], a[0] >= b[0]",
        LAYERS,
    ),
    Mutant(
        "exchanges are made from the last ring only",
        "fsmcheck/engines/frontier/search.py",
        "self.layer.setdefault(place, []).append((number, rows))",
        "self.layer[place] = [(number, rows)]",
        LAYERS,
    ),
    Mutant(
        "the last digits run into each other",
        "fsmcheck/engines/frontier/codes.py",
        "if stride * radix < self.size:",
        "if stride * radix * radix < self.size:",
        LAYERS,
    ),
    Mutant(
        "one of several integers that a variable may be given is taken",
        "fsmcheck/engines/frontier/steps.py",
        "counts = np.maximum(last - first + 1, 0)",
        "counts = np.minimum(np.maximum(last - first + 1, 0), 1)",
        LAYERS,
    ),
    Mutant(
        "one good way out is enough for the abstraction, too",
        "fsmcheck/engines/frontier/backward.py",
        "= leads & ~strays",
        "= leads",
        LAYERS,
    ),
    Mutant(
        "what is looked up is not what is there",
        "fsmcheck/engines/frontier/arrays.py",
        "return numbers[~among(numbers, members)]",
        "return numbers[1:][~among(numbers[1:], members)]",
        LAYERS,
    ),
    Mutant(
        "a second search of layers need not see the same events",
        "fsmcheck/engines/frontier/recheck.py",
        "if other.hits.keys() != frontier.hits.keys():",
        "if not other.hits:",
        LAYERS,
    ),
    Mutant(
        "steps that differ only below share a state of their relations",
        "fsmcheck/engines/diagram/images.py",
        "rest = (level, constraints, updates, begins)\n",
        "rest = (level, constraints, updates, NOTHING)\n",
        DIAGRAMS,
    ),
    Mutant(
        "a run is followed back along inputs that lead elsewhere",
        "fsmcheck/engines/diagram/images.py",
        "elif after[place] not in functions.set_at(node):",
        "elif not functions.set_at(node):",
        DIAGRAMS,
    ),
    Mutant(
        "of configurations that differ only in what does not count the last is counted",
        "fsmcheck/engines/diagram/projected.py",
        "children[like] = sets.union(children[like], projected(child))",
        "children[like] = projected(child)",
        DIAGRAMS,
    ),
    Mutant(
        "where a choice may be false is where it may be true",
        "fsmcheck/engines/diagram/evaluate.py",
        "return f.or_(first, f.and_(second, self.may_not(args[2])))",
        "return f.or_(first, f.and_(second, self.may(args[2])))",
        DIAGRAMS,
    ),
    Mutant(
        "one search of layers is enough for a proof",
        "fsmcheck/obligations/layers.py",
        "        if other is None:\n            return False\n",
        "        if other is None:\n            return not self.happens(key)\n",
        ("tests/obligations/test_by_layers.py",),
    ),
)

CARRIED_MUTANTS = (
    Mutant(
        "choices of the abstraction stand for the same in other guards",
        "fsmcheck/obligations/same_guards.py",
        " or _is_open(old) or _is_open(new):",
        ":",
        CARRIED,
    ),
    Mutant(
        "the values of any state are those of the one whose guards were changed",
        "fsmcheck/obligations/same_guards.py",
        "before.members.get(step.source.state, ())",
        "next(iter(before.members.values()), ())",
        CARRIED,
    ),
    Mutant(
        "what guards say of integers is left out of their comparison on each side",
        "fsmcheck/obligations/same_guards.py",
        "for name, part in each.items() if name not in shared",
        "for part in each.values() if has_no_integers((part,))",
        CARRIED,
    ),
    Mutant(
        "integers may be compared with others",
        "fsmcheck/obligations/same_guards.py",
        "    if _compared(old.steps, terms) != _compared(new.steps, terms):\n        return None\n",
        "",
        CARRIED,
    ),
    Mutant(
        "runs may be drawn from other literals",
        "fsmcheck/obligations/same_guards.py",
        "    if literals(before.spec) != literals(spec):\n        return None  # runs may be shown with other values\n",
        "",
        CARRIED,
    ),
    Mutant(
        "why a transition was dead is why it is",
        "fsmcheck/obligations/carry_over.py",
        "any(_tells_of_guards(verdict, changed) for verdict in kept)",
        "False",
        CARRIED,
    ),
    Mutant(
        "what is no longer asked is answered all the same",
        "fsmcheck/obligations/carry_over.py",
        "{key: verdict for key, verdict in known.items() if key not in asked.dropped}",
        "dict(known)",
        CARRIED,
    ),
    Mutant(
        "that two guards held at once is not looked at again",
        "fsmcheck/obligations/carry_over.py",
        "            case Question.OVERLAP:\n",
        "            case Question.CAP:\n",
        CARRIED,
    ),
    Mutant(
        "a search that was cut off knows all values",
        "fsmcheck/obligations/cache.py",
        "if case.is_entire and is_rechecked_whole(case) and settled:",
        "if case.is_entire and settled:",
        CARRIED,
    ),
    Mutant(
        "what a run of another spec showed is a proof where no run was found",
        "fsmcheck/obligations/cache.py",
        "found.method == WITNESS and case.whole.complete",
        "found.method == WITNESS and not case.whole.complete",
        CARRIED,
    ),
    Mutant(
        "a skeleton does without what is asked for",
        "fsmcheck/obligations/skeleton.py",
        "(state.requires, state.entry, state.exit)",
        "(state.entry, state.exit)",
        ("tests/cache/test_carry_over.py",),
    ),
    Mutant(
        "a term without a value agrees with any",
        "fsmcheck/engines/agreement.py",
        "            if left is None or right is None:\n                return None\n",
        "            if left is None or right is None:\n                continue\n",
        ("tests/cache/test_carry_over.py",),
    ),
)

MUTANTS = (
    *TRANSLATION_MUTANTS,
    *FRESHNESS_MUTANTS,
    *EXPRESSION_MUTANTS,
    *ENGINE_MUTANTS,
    *FRONTIER_MUTANTS,
    *REDUCER_MUTANTS,
    *CEL_MUTANTS,
    *CARRIED_MUTANTS,
)
