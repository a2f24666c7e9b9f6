"""The standard dispatched kinds (O3, K3, K4, ST, Q6): what they leave in the tables, and under which keys."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from newel.compiler.pipeline import compile_text
from newel.runtime.casting import StaticAgents
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import EntryReport
from newel.runtime.ports import Candidate, Context
from newel.runtime.service import Service
from newel.runtime.standard import STANDARD, run_key
from tests.runtime.boards import REVIEW, Make, board, entering, entry_of, statuses

HELLO = {"comment_id": "c1"}


def reasons(report: EntryReport) -> list[str | None]:
    return [action.reason for action in report.actions]


def test_o3_the_standard_kinds_are_those_the_vocabulary_dispatches() -> None:
    kinds = board().vocabulary.kinds
    own = {"page", "note_it", "boom"}
    assert set(STANDARD) == {name for name, kind in kinds.items() if kind.owner == "dispatch"} - own


# ---------------------------------------------------------------- whom a run is for


def test_o3_targets_reasons_and_payloads(make: Make) -> None:
    rig = make(
        board(
            b=entering(
                "queue_run",
                'queue_run(target=ceo_agent, reason="budget")',
                'queue_run(target=agent(id="zoe"), payload={ n: 1, deep: { list: [1, "x"] } })',
                "queue_run(target=participant(role=reviewer))",
                'queue_run(task=task(id="U"), reason="")',
                "run_code_review",
                'run_code_review(agent=agent_profile("Claude Code", model="opus"))',
            )
        )
    )
    for task in "TU":
        rig.service.create(task, "w")
    rig.service.seat("T", step="b", role="reviewer", agent="bob", position=2)
    rig.service.seat("T", step="a", role="reviewer", agent="cyd", position=1)
    assert statuses(rig.service.move("T", "b")) == ["applied"] * 7
    runs = [(r.task, r.source, r.step, r.agent, r.reason, r.payload, r.position) for r in rig.service.runs()]
    assert runs == [
        ("T", "T", "b", "runner", "enter", None, 0),
        ("T", "T", "b", "eve", "budget", None, 1),
        ("T", "T", "b", "zoe", "enter", {"n": 1, "deep": {"list": [1, "x"]}}, 2),
        ("T", "T", "b", "cyd", "enter", None, 3),
        ("U", "T", "b", "runner", "", None, 4),
        ("T", "T", "b", "rex", "enter", None, 5),
        ("T", "T", "b", "Claude Code", "enter", {"agent": {"name": "Claude Code", "model": "opus"}}, 6),
    ]
    assert [r.key for r in rig.service.runs()] == [f"3:{n}" for n in range(7)]


def test_o3_nobody_behind_a_target_is_a_failure(make: Make) -> None:
    rig = make(
        board(b=entering("queue_run(target=participant(role=approver))", "queue_run", 'queue_run(task=task(id="X"))')),
        agents=StaticAgents(),
    )
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["failed"] * 3
    said = reasons(entry_of(outcome))
    for reason, words in zip(said, ("approver", "primary", "'X'"), strict=True):
        assert words in str(reason)
    assert rig.service.runs() == ()


def test_o3_without_an_agents_port_what_needs_one_says_so(make: Make) -> None:
    rig = make(board(b=entering("queue_run", REVIEW, 'queue_run(target=agent(id="x"))')), agents=None)
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["failed", "unchanged", "failed", "unchanged", "applied"]
    assert "set_agents" in str(reasons(entry_of(outcome))[0])
    assert rig.service.unwired() == ("role reviewer", "target primary")


class Blank(StaticAgents):
    """An agents port behind whose targets nobody is, though it does not say so."""

    def target(self, task: str, name: str) -> str:
        return ""


def test_o3_a_blank_agent_is_nobody(make: Make) -> None:
    rig = make(board(b=entering("queue_run")), agents=Blank())
    rig.service.create("T", "w")
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["failed"]
    assert "nobody is behind the target 'primary'" in str(reasons(entry_of(outcome))[0])


def test_o3_targets_of_a_vocabulary_of_ones_own_need_no_fields() -> None:
    program = compile_text(
        """
        use nothing
        type target = primary | boss
        type task_ref = this
        setting step by_hand: flag = true means manual_entry
        action queue_run(target: target = boss, task: task_ref = this, reason: text?, payload: map?) on enter
        dispatch { queue_run }
        workflow w "W" {
          step a "A" { start
            on enter { queue_run(reason="go") } }
        }
        """
    ).require()
    with Service(program, open_ledger("memory:"), agents=StaticAgents(targets={"boss": "eve"})) as service:
        assert statuses(service.create("T", "w")) == ["applied"]
        assert [(run.agent, run.task, run.reason) for run in service.runs()] == [("eve", "T", "go")]


# ---------------------------------------------------------------- keys


def test_k3_keys_on_entry_are_entry_position_and_seat(make: Make) -> None:
    rig = make(board(b=entering("queue_run", "queue_run_for_each_participant(reviewer)", "run_code_review")))
    rig.service.create("T", "w")
    seats = [rig.service.seat("T", step="b", role="reviewer", agent=agent) for agent in ("ann", "bob")]
    entry = entry_of(rig.service.move("T", "b")).entry_id
    keys = [run.key for run in rig.service.runs()]
    assert keys == [f"{entry}:0", *(f"{entry}:1:{seat}" for seat in seats), f"{entry}:2"]


def test_k3_keys_under_another_trigger_are_operation_entry_position_and_seat(make: Make) -> None:
    rig = make(board(a="on comment {\nqueue_run\nqueue_run_for_each_participant(reviewer)\n}"))
    rig.service.create("T", "w")
    seat = rig.service.seat("T", step="a", role="reviewer", agent="ann")
    rig.service.handle("T", "comment", payload=HELLO)
    assert [run.key for run in rig.service.runs()] == ["task_comment:c1:1:0", f"task_comment:c1:1:1:{seat}"]


def test_k3_a_retry_after_a_later_failure_queues_no_second_run(make: Make) -> None:
    rig = make(board(a="on comment {\nqueue_run\nqueue_run_for_each_participant(reviewer)\npage\nboom\n}"))
    rig.service.create("T", "w")
    rig.service.seat("T", step="a", role="reviewer", agent="ann")
    for _ in range(2):
        with pytest.raises(ValueError, match="boom"):
            rig.service.handle("T", "comment", payload=HELLO)
    assert len(rig.service.runs()) == 2
    rig.broken = False
    rig.service.handle("T", "comment", payload=HELLO)
    assert len(rig.service.runs()) == 2


def test_k3_a_constant_operation_id_is_not_spent_for_ever(make: Make) -> None:
    rig = make(board(a="on blocker_resolved { queue_run }"))
    rig.service.create("T", "w")
    for _ in range(2):
        other = rig.again()  # another process: nothing is remembered as applied
        other.service.handle("T", "blocker_resolved", payload={"resolved": []})
        other.close()
        rig.service.move("T", "b")
        rig.service.move("T", "a")
    assert [run.key for run in rig.service.runs()] == ["blockers_resolved:T:1:0", "blockers_resolved:T:3:0"]


def test_k3_without_an_operation_id_nothing_is_deduplicated(make: Make) -> None:
    rig = make(board(a="on comment {\nqueue_run\nqueue_run_for_each_participant(reviewer)\n}"))
    rig.service.create("T", "w")
    rig.service.seat("T", step="a", role="reviewer", agent="ann")
    for _ in range(2):
        rig.service.handle("T", "comment", payload=HELLO, operation_id="")
    assert [run.key for run in rig.service.runs()] == [None] * 4


def test_k3_an_operation_id_that_spells_an_entrys_key_takes_nothing_from_it(make: Make) -> None:
    rig = make(board(a="on comment { queue_run }\n" + entering("page", "queue_run")))
    rig.service.create("T", "w")
    assert [run.key for run in rig.service.runs()] == ["1:1"]
    rig.service.move("T", "b")
    rig.service.move("T", "a")
    rig.service.handle("T", "comment", payload=HELLO, operation_id="3")
    rig.service.handle("T", "comment", payload=HELLO, operation_id="3:1")
    assert [run.key for run in rig.service.runs()] == ["1:1", "3:1", "3:3:0", "3:1:3:0"]
    with rig.ledger.transaction() as tx:
        run: dict[str, Any] = {"source": "T", "step": "a", "agent": "x", "reason": None, "payload": None}
        assert tx.add_run("T", **run, entry_id=3, position=9, trigger="comment", key="3:1")
    assert rig.service.audit().clean


IDS = st.text(st.sampled_from("ab:%3/"), min_size=1, max_size=6)
NUMBERS = st.integers(1, 33)
RUNS = st.tuples(IDS, NUMBERS, NUMBERS, NUMBERS | IDS.map("s/r/{}".format) | st.none())
"""An operation id, an entry, a position, and a seat of the task's own, of a template, or none."""


