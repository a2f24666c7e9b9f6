"""One action in one moment: what a handler or port may give back, and what is said of it (SE4, SE9, EN2)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Any

import pytest

from newel.runtime.errors import ActionNotYetWired
from newel.runtime.handlers import Handlers
from newel.runtime.standard import failure
from tests.runtime.boards import Live, Make, board, entering, entry_of


class Later:
    """Something to be awaited that is no coroutine, and cannot be closed."""

    def __await__(self) -> Generator[None, None, str]:
        yield
        return "done"


async def coroutine() -> str:
    return "done"


def generator() -> Iterator[str]:
    yield "done"


async def generator_of_later() -> AsyncIterator[str]:
    yield "done"


GENERATOR = "TypeError: the handler returned a generator: it has not run"
AWAITED = "TypeError: the handler returned something to be awaited: it has not run"
UNDONE: dict[str, tuple[Callable[[], Any], str]] = {
    "a coroutine": (coroutine, AWAITED),
    "something awaitable": (Later, AWAITED),
    "a generator": (generator, GENERATOR),
    "an asynchronous generator": (generator_of_later, GENERATOR),
}


@pytest.mark.parametrize("what", UNDONE)
@pytest.mark.parametrize("database", [True, False])
def test_se4_a_handler_that_gives_back_what_has_yet_to_run_failed_and_says_so(
    make: Make, what: str, database: bool
) -> None:
    made, reason = UNDONE[what]
    rig = make(board(b=entering("page")))
    handlers = Handlers()
    handlers.action("page", database=database)(lambda action, context: made())
    rig.service.set_handlers(handlers)
    rig.service.create("T", "w")
    (action,) = entry_of(rig.service.move("T", "b")).actions
    assert (action.status, action.reason) == ("failed", reason)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (coroutine, AWAITED),
        (generator, GENERATOR),
        (lambda: 7, "TypeError: a session's id is a text, not 7"),
        (lambda: b"s", "TypeError: a session's id is a text, not b's'"),
    ],
)
def test_se9_what_is_no_name_of_a_session_is_told_as_what_it_is(
    make: Make, answer: Callable[[], Any], reason: str
) -> None:
    class Odd(Live):
        def live(self, task: str) -> Any:
            return answer()

    rig = make(board(b=entering("auto_start_agent", "reset_agent_context")), sessions=Odd())
    rig.service.create("T", "w")
    told = entry_of(rig.service.move("T", "b")).session_actions
    assert [(each.status, each.reason) for each in told] == [("failed", reason)] * 2


def test_en12_a_kind_without_a_handler_in_an_exit_list_is_named_and_stops_the_move(make: Make) -> None:
    rig = make(board(a="on exit { page }"))
    rig.service.set_handlers(Handlers())
    rig.service.create("T", "w")
    with pytest.raises(ActionNotYetWired, match=r"^page has no handler\n"):
        rig.service.move("T", "b")
    assert rig.service.task("T").step == "a"


def test_se4_an_interruption_while_an_error_says_what_it_is_passes() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failure(Odd())
