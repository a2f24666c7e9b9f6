"""A file that a process had open when it forked, and what its children may do with it (OL4)."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from newel.runtime import children
from newel.runtime.aio import AsyncService
from newel.runtime.errors import WrongProcess
from newel.runtime.ledgers import forks
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.service import Service
from newel.runtime.testing.bounds import in_child
from tests.runtime.boards import Make, board, entering
from tests.runtime.ledgers.test_sqlite import arrive

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no process forks here"),
]

REFUSED, OPENED = 7, 8


def writes(url: str) -> int:
    """Whether this process can open it anew, and then writes."""
    try:
        ledger = open_ledger(url)
    except WrongProcess:
        return REFUSED
    with Service(board(b=entering()), ledger) as service:
        return OPENED if service.create(f"of {os.getpid()}", "w").moved else 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "t.db"


@pytest.fixture
def ledger(file: Path) -> Iterator[SqliteLedger]:
    with closing(cast("SqliteLedger", open_ledger(f"sqlite:///{file}"))) as ledger:
        arrive(ledger, "T", "a")
        yield ledger


def test_ol4_a_child_is_told_at_once_though_a_thread_of_its_parent_writes(ledger: SqliteLedger) -> None:
    written, done = threading.Event(), threading.Event()

    def write() -> None:
        with ledger.transaction() as tx:
            tx.add_task("U")
            written.set()
            done.wait(30)

    def child() -> int:
        try:
            arrive(ledger, "V", "a")
        except WrongProcess:
            return REFUSED
        return 1

    thread = threading.Thread(target=write)
    thread.start()
    written.wait()
    assert in_child(child) == REFUSED
    done.set()
    thread.join()


@pytest.mark.parametrize("way", ["as it is", "a link to it", "a link to its folder", "relative", "a second name"])
def test_ol4_a_child_cannot_open_what_its_parent_had_open(
    ledger: SqliteLedger, file: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.chdir(file.parent)
    link, folder, second = file.with_name("link.db"), file.with_name("folder"), file.with_name("second.db")
    link.symlink_to(file)
    folder.symlink_to(file.parent)
    second.hardlink_to(file)
    paths = {"a link to it": link, "a link to its folder": folder / file.name, "a second name": second}
    path = "t.db" if way == "relative" else paths.get(way, file)
    assert in_child(lambda: writes(f"sqlite:///{path}")) == REFUSED
    assert arrive(ledger, "T", "b") == 2, "the parent goes on"


def test_ol4_nor_can_the_children_of_a_child(ledger: SqliteLedger, file: Path) -> None:
    url = f"sqlite:///{file}"
    assert in_child(lambda: in_child(lambda: in_child(lambda: writes(url)))) == REFUSED
    assert arrive(ledger, "T", "b") == 2


def test_ol4_nor_where_the_parent_closes_it_meanwhile(ledger: SqliteLedger, file: Path) -> None:
    reading, writing = os.pipe()

    def later() -> int:
        os.close(writing)
        os.read(reading, 1)  # until the parent has closed
        return writes(f"sqlite:///{file}")

    def close() -> None:
        ledger.close()
        os.close(writing)

    closing_it = threading.Timer(0.2, close)
    closing_it.start()
    assert in_child(later) == REFUSED
    closing_it.join()
    os.close(reading)


def test_ol4_nor_where_a_transaction_outlives_the_closing(ledger: SqliteLedger, file: Path) -> None:
    with ledger.transaction() as tx:
        ledger.close()
        tx.add_task("U")
        assert in_child(lambda: writes(f"sqlite:///{file}")) == REFUSED
    assert in_child(lambda: writes(f"sqlite:///{file}")) == OPENED


def test_ol4_a_child_opens_what_was_closed_before_what_is_another_file_and_what_is_none(
    ledger: SqliteLedger, file: Path
) -> None:
    other = f"sqlite:///{file.with_name('other.db')}"
    assert in_child(lambda: writes(other)) == OPENED
    assert in_child(lambda: writes("memory:")) == OPENED
    ledger.close()
    for _ in range(2):
        assert in_child(lambda: writes(f"sqlite:///{file}")) == OPENED
    with closing(open_ledger(f"sqlite:///{file}")) as again, again.read() as view:
        assert len(view.tasks()) == 3


def test_ol4_a_child_of_one_with_a_ledger_in_memory_opens_one_of_its_own() -> None:
    with closing(cast("SqliteLedger", open_ledger("memory:"))) as ledger:
        arrive(ledger, "T", "a")
        assert in_child(lambda: writes("memory:")) == OPENED


def test_ol4_a_file_that_a_child_opened_is_its_own(file: Path) -> None:
    """It may fork, too, and its children inherit what is open then."""
    url = f"sqlite:///{file}"

    def child() -> int:
        with closing(open_ledger(url)):
            return in_child(lambda: writes(url))

    assert in_child(child) == REFUSED
    assert writes(url) == OPENED


def test_ol4_whoever_is_forked_past_the_hooks_of_python_is_told_all_the_same(
    ledger: SqliteLedger, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a worker of uWSGI is; the number of the process tells."""

    def child() -> int:
        forks._opened.update(left)
        forks._inherited.clear()
        monkeypatch.setattr(forks, "_process", os.getppid())
        return writes(f"sqlite:///{file}")

    left = {number: connection for number, connection in forks._opened.items() if connection.file is not None}
    assert left
    assert in_child(child) == REFUSED
    assert arrive(ledger, "T", "b") == 2


