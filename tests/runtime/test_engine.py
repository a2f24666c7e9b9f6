"""Triggers through the engine (EN), on real SQLite files."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.program import Program, Statement
from newel.runtime.errors import (
    ActionNotYetWired,
    EntryTrigger,
    InsideTransaction,
    LedgerUnavailable,
    NewelError,
    PayloadError,
    StepGone,
    TooDeep,
    UnknownTask,
    UnknownTrigger,
)
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import GuardReason, GuardReport, Outcome, OutcomeKind, SessionStatus
from newel.runtime.ports import Actor, Context
from newel.runtime.service import Service
from newel.runtime.writers import create
from newel.runtime.writers import move as move_task
from tests.runtime.handmade import act, all_approve, move, own, program, step

HELLO = {"comment_id": "c1"}


class Board:
    """One task at step `a` of a board, handlers that write down what they do, and a guard anyone can set."""

    def __init__(self, path: Path, model: Program) -> None:
        self.path = path
        self.ledger: Any = open_ledger(f"sqlite:///{path}?synchronous=NORMAL")
        with self.ledger.transaction() as tx:
            tx.execute("CREATE TABLE IF NOT EXISTS notes(text TEXT)")
        self.log: list[str] = []
        self.contexts: list[Context] = []
        self.answers: dict[str, bool] = {"paid": True, "stocked": True}
        self.on_mail: Callable[[], Any] = lambda: None
        self.on_note: Callable[[Context], Any] = lambda context: None
        self.broken = True
        self.handlers = Handlers()
        self.handlers.action("note_it", database=True)(self._note_it)
        self.handlers.action("mail")(self._mail)
        self.handlers.action("boom", database=True)(self._boom)
        for name in self.answers:
            self.handlers.guard(name)(self._answer)
        self.service = Service(model, self.ledger, self.handlers)
        create(self.service.wired(), "T", "w")

    def _note_it(self, action: Any, context: Context) -> None:
        assert context.tx is not None
        context.tx.execute("INSERT INTO notes VALUES (?)", (action.text,))
        self.log.append(f"note {action.text}".strip())
        self.contexts.append(context)
        self.on_note(context)

    def _mail(self, action: Any, context: Context) -> None:
        assert context.tx is None
        self.log.append(f"mail {action.text}".strip())
        self.contexts.append(context)
        self.on_mail()

    def _boom(self, action: Any, context: Context) -> None:
        self.log.append("boom")
        if self.broken:
            raise ValueError("boom")

    def _answer(self, guard: Any, context: Context) -> bool:
        assert context.tx is not None
        self.log.append(f"? {guard.kind}")
        return self.answers[guard.kind]

    # ---------------------------------------------------------------- what the tests ask

    def handle(self, trigger: str = "comment", **more: Any) -> Outcome:
        payload = more.pop("payload", HELLO if trigger == "comment" else None)
        return self.service.handle("T", trigger, payload=payload, operation_id=more.pop("operation_id", ""), **more)

    def move(self, to: str) -> Outcome:
        return move_task(self.service.wired(), "T", to)

    def decide(self, agent: str, verdict: str, role: str = "reviewer") -> None:
        with self.ledger.transaction() as tx:
            task = tx.lock_task("T")
            tx.add_decision(
                "T",
                task.workflow,
                task.step,
                task.entry_id,
                role=role,
                decider=agent,
                decider_kind="agent",
                verdict=verdict,
                note=None,
            )

    def seat(self, agent: str, role: str = "reviewer") -> None:
        with self.ledger.transaction() as tx:
            tx.add_seat("T", "w", "a", role=role, agent=agent)

    @property
    def at(self) -> str:
        with self.ledger.read() as view:
            return str(view.task("T").step)

    @property
    def notes(self) -> list[str]:
        with self.ledger.read() as view:
            return [text for (text,) in view.execute("SELECT text FROM notes ORDER BY rowid")]

    @property
    def rows(self) -> list[tuple[str | None, str | None, str]]:
        with self.ledger.read() as view:
            return [(row.from_step, row.to_step, row.route) for row in view.history("T")]

    def digest(self) -> str:
        # Not the -shm file: who reads holds his place there, and nothing of it is kept.
        kept = sorted(p for p in self.path.parent.iterdir() if p.suffix != ".db-shm")
        return hashlib.sha256(b"".join(p.read_bytes() for p in kept)).hexdigest()


Make = Callable[..., Board]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Make]:
    made: list[Board] = []

    def make(*items: Statement, trigger: str = "comment", exits: Any = (), enters: Any = (), **settings: Any) -> Board:
        first = step("a", settings, **{trigger: items, "exit": exits})
        model = program(first, step("b", enter=enters), step("c"), step("d", comment=[act("mail")]))
        made.append(Board(tmp_path / f"{len(made)}.db", model))
        return made[-1]

    yield make
    for each in made:
        each.ledger.close()


# ---------------------------------------------------------------- EN1


def test_en1_actions_in_order_first_open_move_applied_last(board: Make) -> None:
    it = board(act("note_it", "1"), move("b", own("paid")), act("mail", "2"), move("c", own("stocked")), act("note_it"))
    it.answers["paid"] = False
    outcome = it.handle()
    assert (outcome.kind, outcome.from_step, outcome.to_step, outcome.moved) == (OutcomeKind.MOVED, "a", "c", True)
    assert it.log == ["note 1", "? paid", "mail 2", "? stocked", "note"]
    assert outcome.guards == (GuardReport("b", GuardReason.NOT_FULFILLED),)
    assert it.at == "c"


def test_en1_later_moves_are_not_taken_and_their_guards_not_read(board: Make) -> None:
    it = board(move("b", own("paid")), move("c", own("stocked")), act("note_it", "after"))
    assert it.handle().to_step == "b"
    assert it.log == ["? paid", "note after"]
    assert it.rows[1:] == [("a", "b", "engine_transition")]


def test_en1_no_open_move_and_the_task_stays(board: Make) -> None:
    it = board(move("b", own("paid")), act("note_it", "x"))
    it.answers["paid"] = False
    outcome = it.handle()
    assert (outcome.kind, outcome.to_step, outcome.entry) == (OutcomeKind.STAYED, None, None)
    assert it.notes == ["x"]
    assert len(it.rows) == 1


def test_en1_guard_and_move_are_one_transaction(board: Make) -> None:
    it = board(act("note_it"), move("b", own("paid")), act("note_it"))
    before = it.ledger.commits
    assert it.handle().moved
    assert it.ledger.commits - before == 1


def test_en1_the_guard_is_read_again_after_outside_actions(board: Make) -> None:
    it = board(move("b", own("paid")), act("mail"))
    it.on_mail = lambda: it.answers.update(paid=False)
    outcome = it.handle()
    assert outcome.kind is OutcomeKind.ABANDONED
    assert it.at == "a"
    it.on_mail = lambda: None
    it.answers["paid"] = True
    assert it.handle().moved
    assert it.log[-3:] == ["? paid", "mail", "? paid"]


def test_en1_a_rejection_that_lands_between_guard_and_move_holds_the_task(board: Make) -> None:
    it = board(move("b", all_approve()), act("mail"))
    it.seat("ada")
    it.decide("ada", "approved")
    it.on_mail = lambda: it.decide("ada", "rejected")
    assert it.handle().kind is OutcomeKind.ABANDONED
    assert it.at == "a"


def test_en1_the_guard_is_read_again_after_outside_exit_actions(board: Make) -> None:
    it = board(move("b", own("paid")), exits=[act("mail")])
    it.on_mail = lambda: it.answers.update(paid=False)
    assert it.handle().kind is OutcomeKind.ABANDONED
    assert it.at == "a"


def test_en1_no_decision_can_land_between_guard_and_commit(board: Make) -> None:
    """A thread that decides while the guard's transaction is open waits for the move, and decides at the new step."""
    it = board(move("b", all_approve()), act("note_it"))
    it.seat("ada")
    it.decide("ada", "approved")
    decided = threading.Event()

    def reject() -> None:
        it.decide("ada", "rejected")
        decided.set()

    thread = threading.Thread(target=reject)

    def start(context: Context) -> None:
        thread.start()
        assert not decided.wait(0.2)

    it.on_note = start
    assert it.handle().moved
    thread.join()
    with it.ledger.read() as view:
        assert [(d.step, d.verdict) for d in view.decisions("T")] == [("a", "approved"), ("b", "rejected")]


