"""The operation ledger (OL3, OL6), its finer points: what is said to whoever tries, and who else may take part."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from newel.runtime import Service
from newel.runtime.operations import KeepsOperations, OperationLedger, OperationsField

LEDGER: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "assign": (lambda it: setattr(it, "_applied", set()), AttributeError, "an operation ledger is not replaced"),
    "assign anything": (lambda it: setattr(it, "x", 1), AttributeError, "an operation ledger is not replaced"),
    "delete": (lambda it: delattr(it, "_applied"), AttributeError, "an operation ledger is not cleared"),
    "copy": (copy.copy, TypeError, "an operation ledger is neither copied nor pickled"),
    "deepcopy": (copy.deepcopy, TypeError, "an operation ledger is neither copied nor pickled"),
    "pickle": (pickle.dumps, TypeError, "an operation ledger is neither copied nor pickled"),
}
OWNER: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "assign": (lambda it: setattr(it, "operations", 1), AttributeError, "the operation ledger is not replaced"),
    "delete": (lambda it: delattr(it, "operations"), AttributeError, "the operation ledger is not removed"),
    "copy": (copy.copy, TypeError, "a Service is neither copied nor pickled"),
    "pickle": (pickle.dumps, TypeError, "a Service is neither copied nor pickled"),
}


@pytest.mark.parametrize("way", LEDGER)
def test_ol3_a_ledger_says_what_it_does_not_allow_and_stays_as_it_is(way: str) -> None:
    act, error, said = LEDGER[way]
    ledger = OperationLedger()
    ledger.mark_applied("x")
    with pytest.raises(error, match=f"^{said}$"):
        act(ledger)
    assert ledger.is_applied("x")


@pytest.mark.parametrize("way", OWNER)
def test_ol3_a_service_says_what_it_does_not_allow_and_keeps_its_ledger(way: str) -> None:
    act, error, said = OWNER[way]
    service = Service.__new__(Service)
    ledger = service.operations
    with pytest.raises(error, match=f"^{said}$"):
        act(service)
    assert service.operations is ledger


def test_ol3_whoever_redefines_it_is_named() -> None:
    with pytest.raises(TypeError, match=r"^Mine may not redefine operations$"):
        type("Mine", (Service,), {"operations": OperationLedger()})


def test_ol3_looked_at_on_the_class_it_is_the_field_itself() -> None:
    assert isinstance(KeepsOperations.operations, OperationsField)
    assert Service.operations is KeepsOperations.operations


def test_ol3_other_bases_hear_of_a_subclass_as_they_do_without_it() -> None:
    heard: list[str] = []

    class Other:
        def __init_subclass__(cls, word: str = "", **options: Any) -> None:
            super().__init_subclass__(**options)
            heard.append(word)

    class Both(KeepsOperations, Other, word="hello"):
        """Takes what the other base asks for."""

    assert heard == ["hello"]
    assert Both().operations is not Both().operations


def test_ol7_ids_of_any_length_are_told_apart_by_their_last_sign() -> None:
    ledger = OperationLedger()
    long = "x" * 100_000
    ledger.mark_applied(f"{long}a")
    assert ledger.is_applied(f"{long}a")
    for other in (long, f"{long}b", f"{long}a ", f"{long}A", f"{long[:-1]}a"):
        assert not ledger.is_applied(other)
