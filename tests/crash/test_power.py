"""What a failing power leaves of an SQLite file (R7): it opens, the chain holds, what was acknowledged is there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.crash.power import look, power, write

IMAGES = 2500


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a machine may be busy with other things
def test_sl1_every_image_of_a_failing_power_opens_and_holds_what_was_acknowledged(quick_path: Path) -> None:
    """SL1, SE2: every beginning of the log; the next page torn, zeroed or flipped; the database half carried over."""
    figures = power(quick_path, IMAGES)
    assert figures.wrong == []
    assert figures.images == IMAGES
    assert len(figures.lengths) > 5


def test_r7_a_log_without_its_last_page_is_told_from_a_whole_one(quick_path: Path) -> None:
    """The look at an image does not pass whatever it is shown."""
    written = write(quick_path, random.Random(3))  # noqa: S311 - which moves are made
    path = quick_path / "image.db"
    last = written.acknowledged[-1][0]

    def looked(log: bytes) -> list[str]:
        for suffix, data in (("", written.database), ("-wal", log)):
            path.with_name(path.name + suffix).write_bytes(data)
        return look(path, last, 1)[1]

    assert looked(written.log) == []
    assert "an acknowledged entry has not run" in looked(written.upto(written.frames - 1)) + looked(written.upto(4))
    assert f"acknowledged and gone: {last}" in looked(written.upto(0))
