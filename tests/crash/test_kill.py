"""Processes killed at random while they move tasks about (R2)."""

from __future__ import annotations

import pytest

from tests.crash.hosting import Store
from tests.crash.killing import TASKS, WORKERS, kills

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
    pytest.mark.slow,
    pytest.mark.timeout(1800),  # a machine may be busy with other things
]
KILLS = {"sqlite": 140, "postgresql": 60}


def test_sl1_processes_killed_at_random_leave_a_whole_ledger(store: Store) -> None:
    """SL1, SE2, SE5, SE8: what was acknowledged is there and has run; nothing is doubled, half done or a ghost."""
    wanted = KILLS[store.url.partition(":")[0]]
    figures = kills(store, wanted)
    assert figures.wrong == []
    assert figures.kills >= wanted
    assert figures.arrivals > wanted * TASKS / WORKERS + 10  # those who were created have also been moved
