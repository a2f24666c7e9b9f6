"""Who gets a seat (ST3), and agents from configuration."""

from __future__ import annotations

import itertools

import pytest

from newel.compiler.config import AgentConfig, AgentsConfig
from newel.runtime.casting import Casting, CastNote, StaticAgents, cast
from newel.runtime.errors import NewelError
from newel.runtime.ports import Candidate

ADA, BEN, CY = Candidate("ada", 1), Candidate("ben", 2), Candidate("cy", 2)


def test_st3_candidates_are_taken_by_created_and_id() -> None:
    for order in itertools.permutations([ADA, BEN, CY]):
        assert cast(order, None, ()) == Casting("ada")
        assert cast(order, "ada", ()) == Casting("ben")


def test_st3_stopped_and_pending_agents_are_left_out() -> None:
    pool = [Candidate("a", 0, stopped=True), Candidate("b", 0, pending=True), CY]
    assert cast(pool, None, ()).agent == "cy"


def test_st3_one_who_is_neither_runner_nor_seated_is_preferred() -> None:
    assert cast([ADA, BEN, CY], "ada", {"ben"}) == Casting("cy")
    assert cast([ADA, BEN], "ada", {"ben"}) == Casting("ben")
    assert cast([ADA, BEN], "eve", {"ada", "ben"}) == Casting("ada")


def test_st3_a_sole_candidate_who_is_the_runner_reviews_himself() -> None:
    assert cast([ADA], "ada", ()) == Casting("ada", CastNote.SELF_REVIEW)


def test_st3_without_candidates_the_runner_is_the_fallback() -> None:
    assert cast([], "ada", ()) == Casting("ada", CastNote.FALLBACK)
    assert cast([Candidate("b", stopped=True)], "ada", {"ada"}) == Casting("ada", CastNote.FALLBACK)


def test_st3_nobody_at_all_is_unfillable() -> None:
    assert cast([], None, ()) == Casting(None, CastNote.UNFILLABLE)


def test_static_agents_are_read_from_configuration_in_its_order() -> None:
    agents = StaticAgents.from_config(
        AgentsConfig(
            runner="ada",
            targets={"ceo_agent": "eve"},
            candidates=(AgentConfig("zoe", ("reviewer",)), AgentConfig("ben", ("reviewer", "approver"))),
        )
    )
    assert [c.id for c in agents.candidates("reviewer")] == ["zoe", "ben"]
    assert [c.id for c in agents.candidates("approver")] == ["ben"]
    assert cast(agents.candidates("reviewer"), agents.runner("T"), ()).agent == "zoe"
    assert agents.target("T", "ceo_agent") == "eve"
    assert agents.target("T", "primary") == "ada"


def test_a_target_nobody_is_behind_is_an_error_that_says_so() -> None:
    with pytest.raises(NewelError, match="code_reviewer"):
        StaticAgents(runner="ada").target("T", "code_reviewer")
    with pytest.raises(NewelError, match="primary"):
        StaticAgents().target("T", "primary")
