"""A ledger and a service's operation ledger to the one thing the readers of operation ids are handed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newel.runtime.ledgers.base import Ledger
    from newel.runtime.operations import OperationLedger


class Store:
    """What a rebuild of the engine makes anew.

    All stores of one service read and write the same operation ledger, so an old one still in use loses nothing.
    """

    __slots__ = ("_operations", "ledger")

    def __init__(self, ledger: Ledger, operations: OperationLedger, /) -> None:
        self.ledger = ledger
        self._operations = operations

    def is_operation_applied(self, operation_id: str, /) -> bool:
        """Whether that operation was applied in this process."""
        return self._operations.is_applied(operation_id)

    def mark_operation_applied(self, operation_id: str, /) -> None:
        """Remember that operation as applied."""
        self._operations.mark_applied(operation_id)
