"""The calls that are cut off: what they need before, what they do, and how their caller asks again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.crash.hosting import Host

Do = Callable[[Host, str], Any]


def _nothing(host: Host, task: str) -> None:
    pass


@dataclass(frozen=True)
class Act:
    """`to` is where the task stands in the end, `tasks` who take part beside the task itself."""

    before: Do
    call: Do
    to: str
    tasks: tuple[str, ...] = ("",)


def _created(host: Host, task: str) -> None:
    host.service.create(task, "w")


def _seated(host: Host, task: str) -> None:
    _created(host, task)
    host.service.seat(task, step="a", role="reviewer", agent="ada")


def _asked(host: Host, task: str) -> None:
    _created(host, task)
    host.service.handle(task, "approval_resolved", payload={"approval_id": task, "status": "approved"})


def _waiting(host: Host, task: str) -> None:
    """One stands at the step with one place, the other waits for it."""
    host.service.create(f"{task}x", "w", "d")
    _created(host, task)
    host.service.move(task, "d")


def _lost(host: Host, task: str) -> None:
    _created(host, task)
    host.lose(task, "b")


def _leave(host: Host, task: str) -> None:
    """Whoever finds that the other is gone from the place already fills it by hand."""
    if host.service.task(f"{task}x").step == "d":
        host.service.move(f"{task}x", "c")
    else:
        host.service.pull("w", "d")


def _redispatch(host: Host, task: str) -> None:
    entry = host.service.task(task).entry_id
    assert entry is not None
    host.service.redispatch(entry)


ACTS = {
    "create": Act(_nothing, lambda host, task: host.service.create(task, "w", "b"), "b"),
    "move": Act(_created, lambda host, task: host.service.move(task, "b"), "b"),
    "move_many": Act(_created, lambda host, task: host.service.move_many([(task, "b")]), "b"),
    "redispatch": Act(_lost, _redispatch, "b"),
    "approve": Act(_asked, lambda host, task: host.service.approve(host.pending(task).id), "b"),
    "decide": Act(
        _seated,
        lambda host, task: host.service.decide(task, role="reviewer", decider="ada", verdict="approved"),
        "b",
    ),
    "handle": Act(_created, lambda host, task: host.service.handle(task, "comment", payload={"comment_id": task}), "b"),
    "pull": Act(_waiting, _leave, "d", ("", "x")),
    "switch": Act(_created, lambda host, task: host.service.switch(task, "v", operation_id=f"op {task}"), "z"),
}
