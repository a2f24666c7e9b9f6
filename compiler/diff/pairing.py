"""Two programs to what belongs together in them: workflows and steps, the renamed ones too.

A name that is in both is the same thing. What is left on both sides was renamed where it bears the same title, or says
nearly the same; each is taken once, the closest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar

from newel.compiler.diff.changes import Change, Where
from newel.compiler.diff.declared import DeclaredPair, declared_pairs
from newel.compiler.diff.lists import ListDiff
from newel.compiler.diff.sides import Side, looser, said
from newel.compiler.program import Move, Place, Program, Step, Vocabulary, Workflow
from newel.dsl.findings import Rule, Severity

NEAR = 0.6
"""How much of two things must be the same for one to be the other under a new name, where the titles differ."""

T = TypeVar("T", Step, Workflow)


@dataclass(frozen=True)
class StepPair:
    """One step in both versions, and the workflow it is in."""

    workflow: WorkflowPair
    old: Step
    new: Step

    @property
    def renamed(self) -> bool:
        """Whether the tasks of the old one stand nowhere in the new version."""
        return self.old.name != self.new.name or self.workflow.renamed

    @property
    def concerns(self) -> tuple[Where, ...]:
        """Where its tasks stand."""
        return ((self.workflow.old.name, self.old.name),)

    @property
    def group(self) -> tuple[str, str]:
        """Where it is told of."""
        return self.workflow.new.name, self.new.name

    def change(
        self,
        rule: Rule,
        fields: Mapping[str, object],
        new: Place | None = None,
        old: Place | None = None,
        *,
        anew: Severity | None = None,
    ) -> Change:
        """What is another in it. At a renamed step the old name is told beside, and `anew` is how bad it is there:
        its tasks are moved, and arrive anew."""
        if self.renamed:
            was = self.old.name if not self.workflow.renamed else f"{self.workflow.old.name}/{self.old.name}"
            rule = replace(rule, message=f"{rule.message} (`{{now}}` was `{{was}}`)", severity=anew or rule.severity)
            fields = {**fields, "now": self.new.name, "was": was}
        moved = self.renamed and anew == "note"
        hint = "nothing has to be done: the tasks that are moved to it arrive anew" if moved else None
        return Change(rule, self.group, fields, self.concerns, new, old, hint)

    @cached_property
    def before(self) -> Side:
        """What the old one says."""
        return Side(self.workflow.versions.old, self.workflow.old, self.old, self.workflow.names)

    @cached_property
    def after(self) -> Side:
        """What the new one says."""
        return Side(self.workflow.versions.new, self.workflow.new, self.new, {})

    @property
    def kept(self) -> Iterator[tuple[tuple[str, str], tuple[Move, ...], tuple[Move, ...]]]:
        """The moves that are in both under one trigger to one step, and are taken under other conditions."""
        for key, old in sorted(self.before.moves.items(), key=lambda item: item[0]):
            new = self.after.moves.get(key, ())
            guards = [[said(move.guard) if move.guard else "" for move in moves] for moves in (old, new)]
            if new and guards[0] != guards[1]:
                yield key, old, new

    def loosened(self, old: tuple[Move, ...], new: tuple[Move, ...]) -> bool:
        """Whether more is let through now, and nothing less."""
        return looser(self.before, old, self.after, new)

    @cached_property
    def unseated(self) -> Mapping[str, Move]:
        """The roles that a guard asks now and nobody has seated for the tasks that stand here: their entry was run by
        the old list. Those that were no better off before are not among them, nor is anyone at a renamed step: whoever
        is moved to the new name arrives anew."""
        if self.renamed:
            return {}
        before, after = self.before, self.after
        here = before.ensured | {seat.role for seat in after.seats if seat.required}
        was = before.ensured | {seat.role for seat in before.seats if seat.required}
        stuck = {role for role in before.asked if role not in was}
        return {role: move for role, move in after.asked.items() if role not in here and role not in stuck}

    @cached_property
    def entry(self) -> ListDiff:
        """What is another on entry."""
        return ListDiff.of(self, "enter")  # pyright: ignore[reportArgumentType] - the same class, by the path of its link

    def reaction(self, trigger: str) -> ListDiff:
        """What is another in the list of a trigger."""
        return ListDiff.of(self, trigger)  # pyright: ignore[reportArgumentType] - the same class, by the path of its link

    def to(self, old_name: str) -> str:
        """A step of the old version by the name it has now."""
        return self.workflow.names.get(old_name, old_name)


@dataclass(frozen=True)
class WorkflowPair:
    """One workflow in both versions. `names` leads from the old names of its steps to the new ones, for those that are
    still there."""

    versions: Versions
    old: Workflow
    new: Workflow

    @property
    def both(self) -> tuple[Program, Program]:
        """The two programs."""
        return self.versions.old, self.versions.new

    @property
    def renamed(self) -> bool:
        """Whether it has another name."""
        return self.old.name != self.new.name

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The steps that are in both."""
        vocabularies = self.versions.old.vocabulary, self.versions.new.vocabulary
        facts, new_facts = (partial(_step_facts, vocabulary) for vocabulary in vocabularies)
        return _matched(self.old.steps, self.new.steps, facts, new_facts)

    @cached_property
    def steps(self) -> tuple[StepPair, ...]:
        """The steps that are in both, in the old order."""
        return tuple(StepPair(self, self.old.steps[old], self.new.steps[new]) for old, new in self.names.items())

    @property
    def gone(self) -> Iterator[Step]:
        """The steps that are no more."""
        return (step for name, step in self.old.steps.items() if name not in self.names)

    @property
    def added(self) -> Iterator[Step]:
        """The steps that were not there."""
        there = set(self.names.values())
        return (step for name, step in self.new.steps.items() if name not in there)