# ---------------------------------------------------------------- EN2


def test_en2_the_first_error_stops_the_list_and_takes_its_transaction_back(board: Make) -> None:
    it = board(act("note_it", "x"), act("boom"), move("b"), act("note_it", "y"))
    with pytest.raises(ValueError, match="boom") as raised:
        it.handle(operation_id="op")
    assert raised.value.__notes__ == ["in boom, at position 1 on comment at a"]
    assert it.log == ["note x", "boom"]
    assert it.notes == []
    assert it.at == "a"
    assert not it.service.operations.is_applied("op")


def test_en2_a_retry_runs_the_list_again(board: Make) -> None:
    it = board(act("mail", "1"), act("note_it", "2"), act("boom"), move("b"))
    with pytest.raises(ValueError, match="boom"):
        it.handle(operation_id="op")
    it.broken = False
    assert it.handle(operation_id="op").moved
    assert it.log == ["mail 1", "note 2", "boom", "mail 1", "note 2", "boom"]
    assert it.notes == ["2"]


def test_en2_database_actions_before_an_outside_one_stay(board: Make) -> None:
    it = board(act("note_it", "kept"), act("mail"), act("note_it", "lost"), act("boom"))
    with pytest.raises(ValueError, match="boom"):
        it.handle()
    assert it.notes == ["kept"]