@given(one=RUNS, other=RUNS)
@example(one=("x", 1, 2, "s/r/a:3:4"), other=("x:1:2:s/r/a", 3, 4, None))
@example(one=("x:1", 2, 3, 4), other=("x", 1, 2, 3))
def test_k3_other_parts_give_another_key(one: Any, other: Any) -> None:
    assume({type(one[3]), type(other[3])} != {int, type(None)})  # see the costs in decision 88

    def key(operation: str, entry: int, position: int, seat: int | str | None) -> str | None:
        nothing: Any = None
        return run_key(Context("T", "w", "a", "comment", {}, entry, position, operation, None, None, nothing), seat)

    assert (key(*one) == key(*other)) == (one == other)


def test_k4_keys_given_to_the_outside_carry_the_ledger(make: Make) -> None:
    rigs = [make(board(a="on comment { page }", b=entering("page"))) for _ in range(2)]
    for rig in rigs:
        rig.service.create("T", "w")
        rig.service.handle("T", "comment", payload=HELLO)
        rig.service.handle("T", "comment", payload=HELLO, operation_id="")
        rig.service.move("T", "b")
        assert [context.idempotency_key for context in rig.paged] == [
            f"{rig.ledger.uuid}:task_comment:c1:1:0",
            None,
            f"{rig.ledger.uuid}:2:0",
        ]
    assert rigs[0].ledger.uuid != rigs[1].ledger.uuid


