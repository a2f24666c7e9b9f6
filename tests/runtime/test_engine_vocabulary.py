"""The engine over the whole standard vocabulary: every kind under every trigger but `enter`, and every operation id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from newel.compiler import BlankOperation, Program, UnknownTrigger, compile_text
from newel.runtime import (
    ActionNotYetWired,
    Context,
    Handlers,
    OutcomeKind,
    PayloadError,
    Service,
    StaticAgents,
    open_ledger,
)
from newel.runtime.standard import STANDARD

ARGUMENTS = {
    "queue_run_for_each_participant": "(reviewer)",
    "run_script": '(command="make")',
}
PAYLOADS: dict[str, dict[str, Any]] = {
    "turn_start": {},
    "turn_complete": {},
    "comment": {"comment_id": "c1"},
    "blocker_resolved": {"resolved": ["x"]},
    "children_completed": {"children": [{"task": "C", "step": "done", "finished": True, "entry": 4}]},
    "approval_resolved": {"approval_id": "a1", "status": "approved"},
    "heartbeat": {"at": 1_700_000_000},
    "budget_alert": {
        "pct": 80,
        "workspace": "w1",
        "scope": "agent",
        "scope_id": "ada",
        "period_start": 1_700_000_000,
    },
    "agent_error": {"run_id": "r1", "message": "it broke"},
}
IDS = {
    "turn_start": "",
    "turn_complete": "",
    "comment": "task_comment:c1",
    "blocker_resolved": "blockers_resolved:T",
    "approval_resolved": "approval_resolved:a1",
    "heartbeat": "heartbeat:T:a:1700000000",
    "budget_alert": "budget:w1:agent:ada:80:1700000000",
    "agent_error": "agent_error:r1",
}
STANDARD_WORDS = compile_text('workflow w "W" { step a "A" { start\n end } }').require().vocabulary
PAIRS = [
    (kind.name, trigger)
    for kind in STANDARD_WORDS.kinds.values()
    for trigger in kind.triggers
    if trigger not in ("enter", "exit")
]


class Sessions:
    def __init__(self, live: str | None, broken: bool = False) -> None:
        self.session, self.broken = live, broken
        self.ran: list[str] = []

    def live(self, task: str) -> str | None:
        return self.session

    def run(self, session: str, action: Any, context: Context) -> None:
        self.ran.append(action.kind)
        if self.broken:
            raise RuntimeError("the session is gone")


def service(path: Path, text: str, **parts: Any) -> Service:
    made = Service(
        compile_text(text).require(),
        open_ledger(f"sqlite:///{path}?synchronous=NORMAL"),
        agents=parts.pop("agents", StaticAgents(runner="ada")),
        **parts,
    )
    made.create("T", "w")
    return made


def listing(kind: str, trigger: str) -> str:
    action = kind + ARGUMENTS.get(kind, "")
    return f'workflow w "W" {{ step a "A" {{ start\n on {trigger} {{ {action} }} }}\n step b "B" {{ end }} }}'


def test_ob3_every_pair_of_kind_and_trigger_is_tried() -> None:
    assert {trigger for _, trigger in PAIRS} == set(PAYLOADS) - {"turn_start"}
    assert len(PAIRS) >= 4 * 7


@pytest.mark.parametrize(("kind", "trigger"), PAIRS)
def test_ob3_nothing_declared_under_a_trigger_is_silent(tmp_path: Path, kind: str, trigger: str) -> None:
    """Without a session, in one, in one that fails, with a handler of the host's that fails: always seen."""
    text, shown = listing(kind, trigger), []
    for number, sessions in enumerate((None, Sessions(None), Sessions("s"), Sessions("s", broken=True))):
        with service(tmp_path / f"{number}.db", text, sessions=sessions) as it:
            it.seat("T", step="a", role="reviewer", agent="ben")
            try:
                outcome = it.handle("T", trigger, payload=PAYLOADS[trigger])
            except RuntimeError as error:
                shown.append("raised")
                assert kind in error.__notes__[0]
                assert not it.operations.is_applied(IDS.get(trigger, ""))
            else:
                shown += [a.status.value for a in outcome.session_actions]
    if kind in STANDARD:
        assert shown == []  # its effect is in the tables, shown in the next test
    else:
        assert shown == ["no_session", "no_session", "ran", "raised"]
        return
    handlers = Handlers()

    @handlers.action(kind)
    def fails(action: Any, context: Context) -> None:
        raise OSError("no line")

    with (
        service(tmp_path / "own.db", text, handlers=handlers) as it,
        pytest.raises(OSError, match="no line") as raised,
    ):
        it.handle("T", trigger, payload=PAYLOADS[trigger])
    assert raised.value.__notes__ == [f"in {kind}, at position 0 on {trigger} at a"]


