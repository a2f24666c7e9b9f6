"""Steps whose places are limited (LM1-LM3): who waits, who is let in, in which order, and what it costs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from newel.compiler.program import Program
from newel.runtime import causes
from newel.runtime.errors import LedgerUnavailable, StepGone, UnknownStep, UnknownWorkflow
from newel.runtime.ledgers.sql import SqlTransaction
from newel.runtime.limits import Limits, Place
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.service import Service
from tests.runtime.boards import Live, Make, Rig, board, compiled, entering, statuses

QUEUED, MOVED, STAYED = OutcomeKind.QUEUED, OutcomeKind.MOVED, OutcomeKind.STAYED
NOTED = entering("note_it")


def leaving(*actions: str) -> str:
    return "on exit {\n" + "\n".join(actions) + "\n}"


def stands(rig: Rig, task: str = "T") -> tuple[str | None, str | None]:
    """Where a task stands, and for what it waits."""
    at = rig.service.task(task)
    return at.step, at.queued_for


def full(make: Make, program: Program, **ports: Any) -> Rig:
    """A board whose step b is full: X stands there, T at a."""
    rig = make(program, **ports)
    assert rig.service.create("X", "w", "b").moved
    assert rig.service.create("T", "w").moved
    return rig


def pulled(outcome: Outcome) -> list[tuple[str, str | None, str | None]]:
    """The tasks that a call pulled, in order: who, from where, to where."""
    return [(o.entry.task, o.from_step, o.to_step) for o in outcome.pulled if o.entry is not None]


def clean(rig: Rig) -> bool:
    audit = rig.service.audit()
    return audit.clean and not audit.notes


# ---------------------------------------------------------------- LM1: a queued task has not arrived


def test_lm2_a_move_to_a_step_whose_place_is_not_locked_yet_begins_anew(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the task is switched to the workflow of that step between the first look at it and its lock."""
    rig, locks = full(make, board(b="wip_limit 1")), list[frozenset[Place]]()
    lock = Limits.lock

    def late(self: Limits, tx: Any, moves: Any) -> frozenset[Place]:
        locks.append(lock(self, tx, moves) if locks else frozenset())
        return locks[-1]

    monkeypatch.setattr(Limits, "lock", late)
    assert rig.service.move("T", "b").kind is QUEUED
    assert [len(each) for each in locks] == [0, 1]


A = "on turn_complete { -> b }\non turn_start { -> b }\non comment { -> b requires approval }\n" + leaving(
    'note_it(text="left")', "page"
)
B = "wip_limit 1\n" + entering('note_it(text="in")')
REVIEWED = "on turn_complete { -> b when all_approve(reviewer) }\n" + leaving('note_it(text="left")', "page")


def handled(service: Service) -> Outcome:
    return service.handle("T", "turn_complete", operation_id="once")


def approved(service: Service) -> Outcome:
    (asked,) = service.handle("T", "comment", payload={"comment_id": "c"}).pending
    return service.approve(asked)


ROUTES: dict[str, Callable[[Service], Outcome]] = {
    "move": lambda service: service.move("T", "b"),
    "move_many": lambda service: service.move_many([("T", "b")])[0],
    "handle": handled,
    "turn_start": lambda service: service.handle("T", "turn_start"),
    "approve": approved,
    "switch": lambda service: service.switch("T", "w", "b"),
}


@pytest.mark.parametrize("route", ROUTES)
def test_lm1_a_queued_task_has_not_arrived(make: Make, route: str) -> None:
    """By every route: its step stays, no row, no exit list, no entry; admission is one row, one dispatch."""
    rig = full(make, board(a=A, b=B))
    notes, entry = rig.notes(), rig.service.task("T").entry_id
    outcome = ROUTES[route](rig.service)
    assert (outcome.kind, outcome.from_step, outcome.to_step) == (QUEUED, "a", "b")
    assert not outcome.moved
    assert (outcome.entry, outcome.pulled) == (None, ())
    assert stands(rig) == ("a", "b")
    assert rig.service.task("T").entry_id == entry
    assert len(rig.service.history("T")) == 1
    assert (rig.notes(), rig.paged) == (notes, [])
    assert clean(rig)
    (admitted,) = rig.service.move("X", "c").pulled
    assert (admitted.kind, admitted.from_step, admitted.to_step) == (MOVED, "a", "b")
    assert statuses(admitted) == ["applied"]
    assert stands(rig) == ("b", None)
    assert [row.route for row in rig.service.history("T")] == ["created", "pull"]
    assert rig.notes() == [*notes, "left", "in"]
    assert len(rig.paged) == 1
    assert clean(rig)


