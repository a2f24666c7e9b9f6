"""Random walks over the examples: whatever happens, what is told of it agrees with the ledger's rows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from newel.compiler.config import find_config
from newel.compiler.program import Move, Parameter, Program, Step
from newel.compiler.scenarios.collecting import Playable, playable
from newel.compiler.scenarios.reading import LineReader
from newel.runtime.scenarios import Act, Player, Stage
from newel.runtime.scenarios.standins import Cast
from tests.examples.support import EXAMPLES, WITH_WORKFLOWS

PAYLOADS: dict[str, Callable[[random.Random], str]] = {
    "text": lambda dice: f'"{dice.choice("abc")}"',
    "int": lambda dice: str(dice.randint(1, 3)),
    "list": lambda dice: '["x"]',
    "approval_status": lambda dice: dice.choice(["approved", "rejected"]),
    "budget_scope": lambda dice: "agent",
}


@cache
def unit(path: Path) -> Playable:
    return playable(path, EXAMPLES)


def line(dice: random.Random, program: Program, workflow: str, step: Step | None) -> str:
    """Something that may happen, not always something that can."""
    steps = list(program.workflows[workflow].steps)
    if step is None:
        return f"create step={dice.choice(steps)}"
    triggers = [name for name in step.on if name not in ("enter", "exit")]
    verb = dice.choice(["fire"] * 6 + ["decide"] * 6 + ["approve", "reject", "given", "move", "redispatch", "seat"])
    if verb == "fire" and triggers:
        return fire(dice, program, dice.choice(triggers))
    if verb == "given" and program.workflows[workflow].name == "order":
        return f"given {dice.choice(sorted(program.vocabulary.guards))} {dice.choice(['true', 'false'])}"
    if verb in ("decide", "seat") and "role" in program.vocabulary.types:
        role = dice.choice(["reviewer", "approver", "watcher", *(["counsel"] if workflow == "release" else [])])
        said = f" {dice.choice(['approved', 'rejected'])}" if verb == "decide" else ""
        return f"{verb} {dice.choice(['ada', 'ben', 'eve', 'cyd'])}{said} role={role}"
    return verb if verb in ("approve", "reject", "redispatch") else f"move {dice.choice(steps)}"


def value(dice: random.Random, field: Parameter) -> str:
    if field.type.of is not None and field.type.of.name == "child":
        return '[child(task="x", finished=true)]'
    return PAYLOADS[field.type.name](dice)


def fire(dice: random.Random, program: Program, trigger: str) -> str:
    fields = program.vocabulary.triggers[trigger].payload
    given = [f"{each.name}={value(dice, each)}" for each in fields if each.required]
    signalled = dice.choice([" signalled=true", ""])
    payload = f"({', '.join(given)})" if given else ""
    return f"fire {trigger}{payload}{signalled}"


def walked(path: Path, seed: int) -> Iterator[tuple[Program, Act]]:
    dice = random.Random(seed)  # noqa: S311 - a walk, no secret
    found = unit(path)
    assert found.program is not None
    [workflow] = found.program.workflows
    reader = LineReader(found.checked.model, found.checked.model.workflows[workflow])
    agents = Cast(find_config(EXAMPLES).agents, {})
    with Stage(found.program, workflow, agents, ask=lambda _: dice.random() < 0.5) as stage:
        player = Player(stage)
        for _ in range(50):
            at = stage.standing("task")
            here = found.program.workflows[workflow].steps[at.step] if at and at.step else None
            lines, findings = reader.read(line(dice, found.program, workflow, here))
            assert findings == [], [finding.message for finding in findings]
            said = player.play(lines[0])
            if said.act is not None:
                yield found.program, said.act
        assert stage.service.audit().clean


@pytest.mark.parametrize("path", WITH_WORKFLOWS, ids=lambda path: path.name)
def test_a_move_is_told_as_taken_exactly_where_the_task_went_by_one(path: Path) -> None:
    """The one move that is taken stands at the step that was left and leads to where the row says."""
    taken = 0
    for program, act in (each for seed in range(20) for each in walked(path, seed)):
        went = [row for row in act.rows if row.route == "engine_transition" and row.task == "task"]
        by = [each for each in act.examined if each.taken]
        assert len(by) == len(went)
        for row, each in zip(went, by, strict=True):
            move = program.workflows[each.workflow].steps[each.step].on[each.trigger][each.position]
            assert isinstance(move, Move)
            assert (each.step, move.to) == (row.from_step, row.to_step)
            assert (each.held is None) is (move.guard is None)
            taken += 1
    assert taken > 10


@pytest.mark.parametrize("path", WITH_WORKFLOWS, ids=lambda path: path.name)
def test_nothing_fails_but_by_being_refused(path: Path) -> None:
    for seed in range(20, 24):
        for _, act in walked(path, seed):
            assert act.error is None or act.refused, act.error
            assert act.failures() == []
