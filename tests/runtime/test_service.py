"""The service as a shell: its wiring and setters, what it refuses, and the calls that are no arrivals."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.pipeline import compile_text
from newel.runtime.errors import (
    LedgerUnavailable,
    NewelError,
    NoSuchEntry,
    NoSuchRun,
    NoSuchSeat,
    NotWired,
    UnknownStep,
    UnknownTask,
)
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.service import Service
from tests.runtime.boards import AGENTS, REVIEW, Live, Make, board, entering

PLAIN = board()


# ---------------------------------------------------------------- wiring

BARE: list[Callable[[], Service]] = [lambda: Service.__new__(Service), lambda: object.__new__(Service)]


@pytest.mark.parametrize("make_bare", BARE)
def test_ol3_a_bare_service_is_wired_by_its_setters_in_any_order(make_bare: Callable[[], Service]) -> None:
    service = make_bare()
    for call in (lambda: service.task("T"), lambda: service.create("T", "w")):
        with pytest.raises(NotWired, match="no program"):
            call()
    service.set_observer(None)
    service.set_agents(AGENTS)
    service.set_program(PLAIN)
    with pytest.raises(NotWired, match="no ledger"):
        service.create("T", "w")
    service.close()
    service.set_sessions(Live())
    service.set_ledger(open_ledger("memory:"))
    service.set_handlers(Handlers())
    with service:
        assert service.create("T", "w").moved
        assert service.program is PLAIN


def test_a_call_uses_one_program_from_start_to_end(make: Make) -> None:
    rig = make(board(b=entering("page", 'note_it(text="old")')))
    other = board(b=entering("page", 'note_it(text="new")'))
    rig.on_page = lambda action, context: context.service.set_program(other)
    rig.service.create("T", "w")
    rig.service.move("T", "b")
    assert rig.notes() == ["old"]
    assert rig.service.program is other
    assert rig.service.history("T")[-1].revision != other.revision


def test_the_wiring_is_made_anew_by_each_setter_and_never_changed(make: Make) -> None:
    rig = make(PLAIN)
    wirings = [rig.service.wired()]
    changes: tuple[Callable[[], None], ...] = (
        lambda: rig.service.set_program(board(b=entering("note_it"))),
        lambda: rig.service.set_handlers(Handlers()),
        lambda: rig.service.set_agents(None),
        lambda: rig.service.set_sessions(None),
        lambda: rig.service.set_observer(None),
        lambda: rig.service.set_ledger(rig.ledger),
    )
    for change in changes:
        change()
        wirings.append(rig.service.wired())
    assert len({id(wiring) for wiring in wirings}) == len(wirings)
    assert len({id(wiring.store) for wiring in wirings}) == len(wirings)
    with pytest.raises(AttributeError):
        wirings[0].program = PLAIN  # type: ignore[misc]  # what it must refuse


class Slow(logging.Handler):
    """A log that is slow to be written: until somebody else is done, or has waited for long."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.done = threading.Event(), threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.reached.set()
        self.done.wait(0.5)


@pytest.fixture
def slow() -> Iterator[Slow]:
    handler = Slow()
    logging.getLogger("newel").addHandler(handler)
    yield handler
    logging.getLogger("newel").removeHandler(handler)


def test_of_parts_that_are_set_at_once_none_is_lost(slow: Slow) -> None:
    """While one setter warns of handlers that nothing asks for, another gives the service others."""
    stray, others = Handlers(), Handlers()
    stray.action("pagee")(lambda action, context: None)
    service = Service(board(), open_ledger("memory:"))
    setting = threading.Thread(target=service.set_handlers, args=(stray,))
    setting.start()
    assert slow.reached.wait(10)
    service.set_handlers(others)
    slow.done.set()
    setting.join()
    assert service.wired().handlers is others
    service.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_sets_parts_though_its_parent_was_about_to(slow: Slow) -> None:
    stray = Handlers()
    stray.action("pagee")(lambda action, context: None)
    service = Service(board(), open_ledger("memory:"))
    setting = threading.Thread(target=service.set_handlers, args=(stray,))
    setting.start()
    assert slow.reached.wait(10)
    pid = os.fork()
    if pid == 0:
        signal.alarm(5)  # ends it where it would wait for ever
        service.set_agents(AGENTS)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    slow.done.set()
    setting.join()
    service.close()
    assert status == 0


def test_leaving_the_block_closes_the_ledger() -> None:
    ledger = open_ledger("memory:")
    with Service(PLAIN, ledger) as service:
        service.create("T", "w")
    with pytest.raises(LedgerUnavailable, match="closed"):
        service.task("T")


def test_limits_that_are_none_are_no_limits() -> None:
    with Service(board(b="wip_limit 0"), open_ledger("memory:")) as service:
        assert service.create("T", "w", "b").moved


def test_unwired_lists_what_nobody_supplies() -> None:
    program = compile_text(
        """
        action page on enter, exit, event
        action hum on turn_complete
        dispatch { page }
        guard paid on comment
        guard sold on comment
        workflow w "W" {
          step a "A" {
            start
            on enter { auto_start_agent
              page
              ensure_participant_seat(approver)
              queue_run(target=ceo_agent)
              queue_run(target=agent(id="x")) }
            on turn_complete { hum
              run_script("x")
              -> b }
            on comment { -> b when paid and not sold or all_approve(approver) }
          }
          step b "B" { on enter { ensure_participant_seat(reviewer) } }
        }
        """
    ).require()
    with Service(program, open_ledger("memory:")) as service:
        assert service.unwired() == (
            "guard paid", "guard sold", "kind hum", "kind page", "role approver", "role reviewer", "target ceo_agent",
        )  # fmt: skip
        assert service.unwired_at("w", "a") == ("page",)
        assert service.unwired_at("w", "b") == ()
        service.set_agents(AGENTS)
        handlers = Handlers()
        handlers.action("page")(lambda action, context: None)
        handlers.guard("paid")(lambda guard, context: True)
        service.set_handlers(handlers)
        assert service.unwired() == ("guard sold", "kind hum", "role approver")