# ---------------------------------------------------------------- decisions


def test_se5_under_another_trigger_clear_decisions_removes_all_of_task_and_step(make: Make) -> None:
    rig = make(board(a="on comment { clear_decisions }"))
    for task in "TU":
        rig.service.create(task, "w")
        rig.service.decide(task, role="reviewer", decider="ada", verdict="approved")
    rig.service.handle("T", "comment", payload=HELLO)
    assert rig.service.decisions("T") == ()
    assert len(rig.service.decisions("U")) == 1


# ---------------------------------------------------------------- seats


ENSURE = board(b=entering("ensure_participant_seat(reviewer)", "queue_run_for_each_participant(reviewer)"))


class Cast:
    """An agents port whose candidates and runner can be set, or made to fail."""

    def __init__(self, *candidates: Candidate, runner: str | None = None, error: Exception | None = None) -> None:
        self._candidates, self._runner, self._error = candidates, runner, error

    def candidates(self, role: str) -> Sequence[Candidate]:
        if self._error is not None:
            raise self._error
        return self._candidates

    def runner(self, task: str) -> str | None:
        return self._runner

    def target(self, task: str, name: str) -> str:
        raise LookupError(name)


CASTINGS: dict[str, tuple[Cast, str | None, str | None]] = {
    "first by age": (Cast(Candidate("new", 2), Candidate("old", 1), Candidate("b", 2)), "old", None),
    "not the runner": (Cast(Candidate("r", 1), Candidate("x", 2), runner="r"), "x", None),
    "not one seated elsewhere": (Cast(Candidate("approver", 1), Candidate("x", 2)), "x", None),
    "not a stopped or pending one": (
        Cast(Candidate("a", 1, stopped=True), Candidate("b", 2, pending=True), Candidate("c", 3)),
        "c",
        None,
    ),
    "the runner alone": (Cast(Candidate("r"), runner="r"), "r", "self_review"),
    "nobody but the runner": (Cast(runner="r"), "r", "fallback"),
    "nobody": (Cast(), None, "unfillable"),
    "an error": (Cast(error=OSError("down")), None, "OSError: down"),
}


