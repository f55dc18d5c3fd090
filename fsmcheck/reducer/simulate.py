"""Running a spec by hand or from a script, telling every microstep."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.json_values import JsonValue, store_json
from fsmcheck.reducer.narrate import ending_line, exchange_line, guard_error_lines, microstep_lines, quoted, values_text
from fsmcheck.reducer.record import Effect, Step
from fsmcheck.reducer.reducer import InputError, exchange, start
from fsmcheck.reducer.script import Script, ScriptError, parse_line
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.reducer.trace import advance_json, given_fields_json, step_json
from fsmcheck.spec.model import Spec

Say = Callable[[str], None]
Ask = Callable[[str], str]


def run_script(spec: Spec, script: Script, profile: Profile, say: Say, *, caps: bool = True) -> tuple[Step, ...]:
    """Run a script and tell what happens; exchanges after the end of a run are made and rejected, as they would be.

    Raises ``InputError`` and ``UnrunnableSpecError`` as the reducer does.
    """
    run = [start(spec, script.inputs, profile, caps=caps)]
    _tell(run[0], say)
    for scripted in script.exchanges:
        before = run[-1].configuration
        run.append(exchange(spec, before, scripted.agent, scripted.writes, profile, caps=caps))
        _tell(run[-1], say)
    return tuple(run)


def run_session(spec: Spec, profile: Profile, ask: Ask, say: Say, *, caps: bool = True) -> tuple[Step, ...]:
    """Run a spec as somebody at a terminal says: ``ask`` shows a prompt and returns a line, ``say`` prints one.

    The inputs are asked for first. Then each line is an exchange, ``agent field=value …``, as in a script; the
    agent may be left out where only one may act. ``quit``, or an ``EOFError`` of ``ask``, ends the session.
    Returns the run so far, empty where it did not begin. Raises ``UnrunnableSpecError``.
    """
    run: list[Step] = []
    try:
        run.append(_ask_for_start(spec, profile, ask, say, caps))
        _tell(run[0], say)
        if run[0].configuration.status == "waiting":
            say("say who stages what, as agent field=value …, or quit")
        while run[-1].configuration.status == "waiting":
            agent, writes = _ask_for_exchange(spec, run[-1], ask, say)
            run.append(exchange(spec, run[-1].configuration, agent, writes, profile, caps=caps))
            _tell(run[-1], say)
    except EOFError:
        say("the session ends")
    return tuple(run)


def _ask_for_start(spec: Spec, profile: Profile, ask: Ask, say: Say, caps: bool) -> Step:
    while True:
        inputs = {name: _ask_for_input(name, str(spec.field_by_name[name].type), ask) for name in spec.input_names}
        try:
            return start(spec, inputs, profile, caps=caps)
        except InputError as error:
            for problem in error.problems:
                say(problem)


def _ask_for_input(name: str, type_: str, ask: Ask) -> JsonValue:
    """JSON, or whatever is typed as text."""
    line = _answer(ask, f"{name} ({type_})> ").strip()
    try:
        return parse_json(line)
    except StrictJsonError:
        return line


def _ask_for_exchange(spec: Spec, step: Step, ask: Ask, say: Say) -> tuple[str, Mapping[str, JsonValue]]:
    agents = may_act(spec, step.configuration.state)
    while True:
        line = _answer(ask, f"{step.configuration.state}> ")
        try:
            agent, writes = parse_line(line)
        except ScriptError as error:
            say(str(error))
            continue
        if agent is not None and (writes or agent in agents):
            return agent, writes
        if writes and len(agents) == 1:
            return agents[0], writes
        say(f"expected an agent ({', '.join(agents) or 'none may act here'}) and field=value …, or quit")


def _answer(ask: Ask, prompt: str) -> str:
    line = ask(prompt)
    if line.strip() == "quit":
        raise EOFError
    return line


def _tell(step: Step, say: Say) -> None:
    advance = advance_json(step)
    if step.agent is None:
        say(f"start with {values_text(given_fields_json(step))}" if step.given else "start")
    else:
        say(exchange_line(step_json(step)))
    for line in (*guard_error_lines(advance), *microstep_lines(advance, store_json(step.advance.began))):
        say(f"  {line}")
    failed = step.advance.failure.effects[-1] if step.advance.failure is not None else None
    if failed is not None:
        say(f"  {_failure(failed)}")
    say(f"  {ending_line(advance)}")


def _failure(effect: Effect) -> str:
    message = effect.fault.message if effect.fault is not None else ""
    return f"{effect.phase.value} of {quoted(effect.state)} failed: {message}"
