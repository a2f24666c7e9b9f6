"""The registry of handlers: what it takes, and what it refuses at once."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from newel.compiler import Host, check_text, compile_text
from newel.runtime import Service, StaticAgents, open_ledger
from newel.runtime.errors import HandlerRefused
from newel.runtime.handlers import Handlers
from tests.runtime.handmade import vocabulary


def test_a_handler_is_found_by_its_kind_and_stays_a_function() -> None:
    handlers = Handlers()

    @handlers.action("mail")
    def mail(action: Any, context: Any) -> None:
        pass

    @handlers.action("note_it", database=True)
    def note_it(action: Any, context: Any) -> None:
        pass

    found = handlers.find("note_it")
    assert found is not None
    assert found.database
    assert found.function is note_it
    outside = handlers.find("mail")
    assert outside is not None
    assert not outside.database
    assert handlers.find("boom") is None
    assert mail.__name__ == "mail"


def test_a_guard_is_found_by_its_name() -> None:
    handlers = Handlers()

    @handlers.guard("paid")
    def paid(guard: Any, context: Any) -> bool:
        return True

    assert handlers.find_guard("paid") is paid
    assert handlers.find_guard("stocked") is None


async def _later(action: Any, context: Any) -> None:
    pass


async def _stream(action: Any, context: Any) -> Any:
    yield


def _lazy(action: Any, context: Any) -> Any:
    yield


class _Callable:
    async def __call__(self, action: Any, context: Any) -> None:
        pass


@pytest.mark.parametrize("function", [_later, _stream, _lazy, functools.partial(_later), _Callable()])
def test_what_would_return_before_it_has_run_is_refused(function: Any) -> None:
    handlers = Handlers()
    with pytest.raises(HandlerRefused, match="mail"):
        handlers.action("mail")(function)
    with pytest.raises(HandlerRefused, match="paid"):
        handlers.guard("paid")(function)
    assert handlers.find("mail") is None


def test_a_second_handler_of_one_kind_is_refused() -> None:
    handlers = Handlers()
    handlers.action("mail")(lambda action, context: None)
    with pytest.raises(HandlerRefused, match="mail"):
        handlers.action("mail", database=True)(lambda action, context: None)
    handlers.guard("paid")(lambda guard, context: True)
    with pytest.raises(HandlerRefused, match="paid"):
        handlers.guard("paid")(lambda guard, context: True)


def test_a_handler_of_a_kind_nobody_declared_is_named() -> None:
    handlers = Handlers()
    handlers.action("mial")(lambda action, context: None)
    handlers.action("mail")(lambda action, context: None)
    handlers.guard("payd")(lambda guard, context: True)
    assert handlers.unknown(vocabulary()) == ("kind mial", "guard payd")


BOARD = """\
action page(who: text) on enter, event
action mail on enter
dispatch { page, mail }
workflow desk "Desk" {
  step work "Work" {
    start
    on enter {
      page("ada")
      mail
      queue_run
      auto_start_agent
    }
    on comment   { queue_run }
    on heartbeat { page("eve") }
  }
  step done "Done" { end }
}
"""


def inert(host: Host) -> list[str]:
    """What this host never does with the board, in the order of the file."""
    found = check_text(BOARD, host=host).findings
    return [f"{each.rule.code} {each.span.text}" for each in found if each.rule.code in ("NW703", "NW704")]


def test_handlers_say_which_kinds_their_host_never_runs() -> None:
    """The standard kinds need no handler, and what the session runs none here."""
    handlers = Handlers()
    assert inert(handlers.host()) == ["NW704 page", "NW704 mail", "NW704 page"]
    handlers.action("page")(lambda action, context: None)
    assert inert(handlers.host()) == ["NW704 mail"]
    handlers.action("mail", database=True)(lambda action, context: None)
    assert inert(handlers.host()) == []
    assert inert(handlers.host(triggers=["comment"])) == ["NW703 heartbeat"]


def test_the_kinds_a_check_misses_are_those_a_service_has_no_handler_for() -> None:
    handlers = Handlers()
    handlers.action("mail")(lambda action, context: None)
    service = Service(compile_text(BOARD).require(), open_ledger("memory:"), handlers, StaticAgents(runner="ada"))
    missed = {line.removeprefix("NW704 ") for line in inert(handlers.host())}
    assert missed == {name.removeprefix("kind ") for name in service.unwired() if name.startswith("kind ")} == {"page"}


WORDS = """
action page on enter
guard paid
dispatch { page }
workflow w "W" { step a "A" { start } }
"""


def test_ob3_a_handler_that_nothing_asks_for_is_heard_once_for_each_wiring(caplog: pytest.LogCaptureFixture) -> None:
    """A name much like a declared one is a warning; another may be of another program, and is told to who listens."""
    caplog.set_level("INFO", "newel.handlers")
    handlers = Handlers()
    handlers.action("pagee")(lambda action, context: None)
    handlers.action("ship")(lambda action, context: None)
    handlers.guard("payd")(lambda guard, context: True)
    with Service(compile_text(WORDS).require(), open_ledger("memory:"), handlers) as service:
        told = [(record.levelname, record.message) for record in caplog.records]
        assert told == [
            (
                "WARNING",
                "there is a handler for the kind `pagee`, which the program does not declare; did you mean `page`?",
            ),
            ("INFO", "there is a handler for the kind `ship`, which the program does not declare"),
            (
                "WARNING",
                "there is a handler for the guard `payd`, which the program does not declare; did you mean `paid`?",
            ),
        ]
        service.set_agents(StaticAgents())
        service.set_ledger(service.wired().ledger)
        assert len(caplog.records) == 3
        service.set_program(compile_text(WORDS.replace("page", "pagee").replace("paid", "payd")).require())
        assert [record.message for record in caplog.records[3:]] == [told[1][1]]
        service.set_handlers(None)
        assert len(caplog.records) == 4
