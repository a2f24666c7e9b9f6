"""Two calls to every order in which the statements of their transactions can come, each of which is tried.

A schedule says whose next statement is run. Who comes to a lock that the other holds waits there until it is given up:
that is a schedule too, in which the other goes on alone. Two schedules have led to the same where each call has seen
the same answers and stands at the same statement, and the same transactions are committed in the same order; from there
they go on alike, so one of them is gone on with. What is reached in this way is a graph. It is complete when every
choice of every state has been made.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from newel.runtime.ledgers import postgres_transaction, sqlite

NAMES = ("first", "second")
BEGIN, BEGIN_TO_READ = "begin", "begin to read"
PATIENCE = 60.0
_STATEMENTS = ("_all", "_insert", "_many", "execute")
_VARYING = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+|\d+")
"""Times, and the numbers of transactions: texts that differ from run to run and decide nothing."""

_here = threading.local()


class Call:
    """One of the two, on a thread of its own, which stops before each statement until it is told to go on."""

    def __init__(self, name: str, work: Callable[[], Any], run: Run) -> None:
        self._work, self._changed, self.run = work, run.changed, run
        self.at: str | None = None
        """The statement it stops before; None while it runs, or waits for a lock."""
        self.done = False
        self.found: Any = None
        self.failed: BaseException | None = None
        self.doing: str | None = None
        """The statement it runs."""
        self.backend: int | None = None
        """Which of the server's processes serves it, if there is a server."""
        self.name, self._steps, self._answers = name, 0, hashlib.sha256()
        self.thread = threading.Thread(target=self._all, name=name, daemon=True)

    def _all(self) -> None:
        _here.call = self
        try:
            self._stop("start")
            self.found = self._work()
        except BaseException as error:
            self.failed = error
        with self._changed:
            self.done = True
            self._changed.notify_all()

    def _stop(self, name: str) -> None:
        with self._changed:
            self.at = name
            self._changed.notify_all()
            if not self._changed.wait_for(lambda: self.at is None, PATIENCE):
                raise TimeoutError("nobody says how it goes on")
        self._steps += 1

    def step(self, name: str, statement: Callable[[], Any]) -> Any:
        """Stop, run a statement when told to, and remember what it has come to. One made of others is one."""
        if self.doing is not None:
            return statement()
        self._stop(name)
        self.doing = name
        try:
            found = statement()
        except BaseException as error:
            self._answers.update(f"{name} raised {type(error).__name__}\n".encode())
            raise
        finally:
            self.doing = None
        self._answers.update(f"{name} {_plain(found)}\n".encode())
        return found

    @property
    def state(self) -> tuple[Any, ...]:
        return self._answers.digest(), self._steps, self.at, self.done


def _plain(found: Any) -> Any:
    if isinstance(found, (list, tuple)):
        return [_plain(each) for each in found]
    if isinstance(found, str):
        return "*" if _VARYING.fullmatch(found) else found
    return found if isinstance(found, int) or found is None else "*"


class Run:
    """Both calls from one stop to the next. `waits` tells of one of them whether it waits for a lock."""

    def __init__(self, works: Sequence[Callable[[], Any]], waits: Callable[[Call], bool]) -> None:
        self.changed, self._waits = threading.Condition(), waits
        self.committed: list[str] = []
        self.calls = [Call(name, work, self) for name, work in zip(NAMES, works, strict=True)]
        for call in self.calls:
            call.thread.start()
        self._settle(*self.calls)

    def enabled(self) -> tuple[int, ...]:
        """Whose next statement can be run."""
        return tuple(number for number, call in enumerate(self.calls) if call.at is not None)

    def waiting(self) -> bool:
        """Whether one of them waits for a lock of the other."""
        return any(call.at is None and not call.done for call in self.calls)

    def go(self, number: int) -> None:
        """Run one statement of one of them; and of the other what it has waited for, if that has become free."""
        with self.changed:
            self.calls[number].at = None
            self.changed.notify_all()
        self._settle(self.calls[number], self.calls[1 - number])  # it may have let go of what the other waits for

    def state(self) -> Any:
        """What decides how it can go on."""
        return tuple(call.state for call in self.calls), tuple(self.committed)

    def _settle(self, *calls: Call) -> None:
        deadline = time.monotonic() + PATIENCE
        for call in calls:
            while not self._rests(call):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"the {call.name} neither goes on nor waits")
        if not self.enabled() and self.waiting():
            raise TimeoutError("they wait for each other")

    def _rests(self, call: Call) -> bool:
        with self.changed:
            if self.changed.wait_for(lambda: call.at is not None or call.done, 0.001):
                return True
        return self._waits(call)

    def ended(self) -> tuple[Any, ...]:
        """What the calls have returned; raises what one of them has raised."""
        for call in self.calls:
            call.thread.join()
            if call.failed is not None:
                raise call.failed
        return tuple(call.found for call in self.calls)


# ---------------------------------------------------------------- where a call stops


