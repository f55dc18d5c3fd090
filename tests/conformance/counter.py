"""What runs cover, counted from the document and the stores alone, by other means than the generator of suites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsmcheck.cel.ast import Binary, BinaryOp, Expr
from fsmcheck.cel.errors import EvaluationError
from fsmcheck.cel.evaluate import evaluate
from fsmcheck.conformance.goals import conditions
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Spec, State, Transition

Found = tuple[str, str]


def universe(spec: Spec) -> set[Found]:
    """All that there is to cover."""
    found: set[Found] = set()
    listed = {agent.name.text: {name.text for name in agent.can_transition} for agent in spec.agents}
    for state in spec.states:
        name = state.name.text
        found.add(("state", name))
        found |= {("action", f"{name} entry[{at}]") for at in range(len(state.entry))}
        found |= {("action", f"{name} exit[{at}]") for at in range(len(state.exit))}
        found |= {
            ("write", f"{need.field.text} by {need.agent.text} in {name}")
            for need in state.requires
            if name in listed[need.agent.text]
        }
        for transition in () if state.terminal else state.transitions:
            place = place_of(state, transition)
            found.add(("transition", place))
            found |= {("action", f"{place} onTransition[{at}]") for at in range(len(transition.actions))}
            for at in range(len(transition.guards)):
                found |= {("guard", f"{place} guards[{at}] true"), ("guard", f"{place} guards[{at}] false")}
            parts = list(_all_parts(transition))
            if len(parts) > 1:
                found |= {("condition", f"{place} only {each.text} false") for each in conditions(transition)}
    policy = spec.policy
    caps = {
        "maxIterations": policy.max_iterations,
        "maxExchangesPerStage": policy.max_exchanges_per_stage,
        "maxExchangesPerAgentPerStage": policy.max_exchanges_per_agent_per_stage,
    }
    set_caps = [name for name, cap in caps.items() if cap]
    statuses = ["waiting", "done", "stuck", "no-progress", "runaway", "failed", *(["capped"] if set_caps else [])]
    codes = "not-waiting unknown-agent not-authorised unknown-field not-writable type-mismatch not-in-values"
    found |= {("cap", name) for name in set_caps} | {("status", name) for name in statuses}
    return found | {("rejection", code) for code in (*codes.split(), "empty-value")}


def measured(spec: Spec, profile: Profile, run: Sequence[Step]) -> set[Found]:
    """What a run covers. Fails where the reducer takes another transition than the guards say."""
    found: set[Found] = set()
    for number, step in enumerate(run):
        ended = step.configuration
        found |= {("state", ended.state), ("status", ended.status)}
        if ended.cap is not None:
            found.add(("cap", ended.cap))
        if step.rejected is not None:
            found.add(("rejection", step.rejected))
            continue
        at = run[number - 1].configuration.state if number else spec.initial.text
        if number:
            found |= {("write", f"{field} by {step.agent} in {at}") for field in step.given}
        elif ended.status != "failed" or step.advance.microsteps:
            found |= _listed(at, "entry", len(spec.state_by_name[at].entry))
        store = step.advance.began
        for micro in step.advance.microsteps:
            state, target = spec.state_by_name[at], spec.state_by_name[micro.target]
            taken, outcomes = _search(spec, profile, state, store)
            assert taken == micro.transition
            found |= outcomes
            place = place_of(state, state.transitions[micro.transition])
            found |= {("transition", place), ("state", micro.target)}
            found |= _listed(at, "exit", len(state.exit)) | _listed(micro.target, "entry", len(target.entry))
            found |= _listed(place, "onTransition", len(state.transitions[micro.transition].actions))
            at, store = micro.target, micro.store
        if ended.status in ("waiting", "stuck", "capped", "failed", "runaway") and not spec.state_by_name[at].terminal:
            found |= _search(spec, profile, spec.state_by_name[at], store)[1]
    return found


def place_of(state: State, transition: Transition) -> str:
    return f"{state.name.text} → {transition.target.text} ({transition.index})"


def _listed(place: str, phase: str, count: int) -> set[Found]:
    return {("action", f"{place} {phase}[{at}]") for at in range(count)}


def _search(spec: Spec, profile: Profile, state: State, store: Store) -> tuple[int | None, set[Found]]:
    """The first enabled transition, in the order of the document, and how guards came out up to it."""
    found: set[Found] = set()
    unmet = [need for need in state.requires if not store.is_set(need.field.text)]
    if state.terminal or (profile == "gated" and unmet):
        return None, found
    for transition in state.transitions:
        place = place_of(state, transition)
        if not transition.guards:
            if not unmet:
                return transition.index, found
            continue
        enabled = True
        for at, guard in enumerate(transition.guards):
            assert guard.expression is not None
            assert guard.expression.ast is not None
            enabled = _holds(guard.expression.ast, store)
            found.add(("guard", f"{place} guards[{at}] {'true' if enabled else 'false'}"))
            if not enabled:
                break
        parts = list(_all_parts(transition))
        false = [at for at, part in enumerate(parts) if not _holds(part, store)]
        if len(parts) > 1 and len(false) == 1 and not enabled:
            found.add(("condition", f"{place} only {conditions(transition)[false[0]].text} false"))
        if enabled:
            return transition.index, found
    return None, found


def _all_parts(transition: Transition) -> Iterator[Expr]:
    for guard in transition.guards:
        if guard.expression is not None and guard.expression.ast is not None:
            yield from _operands([guard.expression.ast])


def _operands(pending: Iterable[Expr]) -> Iterator[Expr]:
    for expr in pending:
        if isinstance(expr, Binary) and expr.op is BinaryOp.AND:
            yield from _operands([expr.left, expr.right])
        else:
            yield expr


def _holds(expr: Expr, store: Store) -> bool:
    try:
        return evaluate(expr, store) is True
    except EvaluationError:
        return False
