"""Everything one call works with, bound together, so that a call that has begun never sees half of a new wiring."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from newel.compiler.program import Action, Program, Statement
from newel.runtime.guards import Guards
from newel.runtime.immediate import Immediate
from newel.runtime.ledgers.base import Ledger
from newel.runtime.limits import Limits
from newel.runtime.machine import Machines
from newel.runtime.ports import Agents, Observer, Sessions
from newel.runtime.signals import Signals
from newel.runtime.store import Store

if TYPE_CHECKING:
    from newel.runtime.handlers import Handlers
    from newel.runtime.service import Service


Lists = Mapping[str, Sequence[Statement]]
S = TypeVar("S")
P = ParamSpec("P")

# Of the process, since a service may come to be without `__init__`. Reentrant: what a setter warns of is logged, and
# whoever listens may set something himself.
_setting = threading.RLock()


def alone(setter: Callable[Concatenate[S, P], None]) -> Callable[Concatenate[S, P], None]:
    """A setter that no other one comes between: what it reads of the parts is what it binds."""

    @wraps(setter)
    def call(service: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
        with _setting:
            setter(service, *args, **kwargs)

    return call


def _in_child() -> None:
    """Who held it at the fork is not there."""
    global _setting  # noqa: PLW0603 - the old one stays taken for ever
    _setting = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


@dataclass(frozen=True, slots=True)
class Wiring:
    """What a rebuild of the service binds. A call reads `service.wired()` once and hands it down."""

    service: Service
    program: Program
    ledger: Ledger
    handlers: Handlers
    agents: Agents | None
    sessions: Sessions | None
    observer: Observer | None
    store: Store
    machines: Machines
    signals: Signals
    limits: Limits
    immediate: Immediate
    guards: Guards
    kept: set[str] = field(default_factory=set)
    """Revisions that a commit through this wiring has left in the ledger for certain."""
    entries: dict[tuple[str, str], tuple[tuple[tuple[int, Action], ...], tuple[tuple[int, Action], ...]]] = field(
        default_factory=dict
    )
    """By workflow and step: the two halves of the entry list, as the program has them."""
    programs: dict[str, Program] = field(default_factory=dict)
    """Programs of other revisions, read back for old entries."""
    lists: dict[tuple[str, str], Lists] = field(default_factory=dict)
    """By workflow and step: what the program has for each trigger. A model's own fields are slow to ask for."""

    def lists_at(self, workflow: str, step: str) -> Lists | None:
        """What a step declares for each trigger; None for one that the program does not have."""
        found = self.lists.get((workflow, step))
        if found is None:
            home = self.program.workflows.get(workflow)
            declared = home and home.steps.get(step)
            if declared:
                found = self.lists[workflow, step] = declared.on
        return found
