"""Calls cut off at every named point (R1): nothing doubled, no ghost, one chain, and what is lost is recovered."""

from __future__ import annotations

import pytest

from tests.crash.acts import ACTS
from tests.crash.dying import crashes
from tests.crash.hosting import Store

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
    pytest.mark.slow,
    pytest.mark.timeout(1800),  # a machine may be busy with other things
]
LEAST = {"move": 30, "redispatch": 25, "approve": 30, "pull": 20}
"""How many points some acts have at least; the others have 15."""
RUNS = 10
TWICE = 2
"""How many of them have their recovery cut off as well."""


@pytest.mark.parametrize("act", ACTS)
def test_se5_a_call_cut_off_at_every_statement_is_whole_and_can_be_recovered(store: Store, act: str) -> None:
    """SL1, SE5, SE8: died at each point ten times, and of those twice again while it was recovered."""
    figures = crashes(store, RUNS, [act], briefly=True, every=RUNS // TWICE)
    assert figures.wrong == []
    assert figures.points[act] >= LEAST.get(act, 15)
    assert figures.runs == RUNS * figures.points[act]
    assert figures.twice == TWICE * figures.points[act]
    assert figures.lost > 0
