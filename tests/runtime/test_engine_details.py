"""Triggers, switches and the operation ledger (EN, OL), their finer points."""

from __future__ import annotations

from typing import Any

import pytest

from newel.runtime.casting import StaticAgents
from newel.runtime.errors import ActionNotYetWired
from newel.runtime.handlers import Handlers
from newel.runtime.operations import OperationLedger
from newel.runtime.outcomes import OutcomeKind
from tests.runtime.boards import Live, Make, Seen, board, compiled, entering, entry_of, statuses

HELLO = {"comment_id": "1"}


def test_en7_an_evaluation_of_a_move_that_needs_an_approval_stores_none(make: Make) -> None:
    rig = make(board(a="on comment { -> b requires approval }"))
    rig.service.create("T", "w")
    before = rig.ledger.commits
    outcome = rig.service.handle("T", "comment", payload=HELLO, evaluate_only=True)
    assert (outcome.kind, outcome.pending, outcome.evaluated) == (OutcomeKind.PENDING_APPROVAL, (), True)
    assert rig.service.approvals("T") == ()
    assert rig.ledger.commits == before


def test_en13_a_switch_that_is_part_of_no_delivery_runs_the_exit_list_each_time(make: Make) -> None:
    step = 'step a "A" {\nstart\non exit { note_it(text="left %s") }\n}\n'
    rig = make(compiled(f'workflow w "W" {{\n{step % "w"}}}\nworkflow v "V" {{\n{step % "v"}}}\n'))
    rig.service.create("T", "w")
    for workflow in ("v", "w", "v"):
        assert rig.service.switch("T", workflow).moved
    assert rig.notes() == ["left w", "left v", "left w"]


def test_ol5_nothing_checks_and_sets_at_once_and_nothing_takes_back() -> None:
    """Whoever wants one of two deliveries to wait holds a lock of his own."""
    assert {name for name in dir(OperationLedger) if not name.startswith("_")} == {"is_applied", "mark_applied"}


def test_en16_a_kind_marked_as_the_sessions_is_the_hosts_own_on_entry(make: Make) -> None:
    """Where it stands in the list of what is dispatched; under another trigger the session runs it."""
    words = "action chat on enter, event means session\ndispatch { chat }\n"
    steps = 'step a "A" {\nstart\non comment { chat }\n}\nstep b "B" { on enter { chat } }\n'
    sessions = Live("T")
    rig = make(compiled(f'{words}workflow w "W" {{\n{steps}}}\n'), sessions=sessions)
    chatted: list[str] = []
    rig.handlers.action("chat")(lambda action, context: chatted.append(context.trigger))
    rig.service.create("T", "w")
    rig.service.handle("T", "comment", payload=HELLO)
    assert ([kind for _, kind, _ in sessions.ran], chatted) == (["chat"], [])
    assert statuses(rig.service.move("T", "b")) == ["applied"]
    assert (len(sessions.ran), chatted) == (1, ["enter"])


@pytest.mark.parametrize("nowhere", ["queued", "detached"])
@pytest.mark.parametrize("operation", [None, "op"])
def test_en4_a_delivery_to_a_task_that_stands_nowhere_is_not_applied(
    make: Make, nowhere: str, operation: str | None
) -> None:
    """There is no list that it could have run; the same delivery may find one later."""
    rig = make(board(b="wip_limit 1\non blocker_resolved { note_it }"))
    rig.service.create("X", "w", "b")
    rig.service.create("T", "w", "b" if nowhere == "queued" else "a")
    if nowhere == "detached":
        rig.service.detach("T")
    call: dict[str, Any] = {"payload": {"resolved": ["U"]}, "operation_id": operation}
    for evaluate_only in (True, False):
        outcome = rig.service.handle("T", "blocker_resolved", evaluate_only=evaluate_only, **call)
        assert (outcome.kind, outcome.reason, outcome.from_step) == (OutcomeKind.STAYED, "stands_nowhere", None)
        assert outcome.evaluated == evaluate_only
    rig.service.move("X", "c")
    if nowhere == "detached":
        rig.service.switch("T", "w", "b")
    assert rig.service.handle("T", "blocker_resolved", **call).reason is None
    assert len(rig.notes()) == 1
    assert rig.service.handle("T", "blocker_resolved", **call).kind is OutcomeKind.IDEMPOTENT


@pytest.mark.parametrize("operation", ["", "op"])
def test_ob3_a_kind_without_a_handler_is_told_whether_or_not_the_delivery_has_an_id(make: Make, operation: str) -> None:
    rig = make(board(a="on comment { page }"))
    rig.service.set_handlers(Handlers())
    rig.service.create("T", "w")
    for _ in range(2):
        with pytest.raises(ActionNotYetWired, match="page"):
            rig.service.handle("T", "comment", payload=HELLO, operation_id=operation)


def test_ol11_what_a_setter_gives_is_there_at_the_next_call_and_what_was_applied_stays(make: Make) -> None:
    rig = make(board(a="on comment { page }", b=entering("page", "queue_run", "auto_start_agent")))
    service = rig.service
    service.create("T", "w")
    service.handle("T", "comment", payload=HELLO, operation_id="op")
    handlers, told = Handlers(), list[str]()
    handlers.action("page")(lambda action, context: told.append("page"))
    service.set_handlers(handlers)
    service.set_agents(StaticAgents("somebody"))
    service.set_sessions(Live("T"))
    seen = Seen()
    service.set_observer(seen)
    outcome = service.move("T", "b")
    assert statuses(outcome) == ["applied", "applied"]
    assert (told, [run.agent for run in service.runs()]) == (["page"], ["somebody"])
    assert [each.status for each in entry_of(outcome).session_actions] == ["ran"]
    assert [each.entry_id for each in seen.entries] == [entry_of(outcome).entry_id]
    service.set_program(board(a="on comment { page }", b="on comment { -> c }"))
    assert service.handle("T", "comment", payload=HELLO, operation_id="op").kind is OutcomeKind.IDEMPOTENT
    assert service.handle("T", "comment", payload=HELLO, operation_id="another").to_step == "c"


def test_ol11_each_setter_alone_is_enough(make: Make) -> None:
    service = make(board()).service
    operations = service.operations
    parts = {
        "handlers": Handlers(),
        "agents": StaticAgents("somebody"),
        "sessions": Live("T"),
        "observer": Seen(),
        "program": board(b=entering("page")),
    }
    for name, part in parts.items():
        getattr(service, f"set_{name}")(part)
        assert getattr(service.wired(), name) is part
        assert service.operations is operations
