"""Tasks taken to another workflow, into one, and out of all (SE7, EN13, SL7)."""

from __future__ import annotations

from typing import Any

import pytest

from newel.compiler.program import Program
from newel.runtime.errors import LedgerUnavailable, StepGone, UnknownStep, UnknownTask, UnknownWorkflow
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.ports import Actor, Context
from tests.runtime.boards import Live, Make, Rig, compiled, statuses

EXIT = "p1:switch_workflow:on_exit"


def two(exits: str = 'note_it(text="left")') -> Program:
    """Two workflows whose steps bear the same names; all of them note who enters."""
    enter = 'on enter { note_it(text="in %s")\nauto_start_agent }'
    first = f'step a "A" {{\nstart\n{enter % "w.a"}\non exit {{ {exits} }}\n}}\nstep b "B" {{ {enter % "w.b"} }}'
    second = f'step a "A" {{\nstart\n{enter % "v.a"}\n}}\nstep b "B" {{ {enter % "v.b"}\non exit {{ boom }}\n}}'
    return compiled(f'workflow w "W" {{\n{first}\n}}\nworkflow v "V" {{\n{second}\n}}')


def rig_at(make: Make, exits: str = 'note_it(text="left")', **ports: Any) -> Rig:
    rig = make(two(exits), **ports)
    rig.service.create("T", "w")
    return rig


def last(rig: Rig) -> tuple[Any, ...]:
    row = rig.service.history("T")[-1]
    return row.from_workflow, row.from_step, row.to_workflow, row.to_step, row.route


def test_se7_a_switch_leaves_the_old_step_writes_one_row_and_is_dispatched_once(make: Make) -> None:
    live = Live("T")
    rig = rig_at(make, sessions=live)
    outcome = rig.service.switch("T", "v", actor=Actor.agent("bot"), session="s")
    assert (outcome.kind, outcome.from_step, outcome.to_step) == (OutcomeKind.MOVED, "a", "a")
    assert statuses(outcome) == ["applied"]
    assert rig.notes() == ["in w.a", "left", "in v.a"]
    assert last(rig) == ("w", "a", "v", "a", "switched")
    row = rig.service.history("T")[-1]
    assert (row.actor_kind, row.actor_id, row.session) == ("agent", "bot", "s")
    assert [kind for _, kind, _ in live.ran] == ["auto_start_agent"] * 2
    assert rig.service.audit().clean


def test_se7_a_switch_to_a_given_step_runs_that_steps_list_and_no_other(make: Make) -> None:
    rig = rig_at(make)
    assert rig.service.switch("T", "v", "b").to_step == "b"
    assert rig.notes() == ["in w.a", "left", "in v.b"]


def test_sl2_a_switch_to_where_the_task_stands_writes_nothing(make: Make) -> None:
    rig = rig_at(make)
    assert rig.service.switch("T", "w").kind is OutcomeKind.ALREADY_THERE
    assert len(rig.service.history("T")) == 1
    assert rig.service.switch("T", "w", "b").moved
    assert last(rig) == ("w", "a", "w", "b", "switched")


def test_sl7_a_task_in_no_workflow_is_attached(make: Make) -> None:
    rig = rig_at(make)
    rig.service.detach("T")
    assert rig.notes() == ["in w.a", "left"]
    outcome = rig.service.switch("T", "v")
    assert (outcome.moved, outcome.from_step) == (True, None)
    assert last(rig) == (None, None, "v", "a", "attached")
    assert rig.notes() == ["in w.a", "left", "in v.a"]


# ---------------------------------------------------------------- its operation


def test_en13_the_exit_list_runs_under_an_id_of_its_own_which_is_then_applied(make: Make) -> None:
    rig = rig_at(make, "page")
    rig.service.switch("T", "v", operation_id="p1")
    (context,) = rig.paged
    assert (context.operation_id, context.trigger) == (EXIT, "exit")
    assert context.idempotency_key == f"{rig.ledger.uuid}:{EXIT}:1:0"
    assert rig.service.operations.is_applied(EXIT)
    assert not rig.service.operations.is_applied("p1")


def test_en13_an_applied_id_skips_the_list_and_not_the_switch(make: Make) -> None:
    rig = rig_at(make)
    rig.service.operations.mark_applied(EXIT)
    assert rig.service.switch("T", "v", operation_id="p1").moved
    assert last(rig) == ("w", "a", "v", "a", "switched")
    assert rig.notes() == ["in w.a", "in v.a"]