@pytest.mark.parametrize("name", CASTINGS)
def test_st3_casting_is_recorded_and_fails_no_entry(make: Make, name: str) -> None:
    agents, expected, recorded = CASTINGS[name]
    rig = make(ENSURE, agents=agents)
    rig.service.create("T", "w")
    rig.service.seat("T", step="b", role="approver", agent="approver")
    outcome = rig.service.move("T", "b")
    assert outcome.moved
    seated = [seat.agent for seat in rig.service.seats("T") if seat.role == "reviewer"]
    assert seated == ([expected] if expected else [])
    ensured = rig.service.entry(2).actions[0]
    assert ensured.reason == recorded
    assert ensured.status == {"unfillable": "unchanged", "OSError: down": "failed"}.get(recorded or "", "applied")
    assert [run.agent for run in rig.service.runs()] == seated
    outcome_of = {"OSError: down": "error"}.get(recorded or "", recorded)
    counted = [dict(labels)["outcome"] for labels in rig.seen.named("castings")]
    assert counted == ([outcome_of] if outcome_of else [])
    empty = [dict(labels)["reason"] for labels in rig.seen.named("unfillable_seats")]
    assert empty == [outcome for outcome in counted if outcome in {"unfillable", "error"}]


def test_st1_after_it_the_slate_is_not_empty_before_the_same_lists_fan_out(make: Make) -> None:
    rig = make(ENSURE)
    rig.service.create("T", "w")
    assert statuses(rig.service.move("T", "b")) == ["applied", "applied"]
    (seat,) = rig.service.seats("T")
    assert (seat.workflow, seat.step, seat.role, seat.agent, seat.required, seat.origin) == (
        "w",
        "b",
        "reviewer",
        "ada",
        True,
        "ensured",
    )
    assert [run.agent for run in rig.service.runs()] == ["ada"]


def test_st3_who_sits_in_another_role_by_the_steps_own_settings_comes_second(make: Make) -> None:
    body = 'seats [ seat(role=approver, agent="ada") ]\n' + entering("ensure_participant_seat(reviewer)")
    rig = make(board(b=body), agents=Cast(Candidate("ada", 1), Candidate("ben", 2)))
    rig.service.create("T", "w")
    rig.service.move("T", "b")
    assert [(seat.role, seat.agent) for seat in rig.service.seats("T")] == [("reviewer", "ben")]


def test_st1_the_reason_names_whose_seat_is_in_the_way(make: Make) -> None:
    """Ada's ensured seat need not decide any more, and no second one is ensured; ben, who would get it, has none."""
    agents = Cast(Candidate("ada", 1), Candidate("ben", 2))
    rig = make(ENSURE, agents=agents)
    rig.service.create("T", "w")
    rig.service.move("T", "b")
    rig.service.seat("T", step="b", role="reviewer", agent="ada", decision_required=False)
    agents._candidates = (Candidate("ben", 2),)
    rig.service.move("T", "a")
    outcome = rig.service.move("T", "b")
    assert reasons(entry_of(outcome)) == ["ada has such a seat already, and it need not decide", "slate_empty"]
    assert [dict(labels)["reason"] for labels in rig.seen.named("unfillable_seats")] == ["not_required"]