def test_lm1_a_decision_lets_a_task_wait(make: Make) -> None:
    rig = full(make, board(a=REVIEWED, b=B))
    rig.service.seat("T", step="a", role="reviewer", agent="ada")
    outcome = rig.service.decide("T", role="reviewer", decider="ada", verdict="approved")
    assert (outcome.kind, outcome.to_step) == (QUEUED, "b")
    assert outcome.decision_id is not None
    assert stands(rig) == ("a", "b")
    assert pulled(rig.service.move("X", "c")) == [("T", "a", "b")]


def test_lm1_children_that_have_all_ended_let_their_parent_wait(make: Make) -> None:
    rig = full(make, board(a="on children_completed { -> b }", b=B, c="end"))
    rig.service.create("C", "w", "c", parent="T")
    assert rig.service.children_completed("T").kind is QUEUED
    assert rig.service.children_completed("T").kind is OutcomeKind.IDEMPOTENT
    assert pulled(rig.service.move("X", "c")) == [("T", "a", "b")]


def test_lm1_a_task_created_into_a_full_step_stands_nowhere(make: Make) -> None:
    rig = full(make, board(b=B))
    outcome = rig.service.create("N", "w", "b", priority=3)
    assert (outcome.kind, outcome.from_step, outcome.to_step, outcome.entry) == (QUEUED, None, "b", None)
    at = rig.service.task("N")
    assert (at.workflow, at.step, at.entry_id) == (None, None, None)
    assert (at.queued_workflow, at.queued_for, at.priority) == ("w", "b", 3)
    assert rig.service.history("N") == ()
    assert clean(rig)
    assert pulled(rig.service.move("X", "c")) == [("N", None, "b")]
    (row,) = rig.service.history("N")
    assert (row.from_step, row.to_step, row.route) == (None, "b", "pull")
    assert clean(rig)


def test_lm1_a_task_that_stands_nowhere_yet_is_moved_elsewhere_or_removed(make: Make) -> None:
    rig = full(make, board(b=B))
    for name in "NOP":
        assert rig.service.create(name, "w", "b").kind is QUEUED
    assert rig.service.handle("N", "turn_complete").reason == "stands_nowhere"
    assert rig.service.move("N", "a").moved
    assert stands(rig, "N") == ("a", None)
    rig.service.remove("O")
    assert rig.service.detach("P").kind is OutcomeKind.ALREADY_THERE
    assert stands(rig, "P") == (None, None)
    assert rig.service.move("X", "c").pulled == ()
    assert clean(rig)


TWO = f"""
workflow w "W" {{
  step a "A" {{
    start
    {leaving('note_it(text="left")')}
  }}
  step b "B" {{ }}
}}
workflow v "V" {{
  step a "A" {{
    start
    wip_limit 1
    {entering('note_it(text="in")')}
  }}
  step z "Z" {{ }}
}}
"""


def test_lm1_a_switched_task_waits_in_its_old_workflow(make: Make) -> None:
    rig = make(compiled(TWO))
    rig.service.create("X", "v")
    rig.service.create("T", "w")
    outcome = rig.service.switch("T", "v", operation_id="p")
    assert (outcome.kind, outcome.from_step, outcome.to_step) == (QUEUED, "a", "a")
    at = rig.service.task("T")
    assert (at.workflow, at.step, at.queued_workflow, at.queued_for) == ("w", "a", "v", "a")
    assert rig.notes() == ["in"]
    assert pulled(rig.service.move("X", "z")) == [("T", "a", "a")]
    row = rig.service.history("T")[-1]
    assert (row.from_workflow, row.to_workflow, row.route) == ("w", "v", "pull")
    assert rig.notes() == ["in", "left", "in"]
    assert clean(rig)


def test_lm1_a_task_taken_out_of_all_workflows_waits_for_its_attachment(make: Make) -> None:
    rig = make(compiled(TWO))
    rig.service.create("X", "v")
    rig.service.create("T", "w")
    rig.service.detach("T")
    assert rig.service.switch("T", "v").kind is QUEUED
    assert pulled(rig.service.move("X", "z")) == [("T", None, "a")]
    assert clean(rig)


