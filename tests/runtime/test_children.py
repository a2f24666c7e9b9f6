"""Parents whose children have all ended (EN13, K1, OL12), through the reader that is not the engine."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from newel.compiler.program import Program
from newel.runtime import children as module
from newel.runtime.errors import LedgerUnavailable, StepGone, UnknownTask
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor
from tests.runtime.boards import Make, Rig, compiled
from tests.runtime.test_operations_of_services import SETTERS


def family(*lines: str, exits: str = "") -> Program:
    """A parent's workflow that waits at a for its children, and a child's that ends at z."""
    waits = "\n".join(lines) or 'note_it(text="done")\n-> b'
    steps = f'step a "A" {{\nstart\non children_completed {{\n{waits}\n}}\non exit {{ {exits} }}\n}}\n'
    steps += 'step b "B" { on enter { note_it(text="in b") }\non children_completed { -> a } }\nstep c "C" { }\n'
    child = 'workflow v "V" {\nstep y "Y" { start }\nstep z "Z" { end }\n}\n'
    return compiled(f'workflow w "W" {{\n{steps}}}\n{child}')


def parent(make: Make, program: Program | None = None, children: int = 2) -> Rig:
    """A parent whose children have ended."""
    rig = make(program or family())
    rig.service.create("P", "w")
    for number in range(children):
        rig.service.create(f"C{number}", "v", "z", parent="P")
    return rig


def completed(rig: Rig) -> Outcome:
    return rig.service.children_completed("P")


def marks(rig: Rig) -> int:
    return len(rig.service.operations._applied)


# ---------------------------------------------------------------- what counts as completed


def test_en13_a_parent_whose_children_have_ended_moves_once(make: Make) -> None:
    rig = parent(make)
    outcome = rig.service.children_completed("P", actor=Actor.system())
    assert (outcome.kind, outcome.from_step, outcome.to_step) == (OutcomeKind.MOVED, "a", "b")
    assert outcome.entry is not None
    row = rig.service.history("P")[-1]
    assert (row.route, row.actor_kind) == ("engine_transition", "system")
    assert completed(rig).kind is OutcomeKind.IDEMPOTENT
    assert rig.notes() == ["done", "in b"]
    assert rig.service.task("P").step == "b"


def test_en13_without_children_or_with_one_unfinished_nothing_runs_and_nothing_is_marked(make: Make) -> None:
    rig = parent(make, children=0)
    assert (completed(rig).kind, completed(rig).reason) == (OutcomeKind.STAYED, "no_children")
    rig.service.create("C0", "v", "z", parent="P")
    rig.service.create("C1", "v", parent="P")
    assert (completed(rig).kind, completed(rig).reason) == (OutcomeKind.STAYED, "unfinished_children")
    rig.service.detach("C1")
    assert completed(rig).reason == "unfinished_children"
    assert (marks(rig), rig.notes()) == (0, [])
    rig.service.remove("C1")
    assert completed(rig).moved


def test_en13_a_child_at_a_step_the_program_has_no_more_is_not_finished(make: Make) -> None:
    rig = parent(make)
    rig.service.set_program(compiled('workflow w "W" { step a "A" { start\non children_completed { page } } }'))
    assert completed(rig).reason == "unfinished_children"


def test_en13_only_direct_children_count(make: Make) -> None:
    rig = parent(make, children=1)
    rig.service.create("G", "v", parent="C0")
    assert completed(rig).moved


# ---------------------------------------------------------------- K1


def test_k1_any_change_of_a_childs_row_is_another_operation_and_the_same_rows_are_the_same(make: Make) -> None:
    rig = parent(make, family('note_it(text="again")'))

    def delivered() -> bool:
        return completed(rig).kind is not OutcomeKind.IDEMPOTENT

    assert [delivered(), delivered()] == [True, False]
    rig.service.move("C0", "y")
    rig.service.move("C0", "z")  # the same steps under another entry
    assert [delivered(), delivered()] == [True, False]
    rig.service.create("C2", "v", "z", parent="P")
    assert [delivered(), delivered()] == [True, False]
    rig.service.remove("C2")
    assert not delivered()
    rig.service.reorder("C0", 7)
    assert not delivered()
    assert rig.notes() == ["again"] * 3


def test_k1_the_payload_is_the_rows_in_the_order_of_creation(make: Make) -> None:
    rig = make(family("page"))
    rig.service.create("P", "w")
    for name in ("Z", "A"):
        rig.service.create(name, "v", "z", parent="P")
    with rig.ledger.transaction() as tx:
        tx.execute("UPDATE newel_tasks SET created_at = CASE id WHEN 'Z' THEN '1' ELSE '2' END")
    completed(rig)
    (context,) = rig.paged
    assert [(c["task"], c["step"], c["finished"]) for c in context.payload["children"]] == [
        ("Z", "z", True),
        ("A", "z", True),
    ]
    assert context.operation_id.startswith("on_children_completed:P:")
    assert rig.service.operations.is_applied(context.operation_id)


# ---------------------------------------------------------------- failure, then retry


def test_en13_a_failing_action_leaves_the_operation_unmarked_and_the_retry_runs_it(make: Make) -> None:
    rig = parent(make, family("boom", "-> b"))
    with pytest.raises(ValueError, match="boom"):
        completed(rig)
    assert (marks(rig), rig.service.task("P").step, rig.notes()) == (0, "a", [])
    rig.broken = False
    assert completed(rig).moved
    assert completed(rig).kind is OutcomeKind.IDEMPOTENT


def test_en13_a_commit_that_fails_leaves_the_operation_unmarked(make: Make) -> None:
    rig = parent(make)
    with rig.ledger.transaction() as tx:
        tx.execute("ALTER TABLE newel_rows RENAME TO away")
    with pytest.raises(LedgerUnavailable):
        completed(rig)
    assert (marks(rig), rig.service.task("P").step, rig.notes()) == (0, "a", [])
    with rig.ledger.transaction() as tx:
        tx.execute("ALTER TABLE away RENAME TO newel_rows")
    assert completed(rig).moved
    assert rig.notes() == ["done", "in b"]


def test_en13_the_mark_is_made_before_the_entry_runs(make: Make) -> None:
    """An entry that breaks off must not make the delivery run again at the step it has reached."""
    rig = parent(make)

    def interrupt(action: Any, context: Any) -> None:
        if action.text == "in b":
            raise KeyboardInterrupt

    rig.on_note = interrupt
    with pytest.raises(KeyboardInterrupt):
        completed(rig)
    assert completed(rig).kind is OutcomeKind.IDEMPOTENT
    assert rig.service.task("P").step == "b"


def test_en13_a_lost_race_is_abandoned_and_leaves_the_operation_unmarked(make: Make) -> None:
    rig = parent(make, family("page", "-> b"))
    rig.on_page = lambda action, context: rig.service.move("P", "c")
    assert completed(rig).kind is OutcomeKind.ABANDONED
    assert (marks(rig), rig.service.task("P").step) == (0, "c")


# ---------------------------------------------------------------- its lock


def test_en13_of_many_who_bring_one_operation_one_at_a_time_runs_it(make: Make) -> None:
    rig = parent(make, family("page", 'note_it(text="done")'))
    inside: list[int] = []
    most: list[int] = []

    def slow(action: Any, context: Any) -> None:
        inside.append(1)
        most.append(len(inside))
        threading.Event().wait(0.05)
        inside.pop()

    rig.on_page = slow
    gate, kinds = threading.Barrier(6), []

    def bring() -> None:
        gate.wait()
        kinds.append(completed(rig).kind)

    threads = [threading.Thread(target=bring) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, rig.notes()) == ([1], ["done"])
    assert sorted(kinds) == ["idempotent"] * 5 + ["stayed"]
    assert module._locks == {}


def test_en13_the_lock_is_released_before_the_entry_and_after_a_failure(make: Make) -> None:
    rig = parent(make)
    rig.on_note = lambda action, context: seen.append(dict(module._locks)) if action.text == "in b" else None
    seen: list[Any] = []
    completed(rig)
    assert seen == [{}]
    broken = parent(make, family("boom"))
    with pytest.raises(ValueError, match="boom"):
        completed(broken)
    assert module._locks == {}


def test_en13_an_action_that_brings_its_own_operation_does_not_wait_for_itself(make: Make) -> None:
    rig = parent(make, family("page"))
    inner: list[Outcome] = []
    rig.on_page = lambda action, context: inner.append(completed(rig))
    assert completed(rig).kind is OutcomeKind.STAYED
    assert [(o.kind, o.reason) for o in inner] == [(OutcomeKind.STAYED, "already_running")]
    assert len(rig.paged) == 1


def test_en13_two_lists_that_wait_for_each_other_are_told_apart_and_what_next(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    rig = parent(make, family("page"))
    rig.service.create("Q", "w")
    rig.service.create("D", "v", "z", parent="Q")
    both, inner = threading.Barrier(2), dict[str, Outcome]()

    def bring_the_other(action: Any, context: Any) -> None:
        both.wait(30)
        other = "Q" if context.task == "P" else "P"
        inner[other] = rig.service.children_completed(other)

    rig.on_page = bring_the_other
    threads = [threading.Thread(target=rig.service.children_completed, args=(each,)) for each in "PQ"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(inner) == ["P", "Q"]
    assert "already_running" in {outcome.reason for outcome in inner.values()}
    assert "may wait for each other. Nothing was run or marked; call it again" in caplog.text
    assert module._locks == {}


def test_en13_children_that_change_while_a_call_waits_are_looked_at_anew(make: Make) -> None:
    rig = parent(make, family("page"))
    waiting = threading.Event()
    second: list[Outcome] = []
    thread = threading.Thread(target=lambda: second.append(completed(rig)))

    def reopen(action: Any, context: Any) -> None:
        if len(rig.paged) == 1:
            thread.start()
            while [users for _, users in module._locks.values()] != [2]:
                waiting.wait(0.01)
            rig.service.move("C0", "y")

    rig.on_page = reopen
    completed(rig)
    thread.join()
    assert [(o.kind, o.reason) for o in second] == [(OutcomeKind.STAYED, "unfinished_children")]
    assert len(rig.paged) == 1


# ---------------------------------------------------------------- the ledger it reads


@pytest.mark.parametrize("setter", SETTERS)
def test_ol12_redelivered_children_move_nobody_after_every_setter(make: Make, setter: str) -> None:
    rig = parent(make)
    assert completed(rig).moved
    parts: dict[str, Any] = {"program": rig.service.program, "ledger": rig.ledger, "handlers": rig.handlers}
    getattr(rig.service, setter)(parts.get(setter.removeprefix("set_")))
    assert completed(rig).kind is OutcomeKind.IDEMPOTENT
    assert rig.service.task("P").step == "b"
    assert len(rig.service.history("P")) == 2


def test_ol2_this_reader_and_the_engine_share_one_ledger(make: Make) -> None:
    """What the one marked the other finds applied, both ways."""
    rig = parent(make, family('note_it(text="done")'))

    def by_engine() -> Outcome:
        rows = module.rows(rig.service.program, children())
        return rig.service.handle("P", "children_completed", payload={"children": rows})

    def children() -> Any:
        with rig.ledger.read() as view:
            return view.children("P")

    assert by_engine().kind is OutcomeKind.STAYED
    assert completed(rig).kind is OutcomeKind.IDEMPOTENT
    rig.service.create("C2", "v", "z", parent="P")
    assert completed(rig).kind is OutcomeKind.STAYED
    assert by_engine().kind is OutcomeKind.IDEMPOTENT
    assert rig.notes() == ["done"] * 2


def test_children_of_nobody_and_of_a_parent_whose_step_is_gone(make: Make) -> None:
    rig = parent(make)
    with pytest.raises(UnknownTask):
        rig.service.children_completed("X")
    gone = compiled('workflow v "V" {\nstep y "Y" { start }\nstep z "Z" { end }\n}\n')
    rig.service.set_program(gone)
    with pytest.raises(StepGone):
        completed(rig)
