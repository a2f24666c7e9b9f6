"""A workflow turned into the ways a task gets through it, worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from newel.compiler.checks.graph import components, spread
from newel.compiler.model import Action, Model, Move, On, Step, Workflow


class Hop(NamedTuple):
    """A declared move to another step of the workflow, and where it stands."""

    step: Step
    on: On
    move: Move
    to: Step


@dataclass(eq=False)
class Flow:
    """How a task gets from step to step of one workflow: by a declared move, by hand, by a pull.

    Steps go by their names. That a person may put a task into a step from every other one is never written out as
    edges: there would be as many as the square of the steps.
    """

    model: Model
    workflow: Workflow

    @property
    def steps(self) -> Mapping[str, Step]:
        """The steps by name, in the order of the file."""
        return self.workflow.steps

    @cached_property
    def whole(self) -> bool:
        """Whether every step and every move was understood, so that what is missing is really missing."""
        return not any(
            step.incomplete or any(move.to is None for _, move in step.moves()) for step in self.steps.values()
        )

    @cached_property
    def hops(self) -> Mapping[str, Sequence[Hop]]:
        """The declared moves by the step they leave, in the order of the file."""
        return {name: list(self._hops(step)) for name, step in self.steps.items()}

    def _hops(self, step: Step) -> Iterator[Hop]:
        for on, move in step.moves():
            if move.to is not None and move.to != step.name and move.to in self.steps:
                yield Hop(step, on, move, self.steps[move.to])

    @cached_property
    def entry_marks(self) -> Mapping[str, frozenset[str]]:
        """What the actions of each step's entry are known for."""
        return {
            name: frozenset(mark for action in step.actions() for mark in action.kind.marks)
            for name, step in self.steps.items()
        }

    def works(self, name: str) -> bool:
        """Whether entering a step starts or wakes somebody."""
        return not self.entry_marks[name].isdisjoint(("starts", "wakes"))

    @cached_property
    def by_hand(self) -> frozenset[str]:
        """The steps a person may put a task into."""
        return frozenset(name for name, step in self.steps.items() if self.model.flag(step, "manual_entry"))

    @cached_property
    def pulls(self) -> Mapping[str, str]:
        """The step each step is filled from, its own name left in where it says that."""
        given = ((name, value.value) for name, step in self.steps.items() for value in self.model.given(step, "pull"))
        return {name: source for name, source in given if isinstance(source, str) and source in self.steps}

    @cached_property
    def edges(self) -> Mapping[str, set[str]]:
        """The ways out of each step but those by hand."""
        edges = {name: {hop.to.name for hop in hops} for name, hops in self.hops.items()}
        for name, source in self.pulls.items():
            if source != name:
                edges[source].add(name)
        return edges

    def has_way_out(self, name: str) -> bool:
        """Whether some way leads from this step to another."""
        return bool(self.edges[name]) or len(self.by_hand) > (name in self.by_hand)

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The steps some way from a start leads to."""
        starts = [step.name for step in self.workflow.starts]
        return frozenset(spread([*starts, *(self.by_hand if starts else ())], self.edges))

    @cached_property
    def comes_back(self) -> frozenset[str]:
        """The steps a task can leave and enter again."""
        # One point between all steps and those entered by hand stands for every way by hand.
        hand = ""
        edges: dict[str, Iterable[str]] = {name: [*after, hand] for name, after in self.edges.items()}
        edges[hand] = self.by_hand
        around = {name for group in components(edges) if len(set(group) - {hand}) > 1 for name in group}
        return frozenset(name for name in self.steps if self._returns(name, around))

    def _returns(self, name: str, around: set[str]) -> bool:
        return self.has_way_out(name) if name in self.by_hand else name in around

    @cached_property
    def entered(self) -> frozenset[str]:
        """The steps some way leads into from another."""
        named = {to for after in self.edges.values() for to in after}
        return frozenset(named | (self.by_hand if len(self.steps) > 1 else set()))


def entered_with(step: Step, *marks: str) -> Action | None:
    """The first action of the step's entry that carries one of the marks."""
    return next((action for action in step.actions() if not action.kind.marks.keys().isdisjoint(marks)), None)