@pytest.mark.parametrize(
    "end",
    [
        lambda service: service.move("T", "c"),
        lambda service: service.move("T", "a"),
        lambda service: service.switch("T", "w", "a"),
        lambda service: service.detach("T"),
        lambda service: service.remove("T"),
        lambda service: service.move("T", "d"),
    ],
    ids=["moved elsewhere", "stays", "switched to where it is", "detached", "removed", "waits for another step"],
)
def test_lm1_who_has_changed_his_mind_waits_no_more(make: Make, end: Callable[[Service], Any]) -> None:
    rig = full(make, board(b=B, more='step d "D" { wip_limit 1 }'))
    rig.service.create("Y", "w", "d")
    assert rig.service.move("T", "b").kind is QUEUED
    end(rig.service)
    assert rig.service.move("X", "c").pulled == ()
    assert rig.service.pull("w", "b") == ()
    assert [t.id for t in rig.service.tasks() if t.queued_for == "b"] == []
    assert clean(rig)


def test_lm1_waiting_again_for_the_same_step_keeps_the_turn(make: Make) -> None:
    rig = full(make, board(b=B))
    rig.service.create("U", "w")
    for task in ("T", "U", "T"):
        assert rig.service.move(task, "b").kind is QUEUED
    assert pulled(rig.service.move("X", "c")) == [("T", "a", "b")]


def test_lm1_waiting_for_another_step_is_a_turn_of_its_own(make: Make) -> None:
    rig = full(make, board(b=B, c="wip_limit 1"))
    rig.service.create("Y", "w", "c")
    rig.service.create("U", "w")
    for task, step in (("T", "b"), ("U", "b"), ("T", "c"), ("T", "b")):
        assert rig.service.move(task, step).kind is QUEUED
    assert pulled(rig.service.detach("X")) == [("U", "a", "b")]


def test_lm1_evaluation_says_queued_and_lets_nobody_wait(make: Make) -> None:
    rig = full(make, board(a=A, b=B))
    outcome = rig.service.handle("T", "turn_complete", evaluate_only=True)
    assert (outcome.kind, outcome.to_step, outcome.moved, outcome.evaluated) == (QUEUED, "b", False, True)
    assert stands(rig) == ("a", None)
    rig.service.move("X", "c")
    assert rig.service.handle("T", "turn_complete", evaluate_only=True).kind is MOVED


def test_lm1_an_operation_that_lets_a_task_wait_is_applied(make: Make) -> None:
    rig = full(make, board(a=A, b=B))
    assert handled(rig.service).kind is QUEUED
    assert handled(rig.service).kind is OutcomeKind.IDEMPOTENT
    rig.service.move("X", "c")
    assert stands(rig) == ("b", None)


def test_lm1_an_approval_is_settled_though_its_move_waits(make: Make) -> None:
    rig = full(make, board(a=A, b=B))
    assert approved(rig.service).kind is QUEUED
    assert [asked.status for asked in rig.service.approvals("T")] == ["approved"]


def test_lm1_who_waits_and_finds_a_free_place_moves_there_himself(make: Make) -> None:
    rig = full(make, board(a=A, b=B))
    rig.service.move("T", "b")
    lose_the_pull(rig, "X")
    assert rig.service.move("T", "b").moved
    assert rig.service.history("T")[-1].route == "manual_move"
    assert clean(rig)


def test_lm1_over_limit_is_a_way_past_two_full_steps_that_wait_for_each_other(make: Make) -> None:
    rig = make(board(a="wip_limit 1", b="wip_limit 1"))
    rig.service.create("T", "w", "a")
    rig.service.create("U", "w", "b")
    assert rig.service.move("T", "b").kind is QUEUED
    assert rig.service.move("U", "a").kind is QUEUED
    assert (rig.service.pull("w", "a"), rig.service.pull("w", "b")) == ((), ())
    outcome = rig.service.move("T", "b", over_limit=True)
    assert outcome.moved
    assert rig.service.history("T")[-1].route == "manual_move"
    assert pulled(outcome) == [("U", "b", "a")]
    assert {stands(rig, task) for task in "TU"} == {("b", None), ("a", None)}
    assert clean(rig)


def test_lm1_the_session_starts_when_the_task_arrives_and_not_before(make: Make) -> None:
    sessions = Live("T")
    rig = full(make, board(b="wip_limit 1\n" + entering("auto_start_agent")), sessions=sessions)
    rig.service.move("T", "b")
    assert sessions.ran == []
    rig.service.move("X", "c")
    assert [(session, kind) for session, kind, _ in sessions.ran] == [("session of T", "auto_start_agent")]


