"""Calls cut off at every named point (R1): nothing doubled, no ghost, one chain, and what is lost is recovered."""

from __future__ import annotations

import pytest

from tests.crash.acts import ACTS
from tests.crash.dying import crashes
from tests.crash.hosting import Store

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
    pytest.mark.slow,
]
LEAST = {"move": 30, "redispatch": 25, "approve": 30, "pull": 20}
"""Acts that are cut off on PostgreSQL too, and how many points they have at least."""


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
@pytest.mark.parametrize("act", ACTS)
def test_se5_a_call_cut_off_at_every_statement_is_whole_and_can_be_recovered(store: Store, act: str) -> None:
    """SL1, SE5, SE8: died at each point, and in every second run died again while it was recovered."""
    figures = crashes(store, 1, [act], briefly=True)
    assert figures.wrong == []
    assert figures.points[act] >= LEAST.get(act, 15)
    assert figures.lost > 0


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
@pytest.mark.parametrize("act", LEAST)
def test_se5_a_call_cut_off_on_postgresql_is_whole_and_can_be_recovered(store: Store, act: str) -> None:
    figures = crashes(store, 1, [act], briefly=True)
    assert figures.wrong == []
    assert figures.points[act] >= LEAST[act]
    assert figures.lost > 0
