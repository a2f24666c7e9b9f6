"""The promises of what hangs on a task: records of actions, decisions, approvals, seats, runs."""

from __future__ import annotations

from typing import Any

from newel.runtime.ledgers.base import Transaction
from newel.runtime.outcomes import ActionReport, ActionStatus
from newel.runtime.ports import Actor
from newel.runtime.testing.kit import Kit, holds, same

_UNLIKELY = 10**6
"""The id of no row."""


class RecordPromises(Kit):
    """What the methods beside tasks and rows promise."""

    # ---------------------------------------------------------------- records of actions

    def test_a_record_that_says_applied_stays(self) -> None:
        """SE5: what took effect has taken effect, whatever a redelivery says."""
        entry = self.arrive("T", "a")
        for position, then in enumerate(ActionStatus):
            self._record(entry, position, ActionStatus.APPLIED, None)
            self._record(entry, position, then, "later")
        with self.ledger.read() as view:
            for record in view.entry_actions(entry):
                same((record.status, record.reason), ("applied", None), "a record that says applied stays as it is")
                same(record.deliveries, 2, "each delivery is counted")

    def test_other_records_follow_the_last_delivery(self) -> None:
        """SE6: what failed is tried again; `redelivered` does not replace `unchanged`."""
        entry = self.arrive("T", "a")
        self._record(entry, 1, ActionStatus.FAILED, "why")
        self._record(entry, 1, ActionStatus.APPLIED, None)
        self._record(entry, 0, ActionStatus.UNCHANGED, "nothing to do")
        self._record(entry, 0, ActionStatus.REDELIVERED, None)
        self._record(entry, 2, ActionStatus.APPLIED, None)
        with self.ledger.read() as view:
            found = [(r.position, r.status, r.reason, r.deliveries) for r in view.entry_actions(entry)]
        promised = [(0, "unchanged", "nothing to do", 2), (1, "applied", None, 2), (2, "applied", None, 1)]
        same(found, promised, "records come by position, and say what became of the action")

    def test_records_are_read_over_many_entries(self) -> None:
        """OB4: by entry and position."""
        entries = [self.arrive("T", step) for step in "abc"]
        for entry in reversed(entries):
            for position in (1, 0):
                self._record(entry, position, ActionStatus.APPLIED, None)
        with self.ledger.read() as view:
            found = [(r.entry_id, r.position, r.kind) for r in view.actions_between(entries[0], entries[1])]
        same(found, [(e, p, "kind") for e in entries[:2] for p in (0, 1)], "the records between two entries")

    def _record(self, entry: int, position: int, status: ActionStatus, reason: str | None) -> None:
        with self.ledger.transaction() as tx:
            tx.record_actions(entry, [ActionReport("kind", position, status, reason)])

    # ---------------------------------------------------------------- decisions

    def test_a_decision_supersedes_the_deciders_last_one(self) -> None:
        """Q4, Q5: in that role at that step of that workflow; all of them are kept, by id."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            ids = [
                _decide(tx, entry, "ada", "approved"),
                _decide(tx, entry, "bob", "approved"),
                _decide(tx, entry, "ada", "rejected", note="why"),
                _decide(tx, entry, "ada", "approved", role="other"),
                _decide(tx, entry, "ada", "approved", step="b"),
                _decide(tx, entry, "ada", "approved", workflow="v"),
            ]
        same(ids, sorted(set(ids)), "ids of decisions are unique and grow")
        with self.ledger.read() as view:
            decisions, active = view.decisions("T"), view.active_decisions("T", "w", "a")
        same([d.superseded for d in decisions], [True] + [False] * 5, "only the earlier one is superseded")
        same([d.id for d in active], ids[1:4], "the active ones of a step of a workflow, by id")
        last = decisions[2]
        said = (
            last.task,
            last.workflow,
            last.step,
            last.entry_id,
            last.role,
            last.decider,
            last.decider_kind,
            last.verdict,
            last.note,
        )
        same(said, ("T", "w", "a", entry, "reviewer", "ada", "human", "rejected", "why"), "a decision says everything")

    def test_decisions_are_cleared_at_a_step(self) -> None:
        """SE5: those of smaller entries, or all; the superseded ones too."""
        first, second = self.arrive("T", "a"), self.arrive("T", "b")
        with self.ledger.transaction() as tx:
            for entry, decider in ((first, "ada"), (first, "ada"), (second, "bob")):
                _decide(tx, entry, decider, "approved")
            _decide(tx, second, "ada", "approved", step="b")
            _decide(tx, first, "ada", "approved", workflow="v")
            same(
                tx.clear_decisions("T", "w", "a", second),
                2,
                "cleared are those of smaller entries; their number is given",
            )
            same([d.decider for d in tx.active_decisions("T", "w", "a")], ["bob"], "the others stay")
            same(tx.clear_decisions("T", "w", "a"), 1, "without an entry all of the step are cleared")
            same(tx.clear_decisions("T", "w", "a"), 0, "then none is left")
        with self.ledger.read() as view:
            places = [(d.workflow, d.step) for d in view.decisions("T")]
            same(places, [("w", "b"), ("v", "a")], "decisions of other steps stay, and of other workflows")

    # ---------------------------------------------------------------- approvals

    def test_an_approval_is_asked_once_and_settled_once(self) -> None:
        """EN9: per entry, trigger and position."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            asked = tx.add_approval("T", entry, "comment", 2, to="b", payload={"comment_id": "é", "n": [1, None]})
            same(tx.add_approval("T", entry, "comment", 2, to="b", payload={}), asked, "asked again it is the same")
            other = tx.add_approval("T", entry, "turn_complete", 2, to="b", payload={})
        same(
            (asked.status, asked.to, dict(asked.payload)),
            ("pending", "b", {"comment_id": "é", "n": [1, None]}),
            "asked",
        )
        with self.ledger.transaction() as tx:
            holds(tx.settle_approval(asked.id, "approved", Actor.human("ada")), "a pending approval can be settled")
            holds(not tx.settle_approval(asked.id, "rejected", Actor.human("bob")), "a settled one cannot")
            holds(not tx.settle_approval(_UNLIKELY, "rejected", Actor()), "nor one that is not there")
        with self.ledger.read() as view:
            found = [(a.id, a.status, a.actor_kind, a.actor_id) for a in view.approvals("T")]
            promised = [(asked.id, "approved", "human", "ada"), (other.id, "pending", None, None)]
            same(found, promised, "approvals come by id, with whoever settled them")
            same(view.approval(other.id), other, "one is found by its id")
            same(view.approval(_UNLIKELY), None, "or not")

    # ---------------------------------------------------------------- seats

    def test_a_seat_is_added_once(self) -> None:
        """Q2: one per task, workflow, step, role and agent."""
        with self.ledger.transaction() as tx:
            tx.add_task("T")
            tx.add_task("U")
            one = tx.add_seat("T", "w", "a", role="r", agent="ada", required=False, position=2)
            same(tx.add_seat("T", "w", "a", role="r", agent="ada"), None, "a seat that is there is not added")
            others = [("T", "w", "b", "r", "ada"), ("T", "w", "a", "s", "ada"), ("U", "w", "a", "r", "ada")]
            ids = [tx.add_seat(*place, role=role, agent=agent) for *place, role, agent in others]
            holds(None not in ids, "another step, role or task is another seat")
        with self.ledger.read() as view:
            seat = view.seat(one or 0)
            said = seat and (seat.task, seat.workflow, seat.step, seat.role, seat.agent)
            same(said, ("T", "w", "a", "r", "ada"), "a seat is found by its id")
            more = seat and (seat.required, seat.position, seat.origin)
            same(more, (False, 2, "given"), "and says what it was added with")
            same(view.seat(_UNLIKELY), None, "one that is not there is not")

    def test_one_seat_of_a_role_is_ensured(self) -> None:
        """ST2: at most one per task, workflow and role, whoever sits there."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            given = tx.add_seat("T", "w", "a", role="r", agent="ada")
            first = tx.add_seat("T", "w", "a", role="r", agent="bob", ensured_by=entry)
            second = tx.add_seat("T", "w", "b", role="r", agent="eve", ensured_by=entry)
            same(second, None, "a second ensured seat of a role is not added")
            holds(
                tx.add_seat("T", "w", "b", role="s", agent="eve", ensured_by=entry) is not None, "of another role it is"
            )
            same([(s.id, s.origin) for s in tx.seats("T")][:2], [(given, "given"), (first, "ensured")], "seats, by id")

    def test_a_seat_is_changed_and_removed(self) -> None:
        """Removing says whether there was one."""
        with self.ledger.transaction() as tx:
            tx.add_task("T")
            seat = tx.add_seat("T", "w", "a", role="r", agent="ada") or 0
            tx.set_seat(seat, required=False, position=4)
            same([(s.required, s.position) for s in tx.seats("T")], [(False, 4)], "a seat is changed")
            holds(tx.remove_seat(seat), "a seat that is there is removed")
            holds(not tx.remove_seat(seat), "one that is not there is not")
            same(list(tx.seats("T")), [], "then it is gone")

    # ---------------------------------------------------------------- runs

    def test_a_run_is_queued_once_for_its_key(self) -> None:
        """SE5, K3: per trigger and key; without a key never deduplicated."""
        entry = self.arrive("T", "a")
        with self.ledger.transaction() as tx:
            holds(_queue(tx, entry, "k"), "a run is queued")
            holds(not _queue(tx, entry, "k"), "not twice for one key")
            holds(_queue(tx, entry, "k", trigger="comment"), "for another trigger it is another key")
            holds(_queue(tx, entry, None) and _queue(tx, entry, None), "without a key each is queued")
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

    # ---------------------------------------------------------------- audit

    def test_what_names_no_row_of_its_task_is_a_stray(self) -> None:
        """OB4: runs, decisions, approvals and seats."""
        entry, other = self.arrive("T", "a"), self.arrive("U", "a")
        with self.ledger.transaction() as tx:
            for at in (entry, other):
                _queue(tx, at, f"{at}")
                _decide(tx, at, f"ada{at}", "approved")
                tx.add_approval("T", at, "comment", 0, to="b", payload={})
                tx.add_seat("T", "w", "a", role=f"r{at}", agent="ada", ensured_by=at)
        with self.ledger.read() as view:
            found = sorted((s.what, s.entry_id, s.task) for s in view.strays())
            same(found, [(what, other, "T") for what in ("approval", "decision", "run", "seat")], "strays are found")
            same(list(view.doubled()), [], "no key is there twice")


def _decide(tx: Transaction, entry: int, decider: str, verdict: str, **more: Any) -> int:
    what: dict[str, Any] = {"workflow": "w", "step": "a", "role": "reviewer", "note": None, **more}
    return tx.add_decision(
        "T", what["workflow"], what["step"], entry, role=what["role"], decider=decider, decider_kind="human",
        verdict=verdict, note=what["note"],
    )  # fmt: skip


def _queue(tx: Transaction, entry: int, key: str | None, trigger: str = "enter") -> bool:
    return tx.add_run(
        "T", source="T", step="a", agent="ada", reason="why", payload={"a": [1, "é"], "b": None}, entry_id=entry,
        position=0, trigger=trigger, key=key,
    )  # fmt: skip
