"""The clauses of what a spec means, each something that a reducer can break by itself.

``docs/language.md`` is the page that they are taken from.
"""

from __future__ import annotations

CLAUSES: dict[str, str] = {
    # Starting
    "defaults": "a field that is no input starts at its default, else empty in the way of its type",
    "inputs": "a run starts with exactly the spec's inputs, each a set value of its type; anything else is refused",
    "start-entry": "the initial state's entry actions run when a run starts",
    "start-anew": "a start begins a new run: nothing of an earlier one is left",
    # Actions and values
    "action-order": "a transition runs the source's exit, then its onTransition, then the target's entry",
    "re-entry": "a transition back to its own state leaves and enters it: exit and entry run, a new visit begins",
    "actions-in-sequence": "each action of a list sees the store as the one before left it",
    "assign-simultaneous": "all values of one assign are computed in the store before it, then written together",
    "append": "append adds one element to the end of a list",
    "put": "put sets one entry of a map and keeps the others",
    "emptying": 'assigning "" or null empties a field of any type, so that a consumed trigger is asked for anew',
    "set-and-empty": '"", [], {} and null are empty; everything else is set, 0 and false too',
    "text-parts": "text with ${ } inside is put together from its parts, as string() writes them",
    "enum-check": "an action that gives an enum a text that is neither empty nor one of its values fails",
    "null-element": "appending null, putting it or putting it into text fails",
    "failed-store": "where an action fails, the run is failed in the source, with the store as before the transition",
    # Moving
    "document-order": "the first enabled transition in the order of the document is taken",
    "guards": "all guards of a transition have to be true; without guards it is enabled",
    "guard-errors": "a guard that fails to evaluate, or whose value is null, counts as false",
    "gating": "gated: none while a requirement is unmet; eager: as soon as its guards hold, one without guards waits",
    "advance": "transitions are taken until none is enabled; each is reported with the store after it",
    "terminal": "in a terminal state a run is done, whatever transitions there are",
    "stuck-or-waiting": "at rest, a run with an unmet requirement is waiting, one without is stuck",
    "no-progress": "one advance that meets the same state and store again, its beginning included, is no-progress",
    "runaway": "an advance takes at most 1000 transitions; if one more is enabled, the run is runaway",
    "awaits": "a waiting run lists the requirements that are unmet and whom they are asked of; no other run lists any",
    # Exchanges
    "staging": "the writes of an exchange are staged together, then the machine advances; there may be none",
    "who-may-act": "any agent asked for something in a state that it lists may act, its own requirements met or not",
    "overwriting": "an agent may write what is required of it again while the machine waits",
    "not-waiting": "an exchange with a machine that does not wait is rejected as not-waiting",
    "unknown-agent": "an exchange by an agent that is not declared is rejected as unknown-agent",
    "not-authorised": "an exchange by an agent that does not list the state is rejected as not-authorised",
    "unknown-field": "a write to a field that is not declared is rejected as unknown-field",
    "not-writable": "a write to a field that the state does not require of this agent is rejected as not-writable",
    "type-mismatch": "a write of a value of another type is rejected as type-mismatch; true is not 1",
    "not-in-values": "a write of a text that an enum does not list is rejected as not-in-values",
    "empty-value": "a write of an empty value is rejected as empty-value",
    "integer-bound": "integers from outside lie within ±2^53; others are a type-mismatch",
    "first-bad-write": "a rejected exchange has the code of its first bad write",
    "rejection-atomic": "a rejected exchange changes nothing but counters: no write of it is kept, nothing advances",
    # Caps
    "cap-iterations": "maxIterations limits the exchanges of a run, over all visits",
    "cap-stage": "maxExchangesPerStage limits the exchanges of one visit of a state",
    "cap-agent": "maxExchangesPerAgentPerStage limits the exchanges of one agent in one visit; others may go on",
    "visit-counters": "the counters of a visit begin at nought whenever a state is entered",
    "counting": "every exchange counts, rejected and empty ones too",
    "cap-name": "a capped run names the cap that the next exchange would exceed",
    # Expressions
    "arithmetic": "integers are exact 64-bit ones, division truncates towards zero; overflow and division by 0 fail",
    "absorption": "&& and || absorb an error where the other side decides, and are false or true then",
    "access": "a missing key and an index out of range are errors; in looks for elements and keys",
    "text-size": "size of a text counts its code points, and < goes by them",
    "functions": "macros, functions on text and conversions have CEL's results, and fail where CEL has none",
    # The protocol
    "loading": "a sound spec is loaded",
    "protocol": "every request is answered in the shape of fsmcheck.reducer/1",
}
"""Each clause and what it says."""