@pytest.mark.parametrize(("kind", "trigger"), [pair for pair in PAIRS if pair[0] in STANDARD])
def test_ob3_a_standard_kind_takes_effect_under_every_trigger_or_raises(
    tmp_path: Path, kind: str, trigger: str
) -> None:
    with service(tmp_path / "x.db", listing(kind, trigger)) as it:
        it.seat("T", step="a", role="reviewer", agent="ben")
        with it.wired().ledger.transaction() as tx:
            who: dict[str, Any] = {"role": "reviewer", "decider": "ben", "decider_kind": "agent"}
            tx.add_decision("T", "w", "a", 1, verdict="looked", note=None, **who)
        assert it.handle("T", trigger, payload=PAYLOADS[trigger]).kind is OutcomeKind.STAYED
        if kind == "clear_decisions":
            assert it.decisions("T") == ()
        else:
            assert [run.agent for run in it.runs("T")] == [{"queue_run": "ada"}.get(kind, "ben")]
            assert it.runs("T")[0].reason == trigger
    if kind == "queue_run":
        with (
            service(tmp_path / "y.db", listing(kind, trigger), agents=None) as it,
            pytest.raises(Exception, match="agents") as raised,
        ):
            it.handle("T", trigger, payload=PAYLOADS[trigger])
        assert "queue_run, at position 0" in raised.value.__notes__[0]


def test_en2_a_kind_of_the_hosts_words_without_a_handler_is_seen_under_every_trigger(tmp_path: Path) -> None:
    for number, trigger in enumerate(t for t in PAYLOADS if t not in ("turn_start",)):
        words = f"action ring on {trigger}\n"
        with (
            service(tmp_path / f"{number}.db", words + listing("ring", trigger)) as it,
            pytest.raises(ActionNotYetWired, match="ring"),
        ):
            it.handle("T", trigger, payload=PAYLOADS[trigger], operation_id="")


# ---------------------------------------------------------------- EN3a, K


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[Service]:
    with service(tmp_path / "idle.db", 'workflow w "W" { step a "A" { start }\n step b "B" { end } }') as it:
        yield it


def test_en3a_every_trigger_builds_its_id_from_shape_and_payload(idle: Service) -> None:
    for trigger, payload in PAYLOADS.items():
        for expected in (OutcomeKind.STAYED, OutcomeKind.IDEMPOTENT if IDS.get(trigger, "?") else OutcomeKind.STAYED):
            assert idle.handle("T", trigger, payload=payload).kind is expected, trigger
        if IDS.get(trigger):
            assert idle.operations.is_applied(IDS[trigger])


def test_en3a_a_text_is_taken_as_it_is_and_blank_deduplicates_nothing(idle: Service) -> None:
    payload = PAYLOADS["comment"]
    idle.handle("T", "comment", payload=payload, operation_id=" of my own ")
    assert idle.operations.is_applied(" of my own ")
    assert not idle.operations.is_applied("task_comment:c1")
    for _ in range(2):
        assert idle.handle("T", "comment", payload=payload, operation_id="").kind is OutcomeKind.STAYED
    with pytest.raises(TypeError):
        idle.handle("T", "comment", payload=payload, operation_id=7)  # type: ignore[arg-type]  # what it must refuse


