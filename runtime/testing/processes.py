"""The promises to several processes: what one has committed the others have, also where it was killed."""

from __future__ import annotations

from newel.runtime.testing.bounds import BRIEFLY, Aside
from newel.runtime.testing.contents import everything, fill
from newel.runtime.testing.kit import Kit, holds, same

_OFTEN = 20


class ProcessPromises(Kit):
    """What a durable ledger promises to whoever opens it in another process; tried with real ones."""

    def test_another_process_has_what_was_committed(self) -> None:
        """SL1: all of it, and the ledger's identity, once it was closed here; ids go on where they were."""
        if not self.durable:
            return
        with self.ledger.transaction() as tx:
            fill(tx)
        with self.ledger.read() as view:
            here = [self.ledger.uuid, everything(view)]
            last = view.last_id()
        self.ledger.close()
        other = self.elsewhere()
        same(other.ask("state"), here, "another process reads what was committed here, in the same ledger")
        entry = other.ask("arrive", "one", "b")
        holds(entry > last, "ids go on where they were")
        other.end()
        self.ledger = self.open()
        same(self.steps("one"), ["a", "b"], "and what it has committed is there when it has ended")
        holds(self.arrive("one", "a") > entry, "so do ids here")

    def test_what_was_committed_outlives_a_process_that_vanishes(self) -> None:
        """SL1: it is kept by the commit, not when the ledger is closed."""
        if not self.durable:
            return
        self.ledger.close()
        other = self.elsewhere()
        entry = other.ask("vanish", "T", "a")
        other.gone()
        self.ledger = self.open()
        same(self.steps("T"), ["a"], "what a process has committed before it was gone is there")
        holds(self.arrive("T", "b") > entry, "and ids go on behind it")

    def test_processes_that_write_at_once_lose_nothing(self) -> None:
        """SL4, SL5: each id is given once, each row is there, and the chain of a task that all of them move holds."""
        if not (self.durable and self.shared):
            return
        self.arrive("common", "start")
        others = {f"own {number}": self.elsewhere() for number in range(2)}
        for other in others.values():
            same(other.ask("state")[0], self.ledger.uuid, "two openings in two processes have one identity")
        for own, other in others.items():
            other.begin("write", own, "common", _OFTEN)
        ids = [self.arrive(name, f"here {n}") for n in range(_OFTEN) for name in ("own here", "common")]
        for other in others.values():
            ids += other.answer()
        same(len(ids), len(set(ids)), "no id is given twice, be it by two processes")
        with self.ledger.read() as view:
            rows, there = view.history("common"), {row.id for row in view.rows()}
            here = everything(view)
            same(sorted(set(ids) - there), [], "every row that a process has committed is there")
            counts = [len(view.history(own)) for own in (*others, "own here")]
        same(counts, [_OFTEN] * 3, "of each process every arrival")
        same(len(rows), 3 * _OFTEN + 1, "and all of a task that all of them move")
        same([r.from_step for r in rows[1:]], [r.to_step for r in rows[:-1]], "each begins where the last one ended")
        for other in others.values():
            same(other.ask("state")[1], here, "every process that has it open reads the same")

    def test_workers_of_two_processes_never_share_a_run(self) -> None:
        """Each run is claimed by one."""
        if not (self.durable and self.shared):
            return
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            for number in range(3 * _OFTEN):
                tx.add_run(
                    "T", source="T", step="a", agent="ada", reason=None, payload=None, entry_id=entry, position=number,
                    trigger="enter", key=str(number),
                )  # fmt: skip
        others = [self.elsewhere() for _ in range(2)]
        for other in others:
            other.ask("state")
        for number, other in enumerate(others):
            other.begin("claim", f"w{number}")
        claimed = [run for other in others for run in other.answer()]
        with self.ledger.read() as view:
            runs = view.runs()
        same(sorted(claimed), [run.id for run in runs], "every run is claimed, and none twice")
        same({run.status for run in runs}, {"claimed"}, "and says so here")

    def test_what_a_killed_process_had_open_is_taken_back(self) -> None:
        """SL1: others wait for it while it lives, and go on when it is gone; nothing of it is there."""
        if not (self.durable and self.shared):
            return
        self.arrive("T", "a")
        other = self.elsewhere()
        other.ask("hold", "T", "never")
        mover = Aside(lambda: self.arrive("T", "b"))
        counter = Aside(self._count)
        holds(not mover.done_within(BRIEFLY), "a writer waits for one of another process that has the task locked")
        holds(not counter.done_within(BRIEFLY), "whoever locks a place waits for one of another process that has it")
        other.end()
        mover.result()
        counter.result()
        same(self.steps("T"), ["a", "b"], "when that process is killed the others go on, and nothing of it is there")

    def _count(self) -> int:
        with self.ledger.transaction() as tx:
            tx.lock_place("w", "limited")
            return tx.occupied("w", "limited")
