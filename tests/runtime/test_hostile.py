"""Hosts that answer with the wrong thing, at the wrong time, or in a spelling nobody expects."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from newel.runtime.errors import NewelError, PayloadError, RevisionUnknown, UnknownRole, UnknownStep, UnknownWorkflow
from newel.runtime.ports import Candidate, Context
from tests.runtime.boards import Live, Make, board, compiled, entering, entry_of, statuses

# ---------------------------------------------------------------- what an exception says


class Mute(Exception):
    """Cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("not even this")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Mute(), "Mute: it cannot say what it is"),
        (ValueError("torn \udcff text"), "ValueError: torn \\udcff text"),
        (ValueError("a \0 in it"), "ValueError: a \\x00 in it"),
        (StopIteration(), "StopIteration"),
        (RecursionError(), "RecursionError"),
    ],
)
def test_se4_a_failure_is_recorded_alone_and_durably_whatever_the_exception_says(
    make: Make, error: Exception, reason: str
) -> None:
    rig = make(board(b=entering("note_it", "page", "note_it", "page", "note_it")))

    def fail(action: Any, context: Context) -> None:
        if context.position in (2, 3):
            raise error

    rig.on_page = rig.on_note = fail
    rig.service.create("T", "w")
    report = entry_of(rig.service.move("T", "b"))
    told = [(a.position, a.status.value, a.reason) for a in report.actions]
    assert told == [
        (0, "applied", None),
        (1, "applied", None),
        (2, "failed", reason),
        (3, "failed", reason),
        (4, "applied", None),
    ]
    kept = [(a.position, a.status, a.reason) for a in rig.service.entry(report.entry_id).actions]
    assert kept == told


# ---------------------------------------------------------------- what has not run


def test_ob3_a_handler_that_returns_a_generator_has_not_run_and_says_so(make: Make) -> None:
    rig = make(board(b=entering("page")))

    def later(action: Any, context: Context) -> Iterator[int]:
        return (n for n in range(3))

    rig.handlers._actions.pop("page")
    rig.handlers.action("page")(later)  # type: ignore[type-var]  # what the test is about
    rig.service.create("T", "w")
    (action,) = entry_of(rig.service.move("T", "b")).actions
    assert (action.status.value, action.reason) == (
        "failed",
        "TypeError: the handler returned a generator: it has not run",
    )


class Awaited(Live):
    """A port whose `run` is a coroutine function."""

    async def run(self, session: str, action: Any, context: Context) -> None:  # type: ignore[override]  # the mistake
        raise AssertionError("nobody awaits it")


def test_se9_a_session_whose_run_is_a_coroutine_function_is_a_failure_and_not_a_silent_ran(make: Make) -> None:
    rig = make(board(b=entering("enable_plan_mode")), sessions=Awaited("T"))
    rig.service.create("T", "w")
    (action,) = entry_of(rig.service.move("T", "b")).session_actions
    assert (action.status.value, "has not run" in (action.reason or "")) == ("failed", True)


class Nameless(Live):
    """A port that answers with what is no id."""

    answer: Any = ""

    def live(self, task: str) -> str | None:
        found: str | None = self.answer
        return found


@pytest.mark.parametrize(("answer", "status"), [("", "no_session"), (7, "failed")])
def test_se9_a_blank_session_is_none_and_what_is_no_text_a_failure(make: Make, answer: Any, status: str) -> None:
    sessions = Nameless()
    sessions.answer = answer
    rig = make(board(b=entering("enable_plan_mode")), sessions=sessions)
    rig.service.create("T", "w")
    (action,) = entry_of(rig.service.move("T", "b")).session_actions
    assert action.status.value == status
    assert sessions.ran == []


class Agency:
    """An agents port that says what it is told to."""

    def __init__(self, runner: Any = None, candidate: Any = None) -> None:
        self._runner, self._found = runner, [] if candidate is None else [Candidate(candidate)]

    def candidates(self, role: str) -> list[Candidate]:
        return self._found

    def runner(self, task: str) -> str | None:
        found: str | None = self._runner
        return found

    def target(self, task: str, name: str) -> str:
        return name


