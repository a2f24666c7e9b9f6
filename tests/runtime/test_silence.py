"""Nothing that is declared and does not run is silent (OB3): every kind under every trigger that admits it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from newel.compiler.files import standard
from newel.compiler.pipeline import compile_text
from newel.compiler.program import Action, KindDef, Parameter, Program
from newel.runtime.errors import ActionNotYetWired
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import ActionReport, ActionStatus, Outcome, SessionActionReport, SessionStatus
from newel.runtime.running import in_session
from newel.runtime.service import Service
from newel.runtime.standard import STANDARD
from tests.runtime.boards import Seen, compiled

OWN = "action twirl(by: int) on turn_start, turn_complete, exit, comment means session\n"
"""A host's kind that the session runs, beside those it dispatches (`page`, `note_it`, `boom`)."""

ARGUMENTS = {"role": "reviewer", "text": '"x"', "int": "1", "list": '[keep("Codex")]'}
PAYLOADS: dict[str, dict[str, Any]] = {
    "comment": {"comment_id": "1"},
    "blocker_resolved": {"resolved": []},
    "children_completed": {"children": []},
    "approval_resolved": {"approval_id": "1", "status": "approved"},
    "heartbeat": {"at": 1},
    "budget_alert": {"pct": 1, "workspace": "w", "scope": "agent", "scope_id": "a", "period_start": 1},
    "agent_error": {"run_id": "1", "message": "m"},
}


class Broken(Exception):
    """What the hindered kind raises."""


@dataclass(frozen=True)
class Case:
    """One kind under one trigger."""

    kind: str
    trigger: str

    @property
    def call(self) -> str:
        """The action as it stands in a file."""
        needed = [p for p in _vocabulary().vocabulary.kinds[self.kind].parameters if p.required]
        return f"{self.kind}({', '.join(map(_argument, needed))})" if needed else self.kind

    @property
    def program(self) -> Program:
        """A board whose step `a` has nothing but that action under that trigger."""
        lists = f"on {self.trigger} {{ {self.call} }}"
        return compiled(
            f'{OWN}workflow w "W" {{\nstep z "Z" {{ start }}\nstep a "A" {{ {lists} }}\nstep b "B" {{ }}\n}}'
        )

    @property
    def definition(self) -> KindDef:
        """How the kind is declared."""
        return _vocabulary().vocabulary.kinds[self.kind]

    @property
    def by_session(self) -> bool:
        """Whether the session runs it there."""
        if self.trigger == "enter":
            return self.definition.owner == "exclude"
        return in_session(_vocabulary(), self.kind)


@cache
def _vocabulary() -> Program:
    return compiled(OWN + 'workflow w "W" { step a "A" { start } }')


def _argument(parameter: Parameter) -> str:
    return f"{parameter.name}={ARGUMENTS[parameter.type.name]}"


CASES = [Case(k.name, trigger) for k in _vocabulary().vocabulary.kinds.values() for trigger in sorted(k.triggers)]


def cases(of: Iterable[Case]) -> pytest.MarkDecorator:
    """The test is run for each of these."""
    return pytest.mark.parametrize("case", tuple(of), ids=lambda case: f"{case.kind}-{case.trigger}")


class Dead:
    """A sessions port without a live session, or with one that raises."""

    def __init__(self, live: str | None) -> None:
        self._live = live

    def live(self, task: str) -> str | None:
        return self._live

    def run(self, session: str, action: Any, context: Any) -> None:
        raise Broken(action.kind)


def _handlers(*kinds: str) -> Handlers:
    handlers = Handlers()

    def broken(action: Action, context: Any) -> None:
        raise Broken(action.kind)

    for kind in kinds:
        handlers.action(kind)(broken)
    return handlers


def _outcome(case: Case, file: Path, handlers: Handlers, sessions: Any = None) -> Outcome:
    """What the call gives back that makes the action due."""
    ledger = open_ledger(f"sqlite:///{file / 'tasks.db'}?synchronous=NORMAL")
    with Service(case.program, ledger, handlers, sessions=sessions) as service:
        service.create("T", "w")
        if case.trigger == "enter":
            return service.move("T", "a")
        service.move("T", "a")
        if case.trigger == "exit":
            return service.move("T", "b")
        return service.handle("T", case.trigger, payload=PAYLOADS.get(case.trigger))


def _session_actions(case: Case, outcome: Outcome) -> tuple[SessionActionReport | ActionReport, ...]:
    if case.trigger == "enter":
        assert outcome.entry is not None
        return outcome.entry.session_actions
    return outcome.exit_actions if case.trigger == "exit" else outcome.session_actions


