"""Processes that die in the middle (SL1, SE5, SE8): what is there afterwards, and what a redispatch makes of it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from newel.runtime.audit import AuditKind
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import ActionStatus
from tests.crash.crashing import DIED, PROGRAM, Watched, die_at, in_child

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

LOST = {AuditKind.LOST, AuditKind.PARTLY_LOST, AuditKind.RUNNING}


def prepared(path: Path) -> None:
    """A task at a, on a file that nobody has open."""
    template = path.with_name("template")
    if not template.exists():
        rig = Watched(template)
        rig.service.create("T", "w")
        rig.close()
    shutil.copy(template, path)


def move_and_die(path: Path, point: int) -> int:
    def act() -> None:
        rig = Watched(path)
        die_at(point)
        rig.service.move("T", "b")

    return in_child(act)


def move_and_lose_the_dispatch(path: Path) -> int:
    def act() -> None:
        rig = Watched(path)
        pytest.MonkeyPatch().setattr("newel.runtime.writers.dispatch", lambda wiring, arrival: os._exit(DIED))
        rig.service.move("T", "b")

    return in_child(act)


def redispatch_and_die(path: Path, point: int) -> int:
    def act() -> None:
        rig = Watched(path)
        die_at(point)
        rig.service.redispatch(2)

    return in_child(act)


def check_whole(rig: Watched) -> None:
    """Nothing half done: the chain holds, row and step agree, and each record stands with its effect."""
    result = rig.service.audit()
    assert {item.kind for item in (*result.findings, *result.notes)} <= LOST
    arrived = rig.service.task("T").step == "b"
    assert len(rig.service.history("T")) == 1 + arrived
    assert ("left a" in rig.notes()) == arrived
    applied = (
        {a.position for a in rig.service.entry(2).actions if a.status == ActionStatus.APPLIED} if arrived else set()
    )
    assert ("in b" in rig.notes()) == (3 in applied)
    assert ("still in b" in rig.notes()) == (7 in applied)
    assert bool(rig.service.seats("T")) == (1 in applied)
    assert {run.position for run in rig.service.runs()} == applied & {2, 5}


def check_finished(rig: Watched) -> None:
    """All effects are there, each once; an outside one that was cut off may have come twice, under one key."""
    assert rig.service.audit().clean
    assert rig.service.audit().notes == ()
    assert rig.notes() == ["left a", "in b", "still in b"]
    assert [(seat.role, seat.agent) for seat in rig.service.seats("T")] == [("reviewer", "ada")]
    assert [run.position for run in rig.service.runs()] == [2, 5]
    entered = [page for page in rig.pages() if not page.startswith("out")]
    assert set(entered) == {f"in {rig.ledger.uuid}:2:4", f"again {rig.ledger.uuid}:2:6"}
    assert len(entered) <= 3


@pytest.mark.slow
def test_se5_a_move_cut_off_at_every_statement_is_whole_and_can_be_recovered(tmp_path: Path) -> None:
    point, died = 1, DIED
    while died == DIED:
        path = tmp_path / f"{point}.db"
        prepared(path)
        died = move_and_die(path, point)
        rig = Watched(path)
        check_whole(rig)
        if rig.service.task("T").step == "a":
            assert rig.service.move("T", "b").moved
        else:
            rig.service.redispatch(2)
        check_finished(rig)
        rig.close()
        point += 1
    assert died == 0
    assert point > 80


@pytest.mark.slow
def test_se5_a_redispatch_cut_off_at_every_statement_is_whole_and_can_be_repeated(tmp_path: Path) -> None:
    point, died = 1, DIED
    while died == DIED:
        path = tmp_path / f"{point}.db"
        prepared(path)
        assert move_and_lose_the_dispatch(path) == DIED
        died = redispatch_and_die(path, point)
        rig = Watched(path)
        check_whole(rig)
        rig.service.redispatch(2)
        check_finished(rig)
        rig.close()
        point += 1
    assert died == 0
    assert point > 60


def test_se8_a_crash_right_after_the_commit_loses_exactly_that_dispatch(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    prepared(path)

    assert move_and_lose_the_dispatch(path) == DIED
    rig = Watched(path)
    assert rig.service.task("T").step == "b"
    assert rig.service.entry(2).actions == ()
    for name in "UVW":  # nothing sweeps: neither opening, nor reading, nor another task's arrival
        rig.service.create(name, "w")
        rig.service.audit()
    assert rig.notes() == ["left a"]
    assert not rig.service.redispatch(2).redelivery
    check_finished(rig)
    rig.close()


def roam(path: Path) -> None:
    """Move three tasks about until somebody ends this process."""
    rig = Watched(path)
    number = 0
    while True:
        task = f"T{number % 3}"
        rig.service.move(task, "b" if rig.service.task(task).step != "b" else "a")
        number += 1


def test_r2_a_process_killed_at_random_leaves_a_whole_ledger(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    rig = Watched(path)
    for number in range(3):
        rig.service.create(f"T{number}", "w")
    rig.close()
    chance = random.Random(20)  # noqa: S311 - moments to kill at
    for _ in range(25):
        pid = os.fork()
        if pid == 0:
            try:
                roam(path)
            finally:
                os._exit(1)
        time.sleep(0.01 + chance.random() * 0.06)
        os.kill(pid, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
        rig = Watched(path)
        result = rig.service.audit()
        assert {item.kind for item in result.findings} <= LOST
        current = {task.entry_id for task in rig.service.tasks()}
        for item in result.notes:
            if item.kind is AuditKind.RUNNING:
                assert item.entry_id in current
                rig.service.redispatch(item.entry_id or 0)
        assert [item for item in rig.service.audit().notes if item.kind is AuditKind.RUNNING] == []
        doubled = (
            "SELECT entry_id, position, agent FROM newel_runs GROUP BY entry_id, position, agent HAVING count(*) > 1"
        )
        assert rig.rows(doubled) == []
        rig.close()
    ledger = open_ledger(f"sqlite:///{path}")
    with ledger.read() as view:
        assert len(view.rows(limit=100_000)) > 25
        assert view.program(PROGRAM.revision) is not None
    ledger.close()
