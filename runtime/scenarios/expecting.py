"""Expectations to why they do not hold: in the reader's terms, with what is the case instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from newel.compiler.scenarios.script import Line
from newel.runtime.rows import Run
from newel.runtime.scenarios.acts import Act
from newel.runtime.scenarios.stage import Stage

Wrong = str | None
"""Why it does not hold; None where it does."""


def wrong(stage: Stage, last: Act, line: Line) -> Wrong:
    """Why an expectation does not hold after the last act."""
    return _FORMS[line.form](_Expectation(stage, last, line))


@dataclass(frozen=True, slots=True)
class _Expectation:
    """One line, with what it is held against."""

    stage: Stage
    last: Act
    line: Line

    def at(self) -> Wrong:
        step = self.line.words["step"]
        task = self.stage.standing(self.line.task)
        stands = task.step if task is not None else None
        if stands == step:
            return None
        return f"the task stands {'nowhere' if stands is None else f'at {stands}'}, not at {step}"

    def waiting(self) -> Wrong:
        task = self.stage.standing(self.line.task)
        waits = task.queued_for if task is not None else None
        if waits == self.line.words["step"]:
            return None
        return f"the task waits for a place at {waits}" if waits else "the task does not wait for a place"

    def dispatched(self) -> Wrong:
        return self._among(self.last.dispatched(self.line.task), "its arrival ran")

    def excluded(self) -> Wrong:
        return self._among(self.last.excluded(self.line.task), "its arrival left to the session")

    def ran(self) -> Wrong:
        return self._among([each.kind for each in self.last.ran], "under the trigger and on leaving ran")

    def _among(self, found: Sequence[str], what: str) -> Wrong:
        return None if self.line.words["kind"] in found else f"{what} {', '.join(found) or 'nothing'}"

    def queued(self) -> Wrong:
        return self._counted([told_run(run) for run in self.last.queued], "queued")

    def pending(self) -> Wrong:
        return self._counted([f"to {each.to}" for each in self.stage.pending(self.line.task)], "pending")

    def _counted(self, found: Sequence[str], what: str) -> Wrong:
        if len(found) == self.line.words["n"]:
            return None
        told = f": {'; '.join(found)}" if found else ""
        return f"{len(found)} {'is' if len(found) == 1 else 'are'} {what}{told}"

    def refused(self) -> Wrong:
        return None if self.last.refused else "the call was not refused"

    def nothing(self) -> Wrong:
        last = self.last
        found = [*last.dispatched(), *last.excluded(), *(each.kind for each in last.ran)]
        found += [told_run(run) for run in last.queued]
        found += [f"an approval to go to {each.to}" for each in last.asked]
        return f"there was {', '.join(found)}" if found else None


def told_run(run: Run) -> str:
    """A queued run in a few words."""
    return f"a run for {run.agent}" + (f" ({run.reason})" if run.reason else "")


_FORMS: Mapping[str, Callable[[_Expectation], Wrong]] = {
    "expect at": _Expectation.at,
    "expect waiting": _Expectation.waiting,
    "expect dispatched": _Expectation.dispatched,
    "expect excluded": _Expectation.excluded,
    "expect ran": _Expectation.ran,
    "expect queued": _Expectation.queued,
    "expect pending": _Expectation.pending,
    "expect refused": _Expectation.refused,
    "expect nothing": _Expectation.nothing,
}
