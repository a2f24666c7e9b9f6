"""What is reached from where, and what goes round, in a graph given as the names after each name. No recursion."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping


def spread(starts: Iterable[str], after: Mapping[str, Iterable[str]]) -> set[str]:
    """All that is reached from the starts, themselves included."""
    seen: set[str] = set()
    todo = list(starts)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(after[name])
    return seen


def components(after: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components (Tarjan's algorithm), in no order that means anything but always the same."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    done: list[list[str]] = []
    for root in after:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(after[root])))]
        while work:
            name, rest = work[-1]
            for to in rest:
                if to not in order:
                    order[to] = low[to] = len(order)
                    stack.append(to)
                    work.append((to, iter(sorted(after[to]))))
                    break
                if to in low:
                    low[name] = min(low[name], low[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    done.append(_cut(stack, low, name))
    return done


def _cut(stack: list[str], low: dict[str, int], name: str) -> list[str]:
    """Takes a finished component off the stack; what is in none yet is what `low` still holds."""
    group: list[str] = []
    while not group or group[-1] != name:
        group.append(stack.pop())
        del low[group[-1]]
    return group[::-1]


def shortest(start: str, goal: str, after: Mapping[str, Iterable[str]], room: int) -> tuple[list[str] | None, int]:
    """The shortest way from one to the other, both named, and how many steps were looked at. No way where there is
    none, or none was found before `room` steps had been looked at."""
    before: dict[str, str | None] = {start: None}
    queue = deque([start])
    looked = 0
    while queue and looked < room:
        name = queue.popleft()
        looked += 1
        if name == goal:
            return list(_back(name, before))[::-1], looked
        for to in after.get(name, ()):
            if to not in before:
                before[to] = name
                queue.append(to)
    return None, looked


def _back(name: str | None, before: Mapping[str, str | None]) -> Iterator[str]:
    while name is not None:
        yield name
        name = before[name]
