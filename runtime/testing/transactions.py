"""The promises of a transaction: whole or not at all, not within another, savepoints, views, closing."""

from __future__ import annotations

import contextvars
import threading
from contextlib import suppress

from newel.runtime.errors import InsideTransaction, LedgerUnavailable, NotSupported
from newel.runtime.ledgers.base import Transaction
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.rows import Task
from newel.runtime.testing.bounds import BRIEFLY, PATIENCE, Aside
from newel.runtime.testing.contents import change, everything, fill
from newel.runtime.testing.kit import Kit, arrive, holds, locked, raises, same


class Stop(BaseException):
    """What is no `Exception`, as an interruption is none."""


class TransactionPromises(Kit):
    """What `Ledger.transaction` and `Ledger.read` promise."""

    def test_what_is_committed_is_there(self) -> None:
        """SL1: row and step change are committed together."""
        entry = self.arrive("T", "a")
        same(self.task("T"), Task("T", "w", "a", entry), "the task stands where its row led, in that entry")
        same(self.steps("T"), ["a"], "the row is there")

    def test_nothing_of_a_block_that_raises_is_there(self) -> None:
        """SL1: a block that raises, whatever it raises, leaves nothing."""
        self.arrive("T", "a")
        for error in (ZeroDivisionError, Stop):
            with raises(error, "what the block raises passes; it"), self.ledger.transaction() as tx:
                arrive(tx, locked(tx, "T"), "b")
                tx.add_task("U")
                tx.keep_program("p", "text")
                raise error
            same(self.steps("T"), ["a"], "no row of a rolled back transaction is there")
            same([t.id for t in self._all_tasks()], ["T"], "no task of a rolled back transaction is there")
            with self.ledger.read() as view:
                same(view.program("p"), None, "no program of a rolled back transaction is there")

    def test_a_rollback_takes_back_every_kind_of_write(self) -> None:
        """SL1: what was added, what was changed and what was removed, in every table."""
        with self.ledger.transaction() as tx:
            fill(tx)
        before = self._everything()
        for write in (change, lambda tx: fill(tx, "new ")):
            with raises(ZeroDivisionError, "what the block raises passes; it"), self.ledger.transaction() as tx:
                write(tx)
                holds(everything(tx) != before, "a transaction sees what it wrote")
                raise ZeroDivisionError
            same(self._everything(), before, "after a rollback everything is as it was")
        with self.ledger.transaction() as tx:
            same([t.id for t in tx.waiting("w", "b", None, 9)], ["two"], "who waited still waits")

    def _everything(self) -> list[str]:
        with self.ledger.read() as view:
            return everything(view)

    def test_of_a_transaction_that_is_over_nothing_more_is_had(self) -> None:
        """SL1: it neither reads nor writes, be it committed or rolled back: `LedgerUnavailable`."""
        for name in ("committed", "rolled back"):
            with suppress(ZeroDivisionError), self.ledger.transaction() as tx:
                tx.add_task(name)
                if name != "committed":
                    raise ZeroDivisionError
            for act in (tx.task, tx.add_task, tx.lock_task):
                with raises(LedgerUnavailable, f"what a transaction is asked after it was {name}"):
                    act("T")
        same([t.id for t in self._all_tasks()], ["committed"], "nothing was written after the end")

    def test_a_statement_does_not_end_the_transaction(self) -> None:
        """SE3a: `InsideTransaction`, and in a ledger without statements `NotSupported` for every one."""
        with self.ledger.transaction() as tx:
            tx.add_task("T")
            for statement in ("COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT s", "RELEASE s"):
                try:
                    tx.execute(statement)
                except (InsideTransaction, NotSupported):
                    holds(tx.active, "the transaction goes on after a statement was refused")
                else:
                    raise AssertionError(f"promised: {statement} is refused with InsideTransaction, or NotSupported")
            tx.add_task("U")
        same([t.id for t in self._all_tasks()], ["T", "U"], "what it wrote before and after is committed")

    def _all_tasks(self) -> list[Task]:
        """All tasks."""
        with self.ledger.read() as view:
            return list(view.tasks())

    def test_a_transaction_sees_what_it_wrote(self) -> None:
        """SL5: reading in the same thread inside a transaction reads the transaction."""
        with self.ledger.transaction() as tx:
            tx.add_task("T")
            holds(tx.task("T") is not None, "a transaction sees the task it added")
            with self.ledger.read() as view:
                holds(view.task("T") is not None, "so does a view opened in its thread")
            holds(tx.active, "it is open after the view was left")
            tx.add_task("U")
        holds(not tx.active, "after the block it is no longer active")

    def test_others_do_not_see_what_is_not_committed(self) -> None:
        """SL5: what one transaction wrote is seen by others only after the commit."""
        with raises(ZeroDivisionError, "the block"), self.ledger.transaction() as tx:
            tx.add_task("T")
            other = Aside(lambda: self.task("T"))
            other.done_within(BRIEFLY)  # it may have to wait
            raise ZeroDivisionError
        same(other.result(), None, "another thread sees nothing of an open transaction")

    def test_a_view_stays_as_it_was_opened(self) -> None:
        """SL5: everything is read as it stood when the view was opened."""
        entry = self.arrive("T", "a")
        with self.ledger.read() as view:
            before = view.task("T")
            other = Aside(lambda: self.arrive("T", "b"))
            other.done_within(BRIEFLY)
            same(view.task("T"), before, "a view does not change while it is open")
            same(len(view.history("T")), 1, "nor do the rows in it")
            same((len(view.rows()), view.last_id(), view.occupied("w", "b")), (1, entry, 0), "nor anything else")
        other.result()
        same(self.steps("T"), ["a", "b"], "a later view shows what was committed")

    def test_a_transaction_in_a_transaction_is_refused_at_once(self) -> None:
        """SE11: it would wait for itself."""
        with self.ledger.transaction() as tx:
            with raises(InsideTransaction, "a transaction inside one of the same ledger"), self.ledger.transaction():
                pass
            if self.shared:
                again = self.open()
                with raises(InsideTransaction, "so it is by another opening of the ledger"), again.transaction():
                    pass
            holds(tx.active, "the outer one goes on")
            tx.add_task("T")
        holds(self.task("T") is not None, "and is committed")
        with self.ledger.transaction():
            pass

    def test_a_transaction_in_the_context_of_another_is_refused(self) -> None:
        """SE11: also on another thread, where it runs in a copy of the context."""
        with self.ledger.transaction():
            context = contextvars.copy_context()
            refused = Aside(lambda: context.run(self._refused))
            holds(refused.result(), "a transaction in a copied context of another is refused at once")
        holds(not contextvars.copy_context().run(self._refused), "once that one is over, it is not")

    def _refused(self) -> bool:
        try:
            with self.ledger.transaction():
                return False
        except InsideTransaction:
            return True

    def test_two_ledgers_do_not_stand_in_each_others_way(self) -> None:
        """SL5: a transaction of one ledger does not hinder one of another."""
        other = open_ledger("memory:")
        try:
            with self.ledger.transaction() as tx:
                tx.add_task("T")
                with other.transaction() as elsewhere:
                    elsewhere.add_task("U")
            same([t.id for t in self._all_tasks()], ["T"], "each ledger keeps its own")
        finally:
            other.close()

    # ---------------------------------------------------------------- savepoints

    def test_a_savepoint_takes_back_its_own_part_alone(self) -> None:
        """SE3a: what was written before it and after it stays."""
        with self.ledger.transaction() as tx:
            tx.add_task("before")
            with raises(ZeroDivisionError, "what a savepoint's block raises passes; it"):
                self._fail(tx)
            holds(tx.active, "the transaction goes on")
            holds(tx.task("inside") is None, "what the savepoint wrote is gone at once")
            with tx.savepoint():
                tx.add_task("after")
        same([t.id for t in self._all_tasks()], ["after", "before"], "a failed savepoint's part is taken back alone")

    def _fail(self, tx: Transaction) -> None:
        with tx.savepoint():
            tx.add_task("inside")
            with tx.savepoint():
                tx.add_task("deeper inside")
            raise ZeroDivisionError

    def test_a_savepoint_inside_a_savepoint_is_taken_back_alone(self) -> None:
        """SE3a: the outer one keeps what it wrote."""
        with self.ledger.transaction() as tx, tx.savepoint():
            tx.add_task("outer")
            with raises(ZeroDivisionError, "the inner block"):
                self._fail(tx)
            tx.add_task("outer too")
        same([t.id for t in self._all_tasks()], ["outer", "outer too"], "the outer savepoint's part is there")

    def test_a_savepoint_takes_back_every_kind_of_write(self) -> None:
        """SE3a: changes and removals come back too."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            seat = tx.add_seat("T", "w", "a", role="r", agent="ada")
        with self.ledger.transaction() as tx:
            with raises(ZeroDivisionError, "the block"), tx.savepoint():
                arrive(tx, locked(tx, "T"), "b")
                tx.set_seat(seat or 0, required=False, position=9)
                tx.remove_task("T")
                raise ZeroDivisionError
            same(tx.task("T"), Task("T", "w", "a", entry), "the task is as it was")
            same([(s.agent, s.required, s.position) for s in tx.seats("T")], [("ada", True, 0)], "so is its seat")
            same([row.id for row in tx.history("T")], [entry], "so are its rows")

    def test_in_a_savepoint_every_kind_of_write_is_taken_back(self) -> None:
        """SE3a: in every table, also what comes after it in the same transaction is kept."""
        with self.ledger.transaction() as tx:
            fill(tx)
            before = everything(tx)
            for write in (change, lambda tx: fill(tx, "new ")):
                with raises(ZeroDivisionError, "the block"), tx.savepoint():
                    write(tx)
                    raise ZeroDivisionError
                same(everything(tx), before, "after a failed savepoint everything is as it was")
            change(tx)
            after = everything(tx)
        same(self._everything(), after, "and what is written then is committed")

    def test_a_savepoint_of_a_transaction_that_is_over_is_refused(self) -> None:
        """SE3a: whoever wrote in it must not think that it took effect."""
        manager = self.ledger.transaction()
        tx = manager.__enter__()
        part = tx.savepoint()
        part.__enter__()
        tx.add_task("T")
        manager.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
        with raises(LedgerUnavailable, "the end of a savepoint whose transaction has ended"):
            part.__exit__(None, None, None)
        same(self._all_tasks(), [], "nothing of it is there")

    # ---------------------------------------------------------------- the end

    def test_a_closed_ledger_refuses(self) -> None:
        """After `close`, `LedgerUnavailable`; closing twice is fine."""
        self.ledger.close()
        self.ledger.close()
        with raises(LedgerUnavailable, "a transaction of a closed ledger"), self.ledger.transaction():
            pass
        with raises(LedgerUnavailable, "a view of a closed ledger"), self.ledger.read():
            pass

    def test_what_was_committed_is_there_after_reopening(self) -> None:
        """SL1: a ledger that is durable has it all, and its identity, when it is opened again."""
        if not self.durable:
            return
        entry, uuid = self.arrive("T", "a"), self.ledger.uuid
        with self.ledger.transaction() as tx:
            tx.keep_program("p", "text")
        self.ledger.close()
        self.ledger = self.open()
        same(self.ledger.uuid, uuid, "the ledger's identity is kept with it")
        same(self.task("T"), Task("T", "w", "a", entry), "so is where a task stands")
        same(self.steps("T"), ["a"], "so are the rows")
        holds(self.arrive("T", "b") > entry, "ids go on where they were")

    def test_an_identity_is_the_ledgers_own(self) -> None:
        """SL3: two ledgers never share one; two openings of a ledger do."""
        holds(len(self.ledger.uuid) >= 32, "a ledger's identity is a UUID")
        if self.shared:
            same(self.open().uuid, self.ledger.uuid, "two openings of one ledger have one identity")
        else:
            holds(self.open().uuid != self.ledger.uuid, "two ledgers have two identities")

    def test_a_transaction_that_waits_begins_when_the_other_has_ended(self) -> None:
        """SL5: two writers of one task take turns, and both get theirs."""
        self.arrive("T", "a")
        held, let_go = threading.Event(), threading.Event()

        def holder() -> None:
            with self.ledger.transaction() as tx:
                tx.lock_task("T")
                held.set()
                let_go.wait(PATIENCE)

        first = Aside(holder)
        holds(held.wait(PATIENCE), "a task is locked at once where nobody holds it")
        second = Aside(lambda: self.arrive("T", "b"))
        holds(not second.done_within(BRIEFLY), "a second writer of a locked task waits")
        let_go.set()
        first.result()
        second.result()
        same(self.steps("T"), ["a", "b"], "then it writes")
