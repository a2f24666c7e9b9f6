"""Everything that is looked for between two versions: `DIFFERENCES`, one line a code, and what category it belongs to.

A new one is a file beside this and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newel.compiler.diff import (
    nw801_workflow_removed,
    nw802_workflow_renamed,
    nw803_step_removed,
    nw804_step_renamed,
    nw805_added,
    nw806_order_changed,
    nw807_start_moved,
    nw808_end_changed,
    nw809_wording_changed,
    nw810_by_hand_now,
    nw811_last_way_out_lost,
    nw812_way_out_lost,
    nw813_way_out_added,
    nw814_guard_loosened,
    nw815_guard_changed,
    nw816_approval_lost,
    nw817_approval_added,
    nw818_not_by_hand_any_more,
    nw819_moves_reordered,
    nw821_entry_action_added,
    nw822_entry_action_removed,
    nw823_entry_reordered,
    nw824_entry_action_changed,
    nw825_decisions_stop_counting,
    nw826_owner_changed,
    nw827_reaction_changed,
    nw828_signal_changed,
    nw829_setting_changed,
    nw830_cancel_changed,
    nw831_role_left_unseated,
    nw832_seat_lost,
    nw833_seat_added,
    nw834_limit_lowered,
    nw835_limit_raised,
    nw836_feeder_changed,
    nw837_seat_asked_otherwise,
    nw841_trigger_removed,
    nw842_payload_changed,
    nw843_operation_changed,
    nw844_kind_changed,
    nw845_role_removed,
    nw846_meaning_changed,
    nw847_declaration_changed,
    nw848_declaration_removed,
    nw849_declaration_added,
)
from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule, and what finds where it applies."""

    rule: Rule
    find: Callable[[Versions], Iterator[Change]]


DIFFERENCES = (
    Difference(nw801_workflow_removed.RULE, nw801_workflow_removed.find),
    Difference(nw802_workflow_renamed.RULE, nw802_workflow_renamed.find),
    Difference(nw803_step_removed.RULE, nw803_step_removed.find),
    Difference(nw804_step_renamed.RULE, nw804_step_renamed.find),
    Difference(nw805_added.RULE, nw805_added.find),
    Difference(nw806_order_changed.RULE, nw806_order_changed.find),
    Difference(nw807_start_moved.RULE, nw807_start_moved.find),
    Difference(nw808_end_changed.RULE, nw808_end_changed.find),
    Difference(nw809_wording_changed.RULE, nw809_wording_changed.find),
    Difference(nw810_by_hand_now.RULE, nw810_by_hand_now.find),
    Difference(nw811_last_way_out_lost.RULE, nw811_last_way_out_lost.find),
    Difference(nw812_way_out_lost.RULE, nw812_way_out_lost.find),
    Difference(nw813_way_out_added.RULE, nw813_way_out_added.find),
    Difference(nw814_guard_loosened.RULE, nw814_guard_loosened.find),
    Difference(nw815_guard_changed.RULE, nw815_guard_changed.find),
    Difference(nw816_approval_lost.RULE, nw816_approval_lost.find),
    Difference(nw817_approval_added.RULE, nw817_approval_added.find),
    Difference(nw818_not_by_hand_any_more.RULE, nw818_not_by_hand_any_more.find),
    Difference(nw819_moves_reordered.RULE, nw819_moves_reordered.find),
    Difference(nw821_entry_action_added.RULE, nw821_entry_action_added.find),
    Difference(nw822_entry_action_removed.RULE, nw822_entry_action_removed.find),
    Difference(nw823_entry_reordered.RULE, nw823_entry_reordered.find),
    Difference(nw824_entry_action_changed.RULE, nw824_entry_action_changed.find),
    Difference(nw825_decisions_stop_counting.RULE, nw825_decisions_stop_counting.find),
    Difference(nw826_owner_changed.RULE, nw826_owner_changed.find),
    Difference(nw827_reaction_changed.RULE, nw827_reaction_changed.find),
    Difference(nw828_signal_changed.RULE, nw828_signal_changed.find),
    Difference(nw829_setting_changed.RULE, nw829_setting_changed.find),
    Difference(nw830_cancel_changed.RULE, nw830_cancel_changed.find),
    Difference(nw831_role_left_unseated.RULE, nw831_role_left_unseated.find),
    Difference(nw832_seat_lost.RULE, nw832_seat_lost.find),
    Difference(nw833_seat_added.RULE, nw833_seat_added.find),
    Difference(nw834_limit_lowered.RULE, nw834_limit_lowered.find),
    Difference(nw835_limit_raised.RULE, nw835_limit_raised.find),
    Difference(nw836_feeder_changed.RULE, nw836_feeder_changed.find),
    Difference(nw837_seat_asked_otherwise.RULE, nw837_seat_asked_otherwise.find),
    Difference(nw841_trigger_removed.RULE, nw841_trigger_removed.find),
    Difference(nw842_payload_changed.RULE, nw842_payload_changed.find),
    Difference(nw843_operation_changed.RULE, nw843_operation_changed.find),
    Difference(nw844_kind_changed.RULE, nw844_kind_changed.find),
    Difference(nw845_role_removed.RULE, nw845_role_removed.find),
    Difference(nw846_meaning_changed.RULE, nw846_meaning_changed.find),
    Difference(nw847_declaration_changed.RULE, nw847_declaration_changed.find),
    Difference(nw848_declaration_removed.RULE, nw848_declaration_removed.find),
    Difference(nw849_declaration_added.RULE, nw849_declaration_added.find),
)

_CATEGORIES = {"NW80": "shape", "NW81": "flow"}


def category(rule: Rule) -> str:
    """What kind of change it is: of the board's shape, of its ways, or of what concerns tasks on their way."""
    return _CATEGORIES.get(rule.code[:4], "in flight")
