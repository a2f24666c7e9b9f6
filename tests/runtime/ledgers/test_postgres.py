"""The PostgreSQL ledger (SL1, SL3, SL5, SL6, R15): what it does beside what every ledger promises."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.postgres import PostgresLedger


def opened(url: str, **options: Any) -> PostgresLedger:
    ledger = open_ledger(url, **options)
    assert isinstance(ledger, PostgresLedger)
    return ledger


def test_sl6_processes_that_start_at_once_make_one_schema(postgres_url: str) -> None:
    code = """
import sys
from newel.runtime.ledgers.opening import open_ledger
ledger = open_ledger(sys.argv[1])
print(ledger.uuid)
"""
    for number in range(3):
        command = [sys.executable, "-W", "error", "-c", code, f"{postgres_url}_{number}"]
        children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        said = {child.communicate(timeout=60)[0] for child in children}
        assert [child.returncode for child in children] == [0, 0, 0]
        assert len(said) == 1