def test_the_hook_of_a_process_that_has_nothing_open_finds_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "_opened", weakref.WeakValueDictionary())
    monkeypatch.setattr(forks, "_process", 0)
    monkeypatch.setattr(forks, "_inherited", set[forks.File]())
    connection = forks.connect(str(file))
    assert forks._process == os.getpid()
    connection.close()
    forks._inherited.add(cast("forks.File", forks.file_of(str(file))))
    with pytest.raises(WrongProcess, match="close it before, or start the process anew"):
        forks.connect(str(file))
    forks.connect(":memory:").close()


def test_a_connection_that_is_closed_while_all_are_looked_through_is_passed_over(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone(weakref.WeakValueDictionary[int, forks.Connection]):
        def valuerefs(self) -> list[weakref.KeyedRef[int, forks.Connection]]:
            return [cast("weakref.KeyedRef[int, forks.Connection]", lambda: None), *super().valuerefs()]

    monkeypatch.setattr(forks, "_opened", Gone())
    connection = forks.connect(str(file))
    connection.owner = file
    forks.reclaim(file)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


SPAWNED = """
import multiprocessing, sys
from newel.compiler import compile_text
from newel.runtime import Service, open_ledger

def service():
    return Service(compile_text('workflow w "W" { step a "A" { start } }').require(), open_ledger(sys.argv[1]))

def work():
    with service() as mine:
        mine.create("child", "w")

if __name__ == "__main__":
    with service() as mine:
        mine.create("parent", "w")
        process = multiprocessing.get_context("spawn").Process(target=work)
        process.start()
        process.join()
        print(process.exitcode, sorted(task.id for task in mine.tasks()))
"""


def test_ol4_a_process_that_is_started_anew_opens_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SPAWNED)
    command = [sys.executable, str(script), f"sqlite:///{tmp_path}/t.db"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "0 ['child', 'parent']\n"


# ---------------------------------------------------------------- the locks of the parent's threads


def test_en13_a_child_waits_for_no_list_that_a_thread_of_its_parent_runs() -> None:
    operation = "a ledger", "an operation"
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with children._locked(operation), children._guard:
            held.set()
            done.wait(30)

    def child() -> int:
        with children._locked(operation) as got:
            return 3 if got else 1

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    assert in_child(child) == 3
    done.set()
    thread.join()


def test_en13_a_child_that_is_forked_by_a_list_has_none_of_its_own() -> None:
    operation = "a ledger", "an operation"
    running = children._locked(operation)

    def child() -> int:
        if children._held.get():
            return 1
        with children._locked(operation) as got:
            if not got:
                return 2
        running.__exit__(None, None, None)  # as one does that goes on behind the list
        return 3

    with running:
        assert in_child(child) == 3
        assert list(children._locks) == [operation]
    assert not children._locks


def test_a_child_closes_a_service_though_a_call_of_its_parent_was_on_its_way(make: Make) -> None:
    begun, done = threading.Event(), threading.Event()

    def note(*_: object) -> None:
        begun.set()
        done.wait(20)

    rig = make(board(b=entering('note_it(text="1")')))
    rig.on_note = note
    rig.service.create("T", "w")
    awaited = AsyncService(rig.service)

    async def main() -> int:
        moving = asyncio.create_task(awaited.move("T", "b"))
        await asyncio.to_thread(begun.wait, 20)
        code = await asyncio.to_thread(in_child, lambda: asyncio.run(awaited.close()) or 3)
        done.set()
        await moving
        return code

    assert asyncio.run(main()) == 3