def test_en3a_the_program_builds_the_same_id_for_whoever_defers_the_mark(idle: Service) -> None:
    program: Program = idle.program
    built = program.operation_id("comment", task="T", step="a", workflow="w", **PAYLOADS["comment"])
    idle.handle("T", "comment", payload=PAYLOADS["comment"], defer_operation_mark=True)
    assert not idle.operations.is_applied(built)
    idle.operations.mark_applied(built)
    assert idle.handle("T", "comment", payload=PAYLOADS["comment"]).kind is OutcomeKind.IDEMPOTENT
    with pytest.raises(UnknownTrigger):
        program.operation_id("coment", comment_id="c1")


def test_k1_the_same_children_give_the_same_id_and_any_change_another(idle: Service) -> None:
    child = {"task": "C", "step": "done", "finished": True, "entry": 4}
    variants = [
        [child],
        [child, {**child, "task": "D"}],
        [{**child, "task": "D"}, child],
        [{**child, "step": "work"}],
        [{**child, "finished": False}],
        [{**child, "entry": 5}],
        [{**child, "step": None}],
        [],
    ]
    for children in variants:
        for expected in (OutcomeKind.STAYED, OutcomeKind.IDEMPOTENT):
            outcome = idle.handle("T", "children_completed", payload={"children": children})
            assert outcome.kind is expected, children
    built = {idle.program.operation_id("children_completed", task="T", children=children) for children in variants}
    assert len(built) == len(variants)
    assert all(id_.startswith("on_children_completed:T:") and len(id_.rpartition(":")[2]) == 64 for id_ in built)


def test_k2_a_blank_part_is_an_error(idle: Service) -> None:
    for trigger, field in (
        ("comment", "comment_id"),
        ("approval_resolved", "approval_id"),
        ("budget_alert", "scope_id"),
    ):
        with pytest.raises(BlankOperation):
            idle.handle("T", trigger, payload={**PAYLOADS[trigger], field: ""})
    with pytest.raises(BlankOperation):
        idle.program.operation_id("switch_exit", parent="")


def test_a_payload_is_held_against_every_triggers_fields(idle: Service) -> None:
    for trigger, payload in PAYLOADS.items():
        with pytest.raises(PayloadError, match="nonsense"):
            idle.handle("T", trigger, payload={**payload, "nonsense": 1})
        required = [p.name for p in idle.program.vocabulary.triggers[trigger].payload if p.required]
        for name in required:
            with pytest.raises(PayloadError, match=name):
                idle.handle("T", trigger, payload={k: v for k, v in payload.items() if k != name})
    with pytest.raises(PayloadError, match="less than 1"):
        idle.handle("T", "budget_alert", payload={**PAYLOADS["budget_alert"], "pct": 0})


# ---------------------------------------------------------------- OL10


def test_ol10_the_engine_marks_last_and_only_success(tmp_path: Path) -> None:
    words = "action ring on event, enter\ndispatch { ring }\n"
    handlers, failing = Handlers(), [True]
    seen: list[bool] = []
    with service(tmp_path / "x.db", words + listing("ring", "comment"), handlers=handlers) as it:

        @handlers.action("ring")
        def ring(action: Any, context: Context) -> None:
            seen.append(it.operations.is_applied("task_comment:c1"))
            if failing.pop():
                raise OSError

        failing.insert(0, False)
        with pytest.raises(OSError):
            it.handle("T", "comment", payload=PAYLOADS["comment"])
        assert it.handle("T", "comment", payload=PAYLOADS["comment"]).kind is OutcomeKind.STAYED
        assert it.handle("T", "comment", payload=PAYLOADS["comment"]).kind is OutcomeKind.IDEMPOTENT
    assert seen == [False, False]
