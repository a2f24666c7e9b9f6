"""Causes: the outermost wins, part by part, and ends with its block."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from newel.runtime.causes import ROUTES, actor_of, cause, current, route_of
from newel.runtime.errors import NotAnActor, UnknownRoute
from newel.runtime.ports import Actor

ADA, BEN = Actor.human("ada"), Actor.agent("ben")


def test_without_a_cause_the_call_says_route_and_actor() -> None:
    assert route_of("engine_transition") == "engine_transition"
    assert actor_of(BEN) == BEN
    assert actor_of(None) == Actor("unknown", None)


def test_the_outermost_cause_wins_over_inner_ones_and_the_call() -> None:
    with cause("user_cancellation", ADA), cause("agent_move", BEN):
        assert route_of("manual_move") == "user_cancellation"
        assert actor_of(BEN) == ADA
    assert current().route is None


def test_a_part_the_outer_cause_leaves_open_is_the_inner_ones() -> None:
    with cause(actor=ADA), cause("restore", BEN):
        assert route_of("manual_move") == "restore"
        assert actor_of(None) == ADA


def test_a_pull_is_a_pull_whatever_the_cause() -> None:
    with cause("user_cancellation", ADA):
        assert route_of("pull") == "pull"


def test_a_cause_ends_with_its_block_even_by_an_error() -> None:
    with pytest.raises(RuntimeError), cause("restore", ADA):
        raise RuntimeError
    assert current().route is None
    assert current().actor is None


def test_another_thread_has_no_part_in_it() -> None:
    seen: list[str] = []
    with cause("restore", ADA):
        thread = threading.Thread(target=lambda: seen.append(route_of("manual_move")))
        thread.start()
        thread.join()
    assert seen == ["manual_move"]


@pytest.mark.parametrize("name", ["", "Pull", "by_magic"])
def test_routes_are_a_closed_set(name: str) -> None:
    with pytest.raises(UnknownRoute, match="manual_move"), cause(name):
        pass
    with pytest.raises(UnknownRoute):
        route_of(name)
    assert len(ROUTES) == len(set(ROUTES)) == 14


@pytest.mark.parametrize("actor", ["mia", "", 7, ("human", "mia")])
def test_a_mere_name_is_no_actor(actor: Any) -> None:
    """In a call and in a cause alike, even where an outer cause would win; the name is not repeated."""
    with pytest.raises(NotAnActor, match=r"^an actor is an `Actor`, like `Actor.human\(...\)`, and no `\w+`$"):
        actor_of(actor)
    with pytest.raises(NotAnActor), cause(actor=actor):
        pass
    with pytest.raises(NotAnActor), cause("restore", ADA):
        actor_of(actor)
