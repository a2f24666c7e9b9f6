"""Python functions to what kinds of actions and guards do: a registry, filled by decorators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeVar

from newel.compiler.checks.facts import Host
from newel.compiler.program import Vocabulary
from newel.runtime.errors import HandlerRefused

ActionFunction = Callable[..., None]
"""`(action, context) -> None`; `action` is the typed action with the kind's parameters as its attributes."""
GuardFunction = Callable[..., bool]
"""`(guard, context) -> bool`; reads only through `context.tx`."""

A = TypeVar("A", bound=ActionFunction)
G = TypeVar("G", bound=GuardFunction)


@dataclass(frozen=True, slots=True)
class Handler:
    """What a kind does: a `database` one inside a transaction, touching nothing else; any other one outside of any."""

    kind: str
    function: Callable[[Any, Any], Any]
    database: bool


class Handlers:
    """The handlers of a host. The standard kinds and guards need none; one that is given here takes their place."""

    def __init__(self) -> None:
        self._actions: dict[str, Handler] = {}
        self._guards: dict[str, Callable[[Any, Any], bool]] = {}

    def action(self, kind: str, database: bool = False) -> Callable[[A], A]:
        """Register the function below as what a kind does; `database=True` for one that only uses `context.tx`."""

        def register(function: A) -> A:
            _admit(function, kind, self._actions)
            self._actions[kind] = Handler(kind, function, database)
            return function

        return register

    def guard(self, name: str) -> Callable[[G], G]:
        """Register the function below as what a guard asks."""

        def register(function: G) -> G:
            _admit(function, name, self._guards)
            self._guards[name] = function
            return function

        return register

    def find(self, kind: str) -> Handler | None:
        """The handler of a kind, if the host gave one."""
        return self._actions.get(kind)

    def find_guard(self, name: str) -> Callable[[Any, Any], bool] | None:
        """The function of a guard, if the host gave one."""
        return self._guards.get(name)

    def host(self, triggers: Iterable[str] | None = None) -> Host:
        """What `check_files(..., host=...)` asks of a host with these handlers: a kind they have none for is NW704, and
        where its triggers are given, a list under another one is NW703."""
        from newel.runtime.standard import STANDARD

        fired = None if triggers is None else frozenset(triggers)
        return Host(triggers=fired, kinds=frozenset((*STANDARD, *self._actions)))

    def unknown(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """The kinds and guards that have a handler here and are declared nowhere: misspelt, or of another program."""
        kinds = sorted(set(self._actions) - set(vocabulary.kinds))
        guards = sorted(set(self._guards) - set(vocabulary.guards))
        return (*(f"kind {name}" for name in kinds), *(f"guard {name}" for name in guards))


def stray(handlers: Handlers, vocabulary: Vocabulary) -> list[tuple[str, bool]]:
    """What to say of each handler that no declaration asks for, and whether it looks like a slip of the pen: then the
    vocabulary has a name much like it. The others may be for another program."""
    known = {"kind": vocabulary.kinds, "guard": vocabulary.guards}
    said: list[tuple[str, bool]] = []
    for each in handlers.unknown(vocabulary):
        what, _, name = each.partition(" ")
        near = get_close_matches(name, known[what], 1, _NEAR)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        said.append(
            (f"there is a handler for the {what} `{name}`, which the program does not declare{hint}", bool(near))
        )
    return said


_NEAR = 0.75


def _admit(function: Callable[..., Any], name: str, taken: dict[str, Any]) -> None:
    if _is_async(function) or _is_async(type(function).__call__):
        raise HandlerRefused(f"the handler of {name} is not a plain function: it would return before it has run")
    if name in taken:
        raise HandlerRefused(f"{name} has a handler already")


def _is_async(function: Callable[..., Any]) -> bool:
    return (
        inspect.iscoroutinefunction(function)
        or inspect.isasyncgenfunction(function)
        or inspect.isgeneratorfunction(function)
    )
