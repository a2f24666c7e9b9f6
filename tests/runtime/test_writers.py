"""The writers (SL2, SL4, SL7, SL8, EN12, EN14, EN17): every change of a step, its row, and who wins."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import newel.runtime
from newel.compiler.program import Program
from newel.runtime.errors import (
    ActionNotYetWired,
    BadArgument,
    LedgerUnavailable,
    NewelError,
    NotByHand,
    NotSupported,
    StepGone,
    TaskExists,
    TooDeep,
    UnknownRoute,
    UnknownStep,
    UnknownTask,
    UnknownWorkflow,
)
from newel.runtime.handlers import Handlers
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.service import Service
from tests.runtime.boards import REVIEW, Live, Make, Rig, board, compiled, entering, entry_of, statuses


def leaving(*actions: str) -> str:
    return "on exit {\n" + "\n".join(actions) + "\n}"


def steps(rig: Rig, task: str = "T") -> list[tuple[str | None, str | None]]:
    return [(row.from_step, row.to_step) for row in rig.service.history(task)]


# ---------------------------------------------------------------- rows


def test_sl2_no_row_where_nothing_changes_and_one_for_a_detach(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    assert rig.service.move("T", "a").kind is OutcomeKind.ALREADY_THERE
    assert [o.kind for o in rig.service.move_many([("T", "a")])] == [OutcomeKind.ALREADY_THERE]
    rig.service.reorder("T", 3)
    assert steps(rig) == [(None, "a")]
    detached = rig.service.detach("T")
    assert (detached.kind, detached.from_step, detached.to_step, detached.entry) == (OutcomeKind.MOVED, "a", None, None)
    assert rig.service.detach("T").kind is OutcomeKind.ALREADY_THERE
    row = rig.service.history("T")[-1]
    assert (row.to_workflow, row.to_step, row.route) == (None, None, "detached")
    task = rig.service.task("T")
    assert (task.workflow, task.step, task.entry_id, task.position) == (None, None, None, 3)
    with pytest.raises(UnknownWorkflow):
        rig.service.move("T", "b")


def test_sl3_rows_tell_who_and_why_and_blanks_are_absent(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w", actor=Actor.human("ada"), priority=2)
    rig.service.move("T", "b", actor=Actor.agent(""), session="", route="agent_move")
    rig.service.move("T", "c", session="s")
    rows = [
        (row.route, row.actor_kind, row.actor_id, row.session, row.from_workflow, row.to_workflow)
        for row in rig.service.history("T")
    ]
    assert rows == [
        ("created", "human", "ada", None, None, "w"),
        ("agent_move", "agent", None, None, "w", "w"),
        ("manual_move", "unknown", None, "s", "w", "w"),
    ]
    assert {row.revision for row in rig.service.history("T")} == {rig.service.program.revision}
    assert rig.service.task("T").priority == 2
    with pytest.raises(UnknownRoute):
        rig.service.move("T", "a", route="teleport")


def test_sl3_the_outermost_cause_wins(make: Make) -> None:
    rig = make(board(b=entering("page")))
    rig.on_page = lambda action, context: context.service.move("U", "b", actor=Actor.agent("x"))
    rig.service.create("T", "w")
    rig.service.create("U", "w", "c")
    with rig.service.cause(route="user_cancellation", actor=Actor.human("ada")), rig.service.cause(route="restore"):
        rig.service.move("T", "b", actor=Actor.system())
    for task in "TU":
        row = rig.service.history(task)[-1]
        assert (row.route, row.actor_kind, row.actor_id) == ("user_cancellation", "human", "ada")


def test_sl3_the_ledger_keeps_every_program_it_wrote_a_row_under(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    first = rig.service.program
    rig.service.set_program(board(b=entering("note_it")))
    rig.service.move("T", "b")
    second = rig.service.program
    with rig.ledger.read() as view:
        for program in (first, second):
            text = view.program(program.revision)
            assert text is not None
            assert Program.from_json(text).revision == program.revision


def test_sl3_a_program_is_kept_also_if_the_first_move_under_it_failed(make: Make) -> None:
    rig = make(board(a=leaving("boom")))
    rig.service.create("T", "w")
    rig.service.set_program(board(a=leaving("note_it", "boom")))
    with pytest.raises(ValueError, match="boom"):
        rig.service.move("T", "b")
    rig.broken = False
    rig.service.move("T", "b")
    with rig.ledger.read() as view:
        assert view.program(rig.service.program.revision) is not None


# ---------------------------------------------------------------- SL4


def test_sl4_each_row_begins_where_the_last_one_ended(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    for step in "bcabca":
        rig.service.move("T", step)
    rows = steps(rig)
    assert [row[0] for row in rows[1:]] == [row[1] for row in rows[:-1]]
    task = rig.service.task("T")
    assert (task.step, task.entry_id) == (rows[-1][1], rig.service.history("T")[-1].id)


def test_sl4_a_decided_move_compares_the_entry_not_the_step(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    token = entry_of(rig.service.move("T", "b")).entry_id
    rig.service.move("T", "a")
    rig.service.move("T", "b")  # there again, in another entry
    lost = rig.service.move("T", "c", if_entry=token)
    assert (lost.kind, lost.from_step, lost.entry) == (OutcomeKind.ABANDONED, "b", None)
    assert rig.service.task("T").step == "b"
    assert rig.service.move("T", "c", if_entry=rig.service.task("T").entry_id).moved


def test_sl4_of_many_decided_on_one_entry_one_wins(make: Make) -> None:
    rig = make(board())
    rigs = [rig, rig.again()]

    def race(name: str) -> list[str]:
        token, gate = rig.service.task(name).entry_id, threading.Barrier(4)
        kinds: list[str] = []

        def go(service: Service, to: str) -> None:
            gate.wait()
            kinds.append(service.move(name, to, if_entry=token).kind.value)

        threads = [threading.Thread(target=go, args=(rigs[n % 2].service, "bc"[n // 2])) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(kinds)

    for number in range(10):
        rig.service.create(f"T{number}", "w")
        assert race(f"T{number}") == ["abandoned", "abandoned", "abandoned", "moved"]
        assert len(rig.service.history(f"T{number}")) == 2
    rigs[1].close()


def test_sl4_a_plain_move_starts_again_from_where_the_task_stands_now(make: Make) -> None:
    rig = make(board(a=leaving('page("from a")'), b=leaving('page("from b")', 'note_it(text="left b")')))
    other = rig.again()
    moved: list[str] = []

    def page(action: Any, context: Any) -> None:
        moved.append(action.who)
        if action.who == "from a" and len(moved) == 1:
            other.on_page = lambda action, context: None
            other.service.move("T", "b")

    rig.on_page = page
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "c")
    other.close()
    assert (outcome.kind, outcome.from_step, outcome.to_step) == (OutcomeKind.MOVED, "b", "c")
    assert moved == ["from a", "from b"]
    assert rig.notes() == ["left b"]
    assert steps(rig) == [(None, "a"), ("a", "b"), ("b", "c")]


def test_sl4_a_decided_move_is_abandoned_where_a_plain_one_starts_again(make: Make) -> None:
    rig = make(board(a=leaving("page")))
    other = rig.again()
    other.on_page = lambda action, context: None
    rig.on_page = lambda action, context: other.service.move("T", "b")
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "c", if_entry=rig.service.task("T").entry_id)
    other.close()
    assert outcome.kind is OutcomeKind.ABANDONED
    assert rig.service.task("T").step == "b"


def test_sl4_a_task_moved_to_the_destination_meanwhile_is_there_already(make: Make) -> None:
    rig = make(board(a=leaving("page")))
    other = rig.again()
    other.on_page = lambda action, context: None
    rig.on_page = lambda action, context: other.service.move("T", "b")
    rig.service.create("T", "w")
    assert rig.service.move("T", "b").kind is OutcomeKind.ALREADY_THERE
    other.close()


# ---------------------------------------------------------------- EN12


def test_en12_leaving_runs_the_outside_actions_first_then_the_database_ones_with_the_move(make: Make) -> None:
    rig = make(board(a=leaving('note_it(text="1")', 'page("2")', 'note_it(text="3")')))
    seen: list[tuple[list[str], int]] = []

    def page(action: Any, context: Any) -> None:
        assert (context.trigger, context.position, context.step, context.idempotency_key) == ("exit", 1, "a", None)
        seen.append((rig.notes(), len(steps(rig))))

    rig.on_page = page
    rig.service.create("T", "w")
    assert rig.service.move("T", "b").moved
    assert seen == [([], 1)]
    assert rig.notes() == ["1", "3"]


@pytest.mark.parametrize("way", ["move", "move_many", "detach"])
@pytest.mark.parametrize("failing", ["boom", "page"])
def test_en12_the_first_failure_stops_the_move_and_says_where(make: Make, way: str, failing: str) -> None:
    rig = make(board(a=leaving('note_it(text="1")', failing)))
    rig.on_page = lambda action, context: (_ for _ in ()).throw(ValueError("page"))
    rig.service.create("T", "w")
    ways: dict[str, Callable[[], Any]] = {
        "move": lambda: rig.service.move("T", "b"),
        "move_many": lambda: rig.service.move_many([("T", "b")]),
        "detach": lambda: rig.service.detach("T"),
    }
    with pytest.raises(ValueError, match=failing) as caught:
        ways[way]()
    assert caught.value.__notes__ == [f"in {failing}, at position 1 on exit at a"]
    assert rig.notes() == []
    assert steps(rig) == [(None, "a")]


def test_en12_an_action_that_ends_the_transaction_stops_the_move(make: Make) -> None:
    rig = make(board(a=leaving("note_it")))
    rig.service.create("T", "w")

    def end(action: Any, context: Any) -> None:
        with suppress(rig.ended):
            context.tx.execute(rig.ending)

    rig.on_note = end
    with pytest.raises(LedgerUnavailable):
        rig.service.move("T", "b")
    assert steps(rig) == [(None, "a")]
    assert rig.notes() == []


def test_en12_a_detach_leaves_by_the_exit_list_too(make: Make) -> None:
    rig = make(board(a=leaving("page", "note_it")))
    rig.service.create("T", "w")
    assert rig.service.detach("T").moved
    assert len(rig.paged) == 1
    assert len(rig.notes()) == 1


def test_en12_a_kind_without_a_handler_stops_the_move_when_it_is_reached(make: Make) -> None:
    rig = make(board(a=leaving("page", "note_it")))
    rig.service.create("T", "w")
    rig.service.set_handlers(Handlers())
    with pytest.raises(ActionNotYetWired):
        rig.service.move("T", "b")


def test_en12_what_the_session_runs_on_exit_is_outside_and_passed_over_without_one(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = Live("T")
    rig = make(board(a=leaving("disable_plan_mode", "note_it")), sessions=sessions)
    for task in "TU":
        rig.service.create(task, "w")
    with caplog.at_level(0):
        rig.service.move("T", "b")
        assert [kind for _, kind, _ in sessions.ran] == ["disable_plan_mode"]
        assert caplog.records == []
        rig.service.move("U", "b")
    assert "disable_plan_mode on exit was passed over" in caplog.text


def test_en12_moves_made_on_the_way_out_nest_too(make: Make) -> None:
    rig = make(board(a=leaving("page")))
    rig.service.create("T", "w")
    rig.on_page = lambda action, context: context.service.move(f"{context.task}'", "b")
    for number in range(1, 12):
        rig.service.create("T" + "'" * number, "w")
    with pytest.raises(TooDeep):
        rig.service.move("T", "b")
    assert {task.step for task in rig.service.tasks()} == {"a"}


def test_en14_a_task_at_a_step_that_is_gone_can_be_moved_away(make: Make) -> None:
    full = compiled('workflow w "W" {\nstep a "A" { start }\nstep b "B" {\non exit { boom }\n}\nstep z "Z" {}\n}')
    rig = make(full)
    rig.service.create("T", "w", "b")
    rig.service.set_program(compiled('workflow w "W" {\nstep a "A" { start }\nstep z "Z" {}\n}'))
    with pytest.raises(StepGone, match="move the task away: `newel task move 'T' STEP`"):
        rig.service.handle("T", "turn_complete")
    assert rig.service.move("T", "z").moved
    assert steps(rig) == [(None, "b"), ("b", "z")]


def test_en17_by_hand_only_into_steps_that_take_tasks_by_hand(make: Make) -> None:
    rig = make(board(b="manual_move false"))
    rig.service.create("T", "w")
    with pytest.raises(NotByHand):
        rig.service.move("T", "b")
    assert rig.service.move("T", "b", route="agent_move").moved
    assert rig.service.move("T", "b").kind is OutcomeKind.ALREADY_THERE
    rig.service.move("T", "a")
    assert rig.service.move_many([("T", "b")])[0].moved
    rig.service.move("T", "a")
    with rig.service.cause(route="restore"):
        assert rig.service.move("T", "b").moved
    assert rig.service.create("U", "w", "b").moved


# ---------------------------------------------------------------- move_many


def test_p5_many_moves_are_one_commit_then_the_entries_in_their_order(make: Make) -> None:
    rig = make(board(a=leaving('note_it(text="left")'), b=entering('note_it(text="b")'), c=entering("page")))
    rig.on_page = lambda action, context: rig.ledger.commits
    for task in "TUV":
        rig.service.create(task, "w")
    before = rig.ledger.commits
    outcomes = rig.service.move_many([("V", "c"), ("T", "b"), ("U", "a")])
    assert [(o.kind.value, o.to_step) for o in outcomes] == [("moved", "c"), ("moved", "b"), ("already_there", "a")]
    assert rig.ledger.commits - before == 1 + 1 + 1  # the moves; the outside action; the segment
    assert rig.notes() == ["left", "left", "b"]
    assert [r.task for r in rig.seen.entries] == ["V", "T"]
    assert rig.service.history("T")[-1].route == "bulk_move"
    assert rig.service.history("T")[-1].id > rig.service.history("V")[-1].id


@pytest.mark.parametrize(
    ("bad", "error"), [(("X", "b"), UnknownTask), (("U", "nowhere"), UnknownStep), (("T", "c"), NotSupported)]
)
def test_move_many_moves_none_where_one_cannot_be(make: Make, bad: tuple[str, str], error: type[NewelError]) -> None:
    rig = make(board(b=entering("note_it")))
    for task in "TU":
        rig.service.create(task, "w")
    with pytest.raises(error):
        rig.service.move_many([("T", "b"), bad])
    assert steps(rig) == [(None, "a")]
    assert rig.notes() == []


def test_en12_moves_of_which_one_cannot_be_run_no_exit_list(make: Make) -> None:
    """The call is a mistake: nothing outside has happened for it."""
    rig = make(board(a=leaving("page")))
    for task in "TU":
        rig.service.create(task, "w")
    rig.service.detach("U")
    rig.paged.clear()
    with pytest.raises(UnknownWorkflow):
        rig.service.move_many([("T", "b"), ("U", "b")])
    assert rig.paged == []


def test_move_many_runs_outside_exit_actions_once_for_each(make: Make) -> None:
    rig = make(board(a=leaving("page")))
    for task in "TUV":
        rig.service.create(task, "w")
    rig.service.move_many((task, "b") for task in "VUT")
    assert sorted(context.task for context in rig.paged) == ["T", "U", "V"]


# ---------------------------------------------------------------- wrong calls


def test_calls_that_cannot_be_name_what_is_wrong(make: Make) -> None:
    rig = make(board())
    service = rig.service
    service.create("T", "w")
    wrong: list[tuple[type[NewelError], str, Callable[[], Any]]] = [
        (UnknownTask, "'X'", lambda: service.move("X", "b")),
        (UnknownStep, "did you mean", lambda: service.move("T", "bb")),
        (UnknownWorkflow, "'office'", lambda: service.create("U", "office")),
        (UnknownStep, "'d'", lambda: service.create("U", "w", "d")),
        (TaskExists, "'T'", lambda: service.create("T", "w")),
        (BadArgument, "create: `task` takes a text that is not blank", lambda: service.create("", "w")),
        (UnknownTask, "parent", lambda: service.create("U", "w", parent="X")),
        (UnknownTask, "'X'", lambda: service.detach("X")),
        (UnknownTask, "'X'", lambda: service.remove("X")),
        (UnknownTask, "'X'", lambda: service.reorder("X", 1)),
    ]
    for error, said, call in wrong:
        with pytest.raises(error, match=said):
            call()
    assert [task.id for task in service.tasks()] == ["T"]
    assert service.create("U", "w", parent="T").moved
    assert service.task("U").parent == "T"


# ---------------------------------------------------------------- SL7, SL8

RUNTIME = Path(inspect.getfile(newel.runtime)).parent


def test_sl7_one_statement_of_each_dialect_changes_a_step_and_one_method_runs_it() -> None:
    changing = {path.name: path.read_text("utf-8").count("newel_tasks SET workflow") for path in RUNTIME.rglob("*.py")}
    found = {name: count for name, count in changing.items() if count}
    assert found == {"postgres_sql.py": 1, "sqlite_sql.py": 1}
    assert (RUNTIME / "ledgers" / "sql.py").read_text("utf-8").count("self.sql.place_task") == 1


def test_sl7_every_route_leaves_a_whole_chain_and_its_dispatches(make: Make) -> None:
    program = board(
        a="on turn_complete { -> b }\non turn_start { -> c }", b="on comment { -> c }\n" + entering("note_it")
    )
    rig = make(program)
    service = rig.service
    service.create("T", "w")
    service.handle("T", "turn_complete")
    service.handle("T", "comment", payload={"comment_id": "c"})
    service.move("T", "a")
    service.handle("T", "turn_start")
    service.move("T", "b", if_entry=service.task("T").entry_id, route="agent_move")
    service.move_many([("T", "a")])
    service.detach("T")
    routes = [row.route for row in service.history("T")]
    assert " ".join(routes) == (
        "created engine_transition engine_transition manual_move engine_transition agent_move bulk_move detached"
    )
    assert service.audit().clean
    into_b = [row.id for row in service.history("T") if row.to_step == "b"]
    assert [entry for entry, _ in rig.rows("SELECT entry, text FROM notes")] == into_b


def test_sl8_removing_a_task_removes_all_that_hangs_on_it_and_dispatches_nothing(make: Make) -> None:
    rig = make(board(a=leaving("page"), b=entering(REVIEW, 'queue_run(task=task(id="U"))', "note_it")))
    for task in "TU":
        rig.service.create(task, "w")
    rig.service.move("T", "b")
    rig.service.decide("T", role="reviewer", decider="ada", verdict="commented")
    rig.service.move("U", "b")
    paged = len(rig.paged)
    before = rig.ledger.commits
    rig.service.remove("T")
    assert rig.ledger.commits - before == 1
    assert len(rig.paged) == paged
    assert [task.id for task in rig.service.tasks()] == ["U"]
    for table in ("newel_rows", "newel_seats", "newel_decisions", "newel_runs"):
        assert "T" not in {value for row in rig.table(table) for value in row}
    entries = {row.id for row in rig.service.history("U")}
    assert {row[0] for row in rig.table("newel_entry_actions")} <= entries
    assert {run.source for run in rig.service.runs()} == {"U"}
    assert rig.service.audit().clean
    assert rig.service.create("T", "w").moved


def test_sl8_an_entry_whose_task_was_removed_meanwhile_leaves_nothing(make: Make) -> None:
    rig = make(board(b=entering("page", REVIEW)))
    rig.service.create("T", "w")
    rig.on_page = lambda action, context: rig.service.remove("T")
    outcome = rig.service.move("T", "b")
    assert statuses(outcome)[1:] == ["superseded"] * 3
    for table in ("newel_rows", "newel_seats", "newel_runs", "newel_entry_actions"):
        assert rig.table(table) == []
