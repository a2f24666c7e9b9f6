"""Two lists of one trigger to what came, what went, what is called with other arguments, and what stands elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newel.compiler.program import Action, Move

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import StepPair
    from newel.compiler.diff.sides import Side

Placed = tuple[str, str]
"""An action or a move, as it is written; before a move its sign."""


@dataclass(frozen=True)
class ListDiff:
    """What is another in a list, its actions compared without regard to places.

    `reordered`: one owner runs what is in both in another order; between the owners there is none. `moves_reordered`:
    the moves that are in both are tried in another order. `rearranged`: neither, and places are others all the same.
    """

    added: tuple[Action, ...]
    removed: tuple[Action, ...]
    changed: tuple[tuple[Action, Action], ...]
    reordered: bool
    moves_reordered: bool
    rearranged: bool

    @staticmethod
    def of(pair: StepPair, trigger: str) -> ListDiff:
        """The difference between the lists of one trigger."""
        old, new = pair.before.actions(trigger), pair.after.actions(trigger)
        before, after = [*map(pair.before.written, old)], [*map(pair.after.written, new)]
        removed, added = _without(old, before, after), _without(new, after, before)
        changed: list[tuple[Action, Action]] = []
        for action in removed.copy():
            twin = next((other for other in added if other.kind == action.kind), None)
            if twin is not None:
                changed.append((action, twin))
                removed.remove(action)
                added.remove(twin)
        reordered, moves = _halves(pair, old, new), _moves(pair, trigger)
        places = _differ(_placed(pair.before, trigger), _placed(pair.after, trigger))
        rearranged = places and not (reordered or moves)
        return ListDiff(tuple(added), tuple(removed), tuple(changed), reordered, moves, rearranged)


def _without(these: Sequence[Action], written: Sequence[str], others: Sequence[str]) -> list[Action]:
    """The actions that the other list has not, as they are called: what stands at its default is left out."""
    left = list(others)
    found: list[Action] = []
    for action, text in zip(these, written, strict=True):
        if text in left:
            left.remove(text)
        else:
            found.append(action)
    return found


def _halves(pair: StepPair, old: Sequence[Action], new: Sequence[Action]) -> bool:
    """Whether what is in both lists stands in another order in one of the halves: between them there is no order."""
    both = {action.kind for action in old} & {action.kind for action in new}
    for owner in ("dispatch", "exclude", ""):
        before = [a for a in old if a.kind in both and pair.before.owner(a) == owner == pair.after.owner(a)]
        after = [a for a in new if a.kind in both and pair.before.owner(a) == owner == pair.after.owner(a)]
        if _differ([a.kind for a in before], [a.kind for a in after]):
            return True
        if _differ([*map(pair.before.written, before)], [*map(pair.after.written, after)]):
            return True
    return False


def _moves(pair: StepPair, trigger: str) -> bool:
    """Whether the moves that are in both are tried in another order: by where they lead and when."""
    before, after = _placed(pair.before, trigger), _placed(pair.after, trigger)
    return _differ([text for sign, text in before if sign], [text for sign, text in after if sign])


def _placed(side: Side, trigger: str) -> list[Placed]:
    """A list as it is written, steps by their names now; a move with its sign."""
    items = side.step.on.get(trigger, ())
    return [("->", side.leads(item)) if isinstance(item, Move) else ("", side.written(item)) for item in items]


def _differ(before: Sequence[object], after: Sequence[object]) -> bool:
    """Whether what is in both lists, and as often, stands in another order."""
    was, now = Counter(before), Counter(after)
    both = {item for item in was if was[item] == now[item]}
    return [item for item in before if item in both] != [item for item in after if item in both]