def test_en2_a_kind_without_a_handler_is_an_error_when_it_is_reached(board: Make) -> None:
    it = board(act("mail"), act("unheard"))
    with pytest.raises(ActionNotYetWired, match="unheard") as raised:
        it.handle()
    assert it.log == ["mail"]
    assert "position 1" in raised.value.__notes__[0]


def test_en2_an_error_of_an_outside_action_passes_as_it_is(board: Make) -> None:
    it = board(act("note_it"), act("mail"), move("b"))

    class Own(Exception):
        pass

    def fail() -> None:
        raise Own

    it.on_mail = fail
    with pytest.raises(Own) as raised:
        it.handle(operation_id="op")
    assert raised.value.__notes__ == ["in mail, at position 1 on comment at a"]
    assert not it.service.operations.is_applied("op")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_en2_an_interruption_passes_and_takes_the_open_transaction_back(board: Make, stop: type[BaseException]) -> None:
    it = board(act("note_it"), move("b"))

    def interrupt(context: Context) -> None:
        raise stop

    it.on_note = interrupt
    with pytest.raises(stop):
        it.handle(operation_id="op")
    assert (it.notes, it.at) == ([], "a")
    it.on_note = lambda context: None
    assert it.handle(operation_id="op").moved


def test_en2_a_transaction_ended_by_an_action_took_no_effect(board: Make) -> None:
    it = board(act("note_it", "x"), act("note_it", "y"), move("b"))
    with it.ledger.transaction() as tx:
        tx.execute("CREATE TABLE once(x UNIQUE)")
        tx.execute("INSERT INTO once VALUES (1)")

    def end(context: Context) -> None:
        assert context.tx is not None
        try:
            context.tx.execute("INSERT OR ROLLBACK INTO once VALUES (1)")
        except Exception:
            assert not context.tx.active

    it.on_note = end
    with pytest.raises(LedgerUnavailable):
        it.handle(operation_id="op")
    assert it.log == ["note x"]
    assert (it.notes, it.at) == ([], "a")
    assert not it.service.operations.is_applied("op")


def test_en2_a_database_action_may_not_move_a_task(board: Make) -> None:
    it = board(act("note_it"))
    it.on_note = lambda context: it.move("b")
    with pytest.raises(InsideTransaction):
        it.handle()
    assert (it.notes, it.at) == ([], "a")


