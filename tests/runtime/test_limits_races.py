"""Steps with limited places under many threads and many processes (LM2, LM3): never one too many, nobody forgotten."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from newel.compiler.program import Program
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.service import Service
from tests.runtime.boards import board, compiled

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

LIMIT, MOVERS, ROUNDS = 2, 6, 8
PATIENCE = 60.0


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A ledger that has never been opened, of each sort that several processes can share."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'a.db'}?synchronous=NORMAL"
    found: str = request.getfixturevalue("postgres_url")
    return found


def until(service: Service, task: str, step: str) -> None:
    """Wait until somebody has let a task in."""
    deadline = time.monotonic() + PATIENCE
    while service.task(task).step != step:
        assert time.monotonic() < deadline, f"{task} was forgotten: {service.task(task)}"
        time.sleep(0.002)


def go_round(service: Service, number: int) -> None:
    """In at b, as often as there is a place or one is given; out again, which gives the place to another."""
    task = f"T{number}"
    ways: Sequence[Callable[[], Outcome]] = (
        lambda: service.move(task, "b"),
        lambda: service.handle(task, "turn_complete"),
        lambda: service.move_many([(task, "b")])[0],
        lambda: service.switch(task, "w", "b"),
    )
    for turn in range(ROUNDS):
        outcome = ways[(number + turn) % len(ways)]()
        assert outcome.kind in (OutcomeKind.MOVED, OutcomeKind.QUEUED)
        until(service, task, "b")
        time.sleep(0.005)  # so that others come meanwhile
        service.move(task, "a")


ROUND = board(a="on turn_complete { -> b }", b=f"wip_limit {LIMIT}")


def begin(url: str, program: Program = ROUND) -> None:
    with Service(program, open_ledger(url)) as service:
        for number in range(MOVERS):
            service.create(f"T{number}", "w")


def most(service: Service, step: str) -> int:
    """How many tasks ever stood at a step at once, by the rows: who counts does so after the rows of who has left."""
    with service.wired().ledger.read() as view:
        rows = view.rows(limit=100_000)
    standing, found = set[str](), 0
    for row in rows:
        (standing.add if row.to_step == step else standing.discard)(row.task)
        found = max(found, len(standing))
    return found


def check(url: str) -> None:
    with Service(ROUND, open_ledger(url)) as service:
        assert most(service, "b") == LIMIT
        rows = [len(service.history(f"T{number}")) for number in range(MOVERS)]
        assert rows == [1 + 2 * ROUNDS] * MOVERS
        assert [task.queued_for for task in service.tasks()] == [None] * MOVERS
        assert service.audit().clean


def at_once(*work: Callable[[], object]) -> None:
    """Do all of this on threads; what one of them raises is raised here."""
    failed: list[BaseException] = []

    def run(one: Callable[[], object]) -> None:
        try:
            one()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def in_processes(*work: Callable[[], object]) -> None:
    """Do each of this in a child of its own; none begins before all are there."""
    children = []
    reading, writing = os.pipe()
    for one in work:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.close(writing)
                os.read(reading, 1)  # ends when the parent closes
                one()
                code = 0
            finally:
                os._exit(code)
        children.append(pid)
    os.close(reading)
    os.close(writing)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
    assert codes == [0] * len(work)


def test_lm2_many_threads_of_one_service_never_pass_the_limit(url: str) -> None:
    begin(url)
    with Service(ROUND, open_ledger(url)) as service:
        at_once(*(lambda n=n: go_round(service, n) for n in range(MOVERS)))
    check(url)


def test_lm2_many_processes_never_pass_the_limit(url: str) -> None:
    begin(url)

    def child(number: int) -> None:
        with Service(ROUND, open_ledger(url)) as service:
            go_round(service, number)

    in_processes(*(lambda n=n: child(n) for n in range(MOVERS)))
    check(url)


def test_lm2_the_first_of_a_step_come_at_once(url: str) -> None:
    """Whose place nobody has locked before."""
    for name in range(6):
        step = f"s{name}"
        program = compiled(f'workflow w "W" {{\nstep a "A" {{ start }}\nstep {step} "S" {{ wip_limit {LIMIT} }}\n}}')
        with Service(program, open_ledger(url)) as service:
            tasks = [f"{step}-{number}" for number in range(MOVERS)]
            for task in tasks:
                service.create(task, "w")
            at_once(*(lambda task=task, step=step: service.move(task, step) for task in tasks))
            assert most(service, step) == LIMIT
            assert len([t for t in service.tasks() if t.queued_for == step]) == MOVERS - LIMIT


CROSSED = board(
    a="wip_limit 3\non turn_complete { -> b }",
    b="wip_limit 2\npull_from a\non turn_complete { -> c }",
    c="wip_limit 2\npull_from b\non turn_complete { -> a }",
)


def test_lm3_tasks_that_move_crosswise_among_full_steps_end_in_order(url: str) -> None:
    """With pulls from feeders and moves of several tasks at once: no deadlock is seen, no limit passed."""
    with Service(CROSSED, open_ledger(url)) as service:
        for number in range(MOVERS):
            service.create(f"T{number}", "w", "abc"[number % 3])

        def work(number: int) -> None:
            for turn in range(ROUNDS):
                one, two = f"T{(number + turn) % MOVERS}", f"T{(number + turn + 1) % MOVERS}"
                there, here = "abc"[turn % 3], "cab"[(turn + number) % 3]
                service.move_many([(one, there), (two, here)])
                service.handle(one, "turn_complete")
                service.pull("w", here)

        at_once(*(lambda n=n: work(n) for n in range(4)))
        assert max(most(service, "a") - 1, most(service, "b"), most(service, "c")) == 2
        assert service.audit().clean
        for step in "abc":
            service.pull("w", step)
        with service.wired().ledger.read() as view:
            for step, limit in (("a", 3), ("b", 2), ("c", 2)):
                waiting = [t for t in view.tasks() if t.queued_for == step]
                assert not waiting or view.occupied("w", step) >= limit
