"""What is looked for after each crash is found where it is there: the looks can fail (R1, R2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crash.hosting import Host, prepare
from tests.crash.whole import Seen, repeated, twice, wrong


@pytest.fixture
def host(quick_path: Path) -> Iterator[Host]:
    """T has gone from a to b, where everything has run."""
    url = f"sqlite:///{quick_path}/a.db?synchronous=NORMAL"
    prepare(url)
    with Host(url, quick_path / "marks") as found:
        found.service.create("T", "w")
        found.service.move("T", "b")
        assert wrong(found, calls=1) == []
        assert twice(found) == []
        yield found


def said(host: Host, sql: str) -> None:
    with host.ledger.transaction() as tx:
        tx.execute(sql)


def paged_again(host: Host) -> None:
    with host.marks.open("a") as marks:
        marks.write(host.marks.read_text().splitlines()[-1] + "\n")


TAMPERED: dict[str, tuple[Callable[[Host], object], str]] = {
    "a note is gone": (lambda host: said(host, "DELETE FROM notes WHERE text = 'in b'"), "its note is there 0 times"),
    "a note is there twice": (
        lambda host: said(host, "INSERT INTO notes SELECT * FROM notes WHERE text = 'in b'"),
        "its note is there 2 times",
    ),
    "the exit list ran twice": (
        lambda host: said(host, "INSERT INTO notes SELECT * FROM notes WHERE text = 'left a'"),
        "left 2 times",
    ),
    "a note of no entry": (lambda host: said(host, "INSERT INTO notes VALUES (99, 'in b')"), "ghost: (99, 'in b')"),
    "a run is gone": (lambda host: said(host, "DELETE FROM newel_runs WHERE position = 2"), "its run is there 0 times"),
    "a record in the middle is gone": (
        lambda host: said(host, "DELETE FROM newel_entry_actions WHERE position = 3"),
        "no beginning of the list",
    ),
    "an outside action came once more": (paged_again, "was called 2 times"),
    "an outside action never came": (lambda host: host.marks.write_text(""), "was called 0 times"),
    "a row is gone": (lambda host: said(host, "DELETE FROM newel_rows WHERE id = 1"), "audit: "),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_se5_what_is_doubled_or_gone_after_a_crash_is_told(host: Host, what: str) -> None:
    tamper, told = TAMPERED[what]
    tamper(host)
    assert any(told in item for item in wrong(host, calls=1)), wrong(host, calls=1)


def test_se5_a_process_that_calls_an_outside_action_twice_is_told(host: Host) -> None:
    paged_again(host)
    (item,) = twice(host)
    assert item.endswith("2 times")


def test_se5_a_recovery_that_calls_what_is_recorded_is_told(host: Host) -> None:
    before = Seen.of(host)
    assert repeated(before, Seen.of(host)) == []
    paged_again(host)
    (item,) = repeated(before, Seen.of(host))
    assert item.endswith("called 1, then 2")


def test_se8_an_entry_without_all_records_is_unrecorded(host: Host) -> None:
    entry = host.service.task("T").entry_id
    assert Seen.of(host).unrecorded("T") == []
    said(host, "DELETE FROM newel_entry_actions WHERE position = 7")
    assert Seen.of(host).unrecorded("T") == [entry]