def step(name: str, statement: Callable[[], Any]) -> Any:
    """A statement of the call whose thread this is."""
    call: Call = _here.call
    return call.step(name, statement)


@contextmanager
def stopping() -> Iterator[None]:
    """Every transaction begun on the thread of a call stops before its beginning, each statement and its end."""
    replaced = []
    classes: tuple[Any, ...] = (sqlite.SqliteTransaction, postgres_transaction.PostgresTransaction)
    for transactions in classes:
        for method in ("__enter__", *_STATEMENTS, "__exit__"):
            if method in vars(transactions):
                replaced.append((transactions, method, vars(transactions)[method]))
                setattr(transactions, method, _stopped(method, vars(transactions)[method]))
    try:
        yield
    finally:
        for transactions, method, original in replaced:
            setattr(transactions, method, original)


def _stopped(method: str, original: Any) -> Any:
    @wraps(original)
    def run(tx: Any, *rest: Any) -> Any:
        call: Call | None = getattr(_here, "call", None)
        if call is None:
            return original(tx, *rest)
        if method == "__enter__":
            call.step(BEGIN if tx._writes else BEGIN_TO_READ, lambda: original(tx) and None)
            if isinstance(tx, postgres_transaction.PostgresTransaction):
                call.backend = tx._connection.info.backend_pid
            return tx
        if method == "__exit__":
            return _ended(call, tx, original, rest)
        return call.step(" ".join(rest[0].split()), lambda: original(tx, *rest))

    return run


def _ended(call: Call, tx: Any, original: Any, rest: tuple[Any, ...]) -> Any:
    how = "end of reading" if not tx._writes else "commit" if rest[0] is None else "rollback"
    found = call.step(how, lambda: original(tx, *rest))
    if how == "commit":
        call.run.committed.append(call.name)
    return found


# ---------------------------------------------------------------- every schedule


@dataclass
class Node:
    """One state: whose statement can come next, and to which state it leads."""

    enabled: tuple[int, ...]
    waits: bool
    next: dict[int, Any] = field(default_factory=dict)


class Explored:
    """The graph of all states, made by runs from the beginning, each of which makes some choice for the first time.

    `run` begins a run, and `check` looks at what one has come to.
    """

    def __init__(self, run: Callable[[], Run], check: Callable[[tuple[Any, ...]], None]) -> None:
        self._run, self._check = run, check
        self.nodes: dict[Any, Node] = {}
        self.first: Any = None
        self.runs = 0
        todo: list[tuple[int, ...]] = [()]
        while todo:
            self._follow(todo.pop(), todo)
        if not self.complete:
            raise AssertionError("a choice was not made")

    def _follow(self, chosen: tuple[int, ...], todo: list[tuple[int, ...]]) -> None:
        """Choose as was chosen before, and then what has not been chosen, as long as there is such a thing."""
        if chosen and self._known(chosen):
            return
        run, path = self._run(), list[int]()
        here = self._node(run)
        self.first = self.first or here
        self.runs += 1
        while enabled := run.enabled():
            node = self.nodes[here]
            if len(path) < len(chosen):
                choice = chosen[len(path)]
            else:
                new = [each for each in enabled if each not in node.next]
                choice = (new or enabled)[0]
                todo += [(*path, each) for each in new[1:]]
            run.go(choice)
            path.append(choice)
            there = self._node(run)
            if node.next.setdefault(choice, there) != there:
                raise AssertionError(f"the same schedule has led elsewhere: {path}")
            here = there
        try:
            self._check(run.ended())
        except AssertionError as error:
            error.add_note(f"schedule: {' '.join(NAMES[each] for each in path)}")
            raise

    def _known(self, chosen: tuple[int, ...]) -> bool:
        here = self.first
        for choice in chosen:
            if choice not in self.nodes[here].next:
                return False
            here = self.nodes[here].next[choice]
        return True

    def _node(self, run: Run) -> Any:
        state = run.state()
        node = self.nodes.setdefault(state, Node(run.enabled(), run.waiting()))
        if node.enabled != run.enabled():
            raise AssertionError("the same state, and other choices")
        return state

    @property
    def complete(self) -> bool:
        """Whether every choice of every state has been made."""
        return all(set(node.enabled) == node.next.keys() for node in self.nodes.values())

    @property
    def waits(self) -> int:
        """In how many states one waits for a lock of the other."""
        return sum(node.waits for node in self.nodes.values())

    @property
    def schedules(self) -> int:
        """How many schedules the graph stands for: the ways through it."""
        ways: dict[Any, int] = {}
        todo = [self.first]
        while todo:
            here = todo[-1]
            after = self.nodes[here].next.values()
            missing = [each for each in after if each not in ways]
            if missing:
                todo += missing
            else:
                ways[todo.pop()] = sum(ways[each] for each in after) or 1
        return ways[self.first]

    def __str__(self) -> str:
        return (
            f"{self.schedules} schedules in {len(self.nodes)} states, {self.waits} of them waiting, by {self.runs} runs"
        )
