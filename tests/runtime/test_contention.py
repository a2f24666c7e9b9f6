"""Transactions that stood in another's way: done anew, with nothing done twice, or told where that cannot be."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from newel.runtime.errors import Contended, LedgerUnavailable
from newel.runtime.ledgers.base import Transaction
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.retrying import PAUSES
from newel.runtime.rows import Run
from newel.runtime.service import Service
from tests.runtime.boards import Live, Make, Rig, board, compiled, entering

TEXT = f"""
guard paid
workflow w "W" {{
  step a "A" {{
    start
    on comment {{
      queue_run(target=agent(id="ada"))
      -> c when paid
      note_it(text="on")
      -> b
    }}
    on heartbeat {{ page
      note_it(text="late")
      -> b }}
    on turn_complete {{ -> b when all_approve(reviewer) }}
    on approval_resolved {{ -> b requires approval }}
    on children_completed {{ -> b }}
    on exit {{ note_it(text="left") }}
  }}
  step b "B" {{ {entering('note_it(text="in")')} }}
  step c "C" {{ }}
}}
workflow v "V" {{ step z "Z" {{ start
end }} }}
"""


class Disturbed:
    """A real ledger whose next `left` transactions are given up when they should commit, as in a deadlock."""

    def __init__(self, ledger: Any) -> None:
        self._ledger, self.left = ledger, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._ledger.transaction() as tx:
            yield tx
            if self.left:
                self.left -= 1
                raise Contended("deadlock")


def disturbed(make: Make) -> tuple[Rig, Disturbed]:
    """Task T at step a, with one seat to decide, one approval to give and one finished child."""
    rig = make(compiled(TEXT), sessions=Live())
    rig.handlers.guard("paid")(lambda guard, context: False)
    ledger: Any = Disturbed(rig.ledger)  # the rest of a ledger is there by __getattr__
    rig.service.set_ledger(ledger)
    rig.service.create("T", "w")
    rig.service.seat("T", step="a", role="reviewer", agent="ada")
    rig.service.handle("T", "approval_resolved", payload={"approval_id": "1", "status": "approved"})
    rig.service.create("C", "v", parent="T")
    return rig, ledger


def runs(service: Service) -> list[Run]:
    return list(service.runs("T"))


CALLS: dict[str, Callable[[Service], Any]] = {
    "create": lambda s: s.create("N", "w", "b"),
    "move": lambda s: s.move("T", "b"),
    "move_many": lambda s: s.move_many([("T", "b")])[0],
    "detach": lambda s: s.detach("T"),
    "switch": lambda s: s.switch("T", "v"),
    "handle": lambda s: s.handle("T", "comment", payload={"comment_id": "1"}),
    "decide": lambda s: s.decide("T", role="reviewer", decider="ada", verdict="approved"),
    "approve": lambda s: s.approve(1),
    "reject": lambda s: s.reject(1),
    "children_completed": lambda s: s.children_completed("T"),
    "seat": lambda s: s.seat("T", step="b", role="reviewer", agent="ben"),
    "unseat": lambda s: s.unseat(1),
    "reorder": lambda s: s.reorder("T", 3),
    "claim_runs": lambda s: s.claim_runs("w"),
    "remove": lambda s: s.remove("T"),
}


def plain(*values: Any) -> str:
    """Values without their numbers: what was rolled back may have used up ids and time."""
    return re.sub(r"\d+", "#", repr(values))


def held(rig: Rig) -> str:
    """Everything the ledger holds about the tasks."""
    with rig.ledger.read() as view:
        rows = view.rows()
        of_task = [(view.decisions(n), view.seats(n), view.approvals(n)) for n in ("T", "N")]
        return plain(view.tasks(), rows, [view.entry_actions(row.id) for row in rows], of_task, view.runs())


@pytest.mark.parametrize("name", CALLS)
def test_r5_a_call_that_is_disturbed_does_what_it_does_undisturbed(make: Make, name: str) -> None:
    quiet, _ = disturbed(make)
    rig, ledger = disturbed(make)
    wanted = CALLS[name](quiet.service)
    ledger.left = 3
    found = CALLS[name](rig.service)
    assert ledger.left == 0
    assert plain(found) == plain(wanted)
    assert held(rig) == held(quiet)
    assert rig.notes() == quiet.notes()
    assert rig.seen.named("guards_not_fired") == quiet.seen.named("guards_not_fired")
    assert rig.service.audit().clean == quiet.service.audit().clean


def test_r5_a_delivery_is_not_done_anew_once_outside_code_has_run(make: Make) -> None:
    """The caller hears of it, nothing is marked, and his retry runs the list again, as after any other failure."""
    rig, ledger = disturbed(make)

    def disturb(action: Any, context: Any) -> None:
        ledger.left = 1 if len(rig.paged) == 1 else 0

    rig.on_page = disturb
    with pytest.raises(LedgerUnavailable, match="deadlock") as raised:
        rig.service.handle("T", "heartbeat", payload={"at": 1})
    assert not isinstance(raised.value, Contended)
    assert str(raised.value) == f"deadlock; {COMMITTED}"
    assert (len(rig.paged), rig.notes(), rig.service.task("T").step) == (1, [], "a")
    assert rig.service.handle("T", "heartbeat", payload={"at": 1}).moved
    assert rig.notes() == ["late", "left", "in"]


COMMITTED = "what the list did before this transaction is committed and stays done"


@pytest.mark.parametrize("make", ["sqlite"], indirect=True)
def test_en2_an_error_of_a_later_transaction_says_that_the_ones_before_are_committed(make: Make) -> None:
    """Another process takes the lock while the outside action runs, and keeps it for longer than a writer waits."""
    rig = make(board(a="on comment { queue_run\npage\nnote_it\n-> b }"))
    path = re.sub(r"sqlite:///|\?.*", "", rig.url)
    rig.service.create("T", "w")
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        closing(open_ledger(f"sqlite:///{path}?timeout=0.2")) as ledger,
    ):
        rig.service.set_ledger(ledger)
        rig.on_page = lambda action, context: other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerUnavailable) as raised:
            rig.service.handle("T", "comment", payload={"comment_id": "1"})
        assert len(rig.paged) == 1
        with pytest.raises(LedgerUnavailable) as first:
            rig.service.handle("T", "comment", payload={"comment_id": "2"})
        other.execute("ROLLBACK")
    refused = "the ledger's database refused: database is locked; nothing of this transaction was committed"
    assert (str(raised.value), str(first.value)) == (f"{refused}; {COMMITTED}", refused)
    assert "in note_it, at position 2 on comment at a" in raised.value.__notes__
    rig.service.set_ledger(rig.ledger)
    assert (len(runs(rig.service)), rig.notes(), rig.service.task("T").step) == (1, [], "a")


def test_lm3_a_pull_that_is_interrupted_says_that_some_are_let_in(make: Make) -> None:
    rig = make(board(b="wip_limit 2\npull_from a"))
    ledger: Any = Disturbed(rig.ledger)
    rig.service.set_ledger(ledger)
    for task in "TU":
        rig.service.create(task, "w")
    ledger.left = 1000
    with pytest.raises(Contended) as raised:
        rig.service.pull("w", "b")
    assert str(raised.value) == "deadlock"
    ledger.left = 0
    rig.service.set_program(board(b=f"wip_limit 2\npull_from a\n{entering('page')}"))
    rig.on_page = lambda action, context: setattr(ledger, "left", 1000)
    with pytest.raises(Contended, match="deadlock; whom this call has let in before is committed and has entered"):
        rig.service.pull("w", "b")
    assert [rig.service.task(task).step for task in "TU"] == ["b", "a"]


def test_r5_a_delivery_decided_in_the_transaction_of_its_move_is_decided_anew(make: Make) -> None:
    rig = make(
        compiled(f"""