# ---------------------------------------------------------------- the ledger's tables through the service


def test_reading_what_is_not_there_says_so(make: Make) -> None:
    rig = make(PLAIN)
    service = rig.service
    service.create("T", "w")
    service.detach("T")
    wrong: list[tuple[type[NewelError], Callable[[], Any]]] = [
        (UnknownTask, lambda: service.task("X")),
        (UnknownTask, lambda: service.history("X")),
        (UnknownTask, lambda: service.seats("X")),
        (UnknownTask, lambda: service.decisions("X")),
        (UnknownTask, lambda: service.runs("X")),
        (UnknownTask, lambda: service.seat("X", step="a", role="reviewer", agent="ann")),
        (UnknownStep, lambda: service.seat("T", step="a", role="reviewer", agent="ann")),
        (NoSuchEntry, lambda: service.entry(2)),
        (NoSuchEntry, lambda: service.entry(9)),
        (NoSuchSeat, lambda: service.unseat(9)),
        (NoSuchSeat, lambda: service.unseat("a/reviewer/ann")),
        (NoSuchRun, lambda: service.finish_run(9, "w")),
    ]
    for error, call in wrong:
        with pytest.raises(error):
            call()
    assert service.runs() == ()


def test_a_seat_given_twice_is_one_seat_changed(make: Make) -> None:
    rig = make(PLAIN)
    service = rig.service
    service.create("T", "w")
    first = service.seat("T", step="b", role="reviewer", agent="ann")
    assert service.seat("T", step="b", role="reviewer", agent="ann", decision_required=False, position=4) == first
    (seat,) = service.seats("T")
    assert (seat.required, seat.position, seat.origin) == (False, 4, "given")
    assert service.seat("T", step="c", role="reviewer", agent="ann") != first
    with pytest.raises(UnknownStep):
        service.seat("T", step="nowhere", role="reviewer", agent="ann")
    service.unseat(first)
    assert [seat.step for seat in service.seats("T")] == ["c"]
    with pytest.raises(NoSuchSeat):
        service.unseat(first)


def test_runs_are_claimed_and_finished_by_one_worker(make: Make) -> None:
    rig = make(board(b=entering("queue_run", "queue_run", "queue_run")))
    service = rig.service
    service.create("T", "w")
    service.move("T", "b")
    assert service.claim_runs("w1", limit=0) == ()
    (first,) = service.claim_runs("w1")
    assert (first.status, first.worker, first.position) == ("claimed", "w1", 0)
    second, third = service.claim_runs("w2", limit=9, lease=0.0)
    service.finish_run(first.id, "w1")
    service.finish_run(second.id, "w2", error="broken")
    assert [run.id for run in service.claim_runs("w3", limit=9)] == [third.id]
    for run, worker in ((first.id, "w1"), (third.id, "w2")):
        with pytest.raises(NoSuchRun):
            service.finish_run(run, worker)
    assert [(run.status, run.error) for run in service.runs("T")] == [
        ("done", None),
        ("failed", "broken"),
        ("claimed", None),
    ]


def test_two_workers_never_claim_one_run(make: Make) -> None:
    rig = make(board(b=entering(*["queue_run"] * 30)))
    rig.service.create("T", "w")
    rig.service.move("T", "b")
    claimed: list[int] = []

    def work(service: Service, name: str) -> None:
        while runs := service.claim_runs(name, limit=2):
            claimed.extend(run.id for run in runs)

    rigs = [rig, rig.again()]
    threads = [threading.Thread(target=work, args=(rigs[n % 2].service, f"w{n}")) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rigs[1].close()
    assert len(claimed) == 30
    assert len(set(claimed)) == 30


def test_an_entry_is_its_row_and_the_records_of_its_actions(make: Make) -> None:
    rig = make(board(b=entering(REVIEW)))
    rig.service.create("T", "w")
    rig.service.move("T", "b")
    entry = rig.service.entry(2)
    assert entry.row == rig.service.history("T")[-1]
    assert [(a.entry_id, a.position, a.kind, a.deliveries) for a in entry.actions] == [
        (2, 0, "clear_decisions", 1),
        (2, 1, "ensure_participant_seat", 1),
        (2, 2, "queue_run_for_each_participant", 1),
    ]
    assert rig.service.entry(1).actions == ()


def test_one_service_is_shared_by_threads(tmp_path: Path) -> None:
    with Service(board(b=entering("queue_run")), open_ledger("memory:"), agents=AGENTS) as service:
        failed: list[BaseException] = []

        def go(name: str) -> None:
            try:
                service.create(name, "w")
                for number in range(30):
                    service.move(name, "bca"[number % 3])
            except BaseException as error:
                failed.append(error)
                raise

        threads = [threading.Thread(target=go, args=(f"T{n}",)) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert service.audit().clean
        assert len(service.runs()) == 50
