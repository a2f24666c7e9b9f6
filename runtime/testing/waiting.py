"""The promises of limited steps: who stands there, who waits, and in which order they are admitted."""

from __future__ import annotations

import threading

from newel.runtime.ledgers.base import Transaction
from newel.runtime.rows import Task
from newel.runtime.testing.kit import BRIEFLY, PATIENCE, Aside, Kit, arrive, holds, same


class WaitingPromises(Kit):
    """What `occupied`, `lock_place`, `wait_for`, `wait_no_more` and `waiting` promise."""

    def test_who_stands_at_a_step_is_counted(self) -> None:
        """LM2: whether the place was ever locked or not, and within the transaction that changes it."""
        for name, step in (("T", "a"), ("U", "a"), ("V", "b")):
            self.arrive(name, step)
        with self.ledger.transaction() as tx:
            tx.lock_place("w", "a")
            same(tx.occupied("w", "a"), 2, "those who stood there before the place was first locked are counted")
            arrive(tx, _locked(tx, "V"), "a")
            same(tx.occupied("w", "a"), 3, "and who has come in this transaction")
            arrive(tx, _locked(tx, "T"), "b")
            arrive(tx, _locked(tx, "U"), "a", "other")
        with self.ledger.read() as view:
            same(view.occupied("w", "a"), 1, "and not who has left")
            same(view.occupied("other", "a"), 1, "a step of another workflow is another step")
            same(view.occupied("w", "nowhere"), 0, "where nobody stands, there is nobody")

    def test_a_place_is_locked_by_one_at_a_time(self) -> None:
        """LM2: else two would count alike and both come."""
        held, let_go = threading.Event(), threading.Event()

        def holder() -> None:
            with self.ledger.transaction() as tx:
                tx.lock_place("w", "a")
                arrive(tx, tx.add_task("T"), "a")
                held.set()
                let_go.wait(PATIENCE)

        def second() -> int:
            with self.ledger.transaction() as tx:
                tx.lock_place("w", "a")
                return tx.occupied("w", "a")

        first = Aside(holder)
        holds(held.wait(PATIENCE), "a place is locked at once where nobody holds it")
        other = Aside(second)
        holds(not other.done_within(BRIEFLY), "a second one waits")
        let_go.set()
        first.result()
        same(other.result(), 1, "and then counts who has come meanwhile")

    def test_a_task_that_waits_has_not_arrived(self) -> None:
        """LM1: it stands where it stood; an arrival ends its waiting."""
        entry = self.arrive("T", "a")
        self._wait("T", "b")
        waiting = Task("T", "w", "a", entry, queued_for="b", queued_workflow="w")
        same(self.task("T"), waiting, "it says where it waits")
        same(self.steps("T"), ["a"], "no row is written")
        self._wait("T", "b", "op")
        under = Task("T", "w", "a", entry, queued_for="b", queued_workflow="w", queued_operation="op")
        same(self.task("T"), under, "it says under which operation its exit list is to run")
        with self.ledger.transaction() as tx:
            tx.wait_no_more(_locked(tx, "T"))
        same(self.task("T"), Task("T", "w", "a", entry), "it can wait no more")
        self._wait("T", "b", "op")
        later = self.arrive("T", "c")
        same(self.task("T"), Task("T", "w", "c", later), "nor does one that has arrived, wherever")
        with self.ledger.read() as view:
            same(view.occupied("w", "b"), 0, "who waits takes no place")

    def test_those_who_wait_are_admitted_in_their_order(self) -> None:
        """LM3: by position, then priority, then since when, then id; then those at the feeder."""
        with self.ledger.transaction() as tx:
            for name, priority in (("first", 0), ("second", 0), ("urgent", 5), ("placed", 0)):
                arrive(tx, tx.add_task(name, priority=priority), "a")
            for name in ("feeder 1", "feeder 2", "elsewhere"):
                arrive(tx, tx.add_task(name), "f")
            tx.reorder("placed", -1)
        for name in ("first", "second", "urgent", "placed"):
            self._wait(name, "b")
        self._wait("first", "b", "op")  # it keeps its turn
        self._wait("elsewhere", "c")
        with self.ledger.transaction() as tx:
            tx.lock_place("w", "f")
            tx.lock_place("w", "b")
            order = ["placed", "urgent", "first", "second"]
            same([t.id for t in tx.waiting("w", "b", None, 9)], order, "those who wait for the step, in their order")
            order += ["feeder 1", "feeder 2"]
            same([t.id for t in tx.waiting("w", "b", "f", 9)], order, "then those at the feeder who wait for nothing")
            same([t.id for t in tx.waiting("w", "b", "f", 5)], order[:5], "at most so many")

    def _wait(self, name: str, step: str, operation: str | None = None) -> None:
        with self.ledger.transaction() as tx:
            tx.lock_place("w", step)
            tx.wait_for(_locked(tx, name), "w", step, operation)


def _locked(tx: Transaction, name: str) -> Task:
    task = tx.lock_task(name)
    if task is None:
        raise AssertionError(f"promised: the task {name!r}, once committed, is found")
    return task
