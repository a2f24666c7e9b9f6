"""Transactions that wait for each other in PostgreSQL: where a host's own do, one segment is done anew and none is
doubled; ours do not."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from newel.runtime.ledgers.base import Ledger
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ports import Actor, Context
from tests.runtime.boards import Make, board, entering, entry_of, statuses


@pytest.mark.parametrize("make", ["postgresql"], indirect=True)
def test_se3a_a_segment_that_stood_in_anothers_way_is_done_anew_and_outside_code_is_not(make: Make) -> None:
    rig = make(board(b=entering("page", 'note_it(text="first")', 'note_it(text="second")')))
    with rig.ledger.transaction() as tx:
        tx.execute("CREATE TABLE counters(id TEXT PRIMARY KEY, x INTEGER)")
        tx.execute("INSERT INTO counters VALUES ('T', 0), ('U', 0)")
    gate, calls = threading.Barrier(2), list[str]()

    def cross(action: Any, context: Context) -> None:
        """First one's own counter, then the other's: both wait, until the database ends one of the two."""
        assert context.tx is not None
        other = "U" if context.task == "T" else "T"
        context.tx.execute(
            "UPDATE counters SET x = x + 1 WHERE id = %s", (context.task if action.text == "first" else other,)
        )
        calls.append(context.task)
        if action.text == "first" and calls.count(context.task) == 1:
            gate.wait(10)

    rig.on_note = cross
    outcomes: dict[str, Any] = {}
    for task in "TU":
        rig.service.create(task, "w")
    threads = [
        threading.Thread(target=lambda task=task: outcomes.update({task: rig.service.move(task, "b")})) for task in "TU"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [statuses(outcomes[task]) for task in "TU"] == [["applied"] * 3] * 2
    assert len(calls) > 4  # a segment was begun anew
    assert sorted(context.task for context in rig.paged) == ["T", "U"]
    assert rig.rows("SELECT id, x FROM counters ORDER BY id") == [("T", 2), ("U", 2)]
    assert sorted(rig.notes()) == ["first", "first", "second", "second"]
    for task in "TU":
        records = rig.service.entry(entry_of(outcomes[task]).entry_id).actions
        assert [(record.status, record.deliveries) for record in records] == [("applied", 1)] * 3


def test_lm2_the_first_arrivals_at_a_limited_step_do_not_wait_for_each_other_in_a_ring(postgres_url: str) -> None:
    """Whoever is first gives the place its number; nobody is ended by the database for it."""
    ledger = open_ledger(f"{postgres_url}&pool=12")
    failed: list[BaseException] = []
    gate = threading.Barrier(12)
    names = [f"T{number}" for number in range(12)]
    with ledger.transaction() as tx:
        for name in names:
            tx.add_task(name)

    def arrive(name: str) -> None:
        for step in "abcde":
            gate.wait(30)
            try:
                _arrived(ledger, name, step)
            except Exception as error:
                failed.append(error)

    threads = [threading.Thread(target=arrive, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ledger.read() as view:
        assert view.occupied("w", "e") == 12
    ledger.close()
    assert failed == []


def _arrived(ledger: Ledger, name: str, step: str) -> None:
    with ledger.transaction() as tx:
        tx.lock_place("w", step)
        task = tx.lock_task(name)
        assert task is not None
        tx.arrive(task, "w", step, route="unknown", actor=Actor(), session=None, revision="r")
