"""Scripts to results: the one interpreter of lines, for whole scenarios and for one line at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from newel.compiler.scenarios.script import Line, Script
from newel.runtime.errors import NewelError
from newel.runtime.scenarios.acts import Act
from newel.runtime.scenarios.expecting import wrong
from newel.runtime.scenarios.stage import Stage
from newel.runtime.standard import failure

REFUSED = "expect refused"


@dataclass(frozen=True, slots=True)
class Said:
    """A line that was played: what it did, where it acts, and why the scenario fails at it."""

    line: Line
    act: Act | None = None
    failure: str | None = None


@dataclass(slots=True)
class Result:
    """A scenario that was played, up to the line where it failed."""

    script: Script
    trace: list[Said]

    @property
    def failed(self) -> Said | None:
        """The line at which it failed."""
        return next((said for said in self.trace if said.failure is not None), None)


class Player:
    """Plays lines on a stage, one after the other. Expectations are held against the `last` act."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.last: Act | None = None

    def play(self, line: Line, following: Line | None = None) -> Said:
        """Play a line. A refused call is a failure, unless the line that follows expects it."""
        if line.acts:
            act = self.last = self.stage.act(line)
            return Said(line, act, _trouble(act, following))
        if line.form == "given":
            self.stage.given(line)
            return Said(line)
        if self.last is None:
            return Said(line, failure="nothing has happened yet")
        return Said(line, failure=wrong(self.stage, self.last, line))


def _trouble(act: Act, following: Line | None) -> str | None:
    """Why a scenario cannot go on after an act."""
    if act.unanswered:
        asked = ", ".join(f"`{name}`" for name in act.unanswered)
        return f"nobody answers for {asked}: say `given {act.unanswered[0]} true` or `false` before this line"
    if act.error is not None and not (act.refused and following is not None and following.form == REFUSED):
        return refusal(act.error)
    failures = act.failures()
    return "; ".join(failures) if failures else None


def refusal(error: Exception) -> str:
    """What a call was refused with, or what a handler raised."""
    return f"refused: {error}" if isinstance(error, NewelError) else f"raised {failure(error)}"


def play(lines: Sequence[Line], stage: Stage) -> list[Said]:
    """Play lines up to their end, or to the first one that fails."""
    player, trace = Player(stage), list[Said]()
    for line, following in zip_longest(lines, lines[1:]):
        trace.append(player.play(line, following))
        if trace[-1].failure is not None:
            break
    return trace


def run(script: Script, stage: Stage) -> Result:
    """Play a scenario."""
    return Result(script, play(script.lines, stage))
