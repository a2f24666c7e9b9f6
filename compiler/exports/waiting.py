"""A trigger at a step to whether what stands under it waits until whoever works there has signalled."""

from __future__ import annotations

from newel.compiler.program import Program


def waits(program: Program, workflow: str, step: str, trigger: str) -> bool:
    """Where the trigger is the end of work, and the step asks for a signal."""
    declared = program.vocabulary.triggers.get(trigger)
    return declared is not None and declared.mark("work_done") is not None and program.flag(workflow, step, "signal")
