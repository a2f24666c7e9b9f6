"""Writers of several processes: whoever waits is seen to wait, and nobody is overtaken for ever."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from newel.runtime.ledgers import turns as turns_module
from newel.runtime.ledgers.turns import Turns


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Turns, Turns]:
    """Two processes' parts, as it were."""
    return Turns(str(tmp_path / "t.db")), Turns(str(tmp_path / "t.db"))


def test_who_waits_is_seen_until_it_has_its_turn(pair: tuple[Turns, Turns]) -> None:
    mine, other = pair
    assert not mine.others_wait()
    other.wait()
    other.wait()
    assert mine.others_wait()
    mine.wait()
    assert other.others_wait()
    other.take()
    other.take()
    assert not mine.others_wait()  # only itself
    mine.take()
    assert not other.others_wait()
    for turns in pair:
        turns.close()
        turns.close()
        assert not turns.others_wait()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_the_wait_of_a_process_that_dies_is_over(tmp_path: Path) -> None:
    mine = Turns(str(tmp_path / "t.db"))
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        Turns(str(tmp_path / "t.db")).wait()
        os.write(write, b"x")
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.read(read, 1) == b"x"
    os.waitpid(pid, 0)
    assert not mine.others_wait()
    mine.close()
    os.close(read)
    os.close(write)


def test_where_there_are_no_such_locks_nobody_waits_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise OSError("not here")

    turns = Turns(str(tmp_path / "t.db"))
    monkeypatch.setattr(fcntl, "flock", refuse)
    assert not turns.others_wait()
    turns.wait()
    turns.take()
    monkeypatch.undo()
    assert not Turns(str(tmp_path / "nowhere" / "t.db")).others_wait()
    monkeypatch.setattr(turns_module, "fcntl", None)
    assert not Turns(str(tmp_path / "t.db")).others_wait()


def test_a_ledger_that_is_closed_while_it_waits_has_let_go(pair: tuple[Turns, Turns]) -> None:
    one, other = pair
    one.wait()
    assert other.others_wait()
    one.close()
    assert not other.others_wait()
    one.take()  # there is nothing left to let go of


HOG = """
import random, sys, time
from newel.runtime.ledgers.opening import open_ledger
ledger, longest, count = open_ledger(sys.argv[1]), 0.0, 0
end = time.monotonic() + 1.5
while time.monotonic() < end:
    began = time.monotonic()
    with ledger.transaction() as tx:
        tx.keep_program(f"{sys.argv[2]}-{count}", "x")
    longest = max(longest, time.monotonic() - began)
    count += 1
print(count)
ledger.close()
"""


def test_processes_that_write_without_a_pause_each_get_their_share(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/t.db?synchronous=NORMAL"
    command = [sys.executable, "-c", HOG, url]
    children = [subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)]
    counts = [int(child.communicate(timeout=60)[0]) for child in children]
    assert min(counts) * 20 > max(counts)
