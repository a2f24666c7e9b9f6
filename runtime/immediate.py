"""A program's triggers to whether a delivery of one is decided in the very transaction that makes its move.

It is where every list of the trigger is made of moves alone: then nothing is to run, or to be asked of anybody, before
that transaction begins, so that the task is read under its lock, and only there.
"""

from __future__ import annotations

from newel.compiler.program import Move, Program, TriggerDef
from newel.runtime.limits import Limits


class Immediate:
    """What is known of each trigger, looked up once."""

    __slots__ = ("_known", "_limits", "_program")

    def __init__(self, program: Program, limits: Limits) -> None:
        self._program, self._limits = program, limits
        self._known: dict[str, bool] = {}

    def decides(self, trigger: TriggerDef) -> bool:
        """Whether deliveries of that trigger without an operation id are decided so.

        Not where they may be held back for want of a signal, or are known by an operation id: such a delivery runs
        nothing, and need not wait for a lock. Nor where a move leads to a limited step, whose places are locked first.
        """
        known = self._known.get(trigger.name)
        if known is None:
            known = self._known[trigger.name] = not trigger.operations and self._moves_alone(trigger)
        return known

    def _moves_alone(self, trigger: TriggerDef) -> bool:
        work_done = trigger.mark("work_done")
        for workflow in self._program.workflows.values():
            for step in workflow.steps.values():
                if work_done and self._program.flag(workflow.name, step.name, "signal"):
                    return False
                for item in step.on.get(trigger.name, ()):
                    if not isinstance(item, Move) or self._limits.limited(workflow.name, item.to):
                        return False
        return True