@dataclass(frozen=True)
class Versions:
    """The two programs."""

    old: Program
    new: Program

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The workflows that are in both, from the old name to the new."""
        return _matched(self.old.workflows, self.new.workflows, _workflow_facts, _workflow_facts)

    @cached_property
    def workflows(self) -> tuple[WorkflowPair, ...]:
        """The workflows that are in both."""
        pairs = self.names.items()
        return tuple(WorkflowPair(self, self.old.workflows[old], self.new.workflows[new]) for old, new in pairs)

    @cached_property
    def declarations(self) -> tuple[DeclaredPair, ...]:
        """What is declared in either."""
        return tuple(declared_pairs(self.old.vocabulary, self.new.vocabulary))

    @property
    def steps(self) -> Iterator[StepPair]:
        """All steps that are in both."""
        return (step for workflow in self.workflows for step in workflow.steps)

    def entering(self, kind: str) -> tuple[StepPair, ...]:
        """The steps whose old entry list has a kind."""
        return tuple(step for step in self.steps if any(a.kind == kind for a in step.before.actions("enter")))


# ---------------------------------------------------------------- facts


def _step_facts(vocabulary: Vocabulary, step: Step) -> frozenset[str]:
    """What a step says itself, apart from its name and title."""
    defaults = {setting.name: setting.default for setting in vocabulary.settings if setting.owner == "step"}
    settings = {f"{name}={value!r}" for name, value in step.settings.items() if value != defaults.get(name)}
    lists = {f"{trigger}:{said(item)}" for trigger, items in step.on.items() for item in items}
    return frozenset(settings | lists | {word for word in ("start", "end") if getattr(step, word)})


def _workflow_facts(workflow: Workflow) -> frozenset[str]:
    return frozenset(workflow.steps)


Facts = Callable[[T], frozenset[str]]


def _matched(old: Mapping[str, T], new: Mapping[str, T], facts: Facts[T], new_facts: Facts[T]) -> dict[str, str]:
    found = {name: name for name in old if name in new}
    gone = [(thing, facts(thing)) for name, thing in old.items() if name not in new]
    come = [(thing, new_facts(thing)) for name, thing in new.items() if name not in old]
    for before, after in _closest(gone, come):
        if before not in found and after not in found.values():
            found[before] = after
    return {name: found[name] for name in old if name in found}


Told = Sequence[tuple[T, frozenset[str]]]


def _closest(gone: Told[T], come: Told[T]) -> Iterator[tuple[str, str]]:
    """Those that are alike enough, the closest first; of equally close ones the first of the file."""
    graded: list[tuple[float, int, int]] = []
    for first, before in enumerate(gone):
        for second, after in enumerate(come):
            alike = _alike(before, after)
            if alike >= NEAR:
                graded.append((-alike, first, second))
    return ((gone[first][0].name, come[second][0].name) for _, first, second in sorted(graded))


def _alike(before: tuple[T, frozenset[str]], after: tuple[T, frozenset[str]]) -> float:
    (one, here), (other, there) = before, after
    shared = len(here & there) / len(here | there) if here | there else 0.0
    return 1.0 + shared if one.title.casefold() == other.title.casefold() else shared
