"""A program to the steps whose places are limited, and in a transaction: whether one is full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from newel.compiler.program import Program
from newel.runtime.ledgers.base import Reading, Transaction
from newel.runtime.rows import Task

Place = tuple[str, str]
"""A workflow and one of its steps."""


def place_of(task: Task) -> Place | None:
    """Where a task stands, None for nowhere."""
    return None if task.workflow is None or task.step is None else (task.workflow, task.step)


def standing_in(task: Task, workflow: str) -> str | None:
    """The step where a task stands, as seen from a workflow: steps of two workflows may bear one name."""
    return task.step if task.workflow == workflow else None


def workflow_of(task: Task) -> str | None:
    """The workflow in which a task stands, or waits before it has ever stood."""
    return task.workflow or task.queued_workflow


class Limits:
    """How many tasks may stand at a program's steps, and from where a place that becomes free is filled."""

    __slots__ = ("_feeders", "_places", "_steps")

    def __init__(self, program: Program) -> None:
        limits = [setting.name for setting in program.vocabulary.settings_marked("limit")]
        pulls = [setting.name for setting in program.vocabulary.settings_marked("pull")]
        self._places: dict[Place, int] = {}
        self._feeders: dict[Place, str] = {}
        for workflow in program.workflows.values() if limits else ():
            for step in workflow.steps.values():
                said: Any = step.settings
                numbers = [said[name] for name in limits if said.get(name)]
                if numbers:
                    place = (workflow.name, step.name)
                    self._places[place] = min(numbers)
                    self._feeders.update((place, said[name]) for name in pulls if said.get(name))
        self._steps = frozenset(step for _, step in self._places)

    def limited(self, workflow: str, step: str) -> bool:
        """Whether the places of a step are limited."""
        return (workflow, step) in self._places

    def feeder(self, workflow: str, step: str) -> str | None:
        """The step from which a limited one is filled."""
        return self._feeders.get((workflow, step))

    def places(self, workflow: str, steps: Iterable[str]) -> tuple[Place, ...]:
        """The limited ones among steps, in the order in which they are to be locked."""
        return tuple(sorted({(workflow, step) for step in steps} & self._places.keys())) if self._places else ()

    def lock(self, tx: Transaction, moves: Iterable[tuple[str, str]]) -> frozenset[Place]:
        """Lock the limited places that tasks are to be moved to, as far as can be told before the tasks are locked."""
        places: set[Place] = set()
        for name, step in moves:
            if step in self._steps:
                task = tx.task(name)
                places.update(self.places((task and workflow_of(task)) or "", (step,)))
        for place in sorted(places):
            tx.lock_place(*place)
        return frozenset(places)

    def full(self, view: Reading, workflow: str, step: str) -> bool:
        """Whether no place is left at a step; true only for as long as its places are locked."""
        limit = self._places.get((workflow, step))
        return limit is not None and view.occupied(workflow, step) >= limit