# ---------------------------------------------------------------- LM2: how many stand there


def test_lm2_a_limit_is_reached_and_never_passed(make: Make) -> None:
    rig = make(board(b="wip_limit 2"))
    for name in "TUVW":
        rig.service.create(name, "w")
    kinds = [rig.service.move(name, "b").kind for name in "TUVW"]
    assert kinds == [MOVED, MOVED, QUEUED, QUEUED]


def test_lm2_many_moves_of_one_call_are_counted_one_after_the_other(make: Make) -> None:
    rig = make(board(b="wip_limit 1"))
    for name in "TUV":
        rig.service.create(name, "w")
    outcomes = rig.service.move_many([("T", "b"), ("U", "b"), ("V", "c")])
    assert [o.kind for o in outcomes] == [MOVED, QUEUED, MOVED]
    outcomes = rig.service.move_many([("T", "c"), ("V", "b")])
    assert [o.kind for o in outcomes] == [MOVED, MOVED]  # the place was free by then
    assert [pulled(o) for o in outcomes] == [[], []]
    assert stands(rig, "U") == ("a", "b")
    outcomes = rig.service.move_many([("T", "b"), ("V", "c")])
    assert [o.kind for o in outcomes] == [QUEUED, MOVED]
    assert [pulled(o) for o in outcomes] == [[], [("U", "a", "b")]]
    assert clean(rig)


def test_lm2_those_who_stood_there_before_the_limit_was_set_are_counted(make: Make) -> None:
    rig = make(board())
    for name in "TUV":
        rig.service.create(name, "w", "b")
    rig.service.create("N", "w")
    rig.service.set_program(board(b="wip_limit 3"))
    assert rig.service.move("N", "b").kind is QUEUED
    rig.service.set_program(board())
    rig.service.create("S", "w", "b")  # while it is not limited
    rig.service.set_program(board(b="wip_limit 4"))
    assert rig.service.pull("w", "b") == ()
    rig.service.set_program(board(b="wip_limit 5"))
    assert [o.entry.task for o in rig.service.pull("w", "b") if o.entry] == ["N"]


def test_lm2_without_the_limit_all_who_wait_are_let_in_by_a_pull(make: Make) -> None:
    rig = full(make, board(b=B))
    for name in "UV":
        rig.service.create(name, "w", "b")
    rig.service.move("T", "b")
    rig.service.set_program(board())
    assert [o.entry.task for o in rig.service.pull("w", "b") if o.entry] == ["U", "V", "T"]
    assert rig.service.pull("w", "b") == ()


def test_lm2_of_two_steps_of_one_name_each_counts_its_own(make: Make) -> None:
    program = compiled(
        'workflow w "W" {\nstep a "A" {\nstart\nwip_limit 1\n}\nstep z "Z" { }\n}\n'
        'workflow v "V" {\nstep a "A" {\nstart\nwip_limit 1\n}\nstep z "Z" { }\n}\n'
    )
    rig = make(program)
    assert [rig.service.create(name, flow).kind for name, flow in ("Tw", "Uv", "Vw")] == [MOVED, MOVED, QUEUED]
    assert rig.service.move("U", "z").pulled == ()
    assert pulled(rig.service.move("T", "z")) == [("V", None, "a")]


def test_lm2_the_place_is_locked_before_the_task(make: Make) -> None:
    """In every call that may move a task to a limited step: else two of them could wait for each other."""
    for route, call in ROUTES.items():
        rig = full(make, board(a=A, b=B))
        seen = Locks(rig)
        call(rig.service)
        rig.service.move("X", "c")
        assert seen.places, route
        for tx in seen.transactions:
            kinds = [kind for kind, _ in tx]
            assert kinds == sorted(kinds, key=("place", "task").index), (route, tx)
            assert [at for kind, at in tx if kind == "place"] == sorted(at for kind, at in tx if kind == "place")


def test_lm2_several_places_are_locked_in_one_order(make: Make) -> None:
    rig = make(board(b="wip_limit 1", c="wip_limit 1"))
    for name in "TU":
        rig.service.create(name, "w")
    seen = Locks(rig)
    rig.service.move_many([("T", "c"), ("U", "b")])
    assert seen.transactions[0] == [("place", "b"), ("place", "c"), ("task", "T"), ("task", "U")]


