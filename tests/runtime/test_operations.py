"""The operation ledger (OL1-OL7): one for each owner, however made; never replaced, cleared, copied or fooled."""

from __future__ import annotations

import copy
import pickle
import threading
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from newel.runtime.operations import KeepsOperations, OperationLedger
from newel.runtime.store import Store


class Owner(KeepsOperations):
    def __init__(self, *parts: object) -> None:
        self.parts = parts


class Forgetful(Owner):
    def __new__(cls) -> Forgetful:
        return object.__new__(cls)

    def __init__(self) -> None:
        pass


MAKERS: list[Callable[[], Owner]] = [
    lambda: Owner("program"),
    lambda: Owner.__new__(Owner),
    lambda: object.__new__(Owner),
    Forgetful,
]


@pytest.mark.parametrize("make", MAKERS)
def test_ol3_any_owner_has_a_working_ledger(make: Callable[[], Owner]) -> None:
    owner = make()
    assert not owner.operations.is_applied("x")
    owner.operations.mark_applied("x")
    assert owner.operations.is_applied("x")
    assert owner.operations is owner.operations


@pytest.mark.parametrize("make", MAKERS)
def test_ol3_nothing_replaces_the_ledger(make: Callable[[], Owner]) -> None:
    owner = make()
    owner.operations.mark_applied("x")
    kept = owner.operations
    attempts: tuple[Callable[[], None], ...] = (
        lambda: setattr(owner, "operations", OperationLedger()),
        lambda: delattr(owner, "operations"),
        lambda: object.__setattr__(owner, "operations", OperationLedger()),
        lambda: object.__delattr__(owner, "operations"),
    )
    for attempt in attempts:
        with pytest.raises(AttributeError):
            attempt()
    assert owner.operations is kept
    assert kept.is_applied("x")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_ol3_owner_and_ledger_refuse_to_be_copied(duplicate: Callable[[object], object]) -> None:
    owner = Owner()
    with pytest.raises(TypeError):
        duplicate(owner)
    with pytest.raises(TypeError):
        duplicate(owner.operations)


def test_ol3_a_subclass_cannot_redefine_it() -> None:
    with pytest.raises(TypeError):

        class Redefined(Owner):
            operations = OperationLedger()

    with pytest.raises(TypeError):

        class Slotted(Owner):
            __slots__ = ("operations",)

    class Mixin:
        operations = OperationLedger()

    with pytest.raises(TypeError):

        class Mixed(Mixin, Owner):
            pass


def test_ol3_the_ledger_keeps_its_set() -> None:
    ledger = OperationLedger()
    with pytest.raises(AttributeError):
        ledger._applied = set()
    with pytest.raises(AttributeError):
        del ledger._applied


def test_ol3_the_first_look_of_many_threads_makes_one_ledger() -> None:
    for _ in range(200):
        owner, gate = Owner.__new__(Owner), threading.Barrier(8)
        seen: list[int] = []

        def look(owner: Owner = owner, seen: list[int] = seen, gate: threading.Barrier = gate) -> None:
            gate.wait()
            seen.append(id(owner.operations))

        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 8
        assert len(set(seen)) == 1


def test_ol4_a_fresh_ledger_knows_nothing_of_anothers() -> None:
    first, second = Owner(), Owner()
    first.operations.mark_applied("x")
    assert not second.operations.is_applied("x")
    assert not OperationLedger().is_applied("x")


def test_ol5_marks_of_many_threads_are_all_kept() -> None:
    ledger = OperationLedger()
    lost: list[tuple[int, int]] = []

    def mark(name: int) -> None:
        for number in range(5000):
            ledger.mark_applied(f"{name}:{number}")
            if not ledger.is_applied(f"{name}:{number}"):
                lost.append((name, number))

    threads = [threading.Thread(target=mark, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not lost
    assert all(ledger.is_applied(f"{name}:{number}") for name in range(8) for number in range(5000))


def test_ol5_it_is_no_lock_two_may_both_see_not_applied() -> None:
    ledger, gate = OperationLedger(), threading.Barrier(2)
    seen: list[bool] = []

    def deliver() -> None:
        seen.append(ledger.is_applied("x"))
        gate.wait()
        ledger.mark_applied("x")

    threads = [threading.Thread(target=deliver) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [False, False]


def test_ol6_the_surface_is_two_methods() -> None:
    assert {name for name in dir(OperationLedger) if not name.startswith("_")} == {"is_applied", "mark_applied"}


def test_ol6_the_empty_id_is_never_stored() -> None:
    ledger = OperationLedger()
    ledger.mark_applied("")
    assert not ledger.is_applied("")
    assert not ledger._applied


def test_ol6_marking_twice_is_fine() -> None:
    ledger = OperationLedger()
    ledger.mark_applied("x")
    ledger.mark_applied("x")
    assert ledger.is_applied("x")


@pytest.mark.parametrize("text", ["\ud800", "\0" * 1_000_000, " ", "a\nb", "\u202e", "x" * 3_000_000])
def test_ol6_no_text_is_refused(text: str) -> None:
    ledger = OperationLedger()
    ledger.mark_applied(text)
    assert ledger.is_applied(text)


def test_ol6_a_subclass_of_str_counts_as_its_text() -> None:
    class Liar(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash("other")

        def __str__(self) -> str:
            return "other"

    ledger = OperationLedger()
    ledger.mark_applied("other")
    assert not ledger.is_applied(Liar("x"))
    ledger.mark_applied(Liar("x"))
    assert ledger.is_applied("x")
    assert all(type(text) is str for text in ledger._applied)
    ledger.mark_applied(Liar(""))
    assert not ledger.is_applied("")


@pytest.mark.parametrize("bad", [None, 1, True, b"a", [], object()])
def test_ol6_what_is_no_text_is_a_type_error(bad: str) -> None:
    ledger = OperationLedger()
    with pytest.raises(TypeError):
        ledger.is_applied(bad)
    with pytest.raises(TypeError):
        ledger.mark_applied(bad)


def test_ol7_ids_are_compared_exactly() -> None:
    ledger = OperationLedger()
    composed = "\u00e9"
    ledger.mark_applied(composed)
    ledger.mark_applied(" a ")
    ledger.mark_applied("x" * 100_000)
    assert not ledger.is_applied(unicodedata.normalize("NFD", composed))
    assert not ledger.is_applied("a")
    assert not ledger.is_applied(" A ")
    assert not ledger.is_applied("x" * 99_999)


def test_ol8_a_store_without_a_ledger_is_loud() -> None:
    anything: Any = None
    with pytest.raises(TypeError):
        Store(anything)  # type: ignore[call-arg]  # what it must refuse
    with pytest.raises(TypeError):
        Store(anything, operations=OperationLedger())  # type: ignore[call-arg]  # what it must refuse
    store = Store(anything, anything)
    with pytest.raises(AttributeError):
        store.is_operation_applied("x")
    with pytest.raises(AttributeError):
        store.mark_operation_applied("x")


def test_ol2_stores_share_the_ledger_in_both_directions() -> None:
    owner = Owner()
    anything: Any = None
    old, new = Store(anything, owner.operations), Store(anything, owner.operations)
    old.mark_operation_applied("x")
    new.mark_operation_applied("y")
    assert new.is_operation_applied("x")
    assert old.is_operation_applied("y")