@pytest.mark.parametrize("kind", ["mail", "run_script", "note_it"])
def test_se11_a_database_action_may_not_set_off_another_list(board: Make, kind: str) -> None:
    it = board(act("note_it", "outer"), trigger="turn_complete")
    it.service.set_program(program(step("a", turn_complete=[act("note_it", "outer")], comment=[act(kind, "inner")])))
    it.on_note = lambda context: it.handle()
    with pytest.raises(InsideTransaction):
        it.handle("turn_complete")
    assert it.log == ["note outer"]
    assert it.notes == []


# ---------------------------------------------------------------- EN3


def test_en3_with_an_operation_id_missing_handlers_are_found_before_anything_runs(board: Make) -> None:
    it = board(act("mail"), act("note_it"), move("b"), act("unheard"))
    with pytest.raises(ActionNotYetWired, match="unheard"):
        it.handle(operation_id="op")
    assert it.log == []
    assert not it.service.operations.is_applied("op")
    it.handlers.action("unheard")(lambda action, context: it.log.append("heard"))
    assert it.handle(operation_id="op").moved
    assert it.log == ["mail", "note", "heard"]


def test_en3_kinds_of_the_session_and_standard_ones_need_no_handler(board: Make) -> None:
    it = board(act("auto_start_agent"), act("run_script"), act("clear_decisions"))
    assert it.handle(operation_id="op").kind is OutcomeKind.STAYED


# ---------------------------------------------------------------- EN4, EN5, EN6


def test_en4_marked_after_success_or_where_nothing_is_declared(board: Make) -> None:
    it = board(act("note_it"))
    seen: list[bool] = []
    it.on_note = lambda context: seen.append(it.service.operations.is_applied("op"))
    it.handle(operation_id="op")
    assert seen == [False]
    assert it.service.operations.is_applied("op")
    it.move("c")
    assert it.handle(operation_id="nothing here").kind is OutcomeKind.STAYED
    assert it.service.operations.is_applied("nothing here")


def test_en4_the_mark_is_made_after_the_commit_and_before_the_entry(board: Make) -> None:
    it = board(move("b"), enters=[act("mail")])
    seen: list[tuple[str, bool]] = []
    it.on_mail = lambda: seen.append((it.at, it.service.operations.is_applied("op")))
    it.handle(operation_id="op")
    assert seen == [("b", True)]


def test_en4_an_entry_that_breaks_off_leaves_the_delivery_applied(board: Make) -> None:
    it = board(move("b"), enters=[act("mail")])

    def interrupt() -> None:
        raise KeyboardInterrupt

    it.on_mail = interrupt
    with pytest.raises(KeyboardInterrupt):
        it.handle(operation_id="op")
    assert it.at == "b"
    assert it.handle(operation_id="op").kind is OutcomeKind.IDEMPOTENT


def test_en4_whoever_defers_the_mark_makes_it(board: Make) -> None:
    it = board(act("note_it", "x"))
    it.handle(operation_id="op", defer_operation_mark=True)
    assert not it.service.operations.is_applied("op")
    it.handle(operation_id="op", defer_operation_mark=True)
    assert it.notes == ["x", "x"]
    it.service.operations.mark_applied("op")
    assert it.handle(operation_id="op", defer_operation_mark=True).kind is OutcomeKind.IDEMPOTENT


def test_en4_a_lost_race_and_a_failed_commit_are_not_marked(board: Make) -> None:
    it = board(act("mail"), move("b"))
    it.on_mail = lambda: (it.move("c"), it.move("a"))
    assert it.handle(operation_id="op").kind is OutcomeKind.ABANDONED
    assert not it.service.operations.is_applied("op")


def test_en5_a_delivery_already_applied_runs_nothing(board: Make) -> None:
    it = board(act("note_it", "x"))
    it.handle(operation_id="op")
    outcome = it.handle(operation_id="op")
    assert outcome == Outcome(OutcomeKind.IDEMPOTENT, "a")
    assert it.notes == ["x"]


def test_en6_an_empty_operation_id_is_never_deduplicated(board: Make) -> None:
    it = board(act("note_it", "x"))
    for _ in range(3):
        assert it.handle(operation_id="").kind is OutcomeKind.STAYED
    assert it.notes == ["x"] * 3
    assert not it.service.operations.is_applied("")