def test_st1_where_the_slate_stays_empty_it_is_recorded_why(make: Make) -> None:
    rig = make(ENSURE)
    rig.service.create("T", "w")
    rig.service.seat("T", step="b", role="reviewer", agent="ada", decision_required=False)
    outcome = rig.service.move("T", "b")
    assert statuses(outcome) == ["unchanged", "unchanged"]
    assert reasons(entry_of(outcome)) == ["ada has such a seat already, and it need not decide", "slate_empty"]


@pytest.mark.parametrize(
    ("step", "role", "required", "suppressed"),
    [
        ("b", "reviewer", True, True),
        ("a", "reviewer", True, True),
        ("b", "approver", True, False),
        ("c", "reviewer", False, False),
    ],
)
def test_st2_it_acts_only_where_the_slate_is_empty(
    make: Make, step: str, role: str, required: bool, suppressed: bool
) -> None:
    rig = make(ENSURE)
    rig.service.create("T", "w")
    rig.service.seat("T", step=step, role=role, agent="ann", decision_required=required)
    assert statuses(rig.service.move("T", "b"))[0] == ("unchanged" if suppressed else "applied")


def test_st2_a_template_seat_suppresses_it_and_is_woken_by_its_own_id(make: Make) -> None:
    rig = make(
        board(
            b='seats [seat(reviewer, agent="tom"), seat(approver, agent="eve")]\n'
            + entering("ensure_participant_seat(reviewer)", "queue_run_for_each_participant(reviewer)")
        )
    )
    rig.service.create("T", "w")
    assert statuses(rig.service.move("T", "b")) == ["unchanged", "applied"]
    assert [(run.agent, run.key) for run in rig.service.runs()] == [("tom", "2:1:b/reviewer/tom")]


def test_st2_coming_back_adds_no_seat_and_concurrent_entries_seat_one(make: Make) -> None:
    rig = make(ENSURE)
    rig.service.create("T", "w")
    for _ in range(3):
        rig.service.move("T", "b")
        rig.service.move("T", "a")
    assert len(rig.service.seats("T")) == 1
    rig.service.move("T", "b")
    entry = rig.service.task("T").entry_id
    assert entry is not None
    rig.empty("newel_seats")
    rigs = [rig.again() for _ in range(3)]
    for number, other in enumerate(rigs):
        other.service.set_agents(Cast(Candidate(f"agent{number}")))
    threads = [threading.Thread(target=r.service.redispatch, args=(entry,)) for r in rigs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in rigs:
        other.close()
    assert len(rig.service.seats("T")) == 1


def test_st2_the_table_itself_admits_one_ensured_seat_for_a_role(make: Make) -> None:
    rig = make(ENSURE)
    rig.service.create("T", "w")
    with rig.ledger.transaction() as tx:
        assert tx.add_seat("T", "w", "b", role="reviewer", agent="ann", ensured_by=1) is not None
        assert tx.add_seat("T", "w", "b", role="reviewer", agent="bob", ensured_by=1) is None
        assert tx.add_seat("T", "w", "b", role="reviewer", agent="bob") is not None
        assert tx.add_seat("T", "w", "b", role="reviewer", agent="bob") is None


def test_q6_the_fan_out_wakes_whom_the_guard_counts_in_position_and_agent_order(make: Make) -> None:
    rig = make(
        board(
            b=entering("queue_run_for_each_participant(reviewer)")
            + "\non turn_complete { -> c when all_approve(reviewer) }"
        )
    )
    rig.service.create("T", "w")
    for agent, position, required in (("zed", 0, True), ("bob", 1, True), ("ann", 1, True), ("out", 0, False)):
        rig.service.seat("T", step="b", role="reviewer", agent=agent, position=position, decision_required=required)
    rig.service.move("T", "b")
    woken = [run.agent for run in rig.service.runs()]
    assert woken == ["zed", "ann", "bob"]
    decided = [rig.service.decide("T", role="reviewer", decider=agent, verdict="approved") for agent in woken]
    assert [outcome.to_step for outcome in decided] == [None, None, "c"]
