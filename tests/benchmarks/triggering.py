"""A trigger with a guard that holds, against the state machine's library alone."""

from __future__ import annotations

from typing import Any

from transitions import Machine

from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from tests.benchmarks.arriving import repeated
from tests.benchmarks.boards import service
from tests.benchmarks.figures import Figure
from tests.benchmarks.texts import GUARDED
from tests.benchmarks.timing import cpu, in_turns, milliseconds, ratio

TRIGGERS = 1000


class Bare:
    """A model of the library's own: a condition that holds and three callbacks on each transition."""

    go: Any

    def __init__(self) -> None:
        ways = {"conditions": self.holds, "prepare": self.called, "before": self.called, "after": self.called}
        there = {"trigger": "go", "source": "s0", "dest": "s1", **ways}
        back = {"trigger": "go", "source": "s1", "dest": "s0", **ways}
        Machine(self, ["s0", "s1"], "s0", [there, back], send_event=True, auto_transitions=False)

    def holds(self, event: object) -> bool:
        """The condition."""
        return True

    def called(self, event: object) -> None:
        """Each callback."""


def to_bare() -> Figure:
    """`handle` into a step without an entry list, on a ledger in memory."""
    handlers = Handlers()
    handlers.guard("yes")(lambda guard, context: True)
    ledger = open_ledger("memory:")
    assert isinstance(ledger, SqliteLedger)
    made, bare = service(GUARDED, ledger, handlers), Bare()
    ours = repeated(lambda: made.handle("t", "turn_complete"), TRIGGERS)
    times = in_turns(21, ours=cpu(ours), bare=cpu(repeated(bare.go, TRIGGERS)))
    ledger.close()
    what = "rate of handle with a guard (memory), of a bare trigger of transitions with three callbacks"
    return Figure(
        "P6", what, 100 * ratio(times, "bare", "ours"), 20, "%", least=True, beside=milliseconds(times, "ours", "bare")
    )