class Locks:
    """What the transactions of a rig's ledger lock, in their order."""

    def __init__(self, rig: Rig) -> None:
        self.transactions: list[list[tuple[str, str]]] = []
        self._inner = rig.ledger.transaction
        rig.ledger.transaction = self._watched  # type: ignore[method-assign]  # looked at, not changed

    def _watched(self) -> Any:
        locks: list[tuple[str, str]] = []
        self.transactions.append(locks)

        tx: Any = self._inner()
        base: Any = type(tx)

        class Watched(base):  # type: ignore[misc]  # whichever ledger it is
            __slots__ = ()

            def lock_place(self, workflow: str, step: str) -> None:
                locks.append(("place", step))
                super().lock_place(workflow, step)

            def lock_task(self, task: str) -> Any:
                locks.append(("task", task))
                return super().lock_task(task)

        tx.__class__ = Watched
        return tx

    @property
    def places(self) -> list[str]:
        """Every place that was locked."""
        return [at for tx in self.transactions for kind, at in tx if kind == "place"]


# ---------------------------------------------------------------- LM3: who frees a place pulls

FREEING: dict[str, Callable[[Service], Any]] = {
    "move": lambda service: service.move("X", "c").pulled,
    "move_many": lambda service: service.move_many([("X", "c")])[0].pulled,
    "handle": lambda service: service.handle("X", "turn_complete").pulled,
    "decide": lambda service: service.decide("X", role="reviewer", decider="ada", verdict="rejected").pulled,
    "approve": lambda service: (
        service.approve(service.handle("X", "comment", payload={"comment_id": "c"}).pending[0]).pulled
    ),
    "switch": lambda service: service.switch("X", "w", "c").pulled,
    "children_completed": lambda service: service.children_completed("X").pulled,
    "detach": lambda service: service.detach("X").pulled,
    "remove": lambda service: service.remove("X"),
}
FREES = B + (
    "\non turn_complete { -> c when any_reject(reviewer)\n-> c }\non comment { -> c requires approval }"
    "\non children_completed { -> c }"
)


@pytest.mark.parametrize("route", FREEING)
def test_lm3_who_frees_a_place_pulls(make: Make, route: str) -> None:
    rig = full(make, board(b=FREES, c="end"))
    rig.service.create("C", "w", "c", parent="X")
    rig.service.move("T", "b")
    made = FREEING[route](rig.service)
    assert stands(rig) == ("b", None)
    if made is not None:
        assert [o.entry.task for o in made] == ["T"]
    assert [row.route for row in rig.service.history("T")] == ["created", "pull"]
    assert clean(rig)


def test_lm3_it_pulls_after_its_own_entry(make: Make) -> None:
    rig = full(make, board(b='wip_limit 1\non enter { note_it(text="pulled") }', c=entering('note_it(text="own")')))
    rig.service.move("T", "b")
    before = rig.notes()
    rig.service.move("X", "c")
    assert rig.notes() == [*before, "own", "pulled"]


def test_lm3_nobody_waits_nobody_is_pulled(make: Make) -> None:
    rig = full(make, board(b=B))
    assert rig.service.move("X", "c").pulled == ()
    assert rig.service.pull("w", "b") == ()
    assert stands(rig) == ("a", None)


def test_lm3_a_step_that_is_still_over_its_limit_pulls_nobody(make: Make) -> None:
    rig = full(make, board(b=B))
    rig.service.create("Y", "w")
    rig.service.move("Y", "b", over_limit=True)
    rig.service.move("T", "b")
    assert rig.service.move("X", "c").pulled == ()
    assert pulled(rig.service.move("Y", "c")) == [("T", "a", "b")]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_lm3_admission_goes_by_position_priority_time_and_id(make: Make, order: tuple[int, ...]) -> None:
    """Whatever the order in which the tasks came to be."""
    rig = make(board(b="wip_limit 1"))
    rig.service.create("X", "w", "b")
    wanted = [("M", 0, 9), ("Z", 0, 1), ("A", 0, 1), ("B", 5, 9)]
    for number in order:
        name, _, priority = wanted[number]
        rig.service.create(name, "w", priority=priority)
    for name, position, _ in (wanted[n] for n in (3, 1, 2, 0)):  # Z waits longer than A, and both longer than M
        rig.service.reorder(name, position)
        assert rig.service.move(name, "b").kind is QUEUED
    let_in = []
    at = "X"
    while made := pulled(rig.service.move(at, "c")):
        ((at, _, _),) = made
        let_in.append(at)
    assert let_in == [name for name, _, _ in wanted]


