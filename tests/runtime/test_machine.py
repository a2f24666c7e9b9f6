"""The machine: the order of a list, one move at most, and the commit that raises where a race is lost."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from textwrap import dedent

import pytest

from newel.compiler.program import Action, Guard, Move, Statement
from newel.runtime.machine import Cursor, Machines
from tests.runtime.handmade import act, move, own, program, step


class Lost(Exception):
    pass


class Walk:
    """A cursor whose calls are written down."""

    def __init__(self, items: Sequence[Statement], answers: Mapping[str, bool] | None = None) -> None:
        model = program(step("a", comment=items), step("b"), step("c"))
        self.log: list[str] = []
        self.answers = dict(answers or {})
        self.lost = False
        self.machine = Machines(model).of("w")
        self.cursor = Cursor("a", self.commit, self.run, self.holds, self.wait)

    def run(self, position: int, action: Action) -> None:
        self.log.append(f"{position} {action.kind}")
        if action.kind == "boom":
            raise RuntimeError("boom")

    def holds(self, position: int, to: str, guard: Guard) -> bool:
        self.log.append(f"{position} ? {guard.kind}")
        return self.answers[guard.kind]

    def wait(self, position: int, move: Move) -> None:
        self.log.append(f"{position} wait {move.to}")

    def commit(self, to: str) -> None:
        self.log.append(f"-> {to}")
        if self.lost:
            raise Lost

    def fire(self) -> list[str]:
        self.machine.fire("comment", self.cursor)
        return self.log


LIST: list[Statement] = [act("note_it"), move("b", own("paid")), act("mail"), move("c", own("stocked")), act("note_it")]


@pytest.mark.parametrize(
    ("paid", "stocked", "log", "at"),
    [
        (True, True, ["0 note_it", "1 ? paid", "2 mail", "4 note_it", "-> b"], "b"),
        (False, True, ["0 note_it", "1 ? paid", "2 mail", "3 ? stocked", "4 note_it", "-> c"], "c"),
        (False, False, ["0 note_it", "1 ? paid", "2 mail", "3 ? stocked", "4 note_it"], "a"),
    ],
)
def test_en1_actions_in_order_the_first_open_move_last(paid: bool, stocked: bool, log: list[str], at: str) -> None:
    walk = Walk(LIST, {"paid": paid, "stocked": stocked})
    assert walk.fire() == log
    assert walk.cursor.step == at


def test_en1_a_move_without_a_guard_is_taken_and_later_actions_run() -> None:
    walk = Walk([act("note_it"), move("b"), act("mail"), move("c", own("paid")), act("note_it")])
    assert walk.fire() == ["0 note_it", "2 mail", "4 note_it", "-> b"]


def test_en2_the_first_error_stops_the_list_and_passes() -> None:
    walk = Walk([act("note_it"), act("boom"), move("b"), act("mail")])
    with pytest.raises(RuntimeError):
        walk.fire()
    assert walk.log == ["0 note_it", "1 boom"]
    assert walk.cursor.step == "a"


def test_en9_a_move_that_requires_approval_never_moves_by_itself() -> None:
    later = move("b", approval=True)
    items: list[Statement] = [later, act("mail"), move("c", own("paid")), act("note_it"), later]
    assert Walk(items, {"paid": True}).fire() == ["0 wait b", "1 mail", "2 ? paid", "3 note_it", "-> c"]
    assert Walk(items, {"paid": False}).fire() == ["0 wait b", "1 mail", "2 ? paid", "3 note_it", "4 wait b"]


def test_a_lost_race_leaves_the_cursor_and_tries_no_later_move() -> None:
    walk = Walk([move("b", own("paid")), move("c", own("stocked"))], {"paid": True, "stocked": True})
    walk.lost = True
    with pytest.raises(Lost):
        walk.fire()
    assert walk.log == ["0 ? paid", "-> b"]
    assert walk.cursor.step == "a"


def test_en14_from_anywhere_even_from_a_step_that_is_gone_or_from_none() -> None:
    machine = Machines(program(step("a"), step("b"))).of("w")
    seen: list[str] = []
    assert machine.move("a", "b", seen.append)
    assert machine.move("gone", "b", seen.append)
    assert machine.move(None, "a", seen.append)
    assert not machine.move("b", "b", seen.append)
    assert seen == ["b", "b", "a"]
    assert set(machine.states) == {"a", "b"}


def test_a_step_and_a_trigger_may_bear_any_name() -> None:
    model = program(step("step", comment=[move("trigger")]), step("trigger"), step("move"), step("initial"))
    machine = Machines(model).of("w")
    cursor = Cursor("step", lambda to: None)
    machine.fire("comment", cursor)
    assert cursor.step == "trigger"


def test_one_machine_a_workflow_made_once() -> None:
    machines = Machines(program(step("a"), step("b")))
    assert machines.of("w") is machines.of("w")
    assert not machines.of("w").models


def test_a_cursor_is_slotted() -> None:
    assert not hasattr(Cursor("a", lambda to: None), "__dict__")


def test_the_library_is_quiet_unless_asked(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("transitions")
    assert logger.level == logging.WARNING
    walk = Walk(LIST, {"paid": True})
    with caplog.at_level(logging.INFO):
        walk.fire()
    assert not caplog.records


def test_a_level_that_was_set_before_stays() -> None:
    script = """
        import logging
        logging.getLogger("transitions").setLevel(logging.INFO)
        import newel.runtime.machine
        print(logging.getLogger("transitions").level == logging.INFO)
    """
    done = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_p9_transitions_grow_with_the_steps_not_with_their_square() -> None:
    def transitions(number: int) -> int:
        steps = [step(f"s{n}", comment=[move(f"s{n + 1}")]) for n in range(number)]
        machine = Machines(program(*steps, step(f"s{number}"))).of("w")
        return sum(len(found) for event in machine.events.values() for found in event.transitions.values())

    assert transitions(40) == 4 * transitions(10)


def test_nested_calls_on_one_machine_do_not_wait_for_each_other() -> None:
    walk = Walk([act("mail"), move("b")])
    inner: list[str | None] = []

    def nested(run: Callable[[int, Action], None]) -> Callable[[int, Action], None]:
        def both(position: int, action: Action) -> None:
            other = Cursor("a", lambda to: None, lambda position, action: None)
            walk.machine.fire("comment", other)
            inner.append(other.step)
            run(position, action)

        return both

    walk.cursor.run = nested(walk.run)
    walk.fire()
    assert inner == ["b"]