def test_en13_a_redelivered_switch_leaves_the_task_where_it_is(make: Make) -> None:
    rig = rig_at(make)
    rig.service.switch("T", "v", operation_id="p1")
    assert rig.service.switch("T", "v", operation_id="p1").kind is OutcomeKind.ALREADY_THERE
    assert rig.service.switch("T", "w", operation_id="p1").moved
    assert rig.notes() == ["in w.a", "left", "in v.a", "in w.a"]


def test_en13_a_failing_exit_list_leaves_the_id_unmarked_and_the_retry_runs_it(make: Make) -> None:
    rig = rig_at(make, "boom")
    with pytest.raises(ValueError, match="boom"):
        rig.service.switch("T", "v", operation_id="p1")
    assert not rig.service.operations.is_applied(EXIT)
    assert (len(rig.service.history("T")), rig.notes()) == (1, ["in w.a"])
    rig.broken = False
    assert rig.service.switch("T", "v", operation_id="p1").moved
    assert rig.notes() == ["in w.a", "boom", "in v.a"]
    assert rig.service.operations.is_applied(EXIT)


def test_en13_a_commit_that_fails_leaves_the_id_unmarked(make: Make) -> None:
    rig = rig_at(make)
    with rig.ledger.transaction() as tx:
        tx.execute("ALTER TABLE newel_rows RENAME TO away")
    with pytest.raises(LedgerUnavailable):
        rig.service.switch("T", "v", operation_id="p1")
    assert not rig.service.operations.is_applied(EXIT)
    with rig.ledger.transaction() as tx:
        tx.execute("ALTER TABLE away RENAME TO newel_rows")
    assert rig.service.switch("T", "v", operation_id="p1").moved
    assert rig.notes() == ["in w.a", "left", "in v.a"]


def waiting(make: Make, exits: str = "page", **ports: Any) -> Rig:
    """T stands at a of w; the one place of v's start is X's."""
    first = f'workflow w "W" {{\nstep a "A" {{\nstart\non exit {{ {exits} }}\n}}\n}}'
    rig = make(
        compiled(f'{first}\nworkflow v "V" {{\nstep a "A" {{ start\nwip_limit 1 }}\nstep b "B" {{ }}\n}}'), **ports
    )
    rig.service.create("T", "w")
    rig.service.create("X", "v")
    return rig


def test_en13_a_switch_that_waits_runs_the_exit_list_under_its_id_when_it_is_let_in(make: Make) -> None:
    rig = waiting(make)
    assert rig.service.switch("T", "v", operation_id="p1").kind is OutcomeKind.QUEUED
    assert (rig.paged, rig.service.operations.is_applied(EXIT)) == ([], False)
    (pulled,) = rig.service.move("X", "b").pulled
    assert pulled.moved
    assert [(c.operation_id, c.idempotency_key) for c in rig.paged] == [(EXIT, f"{rig.ledger.uuid}:{EXIT}:1:0")]
    assert rig.service.operations.is_applied(EXIT)


def test_en13_an_applied_id_skips_the_list_of_a_switch_that_has_waited(make: Make) -> None:
    rig = waiting(make)
    rig.service.operations.mark_applied(EXIT)
    assert rig.service.switch("T", "v", operation_id="p1").kind is OutcomeKind.QUEUED
    assert [o.moved for o in rig.service.move("X", "b").pulled] == [True]
    assert (rig.paged, last(rig)[:4]) == ([], ("w", "a", "v", "a"))


def test_en13_an_exit_list_that_fails_at_the_pull_leaves_the_id_unmarked(make: Make) -> None:
    rig = waiting(make, "boom")
    rig.service.switch("T", "v", operation_id="p1")
    (stuck,) = rig.service.move("X", "b").pulled
    assert (stuck.moved, rig.service.operations.is_applied(EXIT)) == (False, False)
    rig.broken = False
    assert [o.moved for o in rig.service.pull("v", "a")] == [True]
    assert (rig.notes(), rig.service.operations.is_applied(EXIT)) == (["boom"], True)