def test_lm3_of_two_who_have_waited_as_long_the_smaller_id_is_first(make: Make) -> None:
    rig = full(make, board(b=B))
    for name in ("Z", "U", "T"):
        if name != "T":
            rig.service.create(name, "w")
        rig.service.move(name, "b")
    with rig.ledger.transaction() as tx:
        tx.execute("UPDATE newel_tasks SET queued_at = 'then' WHERE queued_at IS NOT NULL")
    assert pulled(rig.service.move("X", "c")) == [("T", "a", "b")]


def test_lm3_those_who_wait_come_before_the_feeders(make: Make) -> None:
    rig = make(board(b="wip_limit 1\npull_from c"))
    rig.service.create("X", "w", "b")
    for name, step, priority in (("F", "c", 9), ("G", "c", 9), ("T", "a", 0)):
        rig.service.create(name, "w", step, priority=priority)
    rig.service.reorder("G", -1)
    rig.service.move("T", "b")
    at, let_in = "X", []
    while made := pulled(rig.service.detach(at)):
        ((at, _, _),) = made
        let_in.append(at)
    assert let_in == ["T", "G", "F"]
    assert [row.route for row in rig.service.history("F")] == ["created", "pull", "detached"]


def test_lm3_who_stands_longest_at_the_feeder_is_first_and_who_waits_for_another_step_is_left(make: Make) -> None:
    rig = make(board(b="wip_limit 1\npull_from c", more='step d "D" { wip_limit 1 }'))
    rig.service.create("X", "w", "b")
    rig.service.create("Y", "w", "d")
    for name in ("H", "G", "F"):
        rig.service.create(name, "w", "c")
    rig.service.move("H", "d")
    assert pulled(rig.service.detach("X")) == [("G", "c", "b")]
    assert stands(rig, "H") == ("c", "d")


CHAIN = board(
    a=leaving('note_it(text="left a")'),
    b="wip_limit 1\npull_from a\n" + leaving('note_it(text="left b")'),
    c="wip_limit 1\npull_from b\n" + entering('note_it(text="in c")'),
    more='step d "D" { }',
)


def test_lm3_a_pull_from_a_feeder_leaves_it_and_frees_a_place_there(make: Make) -> None:
    """Down a chain of feeders, each departure with its exit list: a loop, however long the chain."""
    rig = make(CHAIN)
    for name, step in (("Z", "c"), ("Y", "b"), ("X", "a"), ("W", "a")):
        rig.service.create(name, "w", step)
    before = rig.notes()
    outcome = rig.service.move("Z", "d")
    assert pulled(outcome) == [("Y", "b", "c"), ("X", "a", "b")]
    assert all(not o.pulled for o in outcome.pulled)
    assert rig.notes() == [*before, "left b", "in c", "left a"]
    assert stands(rig, "W") == ("a", None)
    assert clean(rig)


def test_lm3_a_long_chain_is_no_recursion(make: Make) -> None:
    steps = [f'step s{n} "S" {{\n{"start" if n == 0 else ""}\nwip_limit 1\n' for n in range(40)]
    steps = [text + (f"pull_from s{n - 1}\n}}" if n else "}") for n, text in enumerate(steps)]
    end = 'step out "Out" { }'
    rig = make(compiled('workflow w "W" {\n' + "\n".join([*steps, end]) + "\n}"))
    for n in range(40):
        rig.service.create(f"T{n:02}", "w", f"s{n}")
    outcome = rig.service.move("T39", "out")
    assert pulled(outcome) == [(f"T{n:02}", f"s{n}", f"s{n + 1}") for n in reversed(range(39))]
    assert clean(rig)


def test_lm3_a_circle_of_tasks_that_wait_for_each_other_turns_once_a_place_is_free(make: Make) -> None:
    rig = make(board(a="wip_limit 1", b="wip_limit 1", c="wip_limit 1", more='step d "D" { }'))
    for task, step in (("T", "a"), ("U", "b"), ("V", "c")):
        rig.service.create(task, "w", step)
    for task, step in (("T", "b"), ("U", "c")):
        assert rig.service.move(task, step).kind is QUEUED
    outcome = rig.service.move("V", "d")
    assert pulled(outcome) == [("U", "b", "c"), ("T", "a", "b")]
    assert clean(rig)


