"""Who and what is behind the calls of a `with` block: a cause, which every arrival made inside it records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, get_args

from newel.runtime.errors import NotAnActor, UnknownRoute
from newel.runtime.known import flaw
from newel.runtime.ports import Actor
from newel.runtime.rows import ActorKind

Route = Literal[
    "created",
    "manual_move",
    "bulk_move",
    "agent_move",
    "agent_move_at_turn_end",
    "engine_transition",
    "user_cancellation",
    "pull",
    "restore",
    "attached",
    "switched",
    "detached",
    "migrated",
    "unknown",
]
ROUTES: tuple[Route, ...] = get_args(Route)
KINDS: tuple[ActorKind, ...] = get_args(ActorKind)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a task's step changes. A part that is None is left to the call."""

    route: Route | None = None
    actor: Actor | None = None


NO_CAUSE = Cause()
NOBODY = Actor()
_current: ContextVar[Cause] = ContextVar("newel_cause", default=NO_CAUSE)


def known_route(name: str) -> Route:
    """That route; raises `UnknownRoute` for any other name."""
    if name not in ROUTES:
        raise UnknownRoute(f"no route is called {name!r}; routes are {', '.join(ROUTES)}")
    return name


def known_actor(actor: object) -> Actor | None:
    """That actor, or None; raises `NotAnActor` for a mere name, which does not say whether a person has it, and where
    the kind is none or the id no text that every database holds."""
    if actor is None:
        return None
    if not isinstance(actor, Actor):
        raise NotAnActor(f"an actor is an `Actor`, like `Actor.human(...)`, and no `{type(actor).__name__}`")
    if actor.kind not in KINDS:
        raise NotAnActor(f"an actor's kind is one of {', '.join(KINDS)}")
    named: object = actor.id
    if named is None or (named.__class__ is str and named.isascii() and "\0" not in named):
        return actor
    if not isinstance(named, str):
        raise NotAnActor(f"an actor's id is a text, and no `{type(named).__name__}`")
    if found := flaw(str.__str__(named)):
        raise NotAnActor(f"an actor's id is {found.wanted}; {found.advice}")
    return Actor(actor.kind, str.__str__(named))


def current() -> Cause:
    """The cause in force here; empty outside any block."""
    return _current.get()


@contextmanager
def cause(route: str | None = None, actor: Actor | None = None) -> Iterator[Cause]:
    """Puts route and actor on every arrival made inside; of nested causes the outermost wins, part by part."""
    outer = _current.get()
    wanted = None if route is None else known_route(route)
    own = known_actor(actor)
    inner = Cause(outer.route or wanted, outer.actor or own)
    token = _current.set(inner)
    try:
        yield inner
    finally:
        _current.reset(token)


def route_of(default: str) -> Route:
    """The route an arrival records: the cause's, else the call's. A pull is a pull, whoever freed the place."""
    own = known_route(default)
    return own if own == "pull" else _current.get().route or own


def actor_of(actor: Actor | None) -> Actor:
    """The actor an arrival records: the cause's, else the call's, else `unknown`."""
    own = known_actor(actor)
    return _current.get().actor or own or NOBODY
