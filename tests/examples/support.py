"""The boards in `examples/`, compiled, and a service on a real SQLite file for each."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from newel.compiler import compile_files
from newel.compiler.config import find_config
from newel.compiler.program import Program
from newel.runtime import Handlers, Service, StaticAgents, open_ledger

EXAMPLES = Path(__file__).parents[2] / "examples"
BOARDS = sorted(EXAMPLES.glob("*.newel"))
WITH_WORKFLOWS = [path for path in BOARDS if "\nworkflow " in path.read_text("utf-8")]


@cache
def program(path: Path) -> Program:
    """The program of one example."""
    return compile_files([path], root=EXAMPLES).require()


@cache
def handlers() -> Handlers:
    """The handlers of the orders example, which the configuration beside it names."""
    spec = importlib.util.spec_from_file_location("orders_example", EXAMPLES / "orders.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.handlers
    assert isinstance(found, Handlers)
    return found


@dataclass
class Desk:
    """A session of every task, which notes what it was asked to run."""

    ran: list[str] = field(default_factory=list)

    def live(self, task: str) -> str:
        """One session for each task."""
        return f"session of {task}"

    def run(self, session: str, action: Any, context: Any) -> None:
        """Note the kind."""
        self.ran.append(action.kind)


@contextmanager
def service(path: Path, file: Path, sessions: Desk | None = None) -> Iterator[Service]:
    """A service of an example on an SQLite file, with the agents of its configuration."""
    agents = StaticAgents.from_config(find_config(EXAMPLES).agents)
    used = handlers() if path.name == "orders.newel" else None
    with Service(program(path), open_ledger(f"sqlite:///{file}"), used, agents, sessions) as made:
        yield made