@pytest.mark.parametrize("trigger", ["turn_start", "turn_complete"])
def test_en6_turns_carry_no_operation_id(board: Make, trigger: str) -> None:
    it = board(act("note_it", "x"), trigger=trigger)
    for _ in range(2):
        it.handle(trigger, operation_id=None)
    assert it.notes == ["x", "x"]
    assert it.contexts[0].operation_id == ""
    assert it.contexts[0].idempotency_key is None


# ---------------------------------------------------------------- EN7, EN8


def test_en7_an_evaluation_leaves_every_byte_of_the_ledger(board: Make) -> None:
    it = board(act("note_it"), act("mail"), move("b", own("paid")), move("c", own("stocked")), act("boom"))
    it.answers["paid"] = False
    before, commits = it.digest(), it.ledger.commits
    outcome = it.handle(operation_id="op", evaluate_only=True)
    assert (outcome.kind, outcome.to_step, outcome.moved) == (OutcomeKind.MOVED, "c", False)
    assert [g.to for g in outcome.guards] == ["b"]
    assert it.log == ["? paid", "? stocked"]
    assert (it.digest(), it.ledger.commits) == (before, commits)
    assert not it.service.operations.is_applied("op")
    it.answers["stocked"] = False
    assert it.handle(operation_id="op", evaluate_only=True).kind is OutcomeKind.STAYED
    assert it.handle(operation_id="nothing", evaluate_only=True).kind is OutcomeKind.STAYED
    assert not it.service.operations.is_applied("nothing")


def test_en7_an_evaluation_of_an_applied_delivery_is_idempotent(board: Make) -> None:
    it = board(act("note_it"))
    it.handle(operation_id="op")
    assert it.handle(operation_id="op", evaluate_only=True).kind is OutcomeKind.IDEMPOTENT


def test_en7_guards_see_what_is_stored_not_what_skipped_actions_would_do(board: Make) -> None:
    it = board(act("clear_decisions"), move("b", all_approve()))
    it.seat("ada")
    it.decide("ada", "approved")
    assert it.handle(evaluate_only=True).to_step == "b"
    assert it.handle().kind is OutcomeKind.STAYED


@pytest.mark.parametrize("trigger", ["enter", "exit"])
def test_en8_enter_and_exit_are_not_handled(board: Make, trigger: str) -> None:
    it = board(act("note_it"))
    with pytest.raises(EntryTrigger, match="redispatch"):
        it.handle(trigger)
    assert it.log == []


# ---------------------------------------------------------------- EN10, EN12


def test_en10_a_move_is_an_arrival_with_its_entry(board: Make) -> None:
    it = board(move("b"), enters=[act("note_it", "entered")])
    outcome = it.handle(session="s1", actor=Actor.human("ada"))
    assert it.notes == ["entered"]
    assert outcome.entry is not None
    with it.ledger.read() as view:
        row = view.history("T")[-1]
        assert view.task("T").entry_id == row.id == outcome.entry.entry_id
    assert (row.session, row.actor_kind, row.actor_id, row.route) == ("s1", "human", "ada", "engine_transition")


def test_en10_a_cause_is_written_on_the_row(board: Make) -> None:
    it = board(move("b"))
    with it.service.cause(route="agent_move", actor=Actor.agent("ben")), it.service.cause(route="restore"):
        it.handle(actor=Actor.human("ada"))
    with it.ledger.read() as view:
        row = view.history("T")[-1]
    assert (row.route, row.actor_kind, row.actor_id) == ("agent_move", "agent", "ben")


def test_en11_outcomes_are_a_closed_type() -> None:
    closed = "abandoned already_there idempotent moved pending_approval queued stayed"
    assert " ".join(sorted(OutcomeKind)) == closed


def test_en12_the_exit_list_runs_outside_actions_first_then_database_ones_in_the_move(board: Make) -> None:
    it = board(move("b", own("paid")), exits=[act("note_it", "1"), act("mail", "2"), act("note_it", "3")])
    seen: list[str] = []
    it.on_note = lambda context: seen.append(it.at)
    assert it.handle().moved
    assert it.log == ["? paid", "mail 2", "? paid", "note 1", "note 3"]
    assert seen == ["a", "a"]


