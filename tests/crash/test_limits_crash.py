"""Processes that die while they give a place to another (LM3): whatever is lost, the next pull takes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.service import Service
from tests.crash.points import DIED, die_at, in_child
from tests.runtime.boards import board, entering

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

RUN = 'queue_run(target=agent(id="x"))'
PROGRAM = board(
    b="wip_limit 1\npull_from d\n" + entering(RUN),
    c=entering(RUN),
    more='step d "D" { }',
)


def opened(path: Path) -> Service:
    return Service(PROGRAM, open_ledger(f"sqlite:///{path}?synchronous=NORMAL"))


def prepared(path: Path) -> None:
    """X stands at b, T waits for it, F stands at the feeder; a file that nobody has open."""
    template = path.with_name("template")
    if not template.exists():
        with opened(template) as service:
            for task, step in (("X", "b"), ("T", "a"), ("F", "d")):
                service.create(task, "w", step)
            assert service.move("T", "b").kind is OutcomeKind.QUEUED
    shutil.copy(template, path)


def leave_and_die(path: Path, point: int) -> int:
    def act() -> None:
        service = opened(path)
        die_at(point)
        service.move("X", "c")

    return in_child(act)


def whole(service: Service) -> None:
    """Never more at b than it holds, and a task waits or has arrived, not both."""
    at = {task.id: (task.step, task.queued_for) for task in service.tasks()}
    assert [step for step, _ in at.values()].count("b") <= 1
    assert at["T"] in (("a", "b"), ("b", None))
    assert len(service.history("T")) == (2 if at["T"][0] == "b" else 1)
    assert {item.kind.value for item in (*service.audit().findings, *service.audit().notes)} <= {"lost", "running"}


@pytest.mark.slow
def test_lm3_a_departure_cut_off_at_every_statement_loses_nobody_who_waits(tmp_path: Path) -> None:
    point, died, left = 1, DIED, 0
    while died == DIED:
        path = tmp_path / f"{point}.db"
        prepared(path)
        died = leave_and_die(path, point)
        with opened(path) as service:
            whole(service)
            if service.task("X").step == "b":
                service.move("X", "c")
            elif service.task("T").step == "a":
                left += 1  # the place was free, and nobody had taken it
                assert [o.entry.task for o in service.pull("w", "b") if o.entry] == ["T"]
            whole(service)
            assert (service.task("T").step, service.task("F").step) == ("b", "d")
            assert service.history("T")[-1].route == "pull"
            assert [o.entry.task for o in service.detach("T").pulled if o.entry] == ["F"]
        point += 1
    assert died == 0
    assert left > 5
