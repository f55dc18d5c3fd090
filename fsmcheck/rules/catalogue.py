"""All rules, sorted by ID."""

from __future__ import annotations

from fsmcheck.rules.rule import Rule
from fsmcheck.rules.text import (
    fsm001_unreadable_file,
    fsm002_schema_violation,
    fsm003_cel_syntax,
    fsm004_cel_type,
    fsm005_opaque_guard,
    fsm101_unknown_state,
    fsm102_unknown_field,
    fsm103_unknown_agent,
    fsm104_not_in_values,
    fsm105_action_type,
    fsm106_no_terminal_state,
    fsm107_terminal_with_exit,
    fsm108_no_authority,
    fsm109_unused,
    fsm110_dead_end_state,
    fsm201_unreachable_state,
    fsm202_no_way_out,
)

RULES: tuple[Rule, ...] = (
    fsm001_unreadable_file.RULE,
    fsm002_schema_violation.RULE,
    fsm003_cel_syntax.RULE,
    fsm004_cel_type.RULE,
    fsm005_opaque_guard.RULE,
    fsm101_unknown_state.RULE,
    fsm102_unknown_field.RULE,
    fsm103_unknown_agent.RULE,
    fsm104_not_in_values.RULE,
    fsm105_action_type.RULE,
    fsm106_no_terminal_state.RULE,
    fsm107_terminal_with_exit.RULE,
    fsm108_no_authority.RULE,
    fsm109_unused.RULE,
    fsm110_dead_end_state.RULE,
    fsm201_unreachable_state.RULE,
    fsm202_no_way_out.RULE,
)
