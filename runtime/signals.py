"""Finished work at a step to whether it counts as finished yet (EN15)."""

from __future__ import annotations

from newel.compiler.program import Program
from newel.runtime.causes import current

NOT_SIGNALLED = "not_signalled"
NOT_ON_CANCEL = "not_on_cancel"


class Signals:
    """What a program's steps say of signals and cancelled turns, each looked up once."""

    __slots__ = ("_program", "_steps", "_work_done")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._work_done = {name for name, t in program.vocabulary.triggers.items() if t.mark("work_done")}
        self._steps: dict[tuple[str, str], tuple[bool, bool]] = {}

    def held_back(self, workflow: str, step: str, trigger: str, signalled: bool) -> str | None:
        """Why a trigger runs nothing at a step, if so. A turn that a person has cancelled needs no signal."""
        if trigger not in self._work_done:
            return None
        asks, cancels = self._said(workflow, step)
        if current().route == "user_cancellation":
            return None if cancels else NOT_ON_CANCEL
        return NOT_SIGNALLED if asks and not signalled else None

    def _said(self, workflow: str, step: str) -> tuple[bool, bool]:
        said = self._steps.get((workflow, step))
        if said is None:
            flag = self._program.flag
            said = flag(workflow, step, "signal"), flag(workflow, step, "cancel")
            self._steps[workflow, step] = said
        return said
