"""The ledger of an installed package that cannot be loaded, to an error that says whose it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.opening import GROUP, open_ledger
from tests.runtime.cli.command import newel

POINTS = {
    "gone": ("newel_gone:open_mine", "ModuleNotFoundError: No module named 'newel_gone'"),
    "nameless": ("newel_half:open_mine", "AttributeError: module 'newel_half' has no attribute 'open_mine'"),
    "raiser": ("newel_raiser:open_mine", "ValueError: not today"),
    "text": ("newel_half:NAME", "that is a str, and no function"),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an installed package whose entry points lead nowhere."""
    told = tmp_path / "newel_broken-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: newel-broken\nVersion: 1.0\n")
    points = "\n".join(f"{name} = {value}" for name, (value, _) in POINTS.items())
    (told / "entry_points.txt").write_text(f"[{GROUP}]\n{points}\n")
    (tmp_path / "newel_half.py").write_text('NAME = "half"\n')
    (tmp_path / "newel_raiser.py").write_text('raise ValueError("not today")\n')
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("scheme", sorted(POINTS))
def test_a_registered_ledger_that_cannot_be_loaded_is_told_with_its_package(scheme: str) -> None:
    value, why = POINTS[scheme]
    with pytest.raises(LedgerUnavailable) as caught:
        open_ledger(f"{scheme}://user:secret@host")
    assert str(caught.value) == (
        f"the ledger `{scheme}:` of the package `newel-broken` cannot be loaded from its entry point `{value}`"
        f" in the group `newel.ledgers`: {why}"
    )


def test_the_command_line_tells_it_in_one_line(site: Path) -> None:
    ended = newel(site, "ledger", "audit", "--ledger", "gone:x", PYTHONPATH=str(site))
    assert (ended.returncode, ended.stdout) == (3, b"")
    assert ended.stderr.startswith(b"error: the ledger `gone:` of the package `newel-broken` cannot be loaded")
    assert ended.stderr.count(b"\n") == 1
