"""A disk that is full or fails at the nth write (R8): a typed error, no partial row, and the next call works."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.runtime.errors import LedgerUnavailable
from tests.crash.disk import faults, full, shimmed
from tests.crash.hosting import Host, prepare

FAULTS = 150


def test_sl1_a_full_disk_is_told_and_leaves_nothing_half_done(quick_path: Path) -> None:
    """SL1, SE4: in the move, that raises; in the entry, whose report says so; and a redispatch makes up for it."""
    figures = faults(quick_path, FAULTS, full)
    assert figures.wrong == []
    assert figures.faults == FAULTS
    assert min(figures.raised, figures.reported) > 10


def test_sl1_a_failing_disk_is_told_and_leaves_nothing_half_done() -> None:
    """Any write or sync, once or from then on."""
    figures = shimmed(FAULTS)
    if figures is None:
        pytest.skip("no C compiler, or a system that loads no library before the C library")
    assert figures.wrong == []
    assert figures.faults == FAULTS
    assert figures.raised > 10


def test_r8_a_ledger_cannot_be_made_where_the_disk_is_full(quick_path: Path) -> None:
    path = quick_path / "new.db"
    with full(path, 1), pytest.raises(LedgerUnavailable):
        prepare(f"sqlite:///{path}")
    prepare(f"sqlite:///{path}")
    with Host(f"sqlite:///{path}", quick_path / "marks") as host:
        assert host.service.create("T", "w").moved
