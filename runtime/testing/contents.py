"""A ledger's tables, filled and changed, to a list of all that is read from them."""

from __future__ import annotations

from collections.abc import Iterator

from newel.runtime.ledgers.base import Reading, Transaction
from newel.runtime.outcomes import ActionReport, ActionStatus
from newel.runtime.ports import Actor
from newel.runtime.testing.kit import arrive, locked

_STEPS = ("a", "b", "f")


def everything(view: Reading) -> list[str]:
    """All that a ledger tells of its tables, as text: another process finds it equal."""
    return list(_told(view))


def _told(view: Reading) -> Iterator[str]:
    rows = list(view.rows())
    parts = [view.tasks(), rows, view.runs(), view.strays(), view.doubled(), view.actions_between(0, view.last_id())]
    for task in view.tasks():
        name = task.id
        parts += [view.history(name), view.decisions(name), view.approvals(name), view.seats(name), view.children(name)]
        parts += [view.active_decisions(name, "w", step) for step in _STEPS]
    for part in parts:
        yield from map(repr, part)
    for step in _STEPS:
        yield f"{step}: {view.occupied('w', step)} there"
    for revision in sorted({row.revision for row in rows} | {"r", "new r"}):
        yield f"{revision}: {view.program(revision)}"


def fill(tx: Transaction, prefix: str = "") -> None:
    """Write something into every table, new tasks with such names."""
    one, two = prefix + "one", prefix + "two"
    tx.keep_program(prefix + "r", "the program")
    entry = arrive(tx, tx.add_task(one, priority=2), "a", actor=Actor.agent("ada"), session="s", revision=prefix + "r")
    arrive(tx, tx.add_task(two, parent=one), "f", revision=prefix + "r")
    tx.wait_for(locked(tx, two), "w", "b", "operation")
    tx.reorder(two, 3)
    tx.record_actions(entry, [ActionReport("kind", n, s, "why") for n, s in enumerate(ActionStatus)])
    for verdict in ("rejected", "approved"):
        tx.add_decision(
            one, "w", "a", entry, role="r", decider="ada", decider_kind="agent", verdict=verdict, note="because"
        )
    for position in (0, 1):
        asked = tx.add_approval(one, entry, "comment", position, to="b", payload={"é": [position, None]})
    tx.settle_approval(asked.id, "approved", Actor.human("eve"))
    tx.add_seat(one, "w", "a", role="r", agent="ada", required=False, position=4)
    tx.add_seat(one, "w", "a", role="s", agent="bob", ensured_by=entry)
    for position in (0, 1):
        tx.add_run(
            two, source=one, step="f", agent="ada", reason="why", payload={"n": position}, entry_id=entry,
            position=position, trigger="enter", key=f"{prefix}{position}",
        )  # fmt: skip
    for run in tx.claim_runs("worker", 1, 60):
        tx.finish_run(run.id, "worker", "broken")


def change(tx: Transaction) -> None:
    """Change whatever `fill` has written, in every table, and then remove a task."""
    one, two = locked(tx, "one"), locked(tx, "two")
    entry = one.entry_id or 0
    tx.reorder("one", 8)
    tx.wait_no_more(two)
    arrive(tx, locked(tx, "one"), "b")
    tx.record_actions(entry, [ActionReport("kind", n, ActionStatus.APPLIED) for n in range(9)])
    tx.add_decision("one", "w", "a", entry, role="r", decider="ada", decider_kind="agent", verdict="no", note=None)
    for approval in tx.approvals("one"):
        tx.settle_approval(approval.id, "rejected", Actor())
    removed, *changed = tx.seats("one")
    tx.remove_seat(int(removed.id))
    for seat in changed:
        tx.set_seat(int(seat.id), required=False, position=1)
    tx.clear_decisions("one", "w", "a")
    for run in tx.claim_runs("another", 9, 60):
        tx.finish_run(run.id, "another", None)
    tx.remove_task("one")
