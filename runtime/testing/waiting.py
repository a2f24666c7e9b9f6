"""The promises of limited steps: who stands there, who waits, and in which order they are admitted."""

from __future__ import annotations

import threading
from dataclasses import replace

from newel.runtime.rows import Task
from newel.runtime.testing.bounds import BRIEFLY, PATIENCE, Aside
from newel.runtime.testing.kit import Kit, arrive, holds, locked, same


class WaitingPromises(Kit):
    """What `occupied`, `lock_place`, `wait_for`, `wait_no_more` and `waiting` promise."""

    def test_who_stands_at_a_step_is_counted(self) -> None:
        """LM2: whether the place was ever locked or not, and within the transaction that changes it."""
        for name, step in (("T", "a"), ("U", "a"), ("V", "b")):
            self.arrive(name, step)
        with self.ledger.transaction() as tx:
            tx.lock_place("w", "a")
            same(tx.occupied("w", "a"), 2, "those who stood there before the place was first locked are counted")
            arrive(tx, locked(tx, "V"), "a")
            same(tx.occupied("w", "a"), 3, "and who has come in this transaction")
            arrive(tx, locked(tx, "T"), "b")
            arrive(tx, locked(tx, "U"), "a", "other")
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
        with self.ledger.read() as view:
            same(
                (view.occupied("w", "b"), view.occupied("w", "a")),
                (0, 1),
                "who waits takes no place, and keeps his own",
            )
        self._wait("T", "b", "op")
        under = Task("T", "w", "a", entry, queued_for="b", queued_workflow="w", queued_operation="op")
        same(self.task("T"), under, "it says under which operation its exit list is to run")
        for operation in ("another", None):
            self._wait("T", "b", operation)
            same(self.task("T"), replace(under, queued_operation=operation), "the last one that was said")
        with self.ledger.transaction() as tx:
            tx.wait_no_more(locked(tx, "T"))
        same(self.task("T"), Task("T", "w", "a", entry), "it can wait no more")
        self._wait("T", "b", "op")
        later = self.arrive("T", "c")
        same(self.task("T"), Task("T", "w", "c", later), "nor does one that has arrived, wherever")

    def test_a_detached_task_waits_no_longer(self) -> None:
        """LM1: it has left for nowhere; whoever did not wait can be told to wait no more, too."""
        self.arrive("T", "a")
        self._wait("T", "b", "op")
        self.arrive("T", None)
        same(self.task("T"), Task("T", None, None, None), "a detached task waits for nothing")
        with self.ledger.transaction() as tx:
            tx.wait_no_more(locked(tx, "T"))
            same(list(tx.waiting("w", "b", "a", 9)), [], "and is not admitted")

    def test_those_who_wait_are_admitted_in_their_order(self) -> None:
        """LM3: by position, then priority, then since when, then id; then those at the feeder."""
        queue = (("z", 0), ("m", 0), ("a", 0), ("urgent", 5), ("placed", 0), ("placed and urgent", 1))
        feeders = (("y", 0), ("b", 0), ("rushed", 2), ("set", 0))
        with self.ledger.transaction() as tx:
            for name, priority in queue:
                arrive(tx, tx.add_task(name, priority=priority), "a")
            for name, priority in (*feeders, ("elsewhere", 9)):
                arrive(tx, tx.add_task(name, priority=priority), "f")
            for name in ("placed", "placed and urgent", "set"):
                tx.reorder(name, -1)
        for name, _ in reversed(queue):
            self._wait(name, "b")
        for name in ("z", "m", "a"):  # they wait for another place, and then last of all
            self._wait(name, "c")
            self._wait(name, "b")
        self._wait("z", "b", "op")  # it keeps its turn
        self._wait("elsewhere", "c")
        with self.ledger.transaction() as tx:
            tx.lock_place("w", "b")
            tx.lock_place("w", "f")
            order = ["placed and urgent", "placed", "urgent", "z", "m", "a"]
            same([t.id for t in tx.waiting("w", "b", None, 9)], order, "those who wait for the step, in their order")
            same([t.id for t in tx.waiting("w", "b", None, 2)], order[:2], "at most so many")
            order += ["set", "rushed", "y", "b"]
            same([t.id for t in tx.waiting("w", "b", "f", 99)], order, "then those at the feeder who wait for nothing")
            same([t.id for t in tx.waiting("w", "b", "f", 8)], order[:8], "at most so many")
            tx.remove_task("z")
            same("z" in [t.id for t in tx.waiting("w", "b", "f", 99)], False, "one that was removed waits no longer")

    def test_turns_are_given_by_time_and_not_by_name(self) -> None:
        """LM3: since when a task has waited, be it longer than it has stood; at the feeder, since when it stands."""
        for name in ("b", "c", "a"):
            self.arrive(name, "x")
        for name in ("c", "a", "b"):
            self._wait(name, "s")
        with self.ledger.transaction() as tx:
            same([t.id for t in tx.waiting("w", "s", None, 9)], ["c", "a", "b"], "whoever waits longest goes first")
            tx.wait_no_more(locked(tx, "c"))
        self._wait("c", "s")
        with self.ledger.transaction() as tx:
            same([t.id for t in tx.waiting("w", "s", None, 9)], ["a", "b", "c"], "who waits anew has a new turn")
        for name in ("b", "c", "a"):
            self.arrive(name, "f")
        for step in ("x", "f"):
            self.arrive("b", step)
        with self.ledger.transaction() as tx:
            same([t.id for t in tx.waiting("w", "s", "f", 9)], ["c", "a", "b"], "whoever stands longest goes first")

    def test_a_place_is_a_step_of_one_workflow(self) -> None:
        """LM3: who waits for one of the same name in another workflow, or stands at such a feeder, is not let in."""
        for name, workflow in (("T", "w"), ("U", "v")):
            self.arrive(name, "a", workflow)
            self._wait(name, "b", workflow=workflow)
            self.arrive(f"{name} at the feeder", "f", workflow)
        with self.ledger.transaction() as tx:
            for workflow, names in (("w", ["T", "T at the feeder"]), ("v", ["U", "U at the feeder"])):
                same([t.id for t in tx.waiting(workflow, "b", "f", 9)], names, "a place is in one workflow")
            same(list(tx.waiting("w", "f", None, 9)), [], "nobody waits for another step")

    def test_a_task_at_the_feeder_that_waits_comes_once(self) -> None:
        """LM3: among those who wait; a place that nobody has locked before has its tasks like any other."""
        self.arrive("T", "f")
        self.arrive("U", "f")
        with self.ledger.transaction() as tx:
            tx.wait_for(locked(tx, "U"), "w", "b")
            same([t.id for t in tx.waiting("w", "b", "f", 9)], ["U", "T"], "each comes once")

    def _wait(self, name: str, step: str, operation: str | None = None, workflow: str = "w") -> None:
        with self.ledger.transaction() as tx:
            tx.lock_place(workflow, step)
            tx.wait_for(locked(tx, name), workflow, step, operation)
