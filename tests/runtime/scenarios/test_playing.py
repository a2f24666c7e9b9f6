"""Scenarios are played by the real service: each verb does what the host's call does, each expectation can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from newel.compiler.config import AgentConfig, AgentsConfig
from newel.compiler.scenarios import FORMS
from newel.compiler.scenarios.collecting import playable
from newel.runtime import Handlers
from newel.runtime.scenarios import Player, Stage
from newel.runtime.scenarios.expecting import _FORMS
from newel.runtime.scenarios.standins import Cast
from tests.runtime.scenarios.playing import BOARD, failure, played

GATE = ("create", "fire turn_complete signalled=true")
ASKED = ("given enough false", "create", "fire paid(1)")


@pytest.mark.parametrize(
    "lines",
    [
        ("create", "expect at a", "expect excluded auto_start_agent", "expect queued 0"),
        ("create", "fire turn_complete", "expect at a", "expect nothing"),
        (*GATE, "expect at b", "expect dispatched page", "expect dispatched clear_decisions", "expect queued 1"),
        (*GATE, "expect ran page"),
        ("create", "fire turn_complete cancelled=true", "expect at b"),
        (*GATE, "decide ben approved role=reviewer", "expect at c", "expect nothing"),
        (*GATE, "decide ben rejected role=reviewer", "expect at a"),
        (*GATE, "decide eve rejected role=watcher", "expect at b"),
        (*GATE, "decide eve rejected role=watcher person=true", "expect at a"),
        ("create", "seat ben role=reviewer step=b", "seat ada role=reviewer step=b", "move b", "expect queued 2"),
        ("create", "seat ben role=reviewer step=b required=false", "move b", "expect queued 1"),
        ("create", 'fire comment(comment_id="1")', "expect ran queue_run", "expect queued 1"),
        ("create", 'fire comment(comment_id="1")', 'fire comment(comment_id="1")', "expect nothing"),
        ("given enough true", "create", "fire paid(1)", "expect ran page", "expect at c", "expect pending 0"),
        (*ASKED, "expect at a", "expect pending 1", "approve", "expect at d"),
        (*ASKED, "approve to=d", "expect at d", "expect pending 0"),
        (*ASKED, "reject", "expect at a", "expect pending 0", "fire paid(2)", "expect pending 0"),
        (*ASKED, "given enough true", "approve", "expect at a"),
        ("create", "approve", "expect refused"),
        ("create", "move d", "expect refused", "expect at a", "expect nothing"),
        ("create", "create", "expect refused"),
        ("create step=b", "redispatch", "expect queued 0", "expect at b"),
        ("create task=first step=c", "create", "move c", "expect waiting c", "expect at a", "expect nothing"),
        (
            "create task=first step=c",
            "create step=c",
            "expect waiting c",
            "fire turn_complete task=first",
            "expect at c",
            "expect at d task=first",
        ),
    ],
    ids=lambda lines: "; ".join(lines[-2:]),
)
def test_what_a_verb_does_can_be_expected(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert failure(played(tmp_path, *lines)) is None


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("create", "expect at b"), "the task stands at a, not at b"),
        (("create step=c", "expect waiting c"), "the task does not wait for a place"),
        (("create step=b", "expect dispatched queue_run"), "its arrival ran clear_decisions, ensure_participant_seat,"),
        (("create", "expect dispatched page"), "its arrival ran nothing"),
        (("create step=b", "expect excluded auto_start_agent"), "its arrival left to the session nothing"),
        (("create step=b", "expect ran page"), "under the trigger and on leaving ran nothing"),
        (("create step=b", "expect queued 2"), "1 is queued: a run for reviewer (judge)"),
        (("create", "expect queued 2"), "0 are queued"),
        ((*ASKED, "expect pending 0"), "1 is pending: to d"),
        (("create", "expect refused"), "the call was not refused"),
        (("create step=b", "expect nothing"), "there was clear_decisions, ensure_participant_seat,"),
        (("create", "expect nothing"), "there was auto_start_agent"),
        ((*ASKED, "expect nothing"), "there was page, an approval to go to d"),
        (("create", "fire paid(1)"), "nobody answers for `enough`: say `given enough true` or `false` before this"),
        (("create", "move d"), "refused: step 'd' does not take tasks by hand"),
        (("create", "move d", "expect at a"), "refused: step 'd' does not take tasks by hand"),
        (("create", "approve"), "refused: no approval waits under the task's entry"),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else None,
)  # fmt: skip
def test_what_does_not_hold_is_told_at_its_line(lines: tuple[str, ...], why: str, tmp_path: Path) -> None:
    found = failure(played(tmp_path, *lines))
    assert found is not None
    assert found[1].startswith(why)
    refused = [line for line in lines if line.startswith(("move", "fire", "approve"))]
    assert found[0] == (refused[0] if "refused: step" in found[1] else lines[-1])


def test_a_task_that_waits_outside_can_neither_be_seated_nor_dispatched(tmp_path: Path) -> None:
    """It stands at no step yet."""
    full = ("create task=first step=c", "create step=c")
    result = played(tmp_path, *full, "redispatch", "expect refused", "seat ben role=reviewer", "expect refused")
    assert failure(result) is None


def test_of_several_approvals_one_is_named(tmp_path: Path) -> None:
    board = BOARD.replace(
        'on comment { queue_run(reason="said") }',
        "on comment {\n      -> b requires approval\n      -> c requires approval\n    }",
    )
    asked = ("create", 'fire comment(comment_id="1")', "expect pending 2")
    found = failure(played(tmp_path, *asked, "approve", board=board))
    assert found == ("approve", "refused: several approvals wait: name one with `to=`: b, c")
    lines = (*asked, "reject to=b", "expect pending 1", "approve to=b", "expect refused", "approve", "expect at c")
    assert failure(played(tmp_path, *lines, board=board)) is None


def test_before_anything_has_happened_nothing_can_be_expected(tmp_path: Path) -> None:
    line = played(tmp_path, "create", "expect nothing").trace[1].line
    with Stage(playable(tmp_path / "board.newel", tmp_path).program, "w", Cast(AgentsConfig(), {})) as stage:  # type: ignore[arg-type]  # it has been played
        assert Player(stage).play(line).failure == "nothing has happened yet"
        assert stage.pending("task") == ()


def test_nothing_is_played_after_the_line_that_fails(tmp_path: Path) -> None:
    result = played(tmp_path, "create", "expect at b", "move c")
    assert [said.line.form for said in result.trace] == ["create", "expect at"]


def test_every_expectation_of_the_table_is_played() -> None:
    assert set(_FORMS) == {name for name in FORMS if name.startswith("expect ")}


def test_a_task_is_switched_to_the_other_workflow(tmp_path: Path) -> None:
    result = played(tmp_path, "create", "switch other step=y")
    at = result.trace[-1].act.at if result.trace[-1].act else None
    assert at is not None
    assert (at.workflow, at.step) == ("other", "y")


# ---------------------------------------------------------------- who plays


def test_the_configuration_casts_before_the_scenario_and_that_before_a_name_of_the_role(tmp_path: Path) -> None:
    def agent(*lines: str, agents: AgentsConfig | None = None) -> str:
        act = played(tmp_path, "create", "move b", *lines, agents=agents).trace[1].act
        assert act is not None
        return act.queued[0].agent

    assert agent() == "reviewer"
    assert agent("decide ben approved role=reviewer") == "ben"
    config = AgentsConfig(
        runner="ada", candidates=(AgentConfig("ada", ("reviewer",)), AgentConfig("eve", ("reviewer",)))
    )
    assert agent("decide ben approved role=reviewer", agents=config) == "eve"


def test_a_target_has_somebody_behind_it(tmp_path: Path) -> None:
    act = played(tmp_path, "create", 'fire comment(comment_id="1")').trace[-1].act
    assert act is not None
    assert [run.agent for run in act.queued] == ["runner"]
    config = AgentsConfig(targets={"primary": "zoe"})
    act = played(tmp_path, "create", 'fire comment(comment_id="1")', agents=config).trace[-1].act
    assert act is not None
    assert [run.agent for run in act.queued] == ["zoe"]


# ---------------------------------------------------------------- handlers of one's own


def own(*, answer: bool = True, fails: str | None = None) -> tuple[Handlers, list[str]]:
    made, called = Handlers(), list[str]()

    @made.action("page", database=True)
    def page(action: Any, context: Any) -> None:
        called.append(action.who)
        if action.who == fails:
            raise ValueError("the line is dead")

    @made.guard("enough")
    def enough(guard: Any, context: Any) -> bool:
        return answer

    return made, called


def test_handlers_of_a_host_are_run_where_they_are_given(tmp_path: Path) -> None:
    handlers, called = own()
    assert failure(played(tmp_path, "create", "fire paid(1)", "expect at c", handlers=handlers)) is None
    assert called == ["desk", "leaving"]


def test_what_a_scenario_says_of_a_guard_goes_before_the_hosts_handler(tmp_path: Path) -> None:
    handlers, _ = own()
    lines = ("given enough false", "create", "fire paid(1)", "expect at a")
    assert failure(played(tmp_path, *lines, handlers=handlers)) is None


def test_a_handler_that_fails_fails_the_scenario(tmp_path: Path) -> None:
    """On entry it is in the report; under another trigger the call raises it."""
    handlers, _ = own(fails="entered")
    found = failure(played(tmp_path, "create", "move b", handlers=handlers))
    assert found == ("move b", "page failed: ValueError: the line is dead")
    handlers, _ = own(fails="desk")
    found = failure(played(tmp_path, "create", "fire paid(1)", "expect refused", handlers=handlers))
    assert found == ("fire paid(1)", "raised ValueError: the line is dead")


def test_what_a_decider_may_not_have_meant_is_said_as_task_decide_says_it(tmp_path: Path) -> None:
    """A verdict with a letter wrong, and a decision that no seat counts; of the seats before the decision moved it."""
    lines = ("create", "move b", "decide ada reject role=reviewer", "decide eve approved role=watcher")
    first, second = (said.act.advice for said in played(tmp_path, *lines).trace[2:] if said.act)
    told_apart = "Told apart are approved, changes_requested, rejected"
    assert first == (f"the verdict 'reject' counts only as decided; did you mean 'rejected'? {told_apart}",)
    assert second == ("'eve' has no seat as watcher at b, so no seat counts this decision; nobody has one",)
    (last,) = (said.act for said in played(tmp_path, "create", "move b", "decide ada approved role=reviewer").trace[2:])
    assert last is not None
    assert last.advice == ()
