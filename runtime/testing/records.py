"""The promises of what hangs on a task: records of actions, decisions, approvals, seats."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
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
        self._record(entry, 3, ActionStatus.UNCHANGED, None)
        self._record(entry, 3, ActionStatus.FAILED, "later")
        with self.ledger.read() as view:
            found = [(r.position, r.status, r.reason, r.deliveries) for r in view.entry_actions(entry)]
        promised = [(0, "unchanged", "nothing to do", 2), (1, "applied", None, 2), (2, "applied", None, 1)]
        promised += [(3, "failed", "later", 2)]
        same(found, promised, "records come by position, and say what became of the action")

    def test_records_are_read_over_many_entries(self) -> None:
        """OB4: by entry and position."""
        entries = [self.arrive("T", step) for step in "abcd"]
        for entry in reversed(entries):
            for position in (1, 0):
                self._record(entry, position, ActionStatus.APPLIED, None)
        with self.ledger.read() as view:
            found = [(r.entry_id, r.position, r.kind) for r in view.actions_between(entries[1], entries[2])]
            same(found, [(e, p, "kind") for e in entries[1:3] for p in (0, 1)], "the records between two entries")
            found = [(r.entry_id, r.position, r.kind) for r in view.entry_actions(entries[1])]
            same(found, [(entries[1], 0, "kind"), (entries[1], 1, "kind")], "or those of one")

    def test_each_action_of_a_list_is_recorded(self) -> None:
        """SE5: with its kind, its reason and the time."""
        entry = self.arrive("T", "a")
        reports = [ActionReport(s.value, n, s, f"for {n}") for n, s in enumerate(ActionStatus)]
        with self.ledger.transaction() as tx:
            tx.record_actions(entry, reports)
        with self.ledger.read() as view:
            records = view.entry_actions(entry)
        said = [(r.kind, r.position, r.status, r.reason) for r in records]
        same(said, [(r.kind, r.position, r.status.value, r.reason) for r in reports], "a record says everything")
        moments = [datetime.fromisoformat(r.at) for r in records]
        same({moment.utcoffset() for moment in moments}, {timedelta(0)}, "the time is UTC, and says so")
        holds(all(abs(datetime.now(UTC) - at) < timedelta(hours=1) for at in moments), "it is that of the delivery")

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

    def test_decisions_are_of_one_task(self) -> None:
        """Q5: those on another are neither superseded nor cleared nor read."""
        entries = {name: self.arrive(name, "a") for name in ("T", "U")}
        with self.ledger.transaction() as tx:
            for name, entry in entries.items():
                tx.add_decision(
                    name, "w", "a", entry, role="reviewer", decider="ada", decider_kind="agent", verdict="approved",
                    note=None,
                )  # fmt: skip
            same(tx.clear_decisions("T", "w", "a"), 1, "cleared are those on one task")
        with self.ledger.read() as view:
            same((list(view.decisions("T")), list(view.active_decisions("T", "w", "a"))), ([], []), "they are gone")
            for given in (view.decisions("U"), view.active_decisions("U", "w", "a")):
                said = [(d.task, d.entry_id, d.decider_kind, d.superseded) for d in given]
                same(said, [("U", entries["U"], "agent", False)], "those on another stay")

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

    def test_an_approval_is_of_one_place_in_one_list(self) -> None:
        """EN9: another entry or position is another approval; asked again it is told as it stands, settled or not."""
        first, second = self.arrive("T", "a"), self.arrive("T", "b")
        other = self.arrive("U", "a")
        with self.ledger.transaction() as tx:
            asked = [
                tx.add_approval(task, entry, "comment", position, to=f"b{position}", payload={"n": position})
                for task, entry, position in (("T", first, 0), ("T", first, 1), ("T", second, 0), ("U", other, 0))
            ]
            same(len({approval.id for approval in asked}), 4, "each is an approval of its own")
            tx.settle_approval(asked[0].id, "rejected", Actor())
        settled = replace(asked[0], status="rejected", actor_kind="unknown")
        with self.ledger.transaction() as tx:
            again = tx.add_approval("T", first, "comment", 0, to="elsewhere", payload={})
            same(again, settled, "asked again it is told as it stands")
            same(
                list(tx.approvals("T")), [settled, *asked[1:3]], "those of a task, by id, with all they were asked with"
            )
            same([tx.approval(a.id) for a in asked[1:]], asked[1:], "one is found by its id")

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
            elsewhere = tx.add_seat("T", "v", "a", role="r", agent="bob", ensured_by=entry)
            holds(elsewhere is not None, "of another workflow it is")
            tx.add_task("U")
            holds(
                tx.add_seat("U", "w", "a", role="r", agent="bob", ensured_by=entry) is not None, "of another task, too"
            )
            holds(tx.add_seat("T", "w", "b", role="r", agent="eve") is not None, "and one that is given always")
            same([(s.id, s.origin) for s in tx.seats("T")][:2], [(given, "given"), (first, "ensured")], "seats, by id")

    def test_a_seat_is_changed_and_removed(self) -> None:
        """Removing says whether there was one."""
        with self.ledger.transaction() as tx:
            tx.add_task("T")
            seat = tx.add_seat("T", "w", "a", role="r", agent="ada") or 0
            other = tx.add_seat("T", "w", "a", role="r", agent="bob") or 0
            tx.set_seat(seat, required=False, position=4)
            same([(s.required, s.position) for s in tx.seats("T")], [(False, 4), (True, 0)], "one seat is changed")
            same([s.agent for s in tx.seats("T")], ["ada", "bob"], "seats come by id, whatever their position")
            holds(tx.remove_seat(seat), "a seat that is there is removed")
            holds(not tx.remove_seat(seat), "one that is not there is not")
            same([s.id for s in tx.seats("T")], [other], "then it is gone, and only that one")
            holds(tx.add_seat("T", "w", "a", role="r", agent="ada") is not None, "it can be added again")


def _decide(tx: Transaction, entry: int, decider: str, verdict: str, **more: Any) -> int:
    what: dict[str, Any] = {"workflow": "w", "step": "a", "role": "reviewer", "note": None, **more}
    return tx.add_decision(
        "T", what["workflow"], what["step"], entry, role=what["role"], decider=decider, decider_kind="human",
        verdict=verdict, note=what["note"],
    )  # fmt: skip