def test_lm3_a_pull_is_a_pull_whatever_the_cause_and_the_cause_names_the_actor(make: Make) -> None:
    rig = full(make, board(b=B))
    rig.service.move("T", "b")
    with causes.cause("restore", Actor.human("ann")):
        rig.service.move("X", "c")
    assert rig.service.history("X")[-1].route == "restore"
    row = rig.service.history("T")[-1]
    assert (row.route, row.actor_kind, row.actor_id, row.session) == ("pull", "human", "ann", None)
    rig.service.move("X", "b", over_limit=True)
    rig.service.create("N", "w", "b")
    rig.service.move("X", "c", actor=Actor.human("ann"), session="s")
    rig.service.move("T", "c", actor=Actor.human("ann"), session="s")
    row = rig.service.history("N")[-1]
    assert (row.route, row.actor_kind, row.actor_id, row.session) == ("pull", "system", None, None)


def lose_the_pull(rig: Rig, task: str) -> None:
    """Let a task leave b, and the process end after the commit: the entry and the pull are lost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("newel.runtime.writers.dispatch", lambda wiring, arrival: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            rig.service.move(task, "c")


def test_lm3_what_a_crash_left_unpulled_the_next_pull_takes(make: Make) -> None:
    rig = full(make, board(b=B))
    rig.service.move("T", "b")
    lose_the_pull(rig, "X")
    assert stands(rig) == ("a", "b")
    other = rig.again()
    (outcome,) = other.service.pull("w", "b")
    assert outcome.moved
    assert statuses(outcome) == ["applied"]
    assert stands(rig) == ("b", None)
    assert clean(rig)
    other.close()


def test_lm3_what_a_crash_left_unpulled_the_next_departure_takes(make: Make) -> None:
    rig = make(board(b="wip_limit 2"))
    for name in "XY":
        rig.service.create(name, "w", "b")
    for name in "TUV":
        rig.service.create(name, "w", "b")
    lose_the_pull(rig, "X")
    assert [stands(rig, name) for name in "TU"] == [(None, "b"), (None, "b")]
    assert [task for task, _, _ in pulled(rig.service.move("Y", "c"))] == ["T", "U"]
    assert stands(rig, "V") == (None, "b")


def test_lm3_what_a_crash_left_unpulled_is_taken_by_the_recovery_of_the_entry(make: Make) -> None:
    """Who frees a place pulls after its own entry: X's is lost, and T waits, until X's entry is dispatched again."""
    rig = full(make, board(b=B, c=NOTED))
    rig.service.move("T", "b")
    lose_the_pull(rig, "X")
    entry = rig.service.task("X").entry_id
    assert entry is not None
    assert [action.status for action in rig.service.redispatch(entry).actions] == ["applied"]
    assert stands(rig) == ("b", None)
    assert clean(rig)


def test_lm3_a_task_whose_exit_action_misses_a_ledger_of_its_own_lets_the_next_one_in(make: Make) -> None:
    """What the action raises is no word on the ledger in which the tasks wait."""
    rig = full(make, board(a=leaving("page"), b=B))
    rig.service.create("U", "w", "c")
    for name in "TU":
        assert rig.service.move(name, "b").kind is QUEUED

    def down(action: Any, context: Any) -> None:
        raise LedgerUnavailable("the archive is down")

    rig.on_page = down
    stuck, admitted = rig.service.detach("X").pulled
    assert stuck.reason == "pull_failed: T: LedgerUnavailable: the archive is down"
    assert (admitted.from_step, admitted.to_step) == ("c", "b")
    assert stands(rig) == ("a", "b")


def test_lm3_a_task_that_cannot_leave_lets_the_next_one_in_and_stays_in_the_queue(make: Make) -> None:
    rig = full(make, board(a=leaving("boom"), b=B))
    rig.service.create("U", "w", "c")
    for name in "TU":
        assert rig.service.move(name, "b").kind is QUEUED
    stuck, admitted = rig.service.detach("X").pulled
    assert (stuck.kind, stuck.from_step, stuck.to_step) == (STAYED, "a", "b")
    assert stuck.reason == "pull_failed: T: ValueError: boom"
    assert (admitted.from_step, admitted.to_step) == ("c", "b")
    assert stands(rig) == ("a", "b")
    rig.broken = False
    assert pulled(rig.service.move("U", "c")) == [("T", "a", "b")]
    assert clean(rig)


def test_lm3_a_pull_that_the_ledger_hinders_does_not_undo_the_move_that_freed_the_place(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = full(make, board(b=B))
    rig.service.move("T", "b")

    def gone(*_: Any) -> Any:
        raise LedgerUnavailable("gone")

    with monkeypatch.context() as patch:
        patch.setattr(SqlTransaction, "waiting", gone)
        outcome = rig.service.move("X", "c")
        assert (outcome.kind, outcome.pulled) == (MOVED, ())
        with pytest.raises(LedgerUnavailable, match="gone"):
            rig.service.pull("w", "b")
    assert stands(rig) == ("a", "b")
    assert len(rig.service.pull("w", "b")) == 1


def test_lm3_a_pull_names_a_step_that_there_is(make: Make) -> None:
    rig = full(make, board(b=B))
    with pytest.raises(UnknownStep, match="'nowhere'"):
        rig.service.pull("w", "nowhere")
    with pytest.raises(UnknownWorkflow, match="'x'"):
        rig.service.pull("x", "b")


def test_lm3_who_waits_for_a_step_that_is_gone_can_be_moved(make: Make) -> None:
    rig = full(make, board(b=B))
    rig.service.move("T", "b")
    rig.service.set_program(compiled('workflow w "W" {\nstep a "A" { start }\nstep c "C" { }\n}'))
    with pytest.raises(StepGone):
        rig.service.handle("X", "turn_complete")
    assert rig.service.move("X", "c").moved
    assert rig.service.move("T", "c").moved
    assert stands(rig) == ("c", None)


def test_lm3_an_entry_action_that_moves_a_task_out_pulls_in_its_own_call(make: Make) -> None:
    rig = full(make, board(b=B, c=entering("page")))
    rig.service.create("U", "w", "b")
    inner: list[Outcome] = []

    def on(action: Any, context: Any) -> None:
        if context.task == "X":
            inner.append(rig.service.move("U", "c") if rig.service.task("U").step else rig.service.pull("w", "b")[0])

    rig.on_page = on
    outcome = rig.service.move("X", "c")
    assert [o.entry.task for o in inner if o.entry] == ["U"]
    assert outcome.pulled == ()
    assert stands(rig, "U") == ("b", None)


# ---------------------------------------------------------------- what it costs


def statements(rig: Rig, call: Callable[[], Any]) -> list[str]:
    """What a call runs on a rig's ledger, transactions and savepoints aside."""
    said: list[str] = []
    with rig.ledger.read() as view:
        kind: Any = type(view)
    run = kind._all

    def noted(tx: Any, sql: str, params: Any = ()) -> Any:
        said.append(" ".join(sql.split()))
        return run(tx, sql, params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "_all", noted)
        call()
    return [text for text in said if "SAVEPOINT" not in text]


