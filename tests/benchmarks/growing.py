"""What much costs: a ledger of a million rows, a million remembered operations, a workflow of five thousand steps."""

from __future__ import annotations

import sys
from contextlib import closing

from transitions import Machine

from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from newel.runtime.operations import OperationLedger
from newel.runtime.service import Service
from tests.benchmarks.arriving import connection_of, mover, repeated
from tests.benchmarks.boards import compiled, service, sqlite_ledger
from tests.benchmarks.figures import Figure
from tests.benchmarks.texts import ENTERED, ring
from tests.benchmarks.timing import cpu, in_turns, milliseconds, ratio, wall

ROWS, TASKS, IDS, REBUILDS, STEPS = 1_000_000, 100_000, 1_000_000, 1_000, 5_000

FILL = (
    """CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :rows)
    SELECT i, i + 2 AS entry, 'task-' || (i % :tasks) AS task, 's' || (i / :tasks % 2) AS here,
    's' || ((i / :tasks + 1) % 2) AS there FROM n""",
    """INSERT INTO newel_rows(id, task, from_workflow, from_step, to_workflow, to_step, route, actor_kind, revision,
    contract_version, occurred_at)
    SELECT entry, task, 'board', here, 'board', there, 'manual_move', 'human', 'r', 1, '' FROM n""",
    "INSERT INTO newel_entry_actions SELECT entry, 2, 'queue_run', 'applied', NULL, 1, '' FROM n",
    """INSERT INTO newel_runs(task, source, step, agent, entry_id, position, cause, key, queued_at)
    SELECT task, task, there, 'ada', entry, 2, 'enter', entry || ':2', '' FROM n""",
    """INSERT INTO newel_tasks(id, workflow, step, entry_id, priority, position, created_at)
    SELECT task, 'board', there, entry, 0, i, '' FROM n WHERE i >= :rows - :tasks""",
    "DROP TABLE n",
)
"""Each task's chain of rows, each row with a record and a run; each task in its last entry."""


def fill(ledger: SqliteLedger) -> None:
    """Write as many rows and tasks as the bar asks for."""
    connection = connection_of(ledger)
    connection.execute("BEGIN")
    for statement in FILL:
        connection.execute(statement, {"rows": ROWS, "tasks": TASKS})
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def full_ledger() -> Figure:
    """Arrivals on a full ledger and on an empty one."""
    with sqlite_ledger() as ledger, sqlite_ledger() as other:
        full, empty = service(ENTERED, ledger), service(ENTERED, other)
        fill(ledger)
        ways = {"full": repeated(mover(full), 50), "empty": repeated(mover(empty), 50)}
        times = in_turns(31, **{name: wall(way) for name, way in ways.items()})
        cpus = in_turns(11, **{name: cpu(way) for name, way in ways.items()})
    what = "an arrival with a million rows and 100,000 tasks in the ledger, to one in an empty ledger"
    beside = {**milliseconds(times, "full", "empty"), "by processor time": ratio(cpus, "full", "empty")}
    return Figure("P7", what, ratio(times, "full", "empty"), 1.3, beside=beside)


def operations() -> Figure:
    """Bytes of an id in the operation ledger beside the text itself, and what rebuilds forget."""
    ids = [f"turn_complete:task-{at}:session-{at}" for at in range(IDS)]
    with closing(open_ledger("memory:")) as ledger:
        made = Service(compiled(ENTERED), ledger)
        for each in ids:
            made.operations.mark_applied(each)
        for _ in range(REBUILDS):
            made.set_ledger(ledger)
        forgotten = sum(not made.wired().store.is_operation_applied(each) for each in ids)
        size = bytes_of(made.operations)
    what = f"bytes an operation's id takes beside its text, {IDS:,} of them; {REBUILDS:,} rebuilds forget {forgotten}"
    text = sum(map(sys.getsizeof, ids)) / IDS
    beside = {"forgotten": float(forgotten), "bytes of the text": text}
    return Figure("P8", what, float("inf") if forgotten else size / IDS, 80, "B", beside=beside)


def bytes_of(operations: OperationLedger) -> int:
    """What an operation ledger takes, but for the texts in it."""
    return sys.getsizeof(operations) + sys.getsizeof(operations._applied)


def building() -> list[Figure]:
    """The runtime of a workflow of many steps, against the library's own machine and against a tenth of the steps."""
    many, few = compiled(ring(STEPS)), compiled(ring(STEPS // 10))
    with closing(open_ledger("memory:")) as ledger:
        times = in_turns(
            9,
            ours=cpu(lambda: Service(many, ledger).wired().machines.of("board")),
            tenth=cpu(lambda: Service(few, ledger).wired().machines.of("board")),
            bare=cpu(bare),
        )
    beside = milliseconds(times, "ours", "tenth", "bare")
    what = f"building the runtime of {STEPS:,} steps, to a bare machine of transitions"
    linear = f"building the runtime of {STEPS:,} steps, to {STEPS // 10:,}"
    return [
        Figure("P9", what, ratio(times, "ours", "bare"), 10, beside=beside),
        # Ten times the work, in memory that no cache holds any more.
        Figure("P9b", linear, ratio(times, "ours", "tenth"), 14),
    ]


def bare() -> None:
    """A machine of the library's own with the same states and moves."""
    moves = [{"trigger": "go", "source": f"s{at}", "dest": f"s{(at + 1) % STEPS}"} for at in range(STEPS)]
    Machine(None, [f"s{at}" for at in range(STEPS)], transitions=moves, initial="s0", auto_transitions=False)
