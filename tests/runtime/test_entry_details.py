"""Step entry (SE), its finer points: what is asked, kept and said beside the effects."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from newel.runtime.casting import StaticAgents
from newel.runtime.errors import InsideTransaction, NoSuchEntry, RevisionUnknown
from newel.runtime.ledgers.base import Reading, Transaction
from newel.runtime.ledgers.sql import SqlTransaction
from newel.runtime.outcomes import SessionStatus
from tests.runtime.boards import REVIEW, Live, Make, Rig, board, entering, entry_of, only_sqlite, statuses


def test_se3a_an_action_that_fails_takes_back_its_own_part_alone(make: Make) -> None:
    """Each has a savepoint, those before and after it stay."""
    rig = make(board(b=entering('note_it(text="1")', "boom", 'note_it(text="2")')))
    rig.service.create("T", "w")
    assert statuses(rig.service.move("T", "b")) == ["applied", "failed", "applied"]
    assert rig.notes() == ["1", "2"]


def test_se4_who_ended_the_transaction_is_named(make: Make) -> None:
    rig = make(board(b=entering('note_it(text="1")', "note_it")))
    rig.on_note = lambda action, context: context.tx.execute(rig.ending) if context.position == 1 else None
    rig.service.create("T", "w")
    first, second = entry_of(rig.service.move("T", "b")).actions
    assert first.reason == second.reason
    assert str(first.reason).startswith("rolled back: LedgerUnavailable: note_it ended the transaction: ")


def test_se4_an_outside_action_that_removes_its_task_is_told_as_unrecorded(make: Make) -> None:
    rig = make(board(b=entering("page", 'note_it(text="2")')))
    rig.on_page = lambda action, context: rig.service.remove("T")
    rig.service.create("T", "w")
    first, second = entry_of(rig.service.move("T", "b")).actions
    assert (first.status, first.reason) == ("failed", "it ran, unrecorded: the task has been removed")
    assert second.status == "superseded"


class Standstill:
    """A database action that waits for a thread whose move is committed, and which runs its entry meanwhile."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.moved: list[Any] = []
        self._committed, self._holds = threading.Event(), threading.Event()
        rig.on_page, rig.on_note = self._page, self._note
        for task in "AB":
            rig.service.create(task, "w")

    def run(self) -> Any:
        """What the move of B gives back, while a list of A waits for the end of its thread."""
        self._thread = threading.Thread(target=lambda: self.moved.append(self.rig.service.move("B", "b")))
        self._thread.start()
        assert self._committed.wait(20)
        self.rig.service.handle("A", "comment", payload={"comment_id": "1"})
        self._thread.join(60)
        (outcome,) = self.moved
        return outcome

    def _page(self, action: Any, context: Any) -> None:
        if context.position == 0:
            self._committed.set()
            assert self._holds.wait(20)

    def _note(self, action: Any, context: Any) -> None:
        if context.trigger == "comment":
            self._holds.set()
            self._thread.join()


STANDSTILL = board(a="on comment { note_it }", b=entering("page", 'note_it(text="in")', "page"))


@only_sqlite
def test_se4_a_committed_move_has_its_report_where_somebody_waits_for_its_thread(make: Make) -> None:
    """Its segment is refused, since it would wait for ever. That is the failure of its actions; all are attempted."""
    rig = make(STANDSTILL)
    outcome = Standstill(rig).run()
    assert (outcome.moved, statuses(outcome)) == (True, ["failed"] * 3)
    reasons = [action.reason or "" for action in entry_of(outcome).actions]
    starts = ["it ran, unrecorded: ", "rolled back: ", "it ran, unrecorded: "]
    assert [reason.startswith(f"{start}InsideTransaction") for reason, start in zip(reasons, starts, strict=True)]
    assert [context.position for context in rig.paged] == [0, 2]
    assert rig.notes() == [None]
    assert [report.task for report in rig.seen.entries][-1:] == ["B"]