@pytest.mark.parametrize("call", ["move", "handle", "create", "remove"])
def test_p4_a_step_without_a_limit_runs_no_statement_more_because_another_has_one(make: Make, call: str) -> None:
    calls: dict[str, Callable[[Service], Any]] = {
        "move": lambda service: service.move("T", "c"),
        "handle": lambda service: service.handle("T", "turn_complete"),
        "create": lambda service: service.create("N", "w"),
        "remove": lambda service: service.remove("T"),
    }
    counts = []
    for limit in ("", "wip_limit 1"):
        rig = make(board(a="on turn_complete { -> c }\n" + leaving("note_it"), b=limit, c=NOTED))
        rig.service.create("T", "w")
        counts.append([text.split(" ")[0] for text in statements(rig, partial(calls[call], rig.service))])
    assert counts[0] == counts[1]
    assert len(counts[0]) > 1


def test_p4_places_are_looked_at_only_where_they_are_limited(make: Make) -> None:
    """Four statements more where they are: the task's workflow, the lock, and how many stand there."""
    rig = full(make, board(b="wip_limit 2", more='step d "D" { wip_limit 2 }'))
    free = statements(rig, lambda: rig.service.move("T", "c"))
    rig.service.create("Y", "w", "d")  # whose place is then known
    limited = statements(rig, lambda: rig.service.move("T", "d"))
    assert len(limited) == len(free) + 4
    assert sum("count(*)" in text for text in limited) == 1