def test_ob3_the_cases_are_all_kinds_and_all_triggers() -> None:
    program = _vocabulary()
    assert {case.kind for case in CASES} == set(program.vocabulary.kinds)
    assert (
        {case.trigger for case in CASES}
        == set(program.vocabulary.triggers)
        == set(PAYLOADS)
        | {
            "enter",
            "exit",
            "turn_start",
            "turn_complete",
        }
    )


@cases(case for case in CASES if not case.by_session)  # the session's need none
def test_ob3_a_kind_without_a_handler_is_in_the_report_or_an_exception(case: Case, tmp_path: Path) -> None:
    if case.trigger != "enter" and case.kind not in STANDARD:
        with pytest.raises(ActionNotYetWired, match=case.kind):
            _outcome(case, tmp_path, Handlers())
        return
    try:
        outcome = _outcome(case, tmp_path, Handlers())
    except Exception as error:  # a standard kind that needs an agent, and there are none
        assert case.trigger != "enter"
        assert f"in {case.kind}, at position 0 on {case.trigger} at a" in error.__notes__
        return
    if case.trigger == "enter":
        assert outcome.entry is not None
        (report,) = outcome.entry.actions
        assert report.kind == case.kind
        if case.kind not in STANDARD:
            assert (report.status, report.reason) == (ActionStatus.FAILED, "not_wired")
        assert report.status is not ActionStatus.FAILED or report.reason


@cases(CASES)
def test_ob3_a_kind_whose_handler_raises_is_in_the_report_or_the_exception(case: Case, tmp_path: Path) -> None:
    handlers = _handlers() if case.by_session else _handlers(case.kind)
    sessions = Dead("s") if case.by_session else None
    if case.trigger != "enter":
        with pytest.raises(Broken, match=case.kind) as raised:
            _outcome(case, tmp_path, handlers, sessions)
        assert f"in {case.kind}, at position 0 on {case.trigger} at a" in raised.value.__notes__
        return
    outcome = _outcome(case, tmp_path, handlers, sessions)
    assert outcome.entry is not None
    (report,) = outcome.entry.session_actions if case.by_session else outcome.entry.actions
    assert (report.kind, report.status.value, report.reason) == (case.kind, "failed", f"Broken: {case.kind}")


@cases(case for case in CASES if case.by_session)
@pytest.mark.parametrize("port", [True, False], ids=["no_session", "no_port"])
def test_ob3_a_kind_of_a_session_that_is_not_there_is_in_the_outcome(
    case: Case, port: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "newel"):
        outcome = _outcome(case, tmp_path, Handlers(), Dead(None) if port else None)
    assert _session_actions(case, outcome) == (SessionActionReport(case.kind, 0, SessionStatus.NO_SESSION),)
    if case.trigger != "enter":
        assert f"{case.kind} on {case.trigger} was passed over" in caplog.text


# ---------------------------------------------------------------- standard kinds that find nobody, or cannot ask


@cache
def _everywhere() -> str:
    """The standard vocabulary as a host's own that admits the dispatched kinds under every trigger."""
    kinds = "|".join(STANDARD)
    admits = rf"(action (?:{kinds})\b[^#]*?\bon) enter(?:, event)?(?=\s+means)"
    text, found = re.subn(admits, r"\1 enter, exit, event, turn_start, turn_complete", standard().source.text)
    assert found == len(STANDARD)
    return f"use nothing\n{text}"


WIDE = [
    Case(kind, trigger) for kind in STANDARD for trigger in sorted({*PAYLOADS, "turn_start", "turn_complete", "exit"})
]


class Nobody:
    """Agents that answer, and name none; or that cannot be asked."""

    def __init__(self, *, broken: bool) -> None:
        self._broken = broken

    def _answer(self) -> None:
        if self._broken:
            raise Broken("no line")

    def candidates(self, role: str) -> tuple[()]:
        self._answer()
        return ()

    def runner(self, task: str) -> None:
        self._answer()

    def target(self, task: str, name: str) -> str:
        self._answer()
        return ""


def _board(case: Case) -> Program:
    steps = f'step a "A" {{\nstart\non {case.trigger} {{ {case.call} }}\n}}\nstep b "B" {{ }}'
    return compile_text(f'{_everywhere()}\nworkflow w "W" {{\n{steps}\n}}').require()