trigger poke
moves guarded on poke
guard paid
workflow w "W" {{
  step a "A" {{
    start
    on poke {{ -> b when paid }}
  }}
  step b "B" {{ {entering('note_it(text="in")')} }}
}}
""")
    )
    asked: list[bool] = []

    @rig.handlers.guard("paid")
    def paid(guard: Any, context: Any) -> bool:
        asked.append(True)
        return True

    ledger: Any = Disturbed(rig.ledger)
    rig.service.set_ledger(ledger)
    rig.service.create("T", "w")
    ledger.left = 2
    assert rig.service.handle("T", "poke").moved
    assert (ledger.left, len(asked), rig.notes()) == (0, 3, ["in"])
    assert [row.to_step for row in rig.service.history("T")] == ["a", "b"]


def test_r5_a_decision_stands_though_its_moves_could_not_be_asked(make: Make) -> None:
    rig, ledger = disturbed(make)
    ledger.left = len(PAUSES) + 3
    with pytest.raises(Contended):
        CALLS["decide"](rig.service)
    assert rig.service.decisions("T") == ()

    class Later(Disturbed):
        """One whose first transaction commits."""

        @contextmanager
        def transaction(self) -> Iterator[Transaction]:
            self.left += 1
            with self._ledger.transaction() as tx:
                yield tx
                if 1 < self.left <= len(PAUSES) + 2:
                    raise Contended("deadlock")

    later: Any = Later(rig.ledger)
    rig.service.set_ledger(later)
    outcome: Outcome = CALLS["decide"](rig.service)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "reevaluation_failed: Contended: deadlock")
    assert [d.id for d in rig.service.decisions("T")] == [outcome.decision_id]
    assert rig.service.task("T").step == "a"


def test_r5_who_is_disturbed_for_ever_is_told(make: Make) -> None:
    rig, ledger = disturbed(make)
    ledger.left = 1000
    with pytest.raises(Contended, match="deadlock"):
        rig.service.handle("T", "comment", payload={"comment_id": "1"})
    assert ledger.left == 1000 - len(PAUSES) - 1
    ledger.left = 0
    assert rig.service.handle("T", "comment", payload={"comment_id": "1"}).moved
    assert len(runs(rig.service)) == 1


def test_r5_a_decision_whose_exit_list_has_run_outside_is_not_asked_again(make: Make) -> None:
    body = "on turn_complete { -> b when all_approve(reviewer) }\non exit { page }"
    rig = make(board(a=body))
    ledger: Any = Disturbed(rig.ledger)
    rig.service.set_ledger(ledger)
    rig.service.create("T", "w")
    rig.service.seat("T", step="a", role="reviewer", agent="ada")
    rig.on_page = lambda action, context: setattr(ledger, "left", 1)
    outcome: Outcome = CALLS["decide"](rig.service)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.STAYED, "reevaluation_failed: Contended: deadlock")
    assert (len(rig.paged), len(rig.service.decisions("T")), rig.service.task("T").step) == (1, 1, "a")
