"""What is another than in an older version, as `newel diff` tells it, to the pages where it is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from newel.compiler.diff import Change, compare
from newel.compiler.docs.shape import ChangeView
from newel.compiler.program import Program, Workflow

_SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Changed:
    """The changes, those that break tasks first. None where there is nothing to compare with."""

    new: Program
    changes: tuple[Change, ...]

    @staticmethod
    def between(old: Program | None, new: Program) -> Changed:
        """The changes from an older version to this."""
        found = () if old is None else compare(old, new)
        return Changed(new, tuple(sorted(found, key=_order)))

    def elsewhere(self) -> list[ChangeView]:
        """What belongs to no workflow that is there: to the vocabulary, or to one that is gone."""
        return _views(change for change in self.changes if change.group[:1] not in self._there)

    def workflow(self, workflow: Workflow) -> list[ChangeView]:
        """What belongs to a workflow, and to no step that is there."""
        return _views(
            change
            for change in self.changes
            if change.group[:1] == (workflow.name,) and not set(change.group[1:2]) & set(workflow.steps)
        )

    def step(self, workflow: str, step: str) -> list[ChangeView]:
        """What belongs to a step."""
        return _views(change for change in self.changes if change.group[:2] == (workflow, step))

    @property
    def _there(self) -> set[tuple[str, ...]]:
        return {(name,) for name in self.new.workflows}


def _order(change: Change) -> tuple[int, tuple[str, ...], str, str]:
    return _SEVERITIES.index(change.rule.severity), change.group, change.rule.code, change.message


def _views(changes: Iterable[Change]) -> list[ChangeView]:
    return [
        {
            "code": change.rule.code,
            "severity": change.rule.severity,
            "text": change.message,
            "advice": "" if change.rule.severity == "note" else _advice(change),
        }
        for change in changes
    ]


def _advice(change: Change) -> str:
    return change.hint if change.hint is not None else change.rule.hint.format(**change.fields)
