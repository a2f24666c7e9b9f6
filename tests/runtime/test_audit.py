"""The audit (OB4): each thing that can be wrong with the tables is found, and nothing that is right."""

from __future__ import annotations

from contextlib import closing

import pytest

from newel.runtime.audit import AuditItem, AuditKind, audit
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres import PostgresLedger
from tests.runtime.boards import REVIEW, Make, Rig, board, entering, entry_of

FULL = board(b=entering(REVIEW, "note_it", "auto_start_agent", "page"))


def busy(make: Make) -> Rig:
    """Two tasks that have been about, one of them at b in entry 4."""
    rig = make(FULL)
    for task in "TU":
        rig.service.create(task, "w")
    rig.service.move("U", "c")
    assert entry_of(rig.service.move("T", "b")).entry_id == 4
    rig.service.decide("T", role="reviewer", decider="ada", verdict="commented")
    return rig


def age(rig: Rig) -> None:
    """Let all rows be older than a minute."""
    with rig.ledger.transaction() as tx:
        tx.execute("UPDATE newel_rows SET occurred_at = '2020-01-01T00:00:00.000+00:00'")


def test_ob4_a_whole_ledger_is_clean(make: Make) -> None:
    rig = busy(make)
    rig.service.redispatch(4)
    rig.service.detach("U")
    rig.service.remove("U")
    rig.service.create("V", "w", "b")
    result = rig.service.audit()
    assert result.clean
    assert (result.findings, result.notes) == ((), ())
    with closing(open_ledger("memory:")) as empty:
        assert audit(empty).clean


