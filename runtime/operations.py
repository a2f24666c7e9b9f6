"""Trigger deliveries to the knowledge that they were applied: the operation ledger, which lives as long as the process.

A memo, not a lock: two threads that ask for the same unmarked id may both hear "not applied". Whoever needs one of them
to wait holds a lock of his own. Nothing takes a mark back, and nothing is stored.
"""

from __future__ import annotations

import inspect
from typing import Any, NoReturn, Self, overload


class OperationLedger:
    """The operation ids that were marked as applied, compared exactly as they are.

    Works however it was made, since it needs no `__init__`. "" is never stored. A subclass of `str` counts as the text
    it holds; anything that is no text is a `TypeError`.
    """

    __slots__ = ("_applied",)
    _applied: set[str]

    def __new__(cls) -> Self:
        ledger = super().__new__(cls)
        object.__setattr__(ledger, "_applied", set())
        return ledger

    def is_applied(self, operation_id: str, /) -> bool:
        """Whether that id was marked in this process."""
        # A subclass of str may lie about its hash and equality; the plain text it holds does not.
        return str.__str__(operation_id) in self._applied

    def mark_applied(self, operation_id: str, /) -> None:
        """Remember that id until the process ends. Marking twice is fine."""
        text = str.__str__(operation_id)
        if text:
            self._applied.add(text)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an operation ledger is not replaced")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an operation ledger is not cleared")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("an operation ledger is neither copied nor pickled")


class OperationsField:
    """The one operation ledger of an object, there from the first look at it, however the object came to be.

    `dict.setdefault` is one atomic step, so the first look needs no lock. Being a data descriptor it stands before the
    object's own dictionary: neither assignment, `del` nor `object.__setattr__` gets past it.
    """

    @overload
    def __get__(self, owner: None, cls: type) -> OperationsField: ...
    @overload
    def __get__(self, owner: object, cls: type | None = None) -> OperationLedger: ...
    def __get__(self, owner: object | None, cls: type | None = None) -> OperationsField | OperationLedger:
        if owner is None:
            return self
        try:
            found: OperationLedger = owner.__dict__["operations"]
        except KeyError:
            found = owner.__dict__.setdefault("operations", OperationLedger())
        return found

    def __set__(self, owner: object, value: object) -> NoReturn:
        raise AttributeError("the operation ledger is not replaced")

    def __delete__(self, owner: object) -> NoReturn:
        raise AttributeError("the operation ledger is not removed")


class KeepsOperations:
    """Base of whatever owns an operation ledger: no subclass redefines it, and no copy shares or loses it."""

    operations = OperationsField()
    """The deliveries that were applied in this process: an `OperationLedger`."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if inspect.getattr_static(cls, "operations") is not KeepsOperations.__dict__["operations"]:
            raise TypeError(f"{cls.__name__} may not redefine operations")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is neither copied nor pickled")
