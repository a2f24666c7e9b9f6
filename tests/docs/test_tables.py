"""The handlers of the page about ledgers, which serve both databases, on a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import postgres
from tests.docs.pages import ROOT, blocks

PROCESSES, TASKS = 6, 8
START = """
import sys
from concurrent.futures import ThreadPoolExecutor
from newel.compiler import compile_files
from newel.runtime import Service, open_ledger
from stock import URL, handlers, make_tables

ledger = open_ledger(URL)
print("ready", flush=True)
sys.stdin.readline()
make_tables(ledger)
with Service(compile_files(["stock.newel"]).require(), ledger, handlers) as shelf:
    with ThreadPoolExecutor(int(sys.argv[2])) as threads:
        made = threads.map(lambda number: shelf.create(f"{sys.argv[1]}-{number}", "shelf"), range(int(sys.argv[2])))
        print([action.status.value for outcome in made for action in outcome.entry.actions])
    print(shelf.handle(f"{sys.argv[1]}-0", "turn_complete").kind.value)
"""


def test_the_handlers_of_the_page_serve_postgresql_too_from_the_first_moment_on(
    tmp_path: Path, postgres_url: str
) -> None:
    """Processes make the table at one moment, and all of their tasks arrive at once; it lies in the ledger's schema."""
    for block in blocks(ROOT / "docs" / "how-to" / "ledgers.md"):
        if block.title in ("stock.py", "stock.newel"):
            (tmp_path / block.title).write_text(block.body, "utf-8")
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", START, str(number), str(TASKS)],
            cwd=tmp_path,
            env={**os.environ, "LEDGER": postgres_url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for each in started:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in started:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    for each in started:
        said, _ = each.communicate(timeout=120)
        assert said == f"{['applied'] * TASKS}\nmoved\n"
    with postgres.connect(postgres_url) as connection:
        at = connection.execute(
            "SELECT to_regclass('stock')::oid = to_regclass(%s)::oid", (f"{postgres.schema_of(postgres_url)}.stock",)
        )
        assert at.fetchone() == (True,)
