"""A host whose every effect can be counted afterwards, on a ledger that several processes share."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

from newel.compiler.pipeline import compile_text
from newel.compiler.program import Program
from newel.runtime.audit import AuditItem
from newel.runtime.casting import StaticAgents
from newel.runtime.errors import NewelError
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.outcomes import EntryReport
from newel.runtime.ports import Context
from newel.runtime.rows import Approval
from newel.runtime.service import Service

PROGRAM = compile_text("""
action page(who: text?) on enter, exit, event
action note_it(text: text?) on enter, exit, event
dispatch { page, note_it }
workflow w "W" {
  step a "A" {
    start
    on comment { note_it(text="heard")
      page("heard")
      queue_run(target=agent(id="x"))
      -> b }
    on turn_complete { -> b when all_approve(reviewer) }
    on approval_resolved { -> b requires approval }
    on exit { page("out")
      note_it(text="left a") }
  }
  step b "B" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer, reason="please_judge")
      note_it(text="in b")
      page("in")
      queue_run
      page("again")
      note_it(text="still in b")
    }
  }
  step c "C" { on enter { note_it(text="in c") } }
  step d "D" {
    wip_limit 1
    on enter { note_it(text="in d")
      queue_run(target=agent(id="x")) }
  }
}
workflow v "V" {
  step z "Z" {
    start
    on enter { note_it(text="in z")
      page("z") }
  }
}
""").require()
"""Entries of two segments with outside actions between them, an exit list of both sorts, a step with one place."""

AGENTS = StaticAgents(runner="runner", targets={}, candidates=[("ada", ["reviewer"])])


_program = cache(Program.from_json)


class OwnStatementError(Exception):
    """What the driver has raised at a statement of the host's own: passed on as it is, so it may come to the caller."""


class Host:
    """A service in this process. `marks` is the file in which outside actions leave their keys."""

    def __init__(self, url: str, marks: Path, program: Any = PROGRAM) -> None:
        self.url, self.marks = url, marks
        self.interrupts = False
        self._held: list[str] | None = None
        handlers = Handlers()
        handlers.action("page")(self._page)
        handlers.action("note_it", database=True)(self._note_it)
        self.service = Service(program, open_ledger(url), handlers, agents=AGENTS)
        self._insert = "INSERT INTO notes(entry, text) VALUES (?, ?)"
        if not isinstance(self.ledger, SqliteLedger):
            self._insert = self._insert.replace("?", "%s")

    @property
    def ledger(self) -> Any:
        return self.service.wired().ledger

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.service.close()

    def _page(self, action: Any, context: Context) -> None:
        line = f"{context.idempotency_key} {os.getpid()}\n"
        if self._held is not None:
            self._held.append(line)
            return
        with self.marks.open("a") as marks:
            marks.write(line)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep in memory what comes to the outside, and write it down afterwards: the disk may fail meanwhile."""
        held: list[str] = []
        self._held = held
        try:
            yield
        finally:
            self._held = None
            with self.marks.open("a") as marks:
                marks.writelines(held)

    def _note_it(self, action: Any, context: Context) -> None:
        assert context.tx is not None
        try:
            context.tx.execute(self._insert, (context.entry_id, action.text))
        except NewelError:
            raise
        except Exception as error:
            raise OwnStatementError(repr(error)) from error
        if self.interrupts and context.trigger == "enter":
            raise KeyboardInterrupt

    # ---------------------------------------------------------------- what is counted

    def notes(self) -> Counter[tuple[int, str]]:
        """How often each text was written under each entry."""
        with self.ledger.read() as view:
            return Counter((entry, text) for entry, text in view.execute("SELECT entry, text FROM notes"))

    def marked(self) -> Counter[str]:
        """How often each key came to the outside."""
        return Counter(key for key, _ in self.callers().elements())

    def callers(self) -> Counter[tuple[str, str]]:
        """How often each key came to the outside from each process."""
        lines = self.marks.read_text().splitlines() if self.marks.exists() else ()
        pairs = (line.rpartition(" ") for line in lines)
        return Counter((key, process) for key, _, process in pairs)

    # ---------------------------------------------------------------- what is done

    def lose(self, task: str, to: str) -> int:
        """Move a task, and break off before anything of its entry has taken effect; the entry."""
        self.interrupts = True
        try:
            self.service.move(task, to)
        except KeyboardInterrupt:
            return self.service.task(task).entry_id or 0
        finally:
            self.interrupts = False
        raise AssertionError("the entry was not broken off")

    def audit(self) -> list[AuditItem]:
        """What an audit says, findings and notes; each program is read once in this process, not once in each audit."""
        with patch.object(Program, "from_json", _program):
            result = self.service.audit()
        return [*result.findings, *result.notes]

    def recover(self) -> list[EntryReport]:
        """Dispatch again what is lost of current entries, as an operator would."""
        lost = {item.entry_id or 0 for item in self.audit() if item.kind.value in LOST}
        return [self.service.redispatch(entry) for entry in sorted(lost)]

    def forget(self) -> None:
        """Take the host's own records away."""
        with self.ledger.transaction() as tx:
            tx.execute("DELETE FROM notes")
        self.marks.unlink(missing_ok=True)

    def pending(self, task: str) -> Approval:
        return self.service.approvals(task)[-1]


LOST = {"lost", "partly_lost", "running", "failed"}
"""What an audit calls an entry without all its records, or with one that failed; `running` is one that is younger than
a minute."""


@dataclass(frozen=True)
class Store:
    """Where a ledger is, and beside it what came to the outside."""

    url: str
    marks: Path

    @property
    def application(self) -> str | None:
        """How PostgreSQL calls the connections to it."""
        found = re.search(r"application_name=([^&]+)", self.url)
        return found and found[1]


def prepare(url: str) -> None:
    """Make the ledger and the host's own table beside it."""
    ledger: Any = open_ledger(url)
    with ledger.transaction() as tx:
        tx.execute("CREATE TABLE IF NOT EXISTS notes(entry INTEGER, text TEXT)")
    ledger.close()


@contextmanager
def in_memory() -> Iterator[Path]:
    """A folder in memory where there is such a thing, for files that no disk need hold."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there
    with tempfile.TemporaryDirectory(prefix="newel-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)