def test_en12_a_failing_exit_action_stops_the_move(board: Make) -> None:
    it = board(act("note_it", "x"), move("b"), exits=[act("boom")])
    with pytest.raises(ValueError, match="boom") as raised:
        it.handle(operation_id="op")
    assert "on exit at a" in raised.value.__notes__[0]
    assert (it.at, it.notes) == ("a", [])
    assert not it.service.operations.is_applied("op")


# ---------------------------------------------------------------- races


def test_sl4_a_task_that_left_and_came_back_is_another_entry(board: Make) -> None:
    it = board(act("mail"), act("note_it", "never"), move("b"))
    it.on_mail = lambda: (it.move("c"), it.move("a"))
    assert it.handle().kind is OutcomeKind.ABANDONED
    assert it.notes == []
    assert [to for _, to, _ in it.rows] == ["a", "c", "a"]


def test_sl4_a_removed_task_is_abandoned(board: Make) -> None:
    it = board(act("mail"), move("b"))

    def remove() -> None:
        with it.ledger.transaction() as tx:
            tx.remove_task("T")

    it.on_mail = remove
    assert it.handle().kind is OutcomeKind.ABANDONED


def test_sl4_of_many_deliveries_at_once_one_moves(board: Make) -> None:
    it = board(act("mail"), move("b", own("paid")))
    gate = threading.Barrier(8)
    it.on_mail = lambda: gate.wait(10)
    kinds: list[OutcomeKind] = []
    threads = [threading.Thread(target=lambda: kinds.append(it.handle().kind)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(kinds) == [OutcomeKind.ABANDONED] * 7 + [OutcomeKind.MOVED]
    assert [to for _, to, _ in it.rows] == ["a", "b"]


# ---------------------------------------------------------------- EN14, EN15, EN16


def test_en14_at_a_step_that_is_gone_every_trigger_is_an_error_and_a_move_leads_away(board: Make) -> None:
    it = board(act("note_it"))
    it.service.set_program(program(step("b"), step("c"), revision="r2"))
    with pytest.raises(StepGone, match="'a'"):
        it.handle()
    assert it.move("c").moved
    assert it.at == "c"


def test_en14_a_call_uses_one_program_from_start_to_end(board: Make) -> None:
    it = board(act("mail"), move("b"))
    other = program(step("a", comment=[act("boom")]), step("c"), revision="r2")
    it.on_mail = lambda: it.service.set_program(other)
    assert it.handle().to_step == "b"
    with it.ledger.read() as view:
        assert view.history("T")[-1].revision == "r1"


def test_en15_where_a_signal_is_asked_work_is_not_done_without(board: Make) -> None:
    it = board(act("note_it"), move("b"), trigger="turn_complete", requires_signal=True)
    outcome = it.handle("turn_complete")
    assert (outcome.kind, outcome.reason, it.log) == (OutcomeKind.STAYED, "not_signalled", [])
    assert it.handle("turn_complete", signalled=True).moved


def test_en15_other_triggers_ask_for_no_signal(board: Make) -> None:
    assert board(move("b"), requires_signal=True).handle().moved
    assert board(move("b"), trigger="turn_start", requires_signal=True).handle("turn_start").moved


def test_en15_a_cancelled_turn_counts_only_where_the_step_says_so(board: Make) -> None:
    it = board(act("note_it"), move("b"), trigger="turn_complete")
    with it.service.cause(route="user_cancellation"):
        assert it.handle("turn_complete", signalled=True).kind is OutcomeKind.STAYED
    assert it.log == []
    it = board(move("b"), trigger="turn_complete", requires_signal=True, cancel_completes_turn=True)
    with it.service.cause(route="user_cancellation"):
        assert it.handle("turn_complete").moved
    assert it.rows[-1] == ("a", "b", "user_cancellation")


class Sessions:
    def __init__(self, live: str | None = "s1") -> None:
        self.session, self.ran = live, list[tuple[str, str, int, str]]()
        self.broken = False

    def live(self, task: str) -> str | None:
        return self.session

    def run(self, session: str, action: Any, context: Context) -> None:
        assert context.tx is None
        self.ran.append((session, action.kind, context.position, context.trigger))
        if self.broken:
            raise RuntimeError("gone")


def test_en16_session_kinds_run_in_the_live_session_in_order(board: Make) -> None:
    it = board(act("note_it", "x"), act("auto_start_agent"), act("run_script"), move("b", own("paid")))
    sessions = Sessions()
    it.service.set_sessions(sessions)
    outcome = it.handle()
    assert outcome.moved
    assert sessions.ran == [("s1", "auto_start_agent", 1, "comment"), ("s1", "run_script", 2, "comment")]
    assert [(a.kind, a.status) for a in outcome.session_actions] == [
        ("auto_start_agent", SessionStatus.RAN),
        ("run_script", SessionStatus.RAN),
    ]


@pytest.mark.parametrize("sessions", [None, Sessions(None)])
def test_en16_without_a_session_they_are_passed_over_with_a_record(board: Make, sessions: Sessions | None) -> None:
    it = board(act("run_script"), act("note_it", "x"))
    it.service.set_sessions(sessions)
    outcome = it.handle()
    assert [(a.kind, a.status) for a in outcome.session_actions] == [("run_script", SessionStatus.NO_SESSION)]
    assert it.notes == ["x"]


def test_en16_a_failure_in_a_session_stops_the_list(board: Make) -> None:
    it = board(act("run_script"), act("note_it"), move("b"))
    sessions = Sessions()
    sessions.broken = True
    it.service.set_sessions(sessions)
    with pytest.raises(RuntimeError, match="gone"):
        it.handle()
    assert (it.log, it.at) == ([], "a")


def test_se9_the_sessions_half_does_not_run_where_the_move_is_part_of_its_turn(board: Make) -> None:
    half = [act("auto_start_agent")]
    for trigger, status in (("turn_start", SessionStatus.IN_TURN), ("turn_complete", SessionStatus.RAN)):
        it = board(move("b"), trigger=trigger, enters=half)
        it.service.set_sessions(Sessions())
        entry = it.handle(trigger).entry
        assert entry is not None
        assert [a.status for a in entry.session_actions] == [status]


# ---------------------------------------------------------------- K, and what a call must be


def test_k4_the_key_for_the_outside_names_ledger_operation_entry_and_position(board: Make) -> None:
    it = board(act("note_it"), act("mail"))
    it.handle(operation_id="op")
    assert it.contexts[1].idempotency_key == f"{it.ledger.uuid}:op:1:1"
    assert it.contexts[1].operation_id == "op"
    assert it.contexts[1].entry_id == 1
    assert dict(it.contexts[1].payload) == HELLO


def test_a_call_that_cannot_be_meant_is_refused_before_anything_runs(board: Make) -> None:
    it = board(act("note_it"))
    with pytest.raises(UnknownTrigger, match="comnent"):
        it.handle("comnent")
    with pytest.raises(UnknownTask, match="'X'"):
        it.service.handle("X", "comment", payload=HELLO)
    with pytest.raises(PayloadError, match="comment_id"):
        it.handle(payload={})
    assert issubclass(PayloadError, NewelError)
    assert it.log == []


def test_a_task_that_stands_nowhere_has_no_list(board: Make) -> None:
    it = board(act("note_it"))
    with it.ledger.transaction() as tx:
        tx.add_task("N")
    outcome = it.service.handle("N", "turn_complete")
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "stands_nowhere")


def test_se11_moves_that_cause_each_other_end_at_the_ninth(board: Make) -> None:
    chain = [
        step(f"s{n}", enter=[act("mail")], comment=[move(f"s{(n + 1) % 3}")], exit=[act("note_it")]) for n in range(3)
    ]
    it = board(act("note_it"))
    it.service.set_program(program(step("a", comment=[move("s0")]), *chain, revision="r2"))
    raised: list[BaseException] = []

    def again() -> None:
        try:
            it.handle()
        except TooDeep as error:
            raised.append(error)
            raise

    it.on_mail = again
    assert it.handle().moved
    assert len(raised) == 1
    assert len(it.rows) == 1 + 8
    assert it.log.count("mail") == 8
