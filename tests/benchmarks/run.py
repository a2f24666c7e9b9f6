"""`make bench`: measure, print a table, write it as JSON, exit 1 on a missed bar. `make bench ARGS="P1 P2"` runs some.

Every speed is a ratio inside one run, of pieces of work done in turns; the median of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from newel.compiler.counting import counted
from tests.benchmarks import arriving, compiling, documenting, growing, postgres, starting, triggering
from tests.benchmarks.figures import Figure

ROOT = Path(__file__).parents[2]
BENCHMARKS: dict[str, Callable[[], Figure | list[Figure]]] = {
    "P1": starting.check,
    "P1b": starting.version,
    "P2": compiling.to_lark,
    "P3": compiling.to_a_tenth,
    "P4a": arriving.to_raw,
    "P4c": postgres.to_raw,
    "P4d": arriving.commits,
    "P5": arriving.in_one,
    "P6": triggering.to_bare,
    "P7": growing.full_ledger,
    "P8": growing.operations,
    "P9": growing.building,
    "P10": documenting.pages,
}


def main(arguments: list[str]) -> int:
    """Run the chosen benchmarks, or all."""
    parser = argparse.ArgumentParser(prog="make bench", description="Measure, and compare with the bars.")
    parser.add_argument("ids", nargs="*", metavar="ID", help=f"{', '.join(BENCHMARKS)}; all unless given")
    parser.add_argument(
        "--json", type=Path, default=ROOT / "build" / "bench.json", help="where the figures are written"
    )
    chosen = parser.parse_args(arguments)
    unknown = sorted(set(chosen.ids) - set(BENCHMARKS))
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}")
    figures = list(measured(chosen.ids or BENCHMARKS))
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(as_json(figures), encoding="utf-8")
    missed = [figure.id for figure in figures if not figure.met]
    print(f"missed: {', '.join(missed)}" if missed else f"{counted(len(figures), 'bar')} met")
    return int(bool(missed))


def measured(ids: Iterable[str]) -> Iterable[Figure]:
    """The figures of some benchmarks, each printed as soon as it is there."""
    for each in ids:
        found = BENCHMARKS[each]()
        for figure in found if isinstance(found, list) else [found]:
            print(figure.line(), end="", flush=True)
            yield figure


def as_json(figures: Iterable[Figure]) -> str:
    """The figures, and what they were measured on."""
    machine = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "system": platform.system()}
    return (
        json.dumps({"on": machine, "figures": [{**asdict(each), "met": each.met} for each in figures]}, indent=2) + "\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
