"""Guards over seats and decisions (Q1-Q6), on rows alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from newel.compiler.program import Program
from newel.runtime.outcomes import GuardReason
from newel.runtime.quorum import Ruling, counting, rule, slate, standard, template_seats
from newel.runtime.rows import ActorKind, Decision, Seat
from tests.runtime.handmade import GUARDS, act, guard, program, step

PLAIN = program(step("review"), step("done"))


def seat(id_: int, agent: str, role: str = "reviewer", **more: Any) -> Seat:
    values: dict[str, Any] = {"task": "T", "workflow": "w", "step": "review", **more}
    return Seat(id=id_, role=role, agent=agent, **values)


def decision(
    id_: int, decider: str, verdict: str, role: str = "reviewer", kind: ActorKind = "agent", **more: Any
) -> Decision:
    values: dict[str, Any] = {"task": "T", "workflow": "w", "step": "review", "entry_id": 1, **more}
    return Decision(id=id_, role=role, decider=decider, decider_kind=kind, verdict=verdict, **values)


def ask(
    name: str,
    seats: Sequence[Seat],
    decisions: Sequence[Decision],
    *,
    count: int = 0,
    model: Program = PLAIN,
    entry: int = 1,
) -> Ruling:
    counted = counting(model, "w", "review", entry, decisions)
    question = standard(GUARDS[name])
    assert question is not None
    return rule(question(guard(name, count=count)), slate(model, "w", "review", "reviewer", seats), counted)


def verdicts(*given: str) -> list[Decision]:
    return [decision(n, f"a{n}", verdict) for n, verdict in enumerate(given, 1) if verdict]


def seats(number: int) -> list[Seat]:
    return [seat(n, f"a{n}") for n in range(1, number + 1)]


@pytest.mark.parametrize(
    ("name", "count", "given", "holds"),
    [
        ("all_approve", 0, ["approved", "approved", "approved"], True),
        ("all_approve", 0, ["approved", "approved", ""], False),
        ("all_approve", 0, ["approved", "approved", "looked"], False),
        ("all_decide", 0, ["approved", "rejected", "looked"], True),
        ("all_decide", 0, ["approved", "rejected", ""], False),
        ("majority_approve", 0, ["approved", "approved", ""], True),
        ("majority_approve", 0, ["approved", "rejected", "rejected"], False),
        ("any_reject", 0, ["approved", "rejected", ""], True),
        ("any_reject", 0, ["approved", "changes_requested", ""], True),
        ("any_reject", 0, ["approved", "looked", ""], False),
        ("n_approve", 2, ["approved", "approved", "rejected"], True),
        ("n_approve", 2, ["approved", "rejected", "rejected"], False),
    ],
)
def test_q1_each_threshold_counts_its_verdicts(name: str, count: int, given: list[str], holds: bool) -> None:
    assert ask(name, seats(3), verdicts(*given), count=count).holds is holds


def test_q1_a_majority_of_an_even_slate_is_strict() -> None:
    assert not ask("majority_approve", seats(4), verdicts("approved", "approved", "rejected", "rejected")).holds
    assert ask("majority_approve", seats(4), verdicts("approved", "approved", "approved", "rejected")).holds


def test_q2_task_seats_of_any_step_and_template_seats_of_this_one() -> None:
    model = program(
        step("review", {"seats": [{"role": "reviewer", "agent": "tia"}, {"role": "approver", "agent": "abe"}]}),
        step("done", {"seats": [{"role": "reviewer", "agent": "dan"}]}),
    )
    own = [seat(1, "ada", step="done"), seat(2, "ben", workflow="other"), seat(3, "cy", required=False)]
    assert [s.agent for s in slate(model, "w", "review", "reviewer", own)] == ["ada", "tia"]
    assert [s.id for s in template_seats(model, "w", "review")] == ["review/reviewer/tia", "review/approver/abe"]


def test_q2_one_seat_an_agent_own_before_template_here_before_elsewhere_then_lowest_id() -> None:
    model = program(step("review", {"seats": [{"role": "reviewer", "agent": "ada"}]}), step("done"))
    rows = [seat(9, "ada", step="done"), seat(5, "ada", step="review"), seat(4, "ada", step="done")]
    for order in itertools.permutations(rows):
        assert [s.id for s in slate(model, "w", "review", "reviewer", order)] == [5]
    assert [s.id for s in slate(model, "w", "review", "reviewer", [rows[0], rows[2]])] == [4]
    assert [s.id for s in slate(model, "w", "review", "reviewer", [])] == ["review/reviewer/ada"]


def test_q2_a_template_seat_that_need_not_decide_is_not_on_the_slate() -> None:
    model = program(step("review", {"seats": [{"role": "reviewer", "agent": "ada", "required": False}]}))
    assert slate(model, "w", "review", "reviewer", []) == ()


@pytest.fixture
def clearing() -> Program:
    return program(step("review", enter=[act("note_it"), act("clear_decisions")]), step("done"))


def test_q2a_where_entry_clears_an_earlier_entrys_decisions_do_not_count(clearing: Program) -> None:
    old = [decision(1, "a1", "approved", entry_id=1)]
    assert not ask("all_approve", seats(1), old, model=clearing, entry=2).holds
    assert ask("all_approve", seats(1), old, model=clearing, entry=1).holds
    assert ask("all_approve", seats(1), old, model=PLAIN, entry=2).holds
    assert not ask("any_reject", [], [decision(1, "a1", "rejected")], model=clearing, entry=2).holds


@pytest.mark.parametrize("name", ["all_approve", "all_decide", "majority_approve", "n_approve"])
def test_q3_an_empty_slate_satisfies_nothing(name: str) -> None:
    ruling = ask(name, [], verdicts("approved"), count=1)
    assert not ruling.holds
    assert ruling.reason is GuardReason.SLATE_EMPTY
    assert ruling.received == 0


def test_q3_any_reject_does_not_ask_the_slate() -> None:
    assert ask("any_reject", [], verdicts("rejected")).holds
    assert ask("any_reject", [], []) == Ruling(GuardReason.THRESHOLD_NOT_MET, 1, 0)


def test_q3_more_than_the_seats_cannot_be_had() -> None:
    ruling = ask("n_approve", seats(2), verdicts("approved", "approved"), count=3)
    assert ruling == Ruling(GuardReason.THRESHOLD_UNSATISFIABLE, 3, 2)


def test_q3_counts_say_what_is_needed_and_what_is_there() -> None:
    assert ask("all_approve", seats(3), verdicts("approved")) == Ruling(GuardReason.THRESHOLD_NOT_MET, 3, 1)
    assert ask("majority_approve", seats(4), []) == Ruling(GuardReason.THRESHOLD_NOT_MET, 3, 0)


def test_q4_the_latest_decision_by_id_counts() -> None:
    given = [decision(7, "a1", "approved"), decision(3, "a1", "rejected")]
    assert ask("all_approve", seats(1), given).holds
    assert not ask("any_reject", seats(1), given).holds
    given = [decision(3, "a1", "approved"), decision(7, "a1", "rejected")]
    assert not ask("all_approve", seats(1), given).holds


def test_q4_superseded_decisions_and_those_of_other_steps_do_not_count() -> None:
    given = [
        decision(1, "a1", "approved", superseded=True),
        decision(2, "a1", "approved", step="work"),
        decision(3, "a1", "approved", workflow="v"),
    ]
    assert ask("all_approve", seats(1), given).received == 0


def test_q4_decisions_of_removed_seats_are_ignored() -> None:
    given = [decision(1, "a1", "approved"), decision(2, "gone", "approved")]
    assert ask("all_decide", [seat(1, "a1"), seat(2, "a2")], given).received == 1


def test_q4_a_decision_counts_only_for_the_seat_of_its_role() -> None:
    assert ask("all_approve", seats(1), [decision(1, "a1", "approved", role="approver")]).received == 0


def test_q4_an_agents_rejection_counts_in_its_role_a_persons_in_any() -> None:
    assert not ask("any_reject", [], [decision(1, "a1", "rejected", role="approver")]).holds
    assert ask("any_reject", [], [decision(1, "ada", "rejected", role="approver", kind="human")]).holds


def test_q6_the_slate_is_in_order_of_position_and_agent() -> None:
    rows = [seat(1, "zoe", position=0), seat(2, "ada", position=1), seat(3, "ben", position=0)]
    for order in itertools.permutations(rows):
        assert [s.agent for s in slate(PLAIN, "w", "review", "reviewer", order)] == ["ben", "zoe", "ada"]


def test_a_guard_of_a_standard_name_without_its_mark_is_the_hosts_own() -> None:
    assert standard(GUARDS["n_approve"]) is not None
    assert standard(GUARDS["n_approve"].model_copy(update={"marks": GUARDS["all_approve"].marks})) is None
    assert standard(GUARDS["all_approve"].model_copy(update={"marks": ()})) is None
    assert standard(GUARDS["paid"]) is None
