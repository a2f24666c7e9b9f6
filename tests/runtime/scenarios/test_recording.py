"""A walk and the scenario that comes out of it: `newel test` plays what was seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from newel.compiler.config import AgentConfig, AgentsConfig, find_config
from newel.compiler.scenarios.collecting import playable
from newel.compiler.scenarios.reading import LineReader
from newel.compiler.scenarios.script import people
from newel.runtime.handlers import Handlers
from newel.runtime.scenarios import Said, Stage, run
from newel.runtime.scenarios.recording import Recording
from newel.runtime.scenarios.standins import Cast
from tests.examples.support import EXAMPLES, WITH_WORKFLOWS
from tests.runtime.scenarios.playing import BOARD, WORDS
from tests.runtime.scenarios.test_walks import line


class Walked:
    """One walk of a board, with its scenario put behind the board."""

    def __init__(
        self, path: Path, workflow: str, agents: AgentsConfig, *answers: bool, own: Handlers | None = None
    ) -> None:
        self.path, self.root, self.workflow, self.agents, self.own = path, path.parent, workflow, agents, own
        self.asked = list(answers)
        unit = playable(path, self.root)
        assert unit.program is not None
        self.program = unit.program
        self.reader = LineReader(unit.checked.model, unit.checked.model.workflows[workflow])
        stage = partial(Stage, unit.program, workflow)
        self.recording = Recording(
            partial(Cast, agents), lambda cast, ask: stage(cast, own, ask), lambda _: self.asked.pop(0)
        )

    def take(self, text: str) -> Said:
        (read,), findings = self.reader.read(text)
        assert findings == [], [finding.message for finding in findings]
        return self.recording.take(read)

    def alike(self) -> None:
        """Asserts that the scenario passes, and leaves what the walk leaves: tasks, rows, runs, seats, decisions."""
        lines = list(self.recording.lines())
        text = f'{self.path.read_text()}\nscenario "a walk" for {self.workflow} {{\n{chr(10).join(lines)}\n}}\n'
        again = self.path.with_name("again.newel")
        again.write_text(text, "utf-8")
        unit = playable(again, self.root)
        assert unit.program is not None
        (script,) = (each for each in unit.scripts if each.title == "a walk")
        with Stage(unit.program, self.workflow, Cast(self.agents, people(script.lines)), self.own) as stage:
            result = run(script, stage)
            assert result.failed is None, (lines, result.failed)
            assert left(stage) == left(self.recording.stage)


def left(stage: Stage) -> list[object]:
    service = stage.service
    found: list[object] = [*service.runs(), *service.tasks()]
    for task in service.tasks():
        rows = [(row.id, row.from_step, row.to_step, row.route) for row in service.history(task.id)]
        found += [rows, *service.seats(task.id), *service.decisions(task.id), *service.approvals(task.id)]
    return found


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Callable[..., Walked]]:
    started: list[Walked] = []

    def start(*answers: bool, agents: AgentsConfig | None = None, own: Handlers | None = None) -> Walked:
        (tmp_path / "words.newel").write_text(WORDS, "utf-8")
        (tmp_path / "board.newel").write_text(BOARD, "utf-8")
        started.append(Walked(tmp_path / "board.newel", "w", agents or AgentsConfig(), *answers, own=own))
        return started[-1]

    yield start
    for each in started:
        each.recording.close()


def test_whoever_decides_is_cast_from_the_beginning_as_in_a_scenario(walk: Callable[..., Walked]) -> None:
    walked = walk()
    walked.take("create step=b")
    assert [run.agent for run in walked.recording.stage.service.runs()] == ["reviewer"]
    before = walked.recording.stage
    said = walked.take("decide ben approved role=reviewer")
    assert walked.recording.stage is not before
    assert said.act is not None
    assert said.act.at is not None
    assert said.act.at.step == "c"
    walked.alike()


def test_who_is_cast_already_changes_nothing(walk: Callable[..., Walked]) -> None:
    """Somebody called as the role, whom the configuration names, or a person."""
    named = AgentsConfig(candidates=(AgentConfig("ada", ("reviewer",)),))
    for agents, who in ((None, "reviewer"), (named, "ben"), (named, "ada"), (None, "ben person=true")):
        walked = walk(agents=agents)
        before = walked.recording.stage
        walked.take("create step=b")
        name, _, more = who.partition(" ")
        walked.take(f"decide {name} approved role=reviewer {more}")
        assert walked.recording.stage is before
        walked.alike()


def test_a_line_whose_cast_what_was_done_cannot_bear_is_not_taken(walk: Callable[..., Walked]) -> None:
    """Ben sits beside the agent that was cast; were he cast himself, he would sit there alone."""
    walked = walk()
    for text in ("create step=b", "seat ben role=reviewer step=b", "move a", "move b", "expect queued 2"):
        assert walked.take(text).failure is None
    lines, before = list(walked.recording.lines()), left(walked.recording.stage)
    assert walked.take("decide ben approved role=reviewer").failure == (
        "who decides is cast from the beginning, and then `expect queued 2` would fail: 1 is queued:"
        " a run for ben (judge)"
    )
    assert list(walked.recording.lines()) == lines
    assert left(walked.recording.stage) == before
    assert walked.take("decide reviewer approved role=reviewer").failure is None
    walked.alike()


def test_answers_come_out_as_given_lines_before_the_line_that_asked(walk: Callable[..., Walked]) -> None:
    walked = walk(False, False, True)
    walked.take("create")
    walked.take("fire paid(amount=1)")
    assert list(walked.recording.lines()) == ["create", "given enough false", "fire paid(amount=1)"]
    walked.alike()
    walked.take("fire paid(amount=2)")
    walked.take("reject")
    assert list(walked.recording.lines()).count("given enough false") == 1
    walked.take("fire paid(amount=3)")
    assert list(walked.recording.lines())[-2:] == ["given enough true", "fire paid(amount=3)"]
    walked.alike()


def test_an_answer_that_was_given_is_not_asked_for(walk: Callable[..., Walked]) -> None:
    walked = walk()
    for text in ("create", "given enough true", "fire paid(amount=1)"):
        assert walked.take(text).failure is None
    assert list(walked.recording.lines()) == ["create", "given enough true", "fire paid(amount=1)"]
    walked.alike()


def test_answers_are_remembered_when_all_is_played_again(walk: Callable[..., Walked]) -> None:
    walked = walk(False)
    for text in ("create", "fire paid(amount=1)", "move b", "decide ben approved role=reviewer"):
        walked.take(text)
    walked.alike()


def test_a_refused_call_comes_out_only_with_the_line_that_expects_it(walk: Callable[..., Walked]) -> None:
    walked = walk()
    walked.take("create")
    assert walked.take("approve").failure is not None
    assert walked.take("expect nothing").failure is not None  # held against `create`, which did something
    assert walked.take("expect refused").failure is not None  # not right behind it
    assert walked.take("approve").failure is not None
    assert walked.take("expect refused").failure is None
    assert walked.take("expect nothing").failure is None  # now the refused call is the last one
    assert list(walked.recording.lines()) == ["create", "approve", "expect refused", "expect nothing"]
    walked.alike()


def test_what_a_failing_line_has_done_is_taken_back(walk: Callable[..., Walked]) -> None:
    """A handler fails on entry: the task stands there, but a scenario ends here, so the walk goes on from before."""
    own = Handlers()

    @own.action("page")
    def page(action: object, context: object) -> None:
        if getattr(action, "who", "") == "entered":
            raise ConnectionError("the pager is down")

    walked = walk(own=own)
    walked.take("create")
    said = walked.take("move b")
    assert said.failure == "page failed: ConnectionError: the pager is down"
    task = walked.recording.stage.standing("task")
    assert task is not None
    assert task.step == "a"
    walked.take("expect at a")
    walked.alike()


@pytest.mark.parametrize("path", WITH_WORKFLOWS, ids=lambda path: path.name)
def test_whatever_is_walked_comes_out_as_a_scenario_that_plays_alike(path: Path, tmp_path: Path) -> None:
    for other in EXAMPLES.rglob("*"):
        if other.is_file():
            target = tmp_path / other.relative_to(EXAMPLES)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(other.read_bytes())
    here, config = tmp_path / path.relative_to(EXAMPLES), find_config(EXAMPLES).agents
    for seed in range(4):
        dice = random.Random(seed)  # noqa: S311 - a walk, no secret
        agents = config if seed % 2 else AgentsConfig()
        (workflow,) = playable(here, here.parent).checked.model.workflows
        walked = Walked(here, workflow, agents, *(dice.random() < 0.5 for _ in range(200)))
        for _ in range(15):
            at = walked.recording.stage.standing("task")
            step = walked.program.workflows[workflow].steps[at.step] if at and at.step else None
            walked.take(line(dice, walked.program, workflow, step))
        if list(walked.recording.lines()):
            walked.alike()
        walked.recording.close()
