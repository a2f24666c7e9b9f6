"""Steps and the ways between them to one order: onward, what belongs together side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Ways = Mapping[str, Sequence[str]]


def onward(names: Sequence[str], ways: Ways) -> list[str]:
    """The names so that every way leads onward but for those that lead back, which are found from the first names on.
    A side branch stands before the longer one beside it, so that it is near to where it leaves."""
    finished, forward = _walked(names, ways)
    height: dict[str, int] = {}
    for name in finished:
        height[name] = max((height[other] + 1 for other in forward[name]), default=0)
    waits = dict.fromkeys(names, 0)
    for name in names:
        for other in forward[name]:
            waits[other] += 1
    place = {name: index for index, name in enumerate(names)}
    ready = [name for name in reversed(names) if not waits[name]]
    found: list[str] = []
    while ready:
        found.append(ready.pop())
        freed = [other for other in forward[found[-1]] if not _waits_on(other, waits)]
        ready.extend(sorted(freed, key=lambda name: (height[name], place[name]), reverse=True))
    return found


def _waits_on(name: str, waits: dict[str, int]) -> int:
    waits[name] -= 1
    return waits[name]


def _walked(names: Sequence[str], ways: Ways) -> tuple[list[str], Mapping[str, Sequence[str]]]:
    """The names as a walk in depth leaves them, and the ways without those that lead back to where it came from."""
    forward: dict[str, list[str]] = {name: [] for name in names}
    seen: set[str] = set()
    on_the_way: set[str] = set()
    finished: list[str] = []
    for root in names:
        stack = [(root, iter(dict.fromkeys(ways.get(root, ()))))] if root not in seen else []
        seen.add(root)
        on_the_way.update(name for name, _ in stack)
        while stack:
            name, rest = stack[-1]
            other = next(rest, None)
            if other is None:
                stack.pop()
                on_the_way.discard(name)
                finished.append(name)
            elif other not in on_the_way:
                forward[name].append(other)
                if other not in seen:
                    seen.add(other)
                    on_the_way.add(other)
                    stack.append((other, iter(dict.fromkeys(ways.get(other, ())))))
    return finished, forward
