"""Everything the compiler looks at: `CHECKS`, one line a code. A new check is a file beside this and a line here.

What the binder finds while it looks names up has its rule here and no function of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from newel.compiler.checks import (
    nw301_kind_in_no_list,
    nw302_kind_in_both_lists,
    nw303_kind_listed_twice,
    nw304_listed_kind_not_on_entry,
    nw305_listed_kind_unknown,
    nw409_excluded_before_dispatched,
    nw501_no_start,
    nw502_no_such_neighbour,
    nw503_move_to_itself,
    nw504_unreachable,
    nw505_dead_end,
    nw506_several_starts,
    nw507_move_never_taken,
    nw508_idle_loop,
    nw509_loop_without_a_person,
    nw510_races_through,
    nw511_pull_cycle,
    nw512_pull_without_limit,
    nw513_loops_not_searched,
    nw601_role_not_seated,
    nw602_asked_but_not_woken,
    nw603_woken_before_seated,
    nw604_decisions_kept,
    nw605_cleared_after_waking,
    nw606_no_way_back,
    nw607_more_asked_than_seated,
    nw701_prompt_never_used,
    nw702_signal_never_read,
    nw703_trigger_never_fired,
    nw704_kind_never_run,
    nw705_never_used,
    nw706_allows_nothing,
    nw707_allowed_without_reason,
)
from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Rule
from newel.dsl.rules import SYNTAX_RULES


@dataclass(frozen=True, slots=True)
class Check:
    """One rule, and what finds where it is broken; None where the binder does."""

    rule: Rule
    find: Callable[[Facts], Iterable[Finding]] | None = None


CHECKS = (
    Check(nw301_kind_in_no_list.RULE, nw301_kind_in_no_list.check),
    Check(nw302_kind_in_both_lists.RULE, nw302_kind_in_both_lists.check),
    Check(nw303_kind_listed_twice.RULE, nw303_kind_listed_twice.check),
    Check(nw304_listed_kind_not_on_entry.RULE, nw304_listed_kind_not_on_entry.check),
    Check(nw305_listed_kind_unknown.RULE, nw305_listed_kind_unknown.check),
    Check(nw409_excluded_before_dispatched.RULE, nw409_excluded_before_dispatched.check),
    Check(nw501_no_start.RULE, nw501_no_start.check),
    Check(nw502_no_such_neighbour.RULE, nw502_no_such_neighbour.check),
    Check(nw503_move_to_itself.RULE, nw503_move_to_itself.check),
    Check(nw504_unreachable.RULE, nw504_unreachable.check),
    Check(nw505_dead_end.RULE, nw505_dead_end.check),
    Check(nw506_several_starts.RULE, nw506_several_starts.check),
    Check(nw507_move_never_taken.RULE, nw507_move_never_taken.check),
    Check(nw508_idle_loop.RULE, nw508_idle_loop.check),
    Check(nw509_loop_without_a_person.RULE, nw509_loop_without_a_person.check),
    Check(nw510_races_through.RULE, nw510_races_through.check),
    Check(nw511_pull_cycle.RULE, nw511_pull_cycle.check),
    Check(nw512_pull_without_limit.RULE, nw512_pull_without_limit.check),
    Check(nw513_loops_not_searched.RULE, nw513_loops_not_searched.check),
    Check(nw601_role_not_seated.RULE, nw601_role_not_seated.check),
    Check(nw602_asked_but_not_woken.RULE, nw602_asked_but_not_woken.check),
    Check(nw603_woken_before_seated.RULE, nw603_woken_before_seated.check),
    Check(nw604_decisions_kept.RULE, nw604_decisions_kept.check),
    Check(nw605_cleared_after_waking.RULE, nw605_cleared_after_waking.check),
    Check(nw606_no_way_back.RULE, nw606_no_way_back.check),
    Check(nw607_more_asked_than_seated.RULE, nw607_more_asked_than_seated.check),
    Check(nw701_prompt_never_used.RULE, nw701_prompt_never_used.check),
    Check(nw702_signal_never_read.RULE, nw702_signal_never_read.check),
    Check(nw703_trigger_never_fired.RULE, nw703_trigger_never_fired.check),
    Check(nw704_kind_never_run.RULE, nw704_kind_never_run.check),
    Check(nw705_never_used.RULE, nw705_never_used.check),
    Check(nw706_allows_nothing.RULE),
    Check(nw707_allowed_without_reason.RULE),
)


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its code, in the order of the codes: those of the form of a file, then those of its meaning."""
    found = (*SYNTAX_RULES, *(check.rule for check in CHECKS))
    return {rule.code: rule for rule in sorted(found, key=lambda rule: rule.code)}
