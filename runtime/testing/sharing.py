"""The promises to many: threads that write at once, two openings, a fork."""

from __future__ import annotations

import os
from collections.abc import Callable

from newel.runtime.errors import TaskExists, WrongProcess
from newel.runtime.ledgers.base import Transaction
from newel.runtime.testing.bounds import in_child, together
from newel.runtime.testing.kit import Kit, arrive, holds, same


class SharingPromises(Kit):
    """What a ledger promises to threads, and to whoever opens it a second time."""

    def test_threads_leave_one_chain(self) -> None:
        """SL1, SL4: many movers of few tasks; ids are unique and grow along each task."""
        names, moves = "TTTTUUV", 20
        for name in set(names):
            self.arrive(name, "start")

        def mover(number: int, name: str) -> None:
            for move in range(moves):
                self.arrive(name, f"{number}-{move}")

        together(*(lambda n=n, name=name: mover(n, name) for n, name in enumerate(names)))
        with self.ledger.read() as view:
            for name in set(names):
                rows, task = view.history(name), view.task(name)
                same(len(rows), names.count(name) * moves + 1, "each arrival leaves one row")
                same([r.from_step for r in rows[1:]], [r.to_step for r in rows[:-1]], "each begins where one ended")
                same([r.id for r in rows], sorted({r.id for r in rows}), "ids grow along a task's history")
                same(task and task.entry_id, rows[-1].id, "the last row is where the task stands")

    def test_a_lock_makes_reading_and_writing_one(self) -> None:
        """SL4: of those who compare the entry they read before, one wins."""
        for number in range(10):
            name = f"T{number}"
            token, won = self.arrive(name, "a"), list[str]()

            def claim(who: str, name: str = name, token: int = token, won: list[str] = won) -> None:
                with self.ledger.transaction() as tx:
                    task = tx.lock_task(name)
                    if task is not None and task.entry_id == token:
                        arrive(tx, task, who)
                        won.append(who)

            together(*(lambda who=who: claim(who) for who in "bcde"))
            same(len(won), 1, "of those who compare one entry, one wins")
            same(self.steps(name), ["a", *won], "and only that one has written")

    def test_one_of_two_adds_a_task(self) -> None:
        """SL5: the other is told that it exists; both see it."""
        added = list[bool]()

        def add() -> None:
            try:
                with self.ledger.transaction() as tx:
                    tx.add_task("T")
            except TaskExists:
                added.append(False)
            else:
                added.append(True)

        together(add, add, add)
        same(sorted(added), [False, False, True], "of three who add a task, one does")

    def test_workers_never_share_a_run(self) -> None:
        """Each run is claimed by one."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            for number in range(30):
                tx.add_run(
                    "T", source="T", step="a", agent="ada", reason=None, payload=None, entry_id=entry, position=number,
                    trigger="enter", key=str(number),
                )  # fmt: skip
        claimed = list[int]()

        def work(worker: str) -> None:
            for _ in range(30):
                with self.ledger.transaction() as tx:
                    found = [run.id for run in tx.claim_runs(worker, 2, 60)]
                claimed.extend(found)

        together(*(lambda n=n: work(f"w{n}") for n in range(4)))
        same(len(claimed), 30, "every run is claimed, and none twice")
        same(len(set(claimed)), 30, "every run is claimed, and none twice")

    def test_two_openings_see_one_ledger(self) -> None:
        """SL5: what one commits, the other reads."""
        if not self.shared:
            return
        other = self.open()
        entry = self.arrive("T", "a")
        with other.read() as view:
            same(view.row(entry) is not None, True, "what was committed through one is read through the other")
        other.close()
        self.arrive("T", "b")
        same(self.steps("T"), ["a", "b"], "closing one leaves the other open")

    def test_after_a_fork_it_is_the_wrong_process(self) -> None:
        """OL4: `WrongProcess`, and the parent's ledger is none the worse for it."""
        if not hasattr(os, "fork"):
            return
        self.arrive("T", "a")
        same(in_child(self._refusals), 2, "in a forked child, opening either is WrongProcess")
        self.arrive("T", "b")
        same(self.steps("T"), ["a", "b"], "the parent goes on")

    def _refusals(self) -> int:
        refused = 0
        for opening in (self.ledger.transaction, self.ledger.read):
            try:
                with opening():
                    pass
            except WrongProcess:
                refused += 1
        self.ledger.close()
        return refused

    def test_a_fork_inside_a_transaction_leaves_it_to_the_parent(self) -> None:
        """OL4: the child can neither use nor end what the parent has open, and whatever it tries is `WrongProcess`."""
        if not hasattr(os, "fork"):
            return
        self.arrive("T", "a")
        manager = self.ledger.transaction()
        with manager as tx:
            arrive(tx, tx.add_task("U"), "a")

            def child() -> int:
                refused = self._refusals()
                for act in (lambda: tx.task("U"), lambda: tx.add_task("V"), _part_of(tx)):
                    refused += _is_refused(act)
                refused += not tx.active
                return refused + _is_refused(lambda: manager.__exit__(None, None, None))

            same(in_child(child), 7, "in a child, what the parent has open is refused, also to be ended")
            raised = KeyError("of the child")
            left = in_child(lambda: bool(manager.__exit__(KeyError, raised, None)))
            same(left, False, "what a child raises in its parent's transaction passes, and takes nothing back")
            same(tx.active, True, "the parent's transaction is still open")
            arrive(tx, tx.lock_task("T") or tx.add_task("never"), "b")
        same((self.steps("T"), self.steps("U")), (["a", "b"], ["a"]), "the parent commits what it has written")

    def test_many_threads_read_and_write(self) -> None:
        """SL5: each reads what it has just written."""

        def go(name: str) -> None:
            for number in range(15):
                self.arrive(name, f"s{number}")
                holds(len(self.steps(name)) == number + 1, "what a thread has committed, it reads")

        together(*(lambda n=n: go(f"T{n}") for n in range(6)))


def _is_refused(act: Callable[[], object]) -> bool:
    try:
        act()
    except WrongProcess:
        return True
    return False


def _part_of(tx: Transaction) -> Callable[[], object]:
    def part() -> object:
        with tx.savepoint():
            return tx.tasks()

    return part
