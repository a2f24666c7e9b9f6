"""Guards: joined and negated, the host's own, and what keeps a move from being taken (Q3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from newel.compiler import compile_text
from newel.runtime import GuardReason, Handlers, LedgerUnavailable, Outcome, OutcomeKind, Service, open_ledger

WORDS = """
guard paid
guard stocked
guard allowed(role: role, least: int(1..)) means approval(role)
action note_it on enter, event
dispatch { note_it }
"""


class Shop:
    """A task at a step with one guarded move, and guards that answer what they are told to."""

    def __init__(self, path: Path, guard: str, wired: Mapping[str, Any], more: str = "") -> None:
        handlers = Handlers()
        handlers.action("note_it", database=True)(
            lambda action, context: context.tx.execute("INSERT INTO notes VALUES (1)")
        )
        for name, answer in wired.items():
            handlers.guard(name)(_answering(answer))
        text = f"""{WORDS}
            workflow w "W" {{
              step a "A" {{ start
                on turn_complete {{
                  -> b when {guard}
                  {more}
                }}
                on comment {{
                  note_it
                  -> b when {guard}
                  note_it
                }}
              }}
              step b "B" {{ end }}
            }}"""
        self.service = Service(compile_text(text).require(), open_ledger(f"sqlite:///{path}"), handlers)
        with self.service.wired().ledger.transaction() as tx:
            tx.execute("CREATE TABLE notes(n)")
        self.service.create("T", "w")

    def turn(self) -> Outcome:
        return self.service.handle("T", "turn_complete")

    def reason(self) -> GuardReason | None:
        outcome = self.turn()
        return outcome.guards[0].reason if outcome.guards else None


def _answering(answer: Any) -> Callable[[Any, Any], bool]:
    def says(guard: Any, context: Any) -> bool:
        return cast("bool", answer(guard, context) if callable(answer) else answer)  # or something else, on purpose

    return says


def _note(action: Any, context: Any) -> None:
    context.tx.execute("INSERT INTO notes VALUES (1)")


Make = Callable[..., Shop]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Make]:
    made: list[Shop] = []

    def make(guard: str, wired: Mapping[str, Any], more: str = "") -> Shop:
        made.append(Shop(tmp_path / f"{len(made)}.db", guard, wired, more))
        return made[-1]

    yield make
    for each in made:
        each.service.close()


def _fails(guard: Any, context: Any) -> bool:
    raise OSError("no answer")


@pytest.mark.parametrize(
    ("guard", "paid", "stocked", "reason"),
    [
        ("paid and stocked", True, True, None),
        ("paid and stocked", True, False, GuardReason.NOT_FULFILLED),
        ("paid and stocked", False, _fails, GuardReason.NOT_FULFILLED),
        ("paid or stocked", False, True, None),
        ("paid or stocked", True, _fails, None),
        ("paid or stocked", _fails, True, None),
        ("paid or stocked", False, False, GuardReason.NOT_FULFILLED),
        ("paid or stocked", False, _fails, GuardReason.EVALUATION_ERROR),
        ("not paid", False, True, None),
        ("not paid", True, True, GuardReason.NOT_FULFILLED),
        ("not paid", _fails, True, GuardReason.EVALUATION_ERROR),
        ("not (paid or stocked)", False, _fails, GuardReason.EVALUATION_ERROR),
        ("not (paid and stocked)", True, False, None),
        ("paid and not (stocked or not paid)", True, False, None),
    ],
)
def test_joined_and_negated_guards(shop: Make, guard: str, paid: Any, stocked: Any, reason: GuardReason | None) -> None:
    it = shop(guard, {"paid": paid, "stocked": stocked})
    assert it.reason() == reason
    assert it.service.task("T").step == ("b" if reason is None else "a")


def test_q3_a_guard_nobody_answers_for_is_unwired_and_does_not_fire(shop: Make) -> None:
    it = shop("paid", {})
    assert it.reason() is GuardReason.STORE_UNWIRED
    it = shop("not paid", {})
    assert it.reason() is GuardReason.STORE_UNWIRED
    assert "guard paid" in it.service.unwired()


def test_q3_a_guard_of_the_hosts_own_words_is_the_hosts_to_answer_though_it_bears_a_mark(shop: Make) -> None:
    assert shop("allowed(reviewer, least=2)", {}).reason() is GuardReason.STORE_UNWIRED
    seen: list[tuple[str, int]] = []

    def allowed(guard: Any, context: Any) -> bool:
        seen.append((guard.role, guard.least))
        return True

    assert shop("allowed(reviewer, least=2)", {"allowed": allowed}).turn().moved
    assert seen == [("reviewer", 2)]


@pytest.mark.parametrize("answer", [None, 1, 0, "yes", [True]])
def test_q3_an_answer_that_is_neither_true_nor_false_is_an_error(shop: Make, answer: Any) -> None:
    assert shop("paid", {"paid": lambda guard, context: answer}).reason() is GuardReason.EVALUATION_ERROR


def test_q3_a_guard_that_raises_does_not_fire_and_the_next_is_asked(shop: Make) -> None:
    it = shop("paid", {"paid": _fails, "stocked": True}, more="-> b when stocked")
    outcome = it.turn()
    assert outcome.moved
    assert [g.reason for g in outcome.guards] == [GuardReason.EVALUATION_ERROR]


def test_q3_a_guards_failing_statement_does_not_take_the_transaction_with_it(shop: Make) -> None:
    def paid(guard: Any, context: Any) -> bool:
        context.tx.execute("SELECT * FROM nowhere")
        return True

    it = shop("paid", {"paid": paid})
    outcome = it.service.handle("T", "comment", payload={"comment_id": "c"})
    assert (outcome.kind, outcome.guards[0].reason) == (OutcomeKind.STAYED, GuardReason.EVALUATION_ERROR)
    with it.service.wired().ledger.read() as view:
        assert view.execute("SELECT count(*) FROM notes") == [(2,)]


def test_q3_a_guard_that_would_move_the_task_is_an_error_and_moves_nothing(shop: Make) -> None:
    it = shop("paid", {"paid": lambda guard, context: context.service.move("T", "b").moved})
    assert it.reason() is GuardReason.EVALUATION_ERROR
    assert it.service.task("T").step == "a"


def test_a_ledger_that_fails_under_a_guard_is_an_error_and_no_answer(shop: Make) -> None:
    def paid(guard: Any, context: Any) -> bool:
        raise LedgerUnavailable

    it = shop("paid", {"paid": paid})
    with pytest.raises(LedgerUnavailable):
        it.service.handle("T", "comment", payload={"comment_id": "c"})
    assert not it.service.operations.is_applied("task_comment:c")
    with it.service.wired().ledger.read() as view:
        assert view.execute("SELECT count(*) FROM notes") == [(0,)]


def test_an_interruption_in_a_guard_passes(shop: Make) -> None:
    def paid(guard: Any, context: Any) -> bool:
        raise KeyboardInterrupt

    it = shop("paid", {"paid": paid})
    with pytest.raises(KeyboardInterrupt):
        it.turn()
    assert it.service.task("T").step == "a"


def test_a_guard_reads_in_the_transaction_of_the_move_and_is_told_where_it_stands(shop: Make) -> None:
    seen: list[Any] = []

    def paid(guard: Any, context: Any) -> bool:
        seen.append(context)
        return bool(context.tx.execute("SELECT count(*) FROM notes")[0][0] == 1)

    it = shop("paid", {"paid": paid})
    outcome = it.service.handle("T", "comment", payload={"comment_id": "c"}, session="s")
    assert outcome.moved
    context = seen[0]
    assert (context.task, context.workflow, context.step, context.trigger) == ("T", "w", "a", "comment")
    assert (context.position, context.session, context.entry_id) == (1, "s", 1)
    assert context.payload["comment_id"] == "c"
    assert context.operation_id == "task_comment:c"


# ---------------------------------------------------------------- OB1


class Counter:
    def __init__(self) -> None:
        self.counts: list[tuple[str, dict[str, str]]] = []
        self.broken = False

    def entry(self, report: Any) -> None:
        pass

    def count(self, name: str, labels: Mapping[str, str]) -> None:
        self.counts.append((name, dict(labels)))
        if self.broken:
            raise RuntimeError("the observer is broken")


def test_ob1_guards_not_fired_are_counted_by_reason(shop: Make) -> None:
    it = shop("paid", {"paid": False}, more="-> b when all_approve(reviewer)")
    counter = Counter()
    it.service.set_observer(counter)
    it.turn()
    assert counter.counts == [
        ("guards_not_fired", {"reason": "not_fulfilled"}),
        ("guards_not_fired", {"reason": "slate_empty"}),
    ]
    it.service.decide("T", role="reviewer", decider="ada", verdict="approved")
    assert counter.counts[2:] == counter.counts[:2]


def test_ob1_an_observer_that_fails_fails_no_call(shop: Make) -> None:
    it = shop("paid", {"paid": False})
    counter = Counter()
    counter.broken = True
    it.service.set_observer(counter)
    assert it.turn().kind is OutcomeKind.STAYED
    assert counter.counts


def test_ob2_labels_come_from_closed_sets(shop: Make) -> None:
    reasons = {reason.value for reason in GuardReason}
    for wired in ({}, {"paid": _fails}, {"paid": False}):
        it = shop("paid", wired, more="-> b when n_approve(reviewer, count=3)")
        counter = Counter()
        it.service.set_observer(counter)
        it.service.seat("T", step="a", role="reviewer", agent="ada")
        it.turn()
        assert {name for name, _ in counter.counts} == {"guards_not_fired"}
        assert all(labels.keys() == {"reason"} and labels["reason"] in reasons for _, labels in counter.counts)
