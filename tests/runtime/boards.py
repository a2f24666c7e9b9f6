"""Compiled boards and services on real ledgers, for tests of arrivals."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import psycopg
import pytest

from newel.compiler.pipeline import compile_text
from newel.compiler.program import Program
from newel.runtime.casting import StaticAgents
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres import PostgresLedger
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.outcomes import EntryReport, Outcome
from newel.runtime.ports import Context
from newel.runtime.service import Service

WORDS = """
action page(who: text?) on enter, exit, event
action note_it(text: text?) on enter, exit, event
action boom on enter, exit, event
dispatch { page, note_it, boom }
"""
"""Kinds of the host: an outside one, a database one, and a database one that fails while told to."""

REVIEW = """
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer, reason="please_judge")
"""


@cache
def compiled(text: str) -> Program:
    """The program of a text; the words above are declared."""
    return compile_text(WORDS + text).require()


def board(a: str = "", b: str = "", c: str = "", more: str = "") -> Program:
    """Steps a, b and c with these bodies, in a workflow w; a is the start, and everybody may go everywhere."""
    steps = f'step a "A" {{\nstart\n{a}\n}}\nstep b "B" {{\n{b}\n}}\nstep c "C" {{\n{c}\n}}\n'
    return compiled(f'workflow w "W" {{\n{steps}{more}\n}}\n')


def entering(*actions: str) -> str:
    """An `on enter` list."""
    return "on enter {\n" + "\n".join(actions) + "\n}"


AGENTS = StaticAgents(
    runner="runner", targets={"ceo_agent": "eve", "code_reviewer": "rex"}, candidates=[("ada", ["reviewer"])]
)


_DIALECTS: dict[type, tuple[str, str, str, type[Exception]]] = {
    SqliteLedger: (
        "?",
        "rowid",
        "INSERT OR ROLLBACK INTO newel_tasks SELECT * FROM newel_tasks",
        sqlite3.IntegrityError,
    ),
    PostgresLedger: ("%s", "ctid", "SELECT pg_terminate_backend(pg_backend_pid())", psycopg.OperationalError),
}
"""How a parameter is written, the order in which rows came, a statement by which the database ends the transaction, and
what that raises."""


class Rig:
    """A service on a ledger, with handlers whose calls are written down, and a look into the tables.

    Statements are written with `?`, whatever the ledger's own sign for a parameter is.
    """

    def __init__(self, url: str, program: Program, *, agents: Any = AGENTS, sessions: Any = None) -> None:
        self.url = url
        ledger = open_ledger(url)
        assert isinstance(ledger, SqliteLedger | PostgresLedger)
        self.ledger = ledger
        dialect = _DIALECTS[type(ledger)]
        self._sign, self._oldest_first, self.ending, self.ended = dialect
        self.paged: list[Context] = []
        self.on_page: Any = lambda action, context: None
        self.on_note: Any = lambda action, context: None
        self.broken = True
        self.seen = Seen()
        self.handlers = Handlers()
        self.handlers.action("page")(self._page)
        self.handlers.action("note_it", database=True)(self._note_it)
        self.handlers.action("boom", database=True)(self._boom)
        with ledger.transaction() as tx:
            tx.execute("CREATE TABLE IF NOT EXISTS notes(entry INTEGER, text TEXT)")
        self.service = Service(program, ledger, self.handlers, agents=agents, sessions=sessions, observer=self.seen)

    def again(self) -> Rig:
        """The same ledger in what is as good as another process."""
        other = Rig(self.url, self.service.program)
        other.on_page, other.on_note, other.broken = self.on_page, self.on_note, self.broken
        return other

    def close(self) -> None:
        self.service.close()

    def rows(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        with self.ledger.read() as view:
            return view.execute(self.sql(sql), params)

    def sql(self, text: str) -> str:
        """A statement as the ledger wants it."""
        return text.replace("?", self._sign)

    def table(self, name: str) -> list[tuple[Any, ...]]:
        return self.rows(f"SELECT * FROM {name}")  # noqa: S608 - names of tables, written in tests

    def empty(self, *tables: str) -> None:
        with self.ledger.transaction() as tx:
            for name in tables:
                tx.execute(f"DELETE FROM {name}")  # noqa: S608 - names of tables, written in tests

    def notes(self) -> list[str]:
        return [text for (text,) in self.rows(f"SELECT text FROM notes ORDER BY {self._oldest_first}")]  # noqa: S608 - one of two, above

    def _page(self, action: Any, context: Context) -> None:
        self.paged.append(context)
        self.on_page(action, context)

    def _note_it(self, action: Any, context: Context) -> None:
        assert context.tx is not None
        context.tx.execute(self.sql("INSERT INTO notes VALUES (?, ?)"), (context.entry_id, action.text))
        self.on_note(action, context)

    def _boom(self, action: Any, context: Context) -> None:
        assert context.tx is not None
        context.tx.execute(self.sql("INSERT INTO notes VALUES (?, 'boom')"), (context.entry_id,))
        if self.broken:
            raise ValueError("boom")


Make = Callable[..., Rig]
"""The fixture that makes services on ledgers of their own, of each kind in turn."""

only_sqlite = pytest.mark.parametrize("make", ["sqlite"], indirect=True)
"""For a test of what is SQLite's own, or whose statements are."""


class Seen:
    """An observer that remembers."""

    def __init__(self) -> None:
        self.entries: list[EntryReport] = []
        self.counts: list[tuple[str, tuple[tuple[str, str], ...]]] = []

    def entry(self, report: EntryReport) -> None:
        self.entries.append(report)

    def count(self, name: str, labels: Any) -> None:
        self.counts.append((name, tuple(sorted(labels.items()))))

    def named(self, name: str) -> list[tuple[tuple[str, str], ...]]:
        return [labels for counted, labels in self.counts if counted == name]


class Live:
    """A sessions port with one live session for the tasks named."""

    def __init__(self, *tasks: str) -> None:
        self.tasks = tasks
        self.ran: list[tuple[str, str, Context]] = []
        self.fails: Sequence[str] = ()

    def live(self, task: str) -> str | None:
        return f"session of {task}" if task in self.tasks else None

    def run(self, session: str, action: Any, context: Context) -> None:
        self.ran.append((session, action.kind, context))
        if action.kind in self.fails:
            raise RuntimeError(f"no {action.kind} today")


def entry_of(outcome: Outcome) -> EntryReport:
    """The report of the arrival a call made."""
    assert outcome.entry is not None
    return outcome.entry


def statuses(outcome: Outcome | EntryReport) -> list[str]:
    report = outcome if isinstance(outcome, EntryReport) else entry_of(outcome)
    return [action.status.value for action in report.actions]