@cases(WIDE)
@pytest.mark.parametrize("broken", [False, True], ids=["nobody", "broken"])
def test_ob3_a_standard_kind_that_does_nothing_is_in_the_outcome_or_an_exception(
    case: Case, broken: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Also under triggers where only a vocabulary of the host's own admits it, with nobody seated or to be found."""
    seen = Seen()
    agents: Any = Nobody(broken=broken)
    with Service(_board(case), open_ledger("memory:"), agents=agents, observer=seen) as service:
        service.create("T", "w")
        with caplog.at_level(logging.INFO, "newel"):
            told = _left_undone(case, service)
        assert (service.runs(), service.seats("T")) == ((), ())
    if case.kind == "clear_decisions":  # there are none: it has done what it should
        assert told is None
        return
    assert told is not None
    assert seen.named("actions") in ([], [(("kind", case.kind), ("outcome", told))])
    unfillable = [(("reason", "error" if broken else "unfillable"),)]
    assert seen.named("unfillable_seats") == (unfillable if case.kind == "ensure_participant_seat" else [])
    assert [vars(record).get("kind") for record in caplog.records] in ([], [case.kind])
    assert bool(caplog.records) == (case.kind in ("ensure_participant_seat", "queue_run_for_each_participant"))


def _left_undone(case: Case, service: Service) -> str | None:
    """How the action ended that had nobody to act for; None where nothing is said of it."""
    try:
        if case.trigger == "exit":
            outcome = service.move("T", "b")
        else:
            outcome = service.handle("T", case.trigger, payload=PAYLOADS.get(case.trigger), operation_id="op")
    except Exception as error:
        assert f"in {case.kind}, at position 0 on {case.trigger} at a" in error.__notes__
        assert (service.task("T").step, len(service.history("T"))) == ("a", 1)
        assert not service.operations.is_applied("op")
        return "failed"
    assert outcome.moved == (case.trigger == "exit")
    told = outcome.exit_actions if case.trigger == "exit" else outcome.actions
    assert [(each.kind, each.position) for each in told] in ([], [(case.kind, 0)])
    assert all(each.reason for each in told)
    return told[0].status.value if told else None


def test_en2_an_agent_that_cannot_be_asked_stops_the_list_with_what_it_raised() -> None:
    """What ran before it is taken back with it, and is not told."""
    seen, agents = Seen(), Nobody(broken=True)
    call = "queue_run_for_each_participant(reviewer)\nensure_participant_seat(reviewer)\n-> b"
    text = f'{_everywhere()}\nworkflow w "W" {{ step a "A" {{ start\non comment {{ {call} }} }}\nstep b "B" {{ }} }}'
    program = compile_text(text).require()
    with Service(program, open_ledger("memory:"), agents=agents, observer=seen) as service:
        service.create("T", "w")
        with pytest.raises(Broken, match="no line") as raised:
            service.handle("T", "comment", payload=PAYLOADS["comment"], operation_id="op")
        assert raised.value.__notes__ == ["in ensure_participant_seat, at position 1 on comment at a"]
        assert (service.task("T").step, service.operations.is_applied("op")) == ("a", False)
    failed = ("actions", (("kind", "ensure_participant_seat"), ("outcome", "failed")))
    cast = [("castings", (("outcome", "error"),)), ("unfillable_seats", (("reason", "error"),))]
    assert seen.counts == [failed, *cast]


LEAVING = """
workflow w "W" {
  step a "A" {
    start
    on exit             { disable_plan_mode }
    on comment          { -> b }
    on turn_complete    { -> b when all_approve(reviewer) }
    on approval_resolved { -> b requires approval }
    on children_completed { -> b }
  }
  step b "B" { }
}
workflow v "V" { step z "Z" { start
end } }
"""


def _approved(service: Service) -> Outcome:
    fired = service.handle("T", "approval_resolved", payload=PAYLOADS["approval_resolved"])
    return service.approve(fired.pending[0])


def _decided(service: Service) -> Outcome:
    service.seat("T", step="a", role="reviewer", agent="ada")
    return service.decide("T", role="reviewer", decider="ada", verdict="approved")


def _parent(service: Service) -> Outcome:
    service.create("C", "v", parent="T")
    return service.children_completed("T")


@pytest.mark.parametrize(
    "leave",
    [
        lambda s: s.move("T", "b"),
        lambda s: s.move_many([("T", "b")])[0],
        lambda s: s.detach("T"),
        lambda s: s.switch("T", "v"),
        lambda s: s.handle("T", "comment", payload=PAYLOADS["comment"]),
        _decided,
        _approved,
        _parent,
    ],
    ids=["move", "move_many", "detach", "switch", "handle", "decide", "approve", "children_completed"],
)
def test_ob3_what_the_session_was_to_do_on_exit_is_in_the_outcome_of_every_departure(
    leave: Callable[[Service], Outcome], caplog: pytest.LogCaptureFixture
) -> None:
    with Service(compiled(LEAVING), open_ledger("memory:")) as service, caplog.at_level(logging.INFO, "newel"):
        service.create("T", "w")
        outcome = leave(service)
    assert outcome.moved
    assert outcome.exit_actions == (SessionActionReport("disable_plan_mode", 0, SessionStatus.NO_SESSION),)
    assert "disable_plan_mode on exit was passed over" in caplog.text