class Odd:
    """A real ledger whose views or transactions raise what no ledger should, from a moment on."""

    def __init__(self, ledger: Any, what: str) -> None:
        self._ledger, self._what, self.broken = ledger, what, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def _check(self, what: str) -> None:
        if self.broken and what == self._what:
            raise RuntimeError("odd")

    @contextmanager
    def read(self) -> Iterator[Reading]:
        self._check("read")
        with self._ledger.read() as view:
            yield view

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        self._check("transaction")
        with self._ledger.transaction() as tx:
            yield tx


@pytest.mark.parametrize(
    ("what", "found"),
    [("read", ["applied", "applied", "failed"]), ("transaction", ["failed", "failed", "failed"])],
)
def test_se4_nothing_that_a_ledger_raises_gets_out_of_an_entry(make: Make, what: str, found: list[str]) -> None:
    rig = make(board(b=entering("page", "note_it", "page")))
    odd: Any = Odd(rig.ledger, what)
    rig.service.set_ledger(odd)
    rig.service.create("T", "w")
    rig.on_page = lambda action, context: setattr(odd, "broken", True)
    outcome = rig.service.move("T", "b")
    assert (outcome.moved, statuses(outcome)) == (True, found)
    assert "RuntimeError: odd" in str(entry_of(outcome).actions[-1].reason)
    odd.broken = False
    recorded = [each.status for each in rig.service.entry(entry_of(outcome).entry_id).actions]
    assert recorded == (found if what == "read" else [])


def test_se4_what_could_not_be_recorded_is_recorded_once_nothing_is_in_the_way(make: Make) -> None:
    rig = make(board(b=entering("page", "note_it", "page")))
    odd: Any = Odd(rig.ledger, "transaction")
    rig.service.set_ledger(odd)
    rig.service.create("T", "w")
    rig.on_page = lambda action, context: setattr(odd, "broken", context.position == 0)
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["applied", "failed", "applied"]
    assert entry_of(outcome).actions[1].reason == "rolled back: RuntimeError: odd"
    records = rig.service.entry(entry_of(outcome).entry_id).actions
    assert [(each.status, each.deliveries) for each in records] == [("applied", 1), ("failed", 1), ("applied", 1)]
    assert (len(rig.paged), rig.notes()) == (2, [])


def test_se4_a_redispatch_inside_a_transaction_is_the_mistake_of_the_call(make: Make) -> None:
    """And not a failure of what it would have run."""
    rig = make(board(b=entering("note_it")))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    with rig.ledger.transaction(), pytest.raises(InsideTransaction):
        rig.service.redispatch(entry)
    assert [each.deliveries for each in rig.service.entry(entry).actions] == [1]


def test_se9_a_list_without_the_sessions_kinds_asks_for_no_session(make: Make) -> None:
    asked: list[str] = []

    class Asked(Live):
        def live(self, task: str) -> str | None:
            asked.append(task)
            return None

    rig = make(board(b=entering("note_it")), sessions=Asked())
    rig.service.create("T", "w")
    assert entry_of(rig.service.move("T", "b")).session_actions == ()
    assert asked == []


