"""The promises of tasks and their rows: ids, the chain, what a row says, the order of history, removal."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import get_args

from newel.runtime.errors import TaskExists
from newel.runtime.ledgers.base import CONTRACT_VERSION, Transaction
from newel.runtime.outcomes import ActionReport, ActionStatus
from newel.runtime.ports import Actor
from newel.runtime.rows import ActorKind, Task
from newel.runtime.testing.kit import Kit, arrive, holds, locked, raises, same

HOSTILE = (
    "a'b",
    'a"b',
    "%s %(x)s 100%",
    "? :x",
    "; DROP TABLE tasks; --",
    "é 漢 🙂",
    "x\ny\tz",
    " ",
    "NULL",
    "x" * 5000,
)
"""Texts that are only texts."""


_TICK = 0.02
"""Seconds after which every clock tells another time."""


class ArrivalPromises(Kit):
    """What `add_task`, `arrive`, `reorder`, `remove_task` and the readers of history promise."""

    def test_a_task_is_added_once(self) -> None:
        """SL5: a second task of one id is `TaskExists`."""
        with self.ledger.transaction() as tx:
            same(tx.add_task("T", priority=3), Task("T", None, None, None, priority=3), "a new task stands nowhere")
            tx.add_task("child", parent="T")
        same(self.task("T"), Task("T", None, None, None, priority=3), "a task keeps its priority")
        with raises(TaskExists, "adding a task again"), self.ledger.transaction() as tx:
            tx.add_task("T")
        same(self.task("child"), Task("child", None, None, None, parent="T"), "a task knows its parent")
        same(self.task("nobody"), None, "of a task that is not there, nothing is said")

    def test_an_arrival_changes_the_place_and_nothing_else(self) -> None:
        """SL1: priority, parent and position are no matter of a row, nor are other tasks."""
        with self.ledger.transaction() as tx:
            for name in ("T", "U"):
                arrive(tx, tx.add_task(name, priority=4, parent="P"), "a")
                tx.reorder(name, 2)
        other, entry = self.task("U"), self.arrive("T", "b")
        same(self.task("T"), Task("T", "w", "b", entry, priority=4, parent="P", position=2), "the task has moved")
        same(self.task("U"), other, "and only that one")

    def test_ids_grow_and_are_never_given_twice(self) -> None:
        """SL1: not even the id of a row that was removed."""
        ids = [self.arrive("T", step) for step in ("a", "b")]
        with self.ledger.transaction() as tx:
            tx.remove_task("T")
        ids += [self.arrive("T", "a"), self.arrive("U", "a"), self.arrive("T", "b")]
        same(ids, sorted(set(ids)), "ids are unique and grow")
        holds(ids[0] > 0, "an id is larger than 0")

    def test_each_row_begins_where_the_last_one_ended(self) -> None:
        """SL4: the chain, with the standing task at its end."""
        last = [self.arrive("T", step) for step in ("a", "b", "a", "c")][-1]
        self.arrive("T", "c", "other")
        last = self.arrive("T", None)
        with self.ledger.read() as view:
            rows = view.history("T")
        same(
            [(r.from_workflow, r.from_step) for r in rows],
            [(None, None)] + [(r.to_workflow, r.to_step) for r in rows[:-1]],
            "a row begins where the last one ended",
        )
        same([r.to_step for r in rows], ["a", "b", "a", "c", "c", None], "a row ends where the task went")
        same(self.task("T"), Task("T", None, None, None), "a detached task stands nowhere, in no entry")
        same(rows[-1].id, last, "history is in the order of ids")
        entry = self.arrive("T", "a")
        same(self.task("T"), Task("T", "w", "a", entry), "it can come back")

    def test_a_row_says_everything(self) -> None:
        """SL3: who, why, under which program and when; absent is None."""
        with self.ledger.transaction() as tx:
            who = Actor.human("ada")
            first = arrive(tx, tx.add_task("T"), "a", route="created", actor=who, session="s", revision="r1")
        second = self.arrive("T", "b")
        with self.ledger.read() as view:
            one, two = view.row(first), view.row(second)
            same(view.row(second + 1000), None, "of a row that is not there, nothing is said")
        if one is None or two is None:
            raise AssertionError("promised: a committed row is found by its id")
        said = (one.task, one.route, one.actor_kind, one.actor_id, one.session, one.revision, one.contract_version)
        same(said, ("T", "created", "human", "ada", "s", "r1", CONTRACT_VERSION), "a row says what it was written with")
        same((two.session, two.actor_id, two.actor_kind), (None, None, "unknown"), "absent is None")
        same((one.from_workflow, one.from_step, one.to_workflow, one.to_step), (None, None, "w", "a"), "whereto")
        same((two.from_workflow, two.from_step, two.to_workflow, two.to_step), ("w", "a", "w", "b"), "and wherefrom")
        with self.ledger.transaction() as tx:
            for kind in get_args(ActorKind):
                entry = arrive(tx, locked(tx, "T"), kind, actor=Actor(kind, kind))
                row = tx.row(entry)
                same(row and (row.actor_kind, row.actor_id), (kind, kind), "whoever it was")
        moment = datetime.fromisoformat(one.occurred_at)
        same(moment.utcoffset(), timedelta(0), "the time is UTC, and says so")
        holds(abs(datetime.now(UTC) - moment) < timedelta(hours=1), "it is the time of the arrival")

    def test_texts_are_kept_to_the_letter(self) -> None:
        """SL3: whatever signs are in them."""
        for text in HOSTILE:
            with self.ledger.transaction() as tx:
                entry = arrive(tx, tx.add_task(text), text, text, actor=Actor("agent", text), session=text)
                tx.keep_program(text, text)
            with self.ledger.read() as view:
                row = view.row(entry)
                same(view.task(text), Task(text, text, text, entry), "a task's texts are kept")
                same(row and (row.actor_id, row.session), (text, text), "a row's texts are kept")
                same(view.program(text), text, "a program's text is kept")

    def test_tasks_come_by_id(self) -> None:
        """Sorted as Python sorts them, in every ledger alike."""
        names = ["b", "B", "a", "é", "aa", "Z", "1", "10", "2"]
        for name in names:
            self.arrive(name, "a")
        with self.ledger.read() as view:
            same([task.id for task in view.tasks()], sorted(names), "tasks come by id")

    def test_children_come_in_the_order_of_their_making(self) -> None:
        """K1: by the time they were created, then by id."""
        self.arrive("P", "a")
        for name, parent in (("c", "P"), ("a", "P"), ("x", "Q"), ("b", "P")):
            with self.ledger.transaction() as tx:
                tx.add_task(name, parent=parent)
            time.sleep(_TICK)
        self.arrive("c", "a")
        with self.ledger.read() as view:
            same([t.id for t in view.children("P")], ["c", "a", "b"], "a parent's children, as they were created")
            same(list(view.children("a")), [], "a task without children has none")

    def test_rows_are_read_page_by_page(self) -> None:
        """OB4: those of all tasks, in the order of their ids."""
        with self.ledger.read() as view:
            same((view.last_id(), list(view.rows())), (0, []), "a new ledger has no rows")
        ids = [self.arrive(name, step) for step in ("a", "b") for name in ("T", "U")]
        with self.ledger.read() as view:
            same(view.last_id(), ids[-1], "the last id is that of the last row")
            same([r.id for r in view.rows()], ids, "all rows are read")
            same([r.id for r in view.rows(ids[0], 2)], ids[1:3], "or those after one, at most so many")
            same(list(view.rows(ids[-1])), [], "after the last there is none")
        with self.ledger.transaction() as tx:
            tx.remove_task("U")
            same([r.id for r in tx.rows()], [ids[0], ids[2]], "those of a removed task are not read")
            same(tx.last_id(), ids[2], "the last id is that of the last row there is")

    def test_a_page_has_a_thousand_rows(self) -> None:
        """OB4: where nobody says otherwise; the next one begins behind it."""
        with self.ledger.transaction() as tx:
            tx.add_task("T")
            ids = [arrive(tx, locked(tx, "T"), "ab"[number % 2]) for number in range(1003)]
        with self.ledger.read() as view:
            same([r.id for r in view.rows()], ids[:1000], "a page has a thousand rows")
            same([r.id for r in view.rows(ids[999])], ids[1000:], "the next one has what is left")
            same([r.id for r in view.rows(limit=1002)], ids[:1002], "unless more are asked for")

    def test_reordering_is_no_arrival(self) -> None:
        """SL2: it writes a position and no row."""
        entry, other = self.arrive("T", "a"), self.arrive("U", "a")
        with self.ledger.transaction() as tx:
            tx.reorder("T", 7)
        same(self.task("U"), Task("U", "w", "a", other), "that of others has not changed")
        same(self.task("T"), Task("T", "w", "a", entry, position=7), "only the position has changed")
        same(self.steps("T"), ["a"], "no row was written")

    def test_a_program_is_kept_once(self) -> None:
        """SL3: by revision; the same again changes nothing."""
        for text in ("first", "second"):
            with self.ledger.transaction() as tx:
                tx.keep_program("r", text)
        with self.ledger.read() as view:
            same(view.program("r"), "first", "a kept program is never changed")
            same(view.program("s"), None, "one that is not kept is not found")

    def test_removing_a_task_removes_all_that_hangs_on_it(self) -> None:
        """SL8: rows, seats, decisions, approvals, and runs for it or caused by it - and nothing of others."""
        entries = {name: self.arrive(name, "a") for name in ("T", "U")}
        with self.ledger.transaction() as tx:
            for name, entry in entries.items():
                _hang(tx, name, entry)
            _run(tx, "T", "U", 5, entries["U"])
            _run(tx, "U", "T", 5, entries["T"])
        with self.ledger.transaction() as tx:
            tx.lock_task("T")
            tx.remove_task("T")
        with self.ledger.read() as view:
            same(view.task("T"), None, "the task is gone")
            same(view.occupied("w", "a"), 1, "and takes no place")
            left = (view.history("T"), view.seats("T"), view.decisions("T"), view.approvals("T"), view.runs("T"))
            same([list(part) for part in left], [[], [], [], [], []], "nothing of it is left")
            same(list(view.entry_actions(entries["T"])), [], "nor are its entries' records")
            same([(run.task, run.source) for run in view.runs()], [("U", "U")], "nor runs that it caused for others")
            kept = (view.history("U"), view.seats("U"), view.decisions("U"), view.approvals("U"))
            same([len(part) for part in kept], [1, 1, 1, 1], "what hangs on others stays")
            same(len(view.entry_actions(entries["U"])), 1, "and so do their entries' records")


def _hang(tx: Transaction, name: str, entry: int) -> None:
    tx.add_seat(name, "w", "a", role="r", agent="ada")
    tx.add_decision(name, "w", "a", entry, role="r", decider="ada", decider_kind="human", verdict="approved", note=None)
    tx.add_approval(name, entry, "turn_complete", 0, to="b", payload={})
    tx.record_actions(entry, [ActionReport("kind", 0, ActionStatus.APPLIED)])
    _run(tx, name, name, 0, entry)


def _run(tx: Transaction, task: str, source: str, position: int, entry: int) -> None:
    tx.add_run(
        task, source=source, step="a", agent="ada", reason=None, payload=None, entry_id=entry, position=position,
        trigger="enter", key=f"{entry}:{position}",
    )  # fmt: skip