@pytest.mark.parametrize(
    ("agents", "status", "reason"),
    [
        (Agency(runner=""), "unchanged", "unfillable"),
        (Agency(runner=5), "failed", "TypeError: a runner's id is a text, not 5"),
        (Agency(candidate=""), "failed", "TypeError: a candidate's id is a text and not blank: '' is none"),
    ],
)
def test_st3_nobody_is_seated_under_a_blank_name_or_one_that_is_no_text(
    make: Make, agents: Agency, status: str, reason: str
) -> None:
    rig = make(board(b=entering("ensure_participant_seat(reviewer)")), agents=agents)
    rig.service.create("T", "w")
    (action,) = entry_of(rig.service.move("T", "b")).actions
    assert (action.status.value, action.reason) == (status, reason)
    assert rig.service.seats("T") == ()


# ---------------------------------------------------------------- a task removed, and made anew under its name


def test_sl8_an_entry_whose_task_was_removed_and_made_anew_meanwhile_leaves_nothing_behind(make: Make) -> None:
    rig = make(board(b=entering("page", "note_it", "run_code_review", "page")))

    def remake(action: Any, context: Context) -> None:
        rig.service.remove("T")
        rig.service.create("T", "w")

    rig.on_page = remake
    rig.service.create("T", "w")
    assert statuses(rig.service.move("T", "b")) == ["failed", "superseded", "superseded", "superseded"]
    assert (rig.service.runs(), rig.notes(), rig.table("newel_entry_actions")) == ((), [], [])
    assert rig.service.audit().clean


# ---------------------------------------------------------------- a program that cannot be read


def test_se8_a_kept_program_that_cannot_be_read_is_a_revision_unknown(make: Make) -> None:
    rig = make(board(b=entering("page")))
    rig.service.create("T", "w")
    entry = entry_of(rig.service.move("T", "b")).entry_id
    rig.service.set_program(board(b=entering("note_it")))
    with rig.ledger.transaction() as tx:
        tx.execute("UPDATE newel_programs SET program = '{}'")
    with pytest.raises(RevisionUnknown, match="not readable"):
        rig.service.redispatch(entry)


# ---------------------------------------------------------------- operation ids


