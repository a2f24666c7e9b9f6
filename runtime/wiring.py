"""Everything one call works with, bound together, so that a call that has begun never sees half of a new wiring."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newel.compiler.program import Action, Program
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
