"""The promises of a ledger as a service uses it: arrivals, entries, redelivery, decisions, and their audit."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from newel.compiler.pipeline import compile_text
from newel.compiler.program import Program
from newel.runtime.casting import StaticAgents
from newel.runtime.errors import UnknownStep
from newel.runtime.handlers import Handlers
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor, Context
from newel.runtime.service import Service
from newel.runtime.testing.bounds import bounded, together
from newel.runtime.testing.kit import Kit, holds, raises, same

BOARD = """
action page on enter, exit, event
action note on enter, exit, event
action boom on enter, exit, event
dispatch { page, note, boom }

workflow office "Office" {
  step work "Work" {
    start
    on turn_complete { -> review }
    on comment {
      note
      -> review
    }
  }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
      note
      boom
      page
      note
    }
    on turn_complete { -> done when all_approve(reviewer) }
  }
  step done "Done" { end }
}
"""


@cache
def program() -> Program:
    """The board of the tests."""
    return compile_text(BOARD).require()


class ServicePromises(Kit):
    """What a `Service` makes of the ledger."""

    @bounded
    def setup_method(self) -> None:
        """A service on the ledger of the test, whose handlers write runs, since each ledger has those."""
        super().setup_method()
        self.broken, self.paged = True, list[str | None]()
        handlers = Handlers()
        handlers.action("note", database=True)(self._note)
        handlers.action("boom", database=True)(self._boom)
        handlers.action("page")(self._page)
        agents = StaticAgents(runner="runner", candidates=[("ada", ["reviewer"])])
        self.service = Service(program(), self.ledger, handlers, agents=agents)

    def _page(self, _: Any, context: Context) -> None:
        self.paged.append(context.idempotency_key)

    def _note(self, _: Any, context: Context) -> None:
        if context.tx is None:
            raise AssertionError("promised: a database action is handed the transaction")
        context.tx.add_run(
            context.task, source=context.task, step=context.step, agent="note", reason=None, payload=None,
            entry_id=context.entry_id, position=context.position, trigger="note", key=None,
        )  # fmt: skip

    def _boom(self, action: Any, context: Context) -> None:
        self._note(action, context)
        if self.broken:
            raise ValueError("boom")

    def _notes(self) -> list[int]:
        return [run.position for run in self.service.runs("T") if run.agent == "note"]

    def test_an_arrival_runs_its_entry(self) -> None:
        """SE1, SE3, SE4: each action is recorded; one that fails is taken back alone."""
        self.service.create("T", "office")
        outcome = self.service.move("T", "review", actor=Actor.human("eve"))
        wanted = ["unchanged", "applied", "applied", "applied", "failed", "applied", "applied"]
        same(_statuses(outcome), wanted, "every action of the list says what became of it")
        same(self._notes(), [3, 6], "a failed action's effect is taken back, the others' stay")
        same(self.service.runs("T")[0].agent, "ada", "who was seated is woken")
        entry = outcome.entry.entry_id if outcome.entry else 0
        same(self.paged, [f"{self.ledger.uuid}:{entry}:5"], "an outside action gets the ledger's own key")
        same([a.status for a in self.service.entry(entry).actions], wanted, "the records say the same")
        same([r.route for r in self.service.history("T")], ["created", "manual_move"], "two arrivals, two rows")

    def test_a_redelivery_changes_nothing(self) -> None:
        """SE5, SE6: but what failed is tried again."""
        self.service.create("T", "office")
        outcome = self.service.move("T", "review")
        entry = outcome.entry.entry_id if outcome.entry else 0
        runs, seats = self.service.runs("T"), self.service.seats("T")
        report = self.service.redispatch(entry)
        found = [action.status.value for action in report.actions]
        wanted = ["unchanged", "unchanged", "redelivered", "redelivered", "failed", "redelivered", "redelivered"]
        same((report.redelivery, found), (True, wanted), "a redelivery is told as one")
        same((self.service.runs("T"), self.service.seats("T")), (runs, seats), "and changes nothing")
        self.broken = False
        same(self.service.redispatch(entry).actions[4].status.value, "applied", "what failed is tried again")
        same((self._notes(), len(self.paged)), ([3, 6, 4], 1), "and only that")
        holds(self.service.audit().clean, "the tables are in order")

    def test_decisions_let_a_task_through(self) -> None:
        """Q5: the decision that fulfils the guard moves the task."""
        self.service.create("T", "office")
        self.service.move("T", "review")
        same(self.service.handle("T", "turn_complete").kind, OutcomeKind.STAYED, "nobody has approved")
        outcome = self.service.decide("T", role="reviewer", decider="ada", verdict="approved")
        same((outcome.kind, outcome.to_step), (OutcomeKind.MOVED, "done"), "the approval lets the task through")
        holds(self.service.audit().clean, "the tables are in order")

    def test_a_delivery_is_applied_once(self) -> None:
        """EN5: and its database actions commit with its move."""
        self.service.create("T", "office")
        payload = {"comment_id": "c"}
        same(self.service.handle("T", "comment", payload=payload).kind, OutcomeKind.MOVED, "a delivery is applied")
        same(self.service.handle("T", "comment", payload=payload).kind, OutcomeKind.IDEMPOTENT, "once")
        same(self._notes(), [0, 3, 6], "its action ran once, before the entry of the step it led to")

    def test_of_movers_who_decided_on_one_entry_one_wins(self) -> None:
        """SL4: the others are abandoned, which is an outcome."""
        self.service.create("T", "office")
        token, kinds, lock = self.service.task("T").entry_id, list[str](), threading.Lock()

        def go() -> None:
            kind = self.service.move("T", "done", if_entry=token).kind.value
            with lock:
                kinds.append(kind)

        together(go, go, go, go)
        same(sorted(kinds), ["abandoned", "abandoned", "abandoned", "moved"], "one of four wins")

    def test_many_threads_use_one_service(self) -> None:
        """SE1: every arrival has its entry, each once."""

        def go(name: str) -> None:
            self.service.create(name, "office")
            for step in ("review", "work", "review"):
                self.service.move(name, step)

        self.broken = False
        together(*(lambda n=n: go(f"T{n}") for n in range(5)))
        same(len(self.paged), 10, "every arrival at the step has run its entry")
        same(len(set(self.paged)), 10, "under a key of its own")
        holds(self.service.audit().clean, "the tables are in order")

    def test_many_moves_are_all_or_none(self) -> None:
        """P5: in one transaction."""
        for name in "TU":
            self.service.create(name, "office")
        with raises(UnknownStep, "a move to a step that is not there"):
            self.service.move_many([("T", "done"), ("U", "nowhere")])
        same({t.step for t in self.service.tasks()}, {"work"}, "where one cannot be moved, none is")
        outcomes = self.service.move_many([("T", "done"), ("U", "review")])
        same([o.to_step for o in outcomes], ["done", "review"], "else all are")

    def test_a_removed_task_leaves_nothing(self) -> None:
        """SL8."""
        self.service.create("T", "office")
        self.service.move("T", "review")
        self.service.remove("T")
        same((self.service.tasks(), self.service.runs()), ((), ()), "neither task nor runs")
        holds(self.service.audit().clean, "the tables are in order")


def _statuses(outcome: Outcome) -> list[str]:
    return [action.status.value for action in outcome.entry.actions] if outcome.entry else []
