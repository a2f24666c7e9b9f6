"""What the first client drops in silence, all 41 cases of the list this project was designed against, and what becomes
of each here: a finding of the language, an error or report of the import, an outcome at run time, or words that the
language does not have - so that it cannot be said. Nothing else is allowed, and each is shown by running it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import pytest

from tests.compiler.imports.boards import action, portable
from tests.promises.discards import (
    GUARD,
    approval_is_consumed,
    arrivals_run_everything,
    both,
    deleted_step,
    evaluating_touches_nothing,
    generic_triggers_come_over,
    guards_are_asked,
    imported,
    kind_without_handler,
    language,
    limits_of_a_template,
    move_to_itself,
    moved,
    names_and_starts,
    no_dangling_reference,
    no_session_is_needed,
    nobody_to_wake,
    nothing_is_cut,
    second_move,
    session_is_configured,
    stages_and_rings,
    stages_and_seats,
    trigger_never_fired,
    unwired_is_told_beforehand,
)

Ours = Literal["finding", "import", "run time", "cannot be said"]


class Row(NamedTuple):
    """One silent discard: its number, what is dropped, what becomes of it here, and the test that shows it."""

    number: str
    what: str
    ours: Ours
    how: str
    show: Callable[[], None]


NO_APPROVAL_VALUE = "an approval is the word `approval` and has no value"
ROWS = [
    Row(
        "1",
        "unknown type on entry",
        "finding",
        "NW101, NW930",
        both(language("on enter { dance }", code="NW101"), imported(action("on_enter", "dance"), code="NW930")),
    ),
    Row(
        "2",
        "unknown type at turn start",
        "finding",
        "NW101, NW930",
        both(
            language("on turn_start { dance }", code="NW101"), imported(action("on_turn_start", "dance"), code="NW930")
        ),
    ),
    Row(
        "3",
        "unknown type at turn complete",
        "finding",
        "NW101, NW930",
        both(
            language("on turn_complete { dance }", code="NW101"),
            imported(action("on_turn_complete", "dance"), code="NW930"),
        ),
    ),
    Row(
        "4",
        "anything else on exit",
        "finding",
        "NW401, NW931",
        both(
            language("on exit { clear_decisions }", code="NW401"),
            imported(action("on_exit", "clear_decisions"), code="NW931"),
        ),
    ),
    Row(
        "5",
        "unknown type in a generic trigger",
        "finding",
        "NW101, NW930",
        both(language("on comment { dance }", code="NW101"), imported(action("on_comment", "dance"), code="NW930")),
    ),
    Row(
        "6",
        "a move without a step",
        "finding",
        "NW003, NW103, NW913, NW914",
        both(
            language("on turn_complete { -> }", code="NW003"),
            language("on comment { -> gone }", code="NW103"),
            imported(action("on_comment", "move_to_step"), code="NW914"),
            imported(
                action("on_turn_start", "move_to_step", step_id="7"), moved().replace("doing", '""'), code="NW913"
            ),
        ),
    ),
    Row(
        "7",
        "a session mode that is missing or no text",
        "finding",
        "NW202, NW201, NW914, NW913",
        both(
            language("on enter { set_session_mode }", code="NW202"),
            language("on enter { set_session_mode(1) }", code="NW201"),
            imported(action("on_enter", "set_session_mode"), code="NW914"),
            imported(action("on_enter", "set_session_mode", mode="[x]"), code="NW913"),
        ),
    ),
    Row(
        "8",
        "an approval that is no truth value",
        "cannot be said",
        f"{NO_APPROVAL_VALUE} (NW003); the import refuses others (NW913)",
        both(
            language(
                'on turn_complete { -> b requires "true" }', "on turn_complete { -> b requires yes }", code="NW003"
            ),
            imported(
                moved(requires_approval='"true"'),
                moved(requires_approval="1"),
                moved(requires_approval="yes"),
                code="NW913",
            ),
        ),
    ),
    Row(
        "9",
        "a malformed guard",
        "finding",
        "NW202, NW206, NW003, NW932: never no guard",
        both(
            language("on turn_complete { -> b when all_approve }", code="NW202"),
            language("on turn_complete { -> b when all_approve(boss) }", code="NW206"),
            language('on turn_complete { -> b when "all" }', "on turn_complete { -> b when }", code="NW003"),
            imported(
                moved(wait_for_quorum="all"),
                moved(**{"if": "{}"}),
                moved(**{"if": "always"}),
                moved(wait_for_quorum="{role: reviewer}"),
                moved(wait_for_quorum='{role: " ", threshold: all_approve}'),
                code="NW932",
            ),
        ),
    ),
    Row(
        "10",
        "a gate at turn start",
        "finding",
        "NW404, NW934",
        both(
            language(
                "on turn_start { -> b requires approval }",
                "on turn_start { -> b when all_approve(reviewer) }",
                code="NW404",
            ),
            imported(
                action("on_turn_start", "move_to_next", wait_for_quorum=GUARD),
                action("on_turn_start", "move_to_next", requires_approval="true"),
                code="NW934",
            ),
        ),
    ),
    Row(
        "11",
        "a gate on another action",
        "cannot be said",
        "only a move takes a guard or an approval (NW003); the import refuses it (NW934)",
        both(
            language(
                "on comment { queue_run when all_approve(reviewer) }",
                "on comment { queue_run requires approval }",
                code="NW003",
            ),
            imported(action("on_comment", "queue_run", **{"if": f"{{wait_for_quorum: {GUARD}}}"}), code="NW934"),
        ),
    ),
    Row(
        "12",
        "a guard that hides another",
        "cannot be said",
        "a move has one `when` (NW003); the import reports the hidden one (NW933), or an incomplete one (NW932)",
        both(
            language("on comment { -> b when all_approve(reviewer) when any_reject(reviewer) }", code="NW003"),
            imported(moved(wait_for_quorum=GUARD, **{"if": f"{{wait_for_quorum: {GUARD}}}"}), code="NW933"),
            imported(moved(wait_for_quorum="{}", **{"if": f"{{wait_for_quorum: {GUARD}}}"}), code="NW932"),
        ),
    ),
    Row(
        "13",
        "arguments of a run of a wrong type",
        "finding",
        "NW201, NW206, NW913",
        both(
            language(
                "on comment { queue_run(target=1) }",
                "on comment { queue_run(task=[1]) }",
                "on comment { queue_run(reason=true) }",
                'on comment { queue_run(payload="x") }',
                code="NW201",
            ),
            language("on comment { queue_run(target=boss) }", code="NW206"),
            imported(
                *(
                    action("on_comment", "queue_run", **{key: value})
                    for key, value in (("target", "1"), ("task_id", "[a]"), ("reason", "true"), ("payload", "x"))
                ),
                code="NW913",
            ),
        ),
    ),
    Row(
        "14",
        "a fan-out to a number, or to no role",
        "finding",
        "NW201, NW202, NW913, NW914",
        both(
            language("on comment { queue_run_for_each_participant(1) }", code="NW201"),
            language("on comment { queue_run_for_each_participant }", code="NW202"),
            imported(action("on_comment", "queue_run_for_each_participant", role="1"), code="NW913"),
            imported(action("on_comment", "queue_run_for_each_participant"), code="NW914"),
        ),
    ),
    Row(
        "15",
        "a review by a number",
        "finding",
        "NW201, NW913",
        both(
            language("on enter { run_code_review(1) }", code="NW201"),
            imported(action("on_enter", "run_code_review", agent_profile_id="1"), code="NW913"),
        ),
    ),
    Row(
        "16",
        "the configuration of a session",
        "run time",
        "run by the arriving session, and in the report",
        session_is_configured,
    ),
    Row(
        "17",
        "a kind nobody carries out",
        "run time",
        "failed `not_wired` on entry, `ActionNotYetWired` elsewhere",
        kind_without_handler,
    ),
    Row("18", "a move that asks for approval", "run time", "pending until `approve`", approval_is_consumed),
    Row("19", "a second move", "run time", "the first that holds; NW507 where it is never taken", second_move),
    Row("20", "a move to the step itself", "finding", "NW503; `already_there` for a call", move_to_itself),
    Row(
        "21",
        "four kinds on ordinary arrivals",
        "run time",
        "all run, all in the report; the import says so (NW937)",
        both(
            arrivals_run_everything,
            imported(
                action("on_enter", "queue_run"),
                action("on_enter", "run_code_review"),
                action("on_enter", "clear_decisions"),
                action("on_enter", "queue_run_for_each_participant", role="reviewer"),
                code="NW937",
            ),
        ),
    ),
    Row(
        "22", "guards on the older path of a finished turn", "run time", "asked, and the reason told", guards_are_asked
    ),
    Row("23", "a fan-out that finds nobody", "run time", "`slate_empty` in the report, NW601", nobody_to_wake),
    Row(
        "24",
        "next of the last step, previous of the first",
        "finding",
        "NW502, NW935",
        both(
            language("on turn_complete { -> previous }", code="NW502"),
            imported(action("on_turn_start", "move_to_previous"), code="NW935"),
        ),
    ),
    Row(
        "24a",
        "kinds whose adapter is missing",
        "run time",
        "`unwired` lists them, NW704; then as 17",
        both(unwired_is_told_beforehand, kind_without_handler),
    ),
    Row(
        "24b",
        "a trigger without an active session",
        "run time",
        "it runs; the session's own actions are recorded",
        no_session_is_needed,
    ),
    Row(
        "24c",
        "a trigger that is never fired",
        "finding",
        "NW703, where the host has said what it fires",
        trigger_never_fired,
    ),
    Row(
        "25",
        "data of an evaluation without a move",
        "cannot be said",
        "no kind patches data (NW101), and evaluating touches nothing",
        evaluating_touches_nothing,
    ),
    Row(
        "26",
        "references to a deleted step",
        "finding",
        "NW103 everywhere; `StepGone` for a task that stands there",
        deleted_step,
    ),
    Row(
        "27",
        "generic triggers of an import or export",
        "import",
        "carried both ways (NW940, NW954)",
        generic_triggers_come_over,
    ),
    Row(
        "28",
        "positions in other triggers",
        "import",
        "NW921 under every trigger",
        imported(
            *(
                action(trigger, "move_to_step", step_position="9")
                for trigger in ("on_comment", "on_heartbeat", "on_agent_error", "on_turn_start")
            ),
            code="NW921",
            form=portable,
        ),
    ),
    Row("29", "an id that leads nowhere", "import", "NW914; an export of ours has none", no_dangling_reference),
    Row(
        "30",
        "unknown keys",
        "import",
        "NW916, in a template NW915",
        both(
            imported(
                "colour: red",
                "events: {on_leave: []}",
                action("on_comment", "queue_run", rol="x"),
                code="NW916",
                form=portable,
            ),
            imported("colour: red", code="NW915"),
        ),
    ),
    Row("31", "what is over 1 MiB", "import", "NW904, read whole; NW953 for an export", nothing_is_cut),
    Row(
        "32",
        "an agent that is not found",
        "import",
        "NW914, NW913",
        both(
            imported("agent_profile: {model: small}", code="NW914", form=portable),
            imported(
                "agent_profile: Helper",
                action("on_enter", "run_code_review", agent_profile="Helper"),
                code="NW913",
                form=portable,
            ),
        ),
    ),
    Row("33", "stages and participants", "import", "NW916, and NW950 for an export", stages_and_seats),
    Row(
        "34",
        "names, starts, positions and hours that cannot be",
        "import",
        "NW924, NW925, NW927, NW928, NW916; NW506, NW116",
        names_and_starts,
    ),
    Row(
        "35",
        "half a position",
        "import",
        "NW913",
        imported(action("on_comment", "move_to_step", step_position="2.7"), code="NW913", form=portable),
    ),
    Row("36", "a stage nobody knows, a ring of feeders", "finding", "NW206, NW511", stages_and_rings),
    Row(
        "37",
        "a blank mode",
        "import",
        "NW914",
        imported(action("on_enter", "set_session_mode", mode='"  "'), code="NW914"),
    ),
    Row(
        "38",
        "limits, feeders and agents in a template",
        "import",
        "NW915, and NW950 for an export",
        limits_of_a_template,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.number} {row.what}")
def test_nothing_is_dropped_in_silence(row: Row) -> None:
    row.show()


def test_the_table_has_every_number_once() -> None:
    numbers = [*map(str, range(1, 25)), "24a", "24b", "24c", *map(str, range(25, 39))]
    assert [row.number for row in ROWS] == numbers
    assert len(numbers) == 41
    assert all(row.how for row in ROWS)
