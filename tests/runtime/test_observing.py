"""What can be seen from outside (OB1 to OB3): records, counters, reports; and that watching fails no call."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from newel.compiler.pipeline import compile_text
from newel.runtime.casting import CastNote
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import ActionStatus, EntryReport, SessionStatus
from newel.runtime.service import Service
from tests.runtime.boards import REVIEW, Live, Make, Rig, board, entering, entry_of


def arrived(rig: Rig) -> Any:
    rig.service.create("T", "w")
    return rig.service.move("T", "b")


def records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == "newel.entry"]


def test_ob1_each_dispatched_entry_leaves_one_structured_record(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    rig = make(board(b=entering("auto_start_agent", "note_it", "boom", "page")))
    with caplog.at_level(logging.INFO):
        arrived(rig)
        rig.service.redispatch(2)
        rig.service.move("T", "c")
        rig.service.redispatch(2)
    facts = [
        {name: vars(record)[name] for name in ("entry_id", "task", "step", "kinds", "redelivery", "superseded")}
        for record in records(caplog)
    ]
    common = {"entry_id": 2, "task": "T", "step": "b"}
    kinds = ["note_it", "boom", "page"]
    assert facts == [
        common | {"kinds": kinds, "redelivery": False, "superseded": False},
        common | {"kinds": kinds, "redelivery": True, "superseded": False},
        common | {"kinds": [], "redelivery": True, "superseded": True},
    ]
    failure = {"kind": "boom", "position": 2, "reason": "ValueError: boom"}
    assert [vars(record)["failures"] for record in records(caplog)] == [[failure], [failure], []]
    assert [record.levelname for record in records(caplog)] == ["WARNING", "WARNING", "INFO"]


def test_ob1_no_log_handler_is_installed() -> None:
    code = (
        "import logging, newel.runtime.service, newel.runtime.ledgers.sqlite as s\n"
        "names = ['', *(n for n in logging.root.manager.loggerDict if n.startswith('newel'))]\n"
        "assert not [n for n in names if logging.getLogger(n).handlers]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ob1_counters_count_entries_actions_redeliveries_and_empty_seats(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "boom")), agents=None)
    arrived(rig)
    assert rig.seen.counts == [
        ("entries", ()),
        ("actions", (("kind", "clear_decisions"), ("outcome", "unchanged"))),
        ("actions", (("kind", "ensure_participant_seat"), ("outcome", "failed"))),
        ("actions", (("kind", "queue_run_for_each_participant"), ("outcome", "unchanged"))),
        ("actions", (("kind", "boom"), ("outcome", "failed"))),
        ("castings", (("outcome", "error"),)),
        ("unfillable_seats", (("reason", "error"),)),
    ]
    assert rig.seen.entries == [rig.seen.entries[0]]


def test_ob1_a_rolled_back_segments_actions_leave_their_rows_too(make: Make) -> None:
    rig = make(board(b=entering("note_it", "queue_run")))
    rig.on_note = lambda action, context: context.tx.execute(rig.ending)
    arrived(rig)
    rows = [(a.position, a.kind, a.status, a.deliveries) for a in rig.service.entry(2).actions]
    assert rows == [(0, "note_it", "failed", 1), (1, "queue_run", "failed", 1)]


def test_ob2_labels_come_from_closed_sets(make: Make) -> None:
    rig = make(board(b=entering(REVIEW, "boom", "page", "run_code_review")), sessions=Live("T"))
    arrived(rig)
    rig.service.redispatch(2)
    kinds = set(rig.service.program.vocabulary.kinds)
    closed = {
        "kind": kinds,
        "outcome": {value.value for values in (ActionStatus, CastNote) for value in values},
        "reason": {note.value for note in CastNote},
    }
    for _, labels in rig.seen.counts:
        for name, value in labels:
            assert value in closed[name]


class Broken:
    """An observer that raises whatever it is told."""

    def entry(self, report: EntryReport) -> None:
        raise RuntimeError("entry")

    def count(self, name: str, labels: Any) -> None:
        raise RuntimeError("count")


def test_ob1_what_an_observer_raises_reaches_no_call(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    rig = make(board(b=entering("note_it")))
    rig.service.set_observer(Broken())
    outcome = arrived(rig)
    assert [a.status.value for a in entry_of(outcome).actions] == ["applied"]
    assert rig.service.redispatch(2).redelivery
    assert "the observer failed" in caplog.text


def test_ob1_a_call_without_an_observer_works(make: Make) -> None:
    rig = make(board(b=entering("note_it")))
    rig.service.set_observer(None)
    assert arrived(rig).moved


VOCABULARY = compile_text('workflow w "W" { step a "A" { start } }').require().vocabulary
ARGUMENTS = {
    "ensure_participant_seat": "(reviewer)",
    "queue_run_for_each_participant": "(reviewer)",
    "set_session_mode": '("ask")',
    "configure_session": '(rules=[keep("Claude")])',
    "queue_run": "",
}
ENTRY_KINDS = sorted(name for name, kind in VOCABULARY.kinds.items() if "enter" in kind.triggers)


def test_ob3_the_entry_kinds_are_of_both_lists() -> None:
    assert {VOCABULARY.kinds[name].owner for name in ENTRY_KINDS} == {"dispatch", "exclude"}


@pytest.mark.parametrize("kind", ENTRY_KINDS)
@pytest.mark.parametrize("situation", ["no handler", "handler raises", "no session", "session raises"])
def test_ob3_no_entry_kind_is_silent_when_it_does_not_run(kind: str, situation: str) -> None:
    listed = f"on enter {{\n{kind}{ARGUMENTS.get(kind, '')}\n}}"
    program = compile_text(f'workflow w "W" {{\nstep a "A" {{ start }}\nstep b "B" {{\n{listed}\n}}\n}}').require()

    def fail(action: Any, context: Any) -> None:
        raise RuntimeError("no")

    handlers = Handlers()
    if situation == "handler raises":
        handlers.action(kind)(fail)
    sessions = None if situation == "no session" else Live("T")
    if sessions is not None and situation == "session raises":
        sessions.fails = (kind,)
    with Service(program, open_ledger("memory:"), handlers, sessions=sessions) as service:
        service.create("T", "w")
        report = entry_of(service.move("T", "b"))
    assert [*(a.kind for a in report.actions), *(s.kind for s in report.session_actions)] == [kind]
    if VOCABULARY.kinds[kind].owner == "dispatch":
        assert report.actions[0].reason or report.actions[0].status is not ActionStatus.FAILED
        assert situation != "handler raises" or report.actions[0].reason == "RuntimeError: no"
    else:
        expected = {"no session": SessionStatus.NO_SESSION, "session raises": SessionStatus.FAILED}
        assert report.session_actions[0].status is expected.get(situation, SessionStatus.RAN)


class Falling(logging.Handler):
    """A handler whose disk is full."""

    def emit(self, record: logging.LogRecord) -> None:
        raise OSError("no space left")


@pytest.fixture
def falling(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], int]]:
    """How often the handler has failed, as it is told on standard error."""
    logger, handler = logging.getLogger("newel"), Falling()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lambda: capsys.readouterr().err.count("OSError: no space left")
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_ob1_a_log_handler_that_raises_fails_no_call_and_loses_no_entry(make: Make, falling: Callable[[], int]) -> None:
    rig = make(board(b=entering("note_it")))
    for task in "TU":
        rig.service.create(task, "w")
    assert [o.moved for o in rig.service.move_many([("T", "b"), ("U", "b")])] == [True, True]
    assert len(rig.notes()) == 2
    assert rig.service.audit().clean
    assert falling() == 2


def test_en4_a_log_handler_that_raises_leaves_no_operation_unmarked(make: Make, falling: Callable[[], int]) -> None:
    """The record that an action was passed over comes after the commit, and before the mark."""
    body = "on comment {\nauto_start_agent\n-> b\n}"
    rig = make(board(a=body, b="on comment { -> c }"))
    rig.service.create("T", "w")
    assert rig.service.handle("T", "comment", payload={"comment_id": "1"}).moved
    assert falling() == 1
    assert rig.service.handle("T", "comment", payload={"comment_id": "1"}).kind.value == "idempotent"
    assert rig.service.task("T").step == "b"


def test_ob1_what_a_log_handler_raises_is_silent_only_where_that_is_asked_for(
    make: Make, falling: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", False)
    rig = make(board(b=entering("note_it")))
    assert arrived(rig).moved
    assert falling() == 0
