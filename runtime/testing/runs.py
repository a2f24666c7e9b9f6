"""The promises of runs, and of what an audit asks a ledger for."""

from __future__ import annotations

import time

from newel.runtime.ledgers.base import Stray, Transaction
from newel.runtime.rows import Run
from newel.runtime.testing.kit import Kit, holds, same

_UNLIKELY = 10**6
"""The id of no row and no run."""
_TICK = 0.02
"""Seconds after which a lease of none is over by every clock."""


class RunPromises(Kit):
    """What `add_run`, `has_runs`, `claim_runs`, `finish_run`, `doubled` and `strays` promise."""

    def test_a_run_is_queued_once_for_its_key(self) -> None:
        """SE5, K3: per trigger and key; without a key never deduplicated."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            holds(_queue(tx, entry, "k"), "a run is queued")
            holds(not _queue(tx, entry, "k"), "not twice for one key")
            holds(_queue(tx, entry, "k", trigger="comment"), "for another trigger it is another key")
            holds(_queue(tx, entry, None) and _queue(tx, entry, None), "without a key each is queued")
            tx.add_task("U")
            holds(not _queue(tx, entry, "k", task="U", source="U"), "a key is taken for all tasks")
            holds(tx.has_runs(entry, 0), "the entry's own action has queued a run")
            holds(not tx.has_runs(entry, 1) and not tx.has_runs(entry + 1, 0), "another action has not")
        with self.ledger.read() as view:
            runs = view.runs("T")
            same([(run.key, run.status) for run in runs], [("k", "queued")] * 2 + [(None, "queued")] * 2, "runs, by id")
            first = runs[0]
            same(first.payload, {"a": [1, "é"], "b": None}, "a payload is kept")
            said = (first.task, first.source, first.step, first.agent, first.reason, first.entry_id, first.position)
            same(said, ("T", "T", "a", "ada", "why", entry, 0), "a run says everything")
            same((list(view.runs("U")), len(view.runs())), ([], 4), "the runs for a task, or all")

    def test_a_run_is_for_one_task_and_caused_by_another(self) -> None:
        """K3: what is absent in it is None."""
        entry = self.arrive("T", "a")
        self.arrive("U", "a")
        with self.ledger.transaction() as tx:
            tx.add_run(
                "U", source="T", step="b", agent="eve", reason=None, payload=None, entry_id=None, position=3,
                trigger="comment", key=None,
            )  # fmt: skip
            tx.add_run(
                "U", source="T", step="b", agent="eve", reason=None, payload={}, entry_id=entry, position=3,
                trigger="comment", key=None,
            )  # fmt: skip
        with self.ledger.read() as view:
            same(list(view.runs("T")), [], "a run is read with the task that it is for")
            first, second = view.runs("U")
        same(first, Run(first.id, "U", "T", "b", "eve", None, None, None, 3, "queued", None), "absent is None")
        same((second.payload, second.entry_id), ({}, entry), "what is empty is not absent")

    def test_a_run_under_another_trigger_is_not_the_entrys_own(self) -> None:
        """SE5: a fan-out asks for those of its own list alone."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            _queue(tx, entry, "k", trigger="comment")
            holds(not tx.has_runs(entry, 0), "a run of another trigger's list does not count for the entry's own")

    def test_a_run_is_one_workers_until_its_lease_is_over(self) -> None:
        """Claimed by id; finished by who has it, once."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            for number in range(4):
                _queue(tx, entry, str(number))
        with self.ledger.transaction() as tx:
            one, two, three, four = (run.id for run in tx.runs())
            claimed = tx.claim_runs("w1", 2, 60)
            same(
                [(r.id, r.status, r.worker) for r in claimed],
                [(one, "claimed", "w1"), (two, "claimed", "w1")],
                "oldest first",
            )
            same([r.id for r in tx.claim_runs("w2", 9, 0)], [three, four], "what another has is passed over")
            same([r.id for r in tx.claim_runs("w3", 9, 60)], [three, four], "what ran out is claimed again")
            same(list(tx.claim_runs("w4", 9, 60)), [], "then there is none")
            holds(not tx.finish_run(three, "w2", None), "who has lost a run cannot finish it")
            holds(tx.finish_run(three, "w3", "broken") and tx.finish_run(one, "w1", None), "who has it can")
            holds(not tx.finish_run(three, "w3", None), "once")
        with self.ledger.read() as view:
            ended = [(r.id, r.status, r.error) for r in view.runs()]
        promised = [(one, "done", None), (two, "claimed", None), (three, "failed", "broken"), (four, "claimed", None)]
        same(ended, promised, "a run says how it ended")

    def test_a_run_that_has_ended_is_claimed_by_nobody(self) -> None:
        """Done or failed, whatever became of its lease; its key stays taken."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            for number in range(3):
                _queue(tx, entry, str(number))
            for number, run in enumerate(tx.claim_runs("w", 2, 0)):
                holds(tx.finish_run(run.id, "w", "" if number else None), "who has a run can finish it")
            queued = tx.runs()[2].id
            holds(not tx.finish_run(queued, "w", None), "a run that is queued cannot be finished")
            holds(not tx.finish_run(_UNLIKELY, "w", None), "nor one that is not there")
        time.sleep(_TICK)
        with self.ledger.transaction() as tx:
            holds(not _queue(tx, entry, "0") and not _queue(tx, entry, "1"), "the key of an ended run stays taken")
            same([r.id for r in tx.claim_runs("w2", 9, 60)], [queued], "a run that is done or has failed is over")
            same([r.status for r in tx.runs()], ["done", "failed", "claimed"], "and stays so")
            same([(r.worker, r.error) for r in tx.runs()], [("w", None), ("w", ""), ("w2", None)], "and by whom")

    def test_a_lease_is_so_many_seconds(self) -> None:
        """From the claim on; the one that ran out is claimed before those queued later."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            for number in range(3):
                _queue(tx, entry, str(number))
            first, second, third = (run.id for run in tx.runs())
            tx.claim_runs("w1", 1, 0.05)
            tx.claim_runs("w1", 1, 20)
        time.sleep(0.2)
        with self.ledger.transaction() as tx:
            same([r.id for r in tx.claim_runs("w2", 1, 20)], [first], "what ran out goes first, being the oldest")
        time.sleep(0.1)
        with self.ledger.transaction() as tx:
            same([r.id for r in tx.claim_runs("w3", 9, 20)], [third], "what is claimed anew has a new lease")
            holds(not tx.finish_run(first, "w1", None), "who has lost a run cannot finish it")
            holds(tx.finish_run(second, "w1", None), "who has it still can")

    # ---------------------------------------------------------------- audit

    def test_what_names_no_row_of_its_task_is_a_stray(self) -> None:
        """OB4: runs, decisions, approvals and seats."""
        entry, other = self.arrive("T", "a"), self.arrive("U", "a")
        with self.ledger.transaction() as tx:
            for at in (entry, other):
                _queue(tx, at, f"{at}")
                tx.add_decision(
                    "T", "w", "a", at, role="r", decider=f"ada{at}", decider_kind="human", verdict="no", note=None
                )
                tx.add_approval("T", at, "comment", 0, to="b", payload={})
                tx.add_seat("T", "w", "a", role=f"r{at}", agent="ada", ensured_by=at)
        with self.ledger.read() as view:
            found = sorted((s.what, s.entry_id, s.task) for s in view.strays())
            same(found, [(what, other, "T") for what in ("approval", "decision", "run", "seat")], "strays are found")
            same(list(view.doubled()), [], "no key is there twice")

    def test_a_stray_is_told_by_the_task_that_caused_it(self) -> None:
        """OB4: a run by its source; without an entry it is none; that of a row that was never there is one."""
        entry = self.arrive("T", "a")
        self.arrive("U", "a")
        with self.ledger.transaction() as tx:
            holds(_queue(tx, entry, "1", task="U", source="T"), "a run for another task")
            holds(_queue(tx, None, "2"), "a run without an entry")
            same(list(tx.strays()), [], "are no strays")
            holds(_queue(tx, _UNLIKELY, "3"), "a run of an entry that is not there")
            run = tx.runs()[-1].id
            same(list(tx.strays()), [Stray("run", run, _UNLIKELY, "T")], "is one")
            seat = tx.add_seat("T", "w", "a", role="r", agent="ada", ensured_by=_UNLIKELY) or 0
            same(sorted(s.id for s in tx.strays() if s.what == "seat"), [seat], "and a seat that it ensured")
            tx.remove_seat(seat)
            same(len(tx.strays()), 1, "a seat that was removed is none")

    def test_a_key_that_is_there_twice_is_found(self) -> None:
        """OB4: the later run is told, however it came to be; not those of another trigger, nor those without a key."""
        if not self.doubles:
            return
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            for key, trigger in (("k", "enter"), ("k", "comment"), ("l", "enter"), (None, "enter"), (None, "enter")):
                _queue(tx, entry, key, trigger)
            runs = tx.runs()
            same(list(tx.doubled()), [], "as long as no key is there twice, there is nothing to tell")
        self.double(runs[0].id, runs[2].id)
        with self.ledger.read() as view:
            same(
                [(r.id, r.key) for r in view.doubled()], [(runs[2].id, "k")], "the run that bears an earlier one's key"
            )


def _queue(
    tx: Transaction, entry: int | None, key: str | None, trigger: str = "enter", task: str = "T", source: str = "T"
) -> bool:
    return tx.add_run(
        task, source=source, step="a", agent="ada", reason="why", payload={"a": [1, "é"], "b": None}, entry_id=entry,
        position=0, trigger=trigger, key=key,
    )  # fmt: skip
