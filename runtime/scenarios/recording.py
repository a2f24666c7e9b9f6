"""Lines taken one at a time to a scenario that passes with them: what it shows is what `newel test` plays.

Who is cast, and what a guard answers, a scenario says as a whole; here it is known line by line. So where a line
changes the cast, all is played again from the beginning, and what was answered is written down as a `given`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from newel.compiler.scenarios.script import Line, people
from newel.runtime.scenarios.acts import Act
from newel.runtime.scenarios.playing import REFUSED, Player, Said
from newel.runtime.scenarios.stage import Stage
from newel.runtime.scenarios.standins import Ask, Cast

Casting = Callable[[Mapping[str, Sequence[str]]], Cast]
"""Who decides in each role to who is cast."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A line of the scenario, and what the guards answered that were asked under it."""

    line: Line
    answers: dict[str, bool] = field(default_factory=dict)


class Recording:
    """A scenario that grows. `ask` answers for the guards that nobody gave."""

    def __init__(self, cast: Casting, stage: Callable[[Cast, Ask], Stage], ask: Ask) -> None:
        self._cast, self._make, self._ask = cast, stage, ask
        self._kept: list[Kept] = []
        self._answers: dict[str, bool] = {}
        self._refused: Line | None = None
        self._people: Mapping[str, tuple[str, ...]] = {}
        self._player = self._begin()

    @property
    def stage(self) -> Stage:
        """Where it is played."""
        return self._player.stage

    def take(self, line: Line) -> Said:
        """Play a line, and keep it unless it fails: then all is as it was before. A refused call is kept with the
        `expect refused` that comes next."""
        refused, self._refused = self._refused, None
        lines = [refused, line] if refused is not None and line.form == REFUSED else [line]
        hindrance = self._recast([*(each.line for each in self._kept), *lines])
        if hindrance is not None:
            return Said(line, failure=hindrance)
        return self._tried(lines)

    def _tried(self, lines: Sequence[Line]) -> Said:
        last, kept = self._player.last, [Kept(each) for each in lines]
        said = [self._play(each, following) for each, following in zip(kept, (*lines[1:], None), strict=True)]
        failed = next((each for each in said if each.failure is not None), None)
        if failed is not None:
            self._take_back(failed, last)
            return failed
        self._kept += kept
        return said[-1]

    def _take_back(self, said: Said, last: Act | None) -> None:
        act = said.act
        if act is not None and act.refused and not (act.rows or act.ran or act.queued or act.asked):
            self._refused, self._player.last = said.line, last
        elif act is not None:
            self._again()

    # ---------------------------------------------------------------- from the beginning

    def _recast(self, lines: Sequence[Line]) -> str | None:
        """Play what is kept again where the lines together change who is cast. Why that cannot be, if it cannot."""
        wanted = people(lines)
        if all(self._candidates(self._people, role) == self._candidates(wanted, role) for role in wanted):
            self._people = wanted
            return None
        before, self._people = self._people, wanted
        failed = self._again()
        if failed is None:
            return None
        self._people = before
        self._again()
        said = " ".join(failed.line.span.text.split())
        return f"who decides is cast from the beginning, and then `{said}` would fail: {failed.failure}"

    def _candidates(self, given: Mapping[str, Sequence[str]], role: str) -> list[str]:
        return [each.id for each in self._cast(given).candidates(role)]

    def _again(self) -> Said | None:
        """Play what is kept on a new ledger. The line that fails now, if one does."""
        self.close()
        self._player = self._begin()
        following = (*(each.line for each in self._kept[1:]), None)
        played = (self._play(each, after) for each, after in zip(self._kept, following, strict=bool(self._kept)))
        return next((said for said in played if said.failure is not None), None)

    def _begin(self) -> Player:
        return Player(self._make(self._cast(self._people), self._answer))

    def _play(self, kept: Kept, following: Line | None) -> Said:
        self._answers = kept.answers
        return self._player.play(kept.line, following)

    def _answer(self, guard: str) -> bool:
        """Asked once under each line."""
        if guard not in self._answers:
            self._answers[guard] = self._ask(guard)
        return self._answers[guard]

    # ---------------------------------------------------------------- as a scenario

    def lines(self) -> Iterator[str]:
        """The scenario, each answer before the line under which it was asked for, unless it was the same before."""
        given: dict[object, bool] = {}
        for each in self._kept:
            for guard, answer in each.answers.items():
                if given.get(guard) is not answer:
                    given[guard] = answer
                    yield f"given {guard} {'true' if answer else 'false'}"
            if each.line.form == "given":
                given[each.line.words["guard"]] = each.line.words["answer"] is True
            yield " ".join(each.line.span.text.split())

    def close(self) -> None:
        """Let go of the ledger."""
        self.stage.close()