class Odd(str):
    """A text that lies about itself wherever it is asked."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    __hash__ = None  # type: ignore[assignment]  # the lie

    def __str__(self) -> str:
        return "a lie"

    def __format__(self, how: str) -> str:
        return "a lie"

    def __bool__(self) -> bool:
        return False


EVENTS = board(a="on comment { queue_run(primary) }")


def test_ol6_a_subclass_of_str_counts_as_the_text_it_holds_in_every_key(make: Make) -> None:
    rig = make(EVENTS)
    rig.service.create("T", "w")
    for operation in (Odd("x"), "x"):
        rig.service.handle("T", "comment", payload={"comment_id": "1"}, operation_id=operation)
    (run,) = rig.service.runs()
    assert run.key == f"x:{run.entry_id}:0"
    assert rig.service.operations.is_applied("x")


@pytest.mark.parametrize("operation", [0, b"", 5, False])
def test_ol6_an_operation_id_that_is_no_text_is_a_type_error(make: Make, operation: Any) -> None:
    rig = make(EVENTS)
    rig.service.create("T", "w")
    with pytest.raises(TypeError):
        rig.service.handle("T", "comment", payload={"comment_id": "1"}, operation_id=operation)
    with pytest.raises(TypeError):
        rig.service.switch("T", "w", "b", operation_id=operation)
    assert rig.service.runs() == ()


# ---------------------------------------------------------------- seats, leases, payloads


def test_a_seat_in_a_role_that_nobody_counts_or_for_nobody_is_refused(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    with pytest.raises(UnknownRole, match="did you mean 'reviewer'"):
        rig.service.seat("T", step="a", role="reviewr", agent="ada")
    with pytest.raises(NewelError, match="blank"):
        rig.service.seat("T", step="a", role="reviewer", agent="")
    assert rig.service.seats("T") == ()


@pytest.mark.parametrize("lease", [math.nan, math.inf, -1.0])
def test_a_lease_that_would_never_end_is_refused(make: Make, lease: float) -> None:
    rig = make(board())
    with pytest.raises(NewelError, match="lease"):
        rig.service.claim_runs("w", 1, lease)


NUMBERS = compiled(
    "trigger weighed(weight: number?, count: int(0..9)?)\nmoves on weighed\n"
    'workflow w "W" { step a "A" { start\n on weighed { -> b } }\n'
    'step b "B" { } }'
)


@pytest.mark.parametrize("payload", [{"count": 10**5000}, {"weight": "1" + "0" * 9}])
def test_a_payload_that_does_not_fit_is_a_payload_error_however_large(make: Make, payload: dict[str, Any]) -> None:
    rig = make(NUMBERS)
    rig.service.create("T", "w")
    with pytest.raises(PayloadError):
        rig.service.handle("T", "weighed", payload=payload)


def test_a_whole_number_beyond_every_float_is_a_number(make: Make) -> None:
    rig = make(NUMBERS)
    rig.service.create("T", "w")
    assert rig.service.handle("T", "weighed", payload={"weight": 10**400}).moved


# ---------------------------------------------------------------- outside code, and a transaction around it

LEAVING = board(
    a="on exit { page }\non turn_complete { -> c }\non comment { -> c requires approval }",
    b=entering("note_it"),
    c=entering("page", "note_it"),
)


@pytest.mark.parametrize("way", ["handle", "approve", "redispatch", "redispatch a segment"])
def test_se11_what_a_database_action_starts_is_refused_before_any_outside_action_of_it_runs(
    make: Make, way: str
) -> None:
    rig = make(LEAVING)
    service = rig.service
    service.create("U", "w")
    (approval,) = service.handle("U", "comment", payload={"comment_id": "1"}).pending
    outside = entry_of(service.create("V", "w", "c")).entry_id
    inside = entry_of(service.create("X", "w", "b")).entry_id
    ways: dict[str, Callable[[], object]] = {
        "handle": lambda: service.handle("U", "turn_complete"),
        "approve": lambda: service.approve(approval),
        "redispatch": lambda: service.redispatch(outside),
        "redispatch a segment": lambda: service.redispatch(inside),
    }
    rig.paged.clear()
    rig.on_note = lambda action, context: ways[way]()
    report = entry_of(service.create("T", "w", "b"))
    (action,) = report.actions
    assert (action.status.value, (action.reason or "").partition(":")[0]) == ("failed", "InsideTransaction")
    assert (rig.paged, service.task("U").step) == ([], "a")


# ---------------------------------------------------------------- lists that wait for each other

PARENT = board(a="on children_completed { page }", c="end")


def test_en13_two_parents_whose_lists_call_for_each_other_do_not_wait_for_ever(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newel.runtime.children._PATIENCE", 0.2)
    rig = make(PARENT)
    for parent in "PQ":
        rig.service.create(parent, "w")
        rig.service.create(f"child of {parent}", "w", "c", parent=parent)
    both = threading.Barrier(2)
    inner: list[tuple[str, str | None]] = []

    def call(action: Any, context: Context) -> None:
        if not both.broken:
            both.wait(10)
            found = context.service.children_completed({"P": "Q", "Q": "P"}[context.task])
            inner.append((found.kind.value, found.reason))

    rig.on_page = call
    outer: list[str] = []

    def complete(parent: str) -> None:
        outer.append(rig.service.children_completed(parent).kind.value)

    threads = [threading.Thread(target=complete, args=(parent,)) for parent in "PQ"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    assert ("stayed", "already_running") in inner
    assert len(outer) == 2


def test_en13_one_operation_of_two_ledgers_is_two(make: Make) -> None:
    one, two = make(PARENT), make(PARENT)
    for rig in (one, two):
        rig.service.create("P", "w")
        rig.service.create("C", "w", "c", parent="P")
    reasons: list[str | None] = []
    one.on_page = lambda action, context: reasons.append(two.service.children_completed("P").reason)
    one.service.children_completed("P")
    assert (reasons, len(two.paged)) == ([None], 1)


def test_a_move_or_decision_that_names_nothing_is_refused_by_name(make: Make) -> None:
    rig = make(board())
    rig.service.create("T", "w")
    for call, error in (
        (lambda: rig.service.move("T", ""), UnknownStep),
        (lambda: rig.service.move_many([("T", "")]), UnknownStep),
        (lambda: rig.service.create("U", ""), UnknownWorkflow),
        (lambda: rig.service.decide("T", role="", decider="ada", verdict="approved"), UnknownRole),
    ):
        with pytest.raises(error):
            call()
    assert [task.step for task in rig.service.tasks()] == ["a"]
