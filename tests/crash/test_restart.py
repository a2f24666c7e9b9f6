"""PostgreSQL killed and started again under load (R9)."""

from __future__ import annotations

import pytest

from tests.crash.restarting import restarts
from tests.postgres import own_folder


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a machine may be busy with other things
def test_sl1_a_server_restarted_under_load_loses_and_doubles_nothing() -> None:
    """SL1, SE5: whoever was in the middle is told; what was acknowledged is there; a redispatch mends the rest."""
    figures = restarts(own_folder(), 5)
    assert figures.wrong == []
    assert figures.kills == 5
    assert figures.arrivals > 20
