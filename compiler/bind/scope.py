"""Where a piece of a file is bound: its file, the step it goes into, and the parameters of its fragment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal, TypeAlias

from newel.compiler.model import Json, Loaded, Step, Type, Workflow
from newel.dsl import tree
from newel.dsl.findings import Related
from newel.dsl.source import Span


class _Bad(Enum):
    BAD = "bad"


BAD: Final = _Bad.BAD
"""Stands for a value that could not be bound, which has been reported, or that is not known yet."""

Bound: TypeAlias = Json | Literal[_Bad.BAD]


Relative: TypeAlias = Literal["next", "previous"]


@dataclass(slots=True)
class Argument:
    """What a parameter of a fragment stands for. `relative` where it was given as `next` or `previous`; `weight` is
    about how many characters each use of it adds."""

    type: Type
    value: Bound
    relative: Relative | None = None
    weight: int = 0


@dataclass(slots=True)
class Scope:
    """Where names are looked up. `loose` for a fragment that nothing includes: its steps are not known. `inside`
    are the fragments around, outermost first."""

    file: Loaded
    workflow: Workflow | None = None
    step: Step | None = None
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    trace: tuple[Related, ...] = ()
    loose: bool = False
    inside: tuple[str, ...] = ()

    def span(self, node: tree.Node) -> Span:
        """The place of a node of this scope's file."""
        return Span(self.file.source, node.start, node.end)

    def beside(self, relative: Relative) -> str | None:
        """The name of the step before or after this scope's, or None where there is none."""
        if self.workflow is None or self.step is None:
            return None
        at = self.step.index + (1 if relative == "next" else -1)
        return self.workflow.order[at] if 0 <= at < len(self.workflow.order) else None


def relative_name(name: str) -> Relative | None:
    """`next` or `previous` where the name is one of the two."""
    if name == "next":
        return "next"
    return "previous" if name == "previous" else None