def test_sl3_a_program_is_written_once_and_not_at_each_arrival(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    original = SqlTransaction.keep_program

    def counted(self: Any, revision: str, text: str) -> None:
        written.append(revision)
        original(self, revision, text)

    monkeypatch.setattr(SqlTransaction, "keep_program", counted)
    rig = make(board(b=entering("note_it")))
    rig.service.create("T", "w")
    for step in "bcab":
        rig.service.move("T", step)
    assert written == [rig.service.program.revision]


def test_se9_what_became_of_each_action_of_the_session_is_told(make: Make) -> None:
    sessions = Live("T")
    sessions.fails = ["auto_start_agent"]
    rig = make(board(b=entering("auto_start_agent", "reset_agent_context")), sessions=sessions)
    rig.service.create("T", "w")
    told = entry_of(rig.service.move("T", "b")).session_actions
    assert [(each.kind, each.position, each.status, each.reason) for each in told] == [
        ("auto_start_agent", 0, SessionStatus.FAILED, "RuntimeError: no auto_start_agent today"),
        ("reset_agent_context", 1, SessionStatus.RAN, None),
    ]


def test_se3_kinds_of_the_session_leave_no_line_at_any_level(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    rig = make(board(b=entering("auto_start_agent")), sessions=Live("T"))
    rig.service.create("T", "w")
    with caplog.at_level(logging.NOTSET + 1):
        rig.service.move("T", "b")
    assert [record for record in caplog.records if record.name.startswith("newel")] == []


_ELSEWHERE = """
import sys
from newel.compiler.program import Program
from newel.runtime import Service, StaticAgents, open_ledger
agents = StaticAgents("runner", {"code_reviewer": "rex"}, [("ada", ["reviewer"])])
with Service(Program.from_json(sys.stdin.read()), open_ledger(sys.argv[1]), agents=agents) as service:
    print(*(each.status.value for each in service.redispatch(int(sys.argv[2])).actions))
"""


def test_se5_a_program_that_is_started_anew_repeats_no_standard_effect(make: Make) -> None:
    """Nothing of it is remembered by a process, nor is a key of one."""
    rig = make(board(b=entering("queue_run", "run_code_review", REVIEW)))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    before = rig.table("newel_runs")
    assert len(before) == 3
    command = [sys.executable, "-c", _ELSEWHERE, rig.url, str(entry)]
    text = rig.service.program.to_json()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["redelivered", "redelivered", "unchanged", "unchanged", "redelivered"]
    assert rig.table("newel_runs") == before


def test_se6_what_is_there_already_is_told_from_what_is_done_now(make: Make) -> None:
    rig = make(board(b=entering("queue_run", "page", "note_it", "clear_decisions")))
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["applied", "applied", "applied", "unchanged"]
    again = rig.service.redispatch(entry_of(outcome).entry_id)
    assert statuses(again) == ["redelivered", "redelivered", "redelivered", "unchanged"]
    assert len(rig.service.runs()) == len(rig.paged) == len(rig.notes()) == 1


def test_se11_a_redispatch_by_a_database_action_is_refused_before_anything_outside_runs(make: Make) -> None:
    """Also where what failed, and is tried again therefore, is outside and comes first."""
    rig = make(board(b=entering("page"), c=entering("note_it")))

    def fails(action: Any, context: Any) -> None:
        raise OSError("no line")

    rig.on_page = fails
    rig.service.create("U", "w")
    entry = entry_of(rig.service.move("U", "b")).entry_id
    rig.paged.clear()
    rig.on_note = lambda action, context: rig.service.redispatch(entry)
    rig.service.create("T", "w")
    (note,) = entry_of(rig.service.move("T", "c")).actions
    assert (note.status, str(note.reason).partition(":")[0]) == ("failed", "InsideTransaction")
    assert rig.paged == []


def test_se8_a_redispatch_commits_no_more_than_its_list_asks_for(make: Make) -> None:
    rig = make(board(b=entering("note_it"), c=entering("auto_start_agent")))
    rig.service.create("T", "w")
    for step, commits in (("b", 1), ("c", 0)):
        entry = entry_of(rig.service.move("T", step)).entry_id
        before = rig.ledger.commits
        rig.service.redispatch(entry)
        assert rig.ledger.commits - before == commits


def test_se8_what_cannot_be_dispatched_again_is_named(make: Make) -> None:
    rig = make(board(b=entering("note_it")))
    rig.service.create("T", "w")
    with pytest.raises(NoSuchEntry, match=r"the ledger has no row 77 that names a destination"):
        rig.service.redispatch(77)
    entry = entry_of(rig.service.move("T", "b")).entry_id
    rig.service.set_program(board(b=entering("page")))
    with rig.ledger.transaction() as tx:
        tx.execute(rig.sql("UPDATE newel_rows SET revision = ?"), ("gone",))
    with pytest.raises(RevisionUnknown, match="the ledger does not hold the program of revision gone"):
        rig.service.redispatch(entry)


def test_se8_a_program_that_is_read_back_is_read_once(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = make(board(b=entering('note_it(text="1")')))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    rig.service.set_program(board(b=entering("page")))
    read: list[str] = []
    original = SqlTransaction.program

    def counted(self: Any, revision: str) -> str | None:
        read.append(revision)
        return original(self, revision)

    monkeypatch.setattr(SqlTransaction, "program", counted)
    for _ in range(3):
        assert statuses(rig.service.redispatch(entry)) == ["redelivered"]
    assert len(read) == 1


def test_se8_an_entry_of_the_program_of_now_needs_none_from_the_ledger(make: Make) -> None:
    rig = make(board(b=entering("note_it")))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    rig.empty("newel_programs")
    assert statuses(rig.service.redispatch(entry)) == ["redelivered"]


def test_se3_an_action_is_told_who_moved_the_task_and_why(make: Make) -> None:
    rig = make(board(b=entering("page")))
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "b", session="s1")
    (context,) = rig.paged
    assert (context.task, context.workflow, context.step, context.trigger) == ("T", "w", "b", "enter")
    assert (context.session, context.operation_id, context.payload) == ("s1", "", {})
    assert (context.entry_id, context.position) == (entry_of(outcome).entry_id, 0)
    rig.paged.clear()
    with rig.ledger.transaction() as tx:
        tx.execute("DELETE FROM newel_entry_actions")
    rig.service.redispatch(entry_of(outcome).entry_id)
    assert rig.paged == [context]


def test_se5_a_list_of_standard_kinds_reads_no_record_at_all(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = make(board(b=entering(REVIEW, "queue_run", "run_code_review")))
    rig.service.create("T", "w")

    def read(self: Any, entry_id: int) -> list[Any]:
        raise AssertionError("a record was read")

    monkeypatch.setattr(SqlTransaction, "entry_actions", read)
    assert "failed" not in statuses(rig.service.move("T", "b"))


def test_se4_an_outside_failure_keeps_its_reason_where_it_cannot_be_recorded(make: Make) -> None:
    rig = make(board(b=entering("page")))

    def fails(action: Any, context: Any) -> None:
        rig.service.remove("T")
        raise OSError("no line")

    rig.on_page = fails
    rig.service.create("T", "w")
    (page,) = entry_of(rig.service.move("T", "b")).actions
    assert (page.status, page.reason) == ("failed", "OSError: no line")


def test_se4_an_interruption_while_a_record_is_written_passes(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = make(board(b=entering("page")))
    rig.service.create("T", "w")
    original = SqlTransaction.record_actions

    def interrupted(self: Any, entry_id: int, reports: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SqlTransaction, "record_actions", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rig.service.move("T", "b")
    monkeypatch.setattr(SqlTransaction, "record_actions", original)
    assert (len(rig.paged), rig.table("newel_entry_actions")) == (1, [])


@pytest.mark.parametrize("where", ["live", "run"])
def test_se4_an_interruption_in_the_sessions_half_passes(make: Make, where: str) -> None:
    class Interrupted(Live):
        def live(self, task: str) -> str | None:
            if where == "live":
                raise KeyboardInterrupt
            return super().live(task)

        def run(self, session: str, action: Any, context: Any) -> None:
            raise KeyboardInterrupt

    rig = make(board(b=entering("note_it", "auto_start_agent")), sessions=Interrupted("T"))
    rig.service.create("T", "w")
    with pytest.raises(KeyboardInterrupt):
        rig.service.move("T", "b")
    assert (rig.service.task("T").step, len(rig.notes())) == ("b", 1)


def test_se3a_a_handler_in_the_place_of_a_standard_kind_has_nobody_asked_for_it(make: Make) -> None:
    asked: list[str] = []

    class Asked(StaticAgents):
        def target(self, task: str, name: str) -> str:
            asked.append(name)
            return name

    rig = make(board(b=entering("queue_run")), agents=Asked("runner"))
    mine: list[str] = []
    rig.handlers.action("queue_run", database=True)(lambda action, context: mine.append(action.kind))
    rig.service.create("T", "w")
    assert statuses(rig.service.move("T", "b")) == ["applied"]
    assert (asked, mine, rig.service.runs()) == ([], ["queue_run"], ())


def test_sl3_the_time_of_a_row_is_that_of_now_in_utc(make: Make) -> None:
    rig = make(board())
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    rig.service.create("T", "w")
    (row,) = rig.service.history("T")
    assert row.occurred_at.endswith("+00:00")
    assert before <= datetime.fromisoformat(row.occurred_at) <= datetime.now(UTC)
