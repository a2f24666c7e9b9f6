"""The counted figures, which no machine changes; and that a missed bar is said and ends the run with 1."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks import arriving, run
from tests.benchmarks.boards import service, sqlite_ledger
from tests.benchmarks.figures import Figure
from tests.benchmarks.raw import RawArrivals
from tests.benchmarks.texts import ENTERED, lines, ring
from tests.benchmarks.timing import in_turns, ratio

HALF = Figure("X", "a figure", 0.5, 0.4)


def test_p4d_an_arrival_with_any_number_of_standard_actions_takes_two_commits() -> None:
    assert arriving.commits().value == 2


def test_p4d_an_arrival_at_a_step_without_actions_takes_one() -> None:
    with sqlite_ledger() as ledger:
        made = service(ring(2), ledger)
        before = ledger.commits
        made.move("t", "s1")
        assert ledger.commits - before == 1


def test_p5_many_moves_at_once_take_one_commit() -> None:
    with sqlite_ledger() as ledger:
        made = service(ring(2), ledger)
        made.create("u", "board")
        before = ledger.commits
        made.move_many([("t", "s1"), ("u", "s1")])
        assert ledger.commits - before == 1


def test_p4a_both_sides_run_the_same_statements() -> None:
    """So the figure compares what Newel adds, and nothing else."""
    with sqlite_ledger() as ledger, sqlite_ledger() as other:
        made = service(ENTERED, ledger)
        service(ENTERED, other)
        raw = RawArrivals(arriving.path_of(other), made.program.revision)
        move = arriving.mover(made)
        for _ in range(3):
            ours = arriving.statements(arriving.connection_of(ledger), move)
            assert ours == arriving.statements(raw.connection, raw.arrive)
        raw.connection.close()


def test_a_text_has_as_many_lines_as_were_asked_for() -> None:
    assert lines(150).count("\n") == 150


def test_a_ratio_is_the_median_of_the_rounds_own() -> None:
    times = in_turns(3, slow=iter([0.0, 2.0, 40.0, 6.0]).__next__, quick=iter([0.0, 1.0, 10.0, 2.0]).__next__)
    assert times == {"slow": [2.0, 40.0, 6.0], "quick": [1.0, 10.0, 2.0]}
    assert ratio(times, "slow", "quick") == 3.0


def test_a_bar_is_an_upper_or_a_lower_one() -> None:
    assert not HALF.met
    assert replace(HALF, least=True).met
    assert "MISSED" in HALF.line()
    assert replace(HALF, beside={"commits": 2}).line().endswith("commits 2\n")


def test_a_missed_bar_ends_the_run_with_one_and_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "BENCHMARKS", {"X": lambda: HALF, "Y": lambda: [replace(HALF, id="Y", bar=1)]})
    written = tmp_path / "new" / "bench.json"
    assert run.main(["--json", str(written)]) == 1
    assert capsys.readouterr().out.endswith("missed: X\n")
    assert [(each["id"], each["met"]) for each in json.loads(written.read_text())["figures"]] == [
        ("X", False),
        ("Y", True),
    ]
    assert run.main(["--json", str(written), "Y"]) == 0


def test_it_runs_as_make_bench_runs_it(tmp_path: Path) -> None:
    command = [sys.executable, run.__file__, "P4d", "--json", str(tmp_path / "bench.json")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("1 bar met\n")
    assert subprocess.run([*command, "P99"], capture_output=True, check=False).returncode == 2