DAMAGES: dict[str, tuple[str, list[AuditItem]]] = {
    "a row is gone": ("DELETE FROM newel_rows WHERE id = 2", [AuditItem(AuditKind.CHAIN, 3, "U")]),
    "a row begins elsewhere": (
        "UPDATE newel_rows SET from_step = 'c' WHERE id = 4",
        [AuditItem(AuditKind.CHAIN, 4, "T")],
    ),
    "a row is of another workflow": (
        "UPDATE newel_rows SET from_workflow = 'x' WHERE id = 4",
        [AuditItem(AuditKind.CHAIN, 4, "T")],
    ),
    "a row leads to a step its program does not have": (
        "UPDATE newel_rows SET to_step = 'zz' WHERE id = 1",
        [AuditItem(AuditKind.STRAY, 1, "T"), AuditItem(AuditKind.CHAIN, 4, "T")],
    ),
    "a row leads to a workflow its program does not have": (
        "UPDATE newel_rows SET to_workflow = 'zz' WHERE id = 1",
        [AuditItem(AuditKind.STRAY, 1, "T"), AuditItem(AuditKind.CHAIN, 4, "T")],
    ),
    "the program that is kept is none": (
        "UPDATE newel_programs SET program = '{}'",
        [AuditItem(AuditKind.STRAY, n, task) for n, task in enumerate("TUUT", start=1)],
    ),
    "the program that is kept is torn": (
        "UPDATE newel_programs SET program = substr(program, 1, 99)",
        [AuditItem(AuditKind.STRAY, n, task) for n, task in enumerate("TUUT", start=1)],
    ),
    "the task stands elsewhere": (
        "UPDATE newel_tasks SET step = 'a' WHERE id = 'U'",
        [AuditItem(AuditKind.STANDING, 3, "U")],
    ),
    "the task is in another entry": (
        "UPDATE newel_tasks SET entry_id = 2 WHERE id = 'U'",
        [AuditItem(AuditKind.STANDING, 2, "U")],
    ),
    "the task is gone": ("DELETE FROM newel_tasks WHERE id = 'U'", [AuditItem(AuditKind.STANDING, 3, "U")]),
    "a dispatch was lost": (
        "DELETE FROM newel_entry_actions",
        [AuditItem(AuditKind.LOST, 4, "T", (0, 1, 2, 3, 5))],
    ),
    "a dispatch was lost in part": (
        "DELETE FROM newel_entry_actions WHERE position IN (2, 5)",
        [AuditItem(AuditKind.PARTLY_LOST, 4, "T", (2, 5))],
    ),
    "a run names an entry of another task": (
        "UPDATE newel_runs SET entry_id = 3",
        [AuditItem(AuditKind.STRAY, 3, "T")],
    ),
    "a decision names an entry that is none": (
        "UPDATE newel_decisions SET entry_id = 99",
        [AuditItem(AuditKind.STRAY, 99, "T")],
    ),
    "a seat names an entry that is none": (
        "UPDATE newel_seats SET ensured_by = 99",
        [AuditItem(AuditKind.STRAY, 99, "T")],
    ),
    "a program was not kept": (
        "DELETE FROM newel_programs",
        [AuditItem(AuditKind.STRAY, n, task) for n, task in ((1, "T"), (2, "U"), (3, "U"), (4, "T"))],
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_ob4_each_damage_is_found_and_nothing_else(make: Make, name: str) -> None:
    statement, expected = DAMAGES[name]
    rig = busy(make)
    age(rig)
    with rig.ledger.transaction() as tx:
        tx.execute(statement)
    result = rig.service.audit()
    assert list(result.findings) == expected
    assert result.notes == ()
    assert not result.clean


def test_ob4_a_key_given_twice_is_found(make: Make) -> None:
    rig = busy(make)
    on_postgres = isinstance(rig.ledger, PostgresLedger)
    drop = "ALTER TABLE newel_runs DROP CONSTRAINT newel_runs_key" if on_postgres else "DROP INDEX newel_runs_key"
    with rig.ledger.transaction() as tx:
        tx.execute(drop)
        columns = "task, source, step, agent, entry_id, position, key, cause, queued_at"
        tx.execute(f"INSERT INTO newel_runs({columns}) SELECT {columns} FROM newel_runs")  # noqa: S608 - written here
    assert rig.service.audit().findings == (AuditItem(AuditKind.DOUBLED, 4, "T"),)


def test_ob4_what_may_still_be_running_and_what_was_left_are_notes(make: Make) -> None:
    rig = busy(make)
    rig.empty("newel_entry_actions")
    positions = (0, 1, 2, 3, 5)
    assert rig.service.audit().notes == (AuditItem(AuditKind.RUNNING, 4, "T", positions),)
    rig.service.move("T", "a")
    result = rig.service.audit()
    assert result.clean
    assert result.notes == (AuditItem(AuditKind.SUPERSEDED, 4, "T", positions),)


def test_ob4_what_is_lost_is_found_by_the_list_of_the_rows_own_revision(make: Make) -> None:
    rig = busy(make)
    age(rig)
    rig.service.set_program(board(b=entering("note_it", "note_it", "note_it", "note_it", "note_it", "note_it", "page")))
    assert rig.service.audit().clean
    rig.service.set_program(board())
    rig.empty("newel_entry_actions")
    assert [item.kind for item in rig.service.audit().findings] == [AuditKind.LOST]


def test_ob4_redispatching_what_was_lost_makes_it_clean(make: Make) -> None:
    rig = busy(make)
    age(rig)
    rig.empty("newel_entry_actions", "newel_runs")
    for item in rig.service.audit().findings:
        assert item.entry_id is not None
        rig.service.redispatch(item.entry_id)
    assert rig.service.audit().clean
    assert len(rig.service.runs()) == 1


@pytest.mark.parametrize(("limit", "findings"), [(None, 1), (4, 1), (3, 0), (0, 0)])
def test_ob4_with_a_limit_only_the_last_rows_are_read(make: Make, limit: int | None, findings: int) -> None:
    rig = busy(make)
    with rig.ledger.transaction() as tx:
        tx.execute("UPDATE newel_rows SET from_workflow = 'w', from_step = 'c' WHERE id = 1")
    assert len(rig.service.audit(limit=limit).findings) == findings


def test_ob4_many_rows_are_read_in_pages(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newel.runtime.audit._PAGE", 3)
    rig = busy(make)
    for step in "abcabcab":
        rig.service.move("T", step)
    assert rig.service.audit().clean
    with rig.ledger.transaction() as tx:
        tx.execute("DELETE FROM newel_rows WHERE id = 7")
    assert [(item.kind, item.entry_id) for item in rig.service.audit().findings] == [(AuditKind.CHAIN, 8)]


@pytest.mark.parametrize("at", ["never", "2026-01-01T00:00:00", "9020-01-01T00:00:00.000+00:00"])
def test_ob4_an_entry_of_no_known_time_or_from_far_ahead_is_lost_and_not_running_for_ever(make: Make, at: str) -> None:
    rig = busy(make)
    rig.empty("newel_entry_actions")
    with rig.ledger.transaction() as tx:
        tx.execute(f"UPDATE newel_rows SET occurred_at = '{at}'")  # noqa: S608 - written above
    assert [(item.kind, item.entry_id) for item in rig.service.audit().findings] == [(AuditKind.LOST, 4)]


def test_ob4_a_failed_action_of_a_current_entry_is_a_note_until_it_is_run_again_or_left(make: Make) -> None:
    rig = make(board(b=entering("note_it", "boom", "page", "boom")))
    for task in "TU":
        rig.service.create(task, "w")
        rig.service.move(task, "b")
    failed = [AuditItem(AuditKind.FAILED, entry, task, (1, 3)) for entry, task in ((2, "T"), (4, "U"))]
    assert rig.service.audit().clean
    assert list(rig.service.audit().notes) == failed
    rig.service.move("T", "c")
    assert list(rig.service.audit().notes) == failed[1:]
    rig.broken = False
    rig.service.redispatch(4)
    assert rig.service.audit().notes == ()
