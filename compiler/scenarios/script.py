"""A bound scenario: lines whose every word has been found to mean something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from newel.dsl.slotted import slotted
from newel.dsl.source import Span

TASK = "task"
"""The task that a line is about where it names none."""


@slotted
class Line:
    """One line: the name of its form, and its words by their names in the table; what was left out is not there.

    A payload is under `payload`, in the form `Service.handle` takes.
    """

    form: str
    words: Mapping[str, object]
    span: Span

    @property
    def task(self) -> str:
        """The task it is about."""
        return str(self.words.get("task", TASK))

    @property
    def acts(self) -> bool:
        """Whether something happens to a task by it."""
        return not self.form.startswith("expect ") and self.form != "given"


@slotted
class Script:
    """A scenario: its title, the workflow it is about, and its lines. `span` is the place of its title."""

    title: str
    workflow: str
    span: Span
    lines: tuple[Line, ...] = ()


def people(lines: Iterable[Line]) -> dict[str, tuple[str, ...]]:
    """Who decides in each role, in the order of the text."""
    found: dict[str, dict[str, None]] = {}
    for line in lines:
        who = line.words.get("who")
        if isinstance(who, str) and line.words.get("person") is not True:
            found.setdefault(str(line.words.get("role")), {})[who] = None
    return {role: tuple(names) for role, names in found.items()}
