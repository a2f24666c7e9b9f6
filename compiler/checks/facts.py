"""A bound model turned into what the checks ask of it, worked out once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from newel.compiler.checks.flow import Flow
from newel.compiler.checks.gates import Gate, gates
from newel.compiler.checks.loops import Loops, loops
from newel.compiler.model import Model


@dataclass(frozen=True, slots=True)
class Host:
    """What the program that runs the workflows has: the triggers it fires and the kinds it carries out. None where it
    has not said; `enter` and `exit` need not be named."""

    triggers: frozenset[str] | None = None
    kinds: frozenset[str] | None = None


@dataclass(eq=False)
class Facts:
    """What every check gets: the model, the host, and what follows from them."""

    model: Model
    host: Host = field(default_factory=Host)

    @cached_property
    def flows(self) -> Sequence[Flow]:
        """The workflows without a broken statement: of the others nothing is said about what they lack."""
        return [Flow(self.model, workflow) for workflow in self.model.workflows.values() if not workflow.broken]

    @cached_property
    def loops(self) -> Sequence[tuple[Flow, Loops]]:
        """What goes round in each workflow."""
        return [(flow, loops(flow)) for flow in self.flows]

    @cached_property
    def gates(self) -> Sequence[Gate]:
        """The steps at which somebody is asked to decide, or woken for it."""
        return [gate for flow in self.flows for gate in gates(flow)]
