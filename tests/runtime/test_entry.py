"""Step entry (SE): what runs on arrival, in which order, in which transaction, and how often it takes effect."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from newel.runtime import entry as entry_module
from newel.runtime.errors import InsideTransaction, LedgerUnavailable, NoSuchEntry, RevisionUnknown, TooDeep
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.service import Service
from tests.runtime.boards import REVIEW, Live, Make, Rig, board, entering, entry_of, only_sqlite, statuses


def arrived(rig: Rig, task: str = "T") -> Any:
    """A new task that has been moved to b."""
    rig.service.create(task, "w")
    return rig.service.move(task, "b")


# ---------------------------------------------------------------- SE1, SE2, SE7


ROUTES: dict[str, Callable[[Service], Any]] = {
    "create": lambda service: service.create("N", "w", "b"),
    "move": lambda service: service.move("T", "b"),
    "move with a session": lambda service: service.move("T", "b", session="s", route="agent_move"),
    "move with if_entry": lambda service: service.move("T", "b", if_entry=service.task("T").entry_id),
    "move_many": lambda service: service.move_many([("T", "b")]),
    "engine": lambda service: service.handle("T", "turn_complete"),
    "engine, in turn": lambda service: service.handle("T", "turn_start"),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("live", [True, False])
def test_se1_one_dispatch_for_each_row_by_every_route(make: Make, route: str, live: bool) -> None:
    program = board(
        a="on turn_complete { -> b }\non turn_start { -> b }", b=entering("auto_start_agent", 'note_it(text="in b")')
    )
    rig = make(program, sessions=Live("T", "N") if live else None)
    rig.service.create("T", "w")
    ROUTES[route](rig.service)
    destinations = rig.rows("SELECT id FROM newel_rows WHERE to_step = 'b'")
    assert len(destinations) == 1
    assert rig.rows("SELECT entry, text FROM notes") == [(destinations[0][0], "in b")]
    assert [report.entry_id for report in rig.seen.entries] == [destinations[0][0]]


def test_se1_no_row_no_dispatch(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="in b")')))
    arrived(rig)
    assert rig.service.move("T", "b").kind is OutcomeKind.ALREADY_THERE
    rig.service.reorder("T", 7)
    rig.service.detach("T")
    assert rig.notes() == ["in b"]


def test_se1_the_first_dispatch_runs_in_full_even_if_the_task_has_moved_on(make: Make) -> None:
    rig = make(board(b=entering("page", 'note_it(text="late")')))
    rig.on_page = lambda action, context: rig.service.move("T", "c")
    outcome = arrived(rig)
    assert statuses(outcome) == ["applied", "applied"]
    assert rig.service.task("T").step == "c"
    assert rig.notes() == ["late"]


def test_se2_the_entry_has_run_when_the_call_returns_and_on_the_callers_thread(make: Make) -> None:
    rig = make(board(b=entering("page", "note_it")))
    threads: list[int] = []
    rig.on_page = rig.on_note = lambda action, context: threads.append(threading.get_ident())
    before = threading.active_count()
    arrived(rig)
    assert threads == [threading.get_ident()] * 2
    assert threading.active_count() == before


def test_se2_others_see_the_step_before_its_effects(make: Make) -> None:
    rig = make(board(b=entering("page")))
    other = rig.again()
    seen: list[str | None] = []
    rig.on_page = lambda action, context: seen.append(other.service.task("T").step)
    arrived(rig)
    other.close()
    assert seen == ["b"]


@pytest.mark.parametrize("route", ROUTES)
def test_se7_one_component_dispatches_and_once(make: Make, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = board(a="on turn_complete { -> b }\non turn_start { -> b }", b=entering("note_it", "page"))
    rig = make(program)
    rig.service.create("T", "w")
    dispatched: list[int] = []
    original = entry_module.dispatch

    def watched(wiring: Any, arrival: Any) -> Any:
        dispatched.append(arrival.entry_id)
        return original(wiring, arrival)

    for module in ("writers", "engine", "deciding"):
        monkeypatch.setattr(f"newel.runtime.{module}.dispatch", watched)
    ROUTES[route](rig.service)
    assert dispatched == [row for (row,) in rig.rows("SELECT id FROM newel_rows WHERE to_step = 'b'")]
    assert len(rig.paged) == 1


def test_se7_nothing_but_entry_runs_an_entry_list() -> None:
    runtime = Path(inspect.getfile(entry_module)).parent
    callers = {path.name for path in runtime.rglob("*.py") if ".dispatched(" in path.read_text("utf-8")}
    looking = {"audit.py", "unwired.py", "expecting.py", "mattering.py"}  # these only count and look
    assert callers - looking == {"entry.py"}


# ---------------------------------------------------------------- SE3


def test_se3_dispatched_kinds_in_order_then_the_sessions_half_in_order(make: Make) -> None:
    sessions = Live("T")
    rig = make(
        board(b=entering("auto_start_agent", 'note_it(text="1")', "reset_agent_context", "page", 'note_it(text="2")')),
        sessions=sessions,
    )
    order: list[str] = []
    rig.on_page = lambda action, context: order.append(f"page after {len(rig.notes())}, sessions {len(sessions.ran)}")
    outcome = arrived(rig)
    assert order == ["page after 1, sessions 0"]
    assert rig.notes() == ["1", "2"]
    assert [(kind, context.position) for _, kind, context in sessions.ran] == [
        ("auto_start_agent", 0),
        ("reset_agent_context", 2),
    ]
    assert [a.position for a in entry_of(outcome).actions] == [1, 3, 4]


def test_se3_excluded_kinds_leave_no_log_line(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    rig = make(board(b=entering("auto_start_agent", "note_it")), sessions=Live("T"))
    with caplog.at_level(0):
        arrived(rig)
    assert "auto_start_agent" not in caplog.text


@pytest.mark.parametrize("times", [1, 5])
def test_se3a_any_number_of_standard_actions_is_one_commit(make: Make, times: int) -> None:
    rig = make(board(b=entering(*[REVIEW, "queue_run", "run_code_review"] * times)))
    rig.service.create("T", "w")
    before = rig.ledger.commits
    rig.service.move("T", "b")
    assert rig.ledger.commits - before == 2


def test_se3a_one_commit_for_each_segment_and_each_outside_action(make: Make) -> None:
    rig = make(board(b=entering("note_it", "note_it", "page", "page", "queue_run", "note_it")))
    rig.service.create("T", "w")
    before = rig.ledger.commits
    rig.service.move("T", "b")
    assert rig.ledger.commits - before == 1 + 4  # the move; the segment, two outside actions, the second segment


def test_se3a_outside_actions_run_with_nothing_open_and_see_the_segment_before_them(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "page", 'note_it(text="2")')))
    seen: list[list[str]] = []

    def page(action: Any, context: Any) -> None:
        assert context.tx is None
        with rig.ledger.transaction() as tx:  # would be refused inside another
            assert tx.active
        seen.append(rig.notes())

    rig.on_page = page
    arrived(rig)
    assert seen == [["1"]]


def test_se3a_slow_outside_code_blocks_no_writer(make: Make) -> None:
    rig = make(board(b=entering("note_it", "page", "note_it")))
    inside, go_on = threading.Event(), threading.Event()

    def page(action: Any, context: Any) -> None:
        inside.set()
        assert go_on.wait(10)

    rig.on_page = page
    rig.service.create("T", "w")
    rig.service.create("U", "w")
    thread = threading.Thread(target=rig.service.move, args=("T", "b"))
    thread.start()
    assert inside.wait(10)
    assert rig.service.move("U", "c").moved
    go_on.set()
    thread.join()


def test_se3a_a_segment_locks_the_task_first(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = make(board(b=entering("clear_decisions")))
    rig.service.create("T", "w")
    calls: list[str] = []
    kind = type(rig.ledger.transaction())
    for name in ("lock_task", "clear_decisions", "record_actions"):
        original = getattr(kind, name)

        def spy(self: Any, *args: Any, name: str = name, original: Any = original) -> Any:
            calls.append(name)
            return original(self, *args)

        monkeypatch.setattr(kind, name, spy)
    rig.service.move("T", "b")
    assert calls == ["lock_task", "lock_task", "clear_decisions", "record_actions"]


class Asked:
    """An agents port that writes down what it was asked, and where."""

    def __init__(self, rig: list[Rig]) -> None:
        self.calls: list[tuple[str, str]] = []
        self._rig = rig

    def _note(self, *call: str) -> None:
        with self._rig[0].ledger.transaction():  # nothing is open when the port is asked
            self.calls.append((call[0], call[-1]))

    def candidates(self, role: str) -> list[Any]:
        self._note("candidates", role)
        return []

    def runner(self, task: str) -> str | None:
        self._note("runner", task)
        return "runner"

    def target(self, task: str, name: str) -> str:
        self._note("target", name)
        if name == "code_reviewer":
            raise RuntimeError("nobody reviews")
        return "primo"


def test_se3a_the_agents_port_is_asked_before_the_segment_once_for_each_role_and_target(make: Make) -> None:
    rigs: list[Rig] = []
    asked = Asked(rigs)
    rigs.append(
        make(
            board(b=entering("queue_run", REVIEW, "run_code_review", "queue_run", "ensure_participant_seat(approver)")),
            agents=asked,
        )
    )
    outcome = arrived(rigs[0])
    assert sorted(asked.calls) == [
        ("candidates", "approver"),
        ("candidates", "reviewer"),
        ("runner", "T"),
        ("target", "code_reviewer"),
        ("target", "primary"),
    ]
    assert statuses(outcome) == ["applied", "unchanged", "applied", "applied", "failed", "applied", "applied"]
    assert entry_of(outcome).actions[4].reason == "RuntimeError: nobody reviews"


# ---------------------------------------------------------------- SE4


def test_se4_a_failure_is_recorded_the_rest_attempted_and_the_move_stands(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "boom", 'note_it(text="2")')))
    outcome = arrived(rig)
    assert outcome.moved
    assert statuses(outcome) == ["applied", "failed", "applied"]
    assert rig.notes() == ["1", "2"]  # what the failing one wrote is taken back alone
    assert rig.service.task("T").step == "b"
    records = rig.service.entry(entry_of(outcome).entry_id).actions
    assert [(r.position, r.kind, r.status, r.reason) for r in records] == [
        (0, "note_it", "applied", None),
        (1, "boom", "failed", "ValueError: boom"),
        (2, "note_it", "applied", None),
    ]


def test_se4_an_outside_failure_is_recorded_and_the_rest_attempted(make: Make) -> None:
    rig = make(board(b=entering("page", "page", "note_it")))

    def page(action: Any, context: Any) -> None:
        if context.position == 0:
            raise OSError("no line")

    rig.on_page = page
    outcome = arrived(rig)
    assert statuses(outcome) == ["failed", "applied", "applied"]
    assert rig.service.entry(2).actions[0].reason == "OSError: no line"


def test_se4_only_entry_goes_on_under_another_trigger_the_first_failure_stops(make: Make) -> None:
    rig = make(board(a='on comment {\nnote_it(text="1")\nboom\nnote_it(text="2")\n}', b=entering("boom", "note_it")))
    rig.service.create("T", "w")
    with pytest.raises(ValueError, match="boom"):
        rig.service.handle("T", "comment", payload={"comment_id": "c"})
    assert rig.notes() == []
    assert statuses(rig.service.move("T", "b")) == ["failed", "applied"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_se4_what_is_no_exception_rolls_the_segment_back_and_passes(
    make: Make, interruption: type[BaseException]
) -> None:
    rig = make(board(b=entering('note_it(text="1")', "note_it", 'note_it(text="2")')))

    def note(action: Any, context: Any) -> None:
        if context.position == 1:
            raise interruption

    rig.on_note = note
    rig.service.create("T", "w")
    with pytest.raises(interruption):
        rig.service.move("T", "b")
    assert rig.service.task("T").step == "b"
    assert rig.notes() == []
    assert rig.service.entry(2).actions == ()
    rig.on_note = lambda action, context: None
    assert statuses(rig.service.redispatch(2)) == ["applied"] * 3


def test_se4_an_interrupted_outside_action_leaves_what_a_crash_would_leave(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "page", 'note_it(text="2")')))

    def page(action: Any, context: Any) -> None:
        raise KeyboardInterrupt

    rig.on_page = page
    rig.service.create("T", "w")
    with pytest.raises(KeyboardInterrupt):
        rig.service.move("T", "b")
    assert [(r.position, r.status) for r in rig.service.entry(2).actions] == [(0, "applied")]
    rig.on_page = lambda action, context: None
    assert statuses(rig.service.redispatch(2)) == ["redelivered", "applied", "applied"]


def _swallowing(rig: Rig, tx: Any) -> None:
    with pytest.raises(rig.ended):
        tx.execute(rig.ending)
    with pytest.raises(LedgerUnavailable):  # and not a statement of its own, committed by itself
        tx.execute("INSERT INTO notes VALUES (0, 'stray')")


ENDINGS: dict[str, Callable[[Rig, Any], Any]] = {
    "by a statement": lambda rig, tx: tx.execute(rig.ending),
    "swallowed": _swallowing,
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_se4_a_transaction_ended_by_the_database_took_no_effect(make: Make, ending: str) -> None:
    rig = make(board(b=entering('note_it(text="1")', "note_it", 'note_it(text="2")')))
    rig.on_note = lambda action, context: ENDINGS[ending](rig, context.tx) if context.position == 1 else None
    outcome = arrived(rig)
    assert statuses(outcome) == ["failed"] * 3
    assert rig.notes() == []
    assert {r.status for r in rig.service.entry(2).actions} == {"failed"}
    rig.on_note = lambda action, context: None
    assert statuses(rig.service.redispatch(2)) == ["applied"] * 3


@pytest.mark.parametrize("statement", ["COMMIT", " rollback", "/* x */ END", "-- x\nCOMMIT", "BEGIN", "SAVEPOINT x"])
def test_se4_an_action_may_not_end_the_transaction_itself(make: Make, statement: str) -> None:
    rig = make(board(b=entering('note_it(text="1")', "note_it", 'note_it(text="2")')))
    rig.on_note = lambda action, context: context.tx.execute(statement) if context.position == 1 else None
    outcome = arrived(rig)
    assert statuses(outcome) == ["applied", "failed", "applied"]
    assert "InsideTransaction" in str(entry_of(outcome).actions[1].reason)


@only_sqlite
def test_se4_a_transaction_ended_in_a_trigger_took_no_effect(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "note_it")))
    with rig.ledger.transaction() as tx:
        tx.execute("CREATE TRIGGER bad UPDATE ON notes BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    rig.on_note = lambda action, context: context.tx.execute("UPDATE notes SET text = 'x'")
    assert statuses(arrived(rig)) == ["failed"] * 2
    assert rig.notes() == []


def test_se4_a_segment_that_cannot_commit_took_no_effect(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "note_it", "queue_run")))
    with rig.ledger.transaction() as tx:  # checked only at the commit
        tx.execute("CREATE TABLE parent(id INTEGER PRIMARY KEY)")
        tx.execute("CREATE TABLE child(id INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)")

    def note(action: Any, context: Any) -> None:
        if context.position == 1:
            context.tx.execute("INSERT INTO child VALUES (1)")

    rig.on_note = note
    rig.service.create("T", "w")
    if isinstance(rig.ledger, SqliteLedger):
        for connection in rig.ledger._idle:
            connection.execute("PRAGMA foreign_keys = ON")
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["failed"] * 3
    assert "foreign key" in str(entry_of(outcome).actions[0].reason).lower()
    assert rig.notes() == []
    assert rig.service.runs() == ()
    assert [r.status for r in rig.service.entry(2).actions] == ["failed"] * 3


def test_se4_a_dispatched_kind_without_a_handler_is_not_wired(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "page", 'note_it(text="2")')))
    handlers = Handlers()
    handlers.action("note_it", database=True)(rig._note_it)
    rig.service.set_handlers(handlers)
    outcome = arrived(rig)
    assert [(a.status.value, a.reason) for a in entry_of(outcome).actions] == [
        ("applied", None),
        ("failed", "not_wired"),
        ("applied", None),
    ]
    rig.service.set_handlers(rig.handlers)
    assert statuses(rig.service.redispatch(2)) == ["redelivered", "applied", "redelivered"]


def test_se4_a_handler_that_returns_what_has_yet_to_run_failed(make: Make) -> None:
    async def later() -> None:
        """Never runs."""

    rig = make(board(b=entering("page")))
    handlers = Handlers()
    handlers.action("page")(lambda action, context: later())  # type: ignore[type-var]  # what fails
    rig.service.set_handlers(handlers)
    assert statuses(arrived(rig)) == ["failed"]


# ---------------------------------------------------------------- SE5, SE6


def test_se5_a_redelivery_in_another_process_repeats_no_effect(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "queue_run", "run_code_review", "note_it", "page")))
    entry = entry_of(arrived(rig)).entry_id
    rig.service.seat("T", step="b", role="reviewer", agent="late")
    before = [rig.table(name) for name in ("newel_runs", "newel_seats", "notes")]
    other = rig.again()
    report = other.service.redispatch(entry)
    assert [rig.table(name) for name in ("newel_runs", "newel_seats", "notes")] == before
    assert other.paged == []
    other.close()
    assert statuses(report) == ["unchanged", "unchanged", *["redelivered"] * 5]
    assert report.redelivery


def test_se5_no_standard_action_reads_its_record(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "queue_run", "run_code_review")))
    entry = entry_of(arrived(rig)).entry_id
    rig.service.decide("T", role="reviewer", decider="ada", verdict="approved")
    rig.empty("newel_entry_actions")
    report = rig.service.redispatch(entry)
    assert statuses(report) == ["unchanged", "unchanged", *["redelivered"] * 3]
    assert len(rig.service.runs()) == 3
    assert len(rig.service.decisions("T")) == 1
    assert not report.redelivery  # what is counted is told by the records, the effects are not


def test_se5_clear_decisions_spares_those_of_its_own_entry_and_of_later_ones(make: Make) -> None:
    rig = make(board(b=entering("clear_decisions")))
    first = entry_of(arrived(rig)).entry_id
    rig.service.decide("T", role="reviewer", decider="old", verdict="approved")
    rig.service.move("T", "a")
    rig.service.move("T", "b")
    assert rig.service.decisions("T") == ()
    rig.service.decide("T", role="reviewer", decider="new", verdict="rejected")
    current = rig.service.task("T").entry_id
    assert current is not None
    assert statuses(rig.service.redispatch(current)) == ["unchanged"]
    assert statuses(rig.service.redispatch(first)) == ["superseded"]
    assert [d.decider for d in rig.service.decisions("T")] == ["new"]


def test_se5_a_fan_out_is_done_as_a_whole_later_seats_are_not_added(make: Make) -> None:
    rig = make(board(b=entering("queue_run_for_each_participant(reviewer)")))
    rig.service.create("T", "w")
    for agent in ("ann", "bob"):
        rig.service.seat("T", step="b", role="reviewer", agent=agent)
    entry = entry_of(rig.service.move("T", "b")).entry_id
    rig.service.seat("T", step="b", role="reviewer", agent="late")
    assert statuses(rig.service.redispatch(entry)) == ["redelivered"]
    assert [run.agent for run in rig.service.runs()] == ["ann", "bob"]


def test_se5_a_fan_out_that_breaks_off_queues_nothing(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = make(board(b=entering("queue_run_for_each_participant(reviewer)", "note_it")))
    rig.service.create("T", "w")
    for agent in ("ann", "bob"):
        rig.service.seat("T", step="b", role="reviewer", agent=agent)
    kind = type(rig.ledger.transaction())
    original = kind.add_run

    def failing(self: Any, task: str, **run: Any) -> bool:
        if run["agent"] == "bob":
            raise ValueError("bob")
        return original(self, task, **run)

    monkeypatch.setattr(kind, "add_run", failing)
    assert statuses(rig.service.move("T", "b")) == ["failed", "applied"]
    assert rig.service.runs() == ()
    monkeypatch.undo()
    assert statuses(rig.service.redispatch(2)) == ["applied", "redelivered"]
    assert len(rig.service.runs()) == 2


def test_se5_coming_back_is_a_new_entry_and_runs_afresh(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "page")))
    first = arrived(rig)
    rig.service.move("T", "a")
    second = rig.service.move("T", "b")
    assert statuses(second) == ["unchanged", "unchanged", "applied", "applied"]
    assert not entry_of(second).redelivery
    assert [run.entry_id for run in rig.service.runs()] == [entry_of(first).entry_id, entry_of(second).entry_id]
    assert len(rig.paged) == 2


def test_se5_an_outside_action_gets_one_key_for_its_entry_with_the_ledger_in_it(make: Make) -> None:
    rig = make(board(b=entering("note_it", "page", "page")))
    rig.on_page = lambda action, context: (_ for _ in ()).throw(OSError("down"))
    entry = entry_of(arrived(rig)).entry_id
    rig.on_page = lambda action, context: None
    assert statuses(rig.service.redispatch(entry)) == ["redelivered", "applied", "applied"]
    keys = [context.idempotency_key for context in rig.paged]
    assert keys == [f"{rig.ledger.uuid}:{entry}:1", f"{rig.ledger.uuid}:{entry}:2"] * 2
    assert statuses(rig.service.redispatch(entry)) == ["redelivered"] * 3
    assert len(rig.paged) == 4


def test_se5_an_outside_action_that_ran_but_could_not_be_recorded_is_told_and_called_again(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = make(board(b=entering("page", "note_it")))
    kind = type(rig.ledger.transaction())
    original = kind.record_actions

    def failing(self: Any, entry_id: int, reports: Any) -> None:
        reports = list(reports)
        if reports[0].kind == "page":
            raise LedgerUnavailable("disk full")
        original(self, entry_id, reports)

    monkeypatch.setattr(kind, "record_actions", failing)
    outcome = arrived(rig)
    assert statuses(outcome) == ["failed", "applied"]
    assert "it ran" in str(entry_of(outcome).actions[0].reason)
    monkeypatch.undo()
    assert statuses(rig.service.redispatch(2)) == ["applied", "redelivered"]
    assert len({context.idempotency_key for context in rig.paged}) == 1


def test_se5_an_outside_action_whose_record_cannot_be_read_is_not_called(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = make(board(b=entering("page", "note_it")))
    rig.service.create("T", "w")

    def gone(self: Any) -> Any:
        raise LedgerUnavailable("gone")

    monkeypatch.setattr(type(rig.ledger), "read", gone)
    outcome = rig.service.move("T", "b")
    monkeypatch.undo()
    assert statuses(outcome) == ["failed", "applied"]
    assert rig.paged == []
    assert statuses(rig.service.redispatch(2)) == ["applied", "redelivered"]


def test_se5_a_database_action_that_took_effect_stays_so_when_a_later_segment_is_rolled_back(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "boom")))
    entry = entry_of(arrived(rig)).entry_id
    rig.broken = False

    def ending(action: Any, context: Any) -> None:
        context.tx.execute(rig.ending)

    handlers = Handlers()
    handlers.action("note_it", database=True)(rig._note_it)
    handlers.action("boom", database=True)(ending)
    rig.service.set_handlers(handlers)
    assert statuses(rig.service.redispatch(entry)) == ["failed", "failed"]
    rig.service.set_handlers(rig.handlers)
    assert statuses(rig.service.redispatch(entry)) == ["redelivered", "applied"]
    assert rig.notes() == ["1", "boom"]


def test_se6_a_redelivery_is_counted_and_a_recovery_is_not(make: Make) -> None:
    rig = make(board(b=entering("clear_decisions")))
    entry = entry_of(arrived(rig)).entry_id
    assert rig.seen.named("redeliveries") == []
    assert rig.service.redispatch(entry).redelivery
    assert rig.seen.named("redeliveries") == [()]
    assert [r.deliveries for r in rig.service.entry(entry).actions] == [2]
    rig.empty("newel_entry_actions")
    assert not rig.service.redispatch(entry).redelivery
    assert rig.seen.named("redeliveries") == [()]


def test_se6_what_failed_or_found_nobody_is_tried_again(make: Make) -> None:
    rig = make(board(b=entering("queue_run_for_each_participant(reviewer)", "boom")))
    entry = entry_of(arrived(rig)).entry_id
    assert [r.status for r in rig.service.entry(entry).actions] == ["unchanged", "failed"]
    rig.service.seat("T", step="b", role="reviewer", agent="ann")
    rig.broken = False
    assert statuses(rig.service.redispatch(entry)) == ["applied", "applied"]
    assert [(r.status, r.reason) for r in rig.service.entry(entry).actions] == [("applied", None), ("applied", None)]


def test_se6_concurrent_redeliveries_leave_one_effect(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "queue_run", "note_it")))
    entry = entry_of(arrived(rig)).entry_id
    rig.empty("newel_seats", "newel_runs", "newel_entry_actions", "notes")  # as if the first dispatch had been lost
    rigs = [rig, rig.again(), rig.again()]
    threads = [threading.Thread(target=r.service.redispatch, args=(entry,)) for r in rigs * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in rigs[1:]:
        other.close()
    assert len(rig.service.seats("T")) == 1
    assert sorted(run.position for run in rig.service.runs()) == [2, 3]
    assert len(rig.notes()) == 1
    assert {r.deliveries for r in rig.service.entry(entry).actions} == {9}


# ---------------------------------------------------------------- SE8


def test_se8_an_entry_the_task_has_left_is_superseded_and_counted_apart(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "page")))
    entry = entry_of(arrived(rig)).entry_id
    rig.service.move("T", "c")
    before = rig.table("newel_entry_actions")
    report = rig.service.redispatch(entry)
    assert report.superseded
    assert statuses(report) == ["superseded"] * 4
    assert rig.table("newel_entry_actions") == before
    assert rig.seen.named("superseded") == [()]
    assert rig.seen.named("redeliveries") == []
    assert len(rig.paged) == 1


@pytest.mark.parametrize("after", ["note_it", "page"])
def test_se8_leaving_in_the_middle_of_a_redispatch_supersedes_the_rest(make: Make, after: str) -> None:
    rig = make(board(b=entering("page", after)))
    rig.on_page = lambda action, context: (_ for _ in ()).throw(OSError("down"))
    entry = entry_of(arrived(rig)).entry_id
    notes = len(rig.notes())
    rig.on_page = lambda action, context: rig.service.move("T", "c")
    report = rig.service.redispatch(entry)
    assert statuses(report) == ["applied", "superseded"]
    assert report.superseded
    assert len(rig.notes()) == notes


def test_se8_redispatch_runs_the_list_of_the_rows_own_revision(make: Make) -> None:
    old = board(b=entering("clear_decisions", "queue_run_for_each_participant(reviewer)"))
    rig = make(old)
    rig.service.create("T", "w")
    rig.service.seat("T", step="b", role="reviewer", agent="ann")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    other = rig.again()
    other.service.set_program(board(b=entering("clear_decisions", "ensure_participant_seat(reviewer)", REVIEW)))
    report = other.service.redispatch(entry)
    assert [(a.kind, a.position) for a in report.actions] == [
        ("clear_decisions", 0),
        ("queue_run_for_each_participant", 1),
    ]
    assert len(other.service.runs()) == 1
    assert len(other.service.redispatch(entry).actions) == 2
    with other.ledger.transaction() as tx:
        tx.execute(rig.sql("DELETE FROM newel_programs WHERE revision = ?"), (old.revision,))
    third = other.again()
    with pytest.raises(RevisionUnknown):
        third.service.redispatch(entry)
    third.close()
    other.close()


def test_se8_redispatch_never_runs_excluded_kinds(make: Make) -> None:
    sessions = Live("T")
    rig = make(board(b=entering("auto_start_agent", "note_it")), sessions=sessions)
    entry = entry_of(arrived(rig)).entry_id
    report = rig.service.redispatch(entry)
    assert len(sessions.ran) == 1
    assert report.session_actions == ()


def test_se8_only_rows_with_a_destination_can_be_dispatched_again(make: Make) -> None:
    rig = make(board(b=entering("note_it")))
    arrived(rig)
    rig.service.detach("T")
    for number in (0, 3, 99):
        with pytest.raises(NoSuchEntry):
            rig.service.redispatch(number)


def test_se8_nothing_sweeps_arriving_again_runs_it(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = make(board(b=entering("note_it")))
    rig.service.create("T", "w")
    monkeypatch.setattr("newel.runtime.writers.dispatch", lambda wiring, arrival: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        rig.service.move("T", "b")
    monkeypatch.undo()
    other = rig.again()
    other.service.create("U", "w")
    other.service.move("U", "c")
    time.sleep(0.05)
    assert other.notes() == []
    other.service.move("T", "c")
    other.service.move("T", "b")
    assert len(other.notes()) == 1
    other.close()


# ---------------------------------------------------------------- SE9, SE10, SE11


def test_se9_the_sessions_half_runs_once_in_the_arriving_tasks_session(make: Make) -> None:
    sessions = Live("T")
    rig = make(board(b=entering("note_it", "auto_start_agent", 'set_session_mode("ask")')), sessions=sessions)
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "b", session="another", route="agent_move")
    assert [(session, kind) for session, kind, _ in sessions.ran] == [
        ("session of T", "auto_start_agent"),
        ("session of T", "set_session_mode"),
    ]
    assert [(s.kind, s.position, s.status.value) for s in entry_of(outcome).session_actions] == [
        ("auto_start_agent", 1, "ran"),
        ("set_session_mode", 2, "ran"),
    ]
    assert rig.service.history("T")[-1].session == "another"


def test_se9_without_a_live_session_it_does_not_run(make: Make) -> None:
    for sessions in (None, Live("somebody else")):
        rig = make(board(b=entering("auto_start_agent")), sessions=sessions)
        outcome = arrived(rig)
        assert [s.status.value for s in entry_of(outcome).session_actions] == ["no_session"]
        assert sessions is None or sessions.ran == []


def test_se9_an_arrival_in_the_sessions_own_turn_does_not_start_it_again(make: Make) -> None:
    sessions = Live("T")
    rig = make(board(a="on turn_start { -> b }", b=entering("auto_start_agent", "note_it")), sessions=sessions)
    rig.service.create("T", "w")
    outcome = rig.service.handle("T", "turn_start", session="session of T")
    assert statuses(outcome) == ["applied"]
    assert [s.status.value for s in entry_of(outcome).session_actions] == ["in_turn"]
    assert sessions.ran == []


def test_se9_a_failure_there_is_in_the_report_and_stops_nothing(make: Make) -> None:
    sessions = Live("T")
    sessions.fails = ("auto_start_agent",)
    rig = make(board(b=entering("auto_start_agent", "reset_agent_context")), sessions=sessions)
    outcome = arrived(rig)
    assert [(s.status.value, s.reason) for s in entry_of(outcome).session_actions] == [
        ("failed", "RuntimeError: no auto_start_agent today"),
        ("ran", None),
    ]


def test_se9_a_port_that_cannot_say_whether_there_is_a_session_is_a_failure(make: Make) -> None:
    class Lost(Live):
        def live(self, task: str) -> str | None:
            raise OSError("no port")

    rig = make(board(b=entering("auto_start_agent")), sessions=Lost())
    assert [s.reason for s in entry_of(arrived(rig)).session_actions] == ["OSError: no port"]


@pytest.mark.parametrize("b", ["", entering("auto_start_agent")])
def test_se10_a_list_without_dispatched_kinds_is_as_if_dispatch_did_not_exist(
    make: Make, caplog: pytest.LogCaptureFixture, b: str
) -> None:
    rig = make(board(b=b), sessions=Live("T"))
    rig.service.create("T", "w")
    before = rig.ledger.commits
    with caplog.at_level(0):
        outcome = rig.service.move("T", "b")
    assert rig.ledger.commits - before == 1
    assert entry_of(outcome).actions == ()
    assert rig.table("newel_entry_actions") == []
    assert rig.seen.entries == []
    assert caplog.records == []


def test_se11_an_outside_action_moves_tasks_the_inner_entry_runs_whole_then_the_outer_goes_on(make: Make) -> None:
    rig = make(board(b=entering("page", 'note_it(text="b")'), c=entering('note_it(text="c1")', 'note_it(text="c2")')))
    rig.on_page = lambda action, context: context.service.move(context.task, "c")
    assert statuses(arrived(rig)) == ["applied", "applied"]
    assert rig.notes() == ["c1", "c2", "b"]


def test_se11_the_ninth_nested_arrival_is_that_actions_failure(make: Make) -> None:
    rig = make(board(a=entering("page"), b=entering("page")))
    rig.on_page = lambda action, context: context.service.move(context.task, "a" if context.step == "b" else "b")
    rig.service.create("T", "w")
    assert len(rig.service.history("T")) == 8
    assert [r.actions[0].status.value for r in rig.seen.entries] == ["failed", *["applied"] * 7]
    assert "TooDeep" in str(rig.seen.entries[0].actions[0].reason)
    rig.on_page = lambda action, context: None
    assert rig.service.move("T", "c").moved  # the depth is that of one chain of calls, and this one is over


def test_se11_an_action_that_dispatches_its_own_entry_again_comes_to_an_end(make: Make) -> None:
    rig = make(board(b=entering("page")))
    rig.on_page = lambda action, context: context.service.redispatch(context.entry_id)
    assert statuses(arrived(rig)) == ["applied"]
    assert len(rig.paged) == 8


def test_se11_too_deep_raises_before_it_commits(make: Make) -> None:
    rig = make(board(a=entering("page")))
    raised: list[BaseException] = []

    def deeper(action: Any, context: Any) -> None:
        number = len(rig.service.tasks())
        try:
            context.service.create(f"T{number}", "w")
        except TooDeep as error:
            raised.append(error)
            raise

    rig.on_page = deeper
    rig.service.create("T0", "w")
    assert len(raised) == 1
    assert len(rig.service.tasks()) == 8


@pytest.mark.parametrize("what", ["move", "create", "transaction", "handle"])
def test_se11_a_database_action_that_opens_a_transaction_is_refused_at_once(make: Make, what: str) -> None:
    rig = make(board(b=entering("note_it", 'note_it(text="2")')))

    def transaction() -> None:
        with rig.ledger.transaction():
            pass

    calls: dict[str, Callable[[Any], Any]] = {
        "move": lambda context: context.service.move(context.task, "c"),
        "create": lambda context: context.service.create("N", "w"),
        "transaction": lambda context: transaction(),
        "handle": lambda context: context.service.handle(
            context.task, "comment", payload={"comment_id": "c"}, operation_id=""
        ),
    }
    refused: list[float] = []

    def note(action: Any, context: Any) -> None:
        if context.position == 0:
            began = time.monotonic()
            try:
                calls[what](context)
            except InsideTransaction:
                refused.append(time.monotonic() - began)
                raise

    rig.on_note = note
    program = board(a="on comment { note_it }", b="on comment { note_it }\n" + entering("note_it", "note_it"))
    rig.service.set_program(program)
    outcome = arrived(rig)
    assert statuses(outcome) == ["failed", "applied"]
    assert len(refused) == 1
    assert refused[0] < 1


def test_se11_a_database_action_may_read_what_it_has_written(make: Make) -> None:
    rig = make(board(b=entering("note_it")))
    seen: list[Any] = []

    def note(action: Any, context: Any) -> None:
        context.tx.execute("UPDATE newel_tasks SET priority = 9")
        seen.append(context.service.task(context.task).priority)

    rig.on_note = note
    assert statuses(arrived(rig)) == ["applied"]
    assert seen == [9]