def test_en13_the_last_call_says_under_which_id_the_exit_list_will_run(make: Make) -> None:
    rig = waiting(make)
    rig.service.switch("T", "v", operation_id="p1")
    rig.service.switch("T", "v")
    rig.service.move("X", "b")
    assert [context.operation_id for context in rig.paged] == [""]
    assert not rig.service.operations.is_applied(EXIT)


@pytest.mark.parametrize("waits", [False, True])
def test_en13_a_task_that_stands_nowhere_runs_no_list_and_leaves_the_id_unmarked(make: Make, waits: bool) -> None:
    rig = waiting(make)
    rig.service.detach("T")
    rig.paged.clear()
    if not waits:
        rig.service.move("X", "b")
    assert rig.service.switch("T", "v", operation_id="p1").kind is (OutcomeKind.QUEUED if waits else OutcomeKind.MOVED)
    rig.service.move("X", "b")
    assert rig.service.task("T").workflow == "v"
    assert (rig.paged, rig.service.operations.is_applied(EXIT)) == ([], False)


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_k2_a_blank_parent_gives_no_shared_id(make: Make, blank: str | None) -> None:
    rig = rig_at(make, "page")
    rig.service.switch("T", "v", operation_id=blank)
    rig.service.create("U", "w")
    rig.service.switch("U", "v", operation_id=blank)
    assert [(c.operation_id, c.idempotency_key) for c in rig.paged] == [("", None)] * 2
    assert not rig.service.operations.is_applied(":switch_workflow:on_exit")


def test_ol2_the_engine_and_a_switch_read_one_ledger(make: Make) -> None:
    """What the engine has marked a switch sees as applied."""
    rig = rig_at(make)
    rig.service.handle("T", "comment", payload={"comment_id": "1"}, operation_id=EXIT)
    assert rig.service.switch("T", "v", operation_id="p1").moved
    assert "left" not in rig.notes()


# ---------------------------------------------------------------- races, nesting and refusals


def test_a_switch_loses_to_nobody(make: Make) -> None:
    """A task that moves while the outside actions of its exit list run is switched from where it stands then."""
    rig = rig_at(make, "page")
    rig.on_page = lambda action, context: len(rig.paged) == 1 and rig.service.move("T", "b", route="agent_move")
    assert rig.service.switch("T", "v").moved
    assert [row.to_step for row in rig.service.history("T")] == ["a", "b", "a"]
    assert last(rig) == ("w", "b", "v", "a", "switched")


def test_a_switch_from_an_action_is_dispatched_once(make: Make) -> None:
    text = 'workflow w "W" {\nstep a "A" { start\non comment { page } }\n}\n'
    rig = make(compiled(text + 'workflow v "V" {\nstep z "Z" { start\non enter { note_it(text="in") } }\n}'))

    def away(action: Any, context: Context) -> None:
        context.service.switch(context.task, "v", operation_id=context.operation_id)

    rig.on_page = away
    rig.service.create("T", "w")
    assert rig.service.handle("T", "comment", payload={"comment_id": "1"}).kind is OutcomeKind.STAYED
    assert (rig.service.task("T").workflow, rig.notes()) == ("v", ["in"])
    assert rig.service.operations.is_applied("task_comment:1:switch_workflow:on_exit")


def test_en14_a_task_at_a_step_that_is_gone_can_be_switched_away(make: Make) -> None:
    rig = rig_at(make)
    rig.service.set_program(compiled('workflow v "V" { step z "Z" { start } }'))
    assert rig.service.switch("T", "v").moved
    assert last(rig) == ("w", "a", "v", "z", "switched")


def test_a_switch_to_what_is_not_there_is_refused(make: Make) -> None:
    rig = rig_at(make)
    for error, task, place in (
        (UnknownWorkflow, "T", ("x",)),
        (UnknownStep, "T", ("v", "x")),
        (UnknownTask, "X", ("v",)),
    ):
        with pytest.raises(error):
            rig.service.switch(task, *place)
    assert len(rig.service.history("T")) == 1


def test_a_task_of_a_workflow_that_is_gone_is_switched_away(make: Make) -> None:
    """Whoever calls is told so: no step of it is there to move to."""
    rig = rig_at(make)
    rig.service.set_program(compiled('workflow v "V" {\nstep d "D" { start }\n}'))
    with pytest.raises(StepGone, match="`switch` takes it to another workflow"):
        rig.service.handle("T", "turn_complete")
    assert rig.service.switch("T", "v").to_step == "d"
