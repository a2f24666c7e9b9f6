"""The ways of a workflow turned into what goes round: loops nobody has to do anything for, and loops something drives.

A loop with one hop that needs a person is no loop. For each hop that lies on one the shortest is found, so that no
mended file hides another and no dense workflow gives thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from newel.compiler.checks.flow import Flow, Hop
from newel.compiler.checks.graph import components, shortest
from newel.compiler.model import GuardCall, guard_calls, readable
from newel.dsl.findings import Related

Nature = Literal["idle", "driven", "decided", "personal"]
Trail = tuple[Hop, ...]

DECIDES = frozenset({"approval", "rejection", "decision"})
"""The marks of guards that ask for what somebody has decided."""


@dataclass(frozen=True, slots=True)
class Loops:
    """Loops of idle hops only; loops of those and driven or decided ones; the hops at which a search was given up."""

    idle: Sequence[Trail]
    driven: Sequence[Trail]
    given_up: Sequence[Hop]


def nature(flow: Flow, hop: Hop) -> Nature:
    """Who or what it takes for this hop to happen."""
    on, move = hop.on, hop.move
    marks = on.trigger.marks
    if move.approval or on.trigger.in_turn or "person" in marks or not readable(move.guard):
        return "personal"
    if "work_done" in marks:
        if not flow.works(hop.step.name):
            return "personal"
        return "decided" if any(map(asks_decisions, guard_calls(move.guard))) else "idle"
    return "driven" if marks.keys() & {"clock", "system"} else "personal"


def asks_decisions(call: GuardCall) -> bool:
    """Whether a guard asks for what somebody has decided."""
    return not DECIDES.isdisjoint(call.guard.marks)


def loops(flow: Flow) -> Loops:
    """What goes round in a workflow."""
    natures = {id(hop): nature(flow, hop) for hops in flow.hops.values() for hop in hops}
    by_itself = _Search(flow, lambda hop: natures[id(hop)] == "idle")
    idle = list(by_itself.trails(lambda _: True))
    moved = _Search(flow, lambda hop: natures[id(hop)] != "personal")
    driven = list(moved.trails(lambda hop: natures[id(hop)] != "idle"))
    return Loops(idle, driven, [*by_itself.given_up, *moved.given_up])


class _Search:
    """Loops over those hops of a workflow that a predicate admits."""

    def __init__(self, flow: Flow, admits: Callable[[Hop], bool]) -> None:
        self._order = {name: index for index, name in enumerate(flow.steps)}
        self._hops = {name: [hop for hop in hops if admits(hop)] for name, hops in flow.hops.items()}
        self._states = flow.model.limits.states
        self.given_up: list[Hop] = []

    def trails(self, through: Callable[[Hop], bool]) -> Iterator[Trail]:
        """For each hop the predicate picks the shortest loop through it, each loop once, begun at its first step."""
        after = {name: [hop.to.name for hop in hops] for name, hops in self._hops.items()}
        seen: set[tuple[str, ...]] = set()
        for group in sorted(map(self._in_order, components(after)), key=lambda names: self._order[names[0]]):
            for trail in self._within(group, after, through):
                names = tuple(hop.step.name for hop in trail)
                if names not in seen:
                    seen.add(names)
                    yield trail

    def _in_order(self, names: list[str]) -> list[str]:
        return sorted(names, key=self._order.__getitem__)

    def _within(
        self, group: list[str], after: Mapping[str, list[str]], through: Callable[[Hop], bool]
    ) -> Iterator[Trail]:
        inside = set(group)
        part = {name: [to for to in after[name] if to in inside] for name in group}
        room, covered = self._states, set[int]()
        for hop in (hop for name in group for hop in self._hops[name] if hop.to.name in inside):
            if id(hop) in covered or not through(hop):
                continue
            way, looked = shortest(hop.to.name, hop.step.name, part, room)
            room -= looked
            if way is None:
                self.given_up.append(hop)
                return
            trail = self._trail(hop, way)
            covered.update(map(id, trail))
            yield trail

    def _trail(self, hop: Hop, way: list[str]) -> Trail:
        """The hop and then a hop for each stretch of the way back, turned so that the first step of the file leads."""
        trail = [hop, *(self._hop(a, b) for a, b in pairwise(way))]
        first = min(range(len(trail)), key=lambda index: self._order[trail[index].step.name])
        return tuple(trail[first:] + trail[:first])

    def _hop(self, name: str, to: str) -> Hop:
        return next(hop for hop in self._hops[name] if hop.to.name == to)


def trace(trail: Trail) -> str:
    """A loop in words: each step, and on which trigger and line it is left."""
    path = trail[0].move.source.path
    hops = (f" -> {hop.to.name} (on {hop.on.trigger.name}, {_line(hop, path)})" for hop in trail)
    return trail[0].step.name + "".join(hops)


def _line(hop: Hop, path: str) -> str:
    where = "" if hop.move.source.path == path else f"{hop.move.source.path} "
    return f"{where}line {hop.move.source.line_of(hop.move.start)}"


def places(trail: Trail) -> tuple[Related, ...]:
    """The moves of a loop after its first."""
    return (
        *trail[0].move.trace,
        *(Related(f"then `{hop.step.name}` moves to `{hop.to.name}`", hop.move.span) for hop in trail[1:]),
    )
