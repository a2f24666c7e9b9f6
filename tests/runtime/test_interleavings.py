"""Two calls on one task, in every order their statements can have (R6): one chain, no guard outrun, none doubled.

On a ledger in memory, on an SQLite file, and on a PostgreSQL, where statements of two transactions really mix.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from newel.compiler import Program, compile_text
from newel.runtime import EntryReport, Handlers, Outcome, OutcomeKind, Service, open_ledger
from newel.runtime.ledgers.sqlite import SqliteLedger
from tests import postgres
from tests.runtime.schedules import BEGIN, BEGIN_TO_READ, Call, Explored, Run, stopping

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]  # a machine may be busy with other things


@cache
def office() -> Program:
    return compile_text("""
        action ring on exit, enter
        dispatch { ring }
        workflow office "Office" {
          step work "Work" { start }
          step review "Review" {
            on enter {
              clear_decisions
              queue_run_for_each_participant(reviewer)
            }
            on exit { ring }
            on turn_complete {
              -> done when all_approve(reviewer)
              -> work when any_reject(reviewer)
            }
          }
          step shelf "Shelf" {
            on enter { queue_run(target=agent(id="sam")) }
          }
          step done "Done" { end }
        }
        """).require()


class Race:
    """T stands at review, whose two seats are to decide."""

    def __init__(self, ledger: Any, *, prepared: bool = False) -> None:
        handlers = Handlers()
        handlers.action("ring")(lambda action, context: None)
        self.ledger = ledger
        self.service = Service(office(), ledger, handlers)
        if not prepared:
            self.prepare()
        self.entry = self.service.task("T").entry_id or 0

    def prepare(self) -> None:
        self.service.create("T", "office", "work")
        for agent in ("ada", "ben"):
            self.service.seat("T", step="review", role="reviewer", agent=agent)
        self.service.move("T", "review")

    def given(self, **verdicts: str) -> None:
        """Decisions that nobody has acted on yet."""
        for agent, verdict in verdicts.items():
            with self.ledger.transaction() as tx:
                who = {"role": "reviewer", "decider": agent, "decider_kind": "agent"}
                tx.add_decision("T", "office", "review", self.entry, verdict=verdict, note=None, **who)

    def move(self, to: str, if_entry: int | None = None) -> Outcome:
        return self.service.move("T", to, if_entry=if_entry)

    def decide(self, agent: str, verdict: str) -> Outcome:
        return self.service.decide("T", role="reviewer", decider=agent, verdict=verdict)

    def turn(self) -> Outcome:
        return self.service.handle("T", "turn_complete")

    def steps(self) -> list[str | None]:
        return [row.to_step for row in self.service.history("T")]

    def check(self, *outcomes: Any) -> None:
        """The chain holds, every arrival that was reported is there, and no run is queued twice."""
        assert self.service.audit().clean
        moved = [outcome for outcome in outcomes if isinstance(outcome, Outcome) and outcome.moved]
        assert len(self.steps()) == 2 + len(moved)
        keys = [run.key for run in self.service.runs()]
        assert len(keys) == len(set(keys))
        due = sum({"review": 2, "shelf": 1}.get(str(to), 0) for to in self.steps())
        assert len(keys) == due


class Store:
    """Races on one sort of ledger, each on one in which nothing else has happened."""

    def __init__(self, sort: str, folder: Path, server: Callable[[], str]) -> None:
        self.sort, self._folder = sort, folder
        self.race: Race | None = None
        if sort == "postgresql":
            self._url = postgres.fresh(server())
            self._looking = postgres.connect(self._url)
            self._race = Race(open_ledger(self._url))

    def again(self) -> Race:
        """A new race, in the place of the last one."""
        if self.sort == "postgresql":
            tables = "newel_tasks, newel_rows, newel_entry_actions, newel_decisions, newel_seats, newel_runs"
            self._looking.execute(f"TRUNCATE {tables}, newel_approvals RESTART IDENTITY CASCADE".encode())
            self._race.prepare()
            self.race = self._race
            return self._race
        if self.race is not None:
            self.race.service.close()
        self.race = Race(open_ledger("memory:")) if self.sort == "memory" else self._copied()
        return self.race

    def _copied(self) -> Race:
        template, path = self._folder / "template.db", self._folder / "race.db"
        if not template.exists():
            Race(open_ledger(f"sqlite:///{template}")).service.close()
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        shutil.copy(template, path)
        return Race(open_ledger(f"sqlite:///{path}?synchronous=NORMAL"), prepared=True)

    def waits(self, call: Call) -> bool:
        """Whether a call waits for a lock of the other: in this process's queue of writers, or as the server says."""
        assert self.race is not None
        if isinstance(self.race.ledger, SqliteLedger):
            return call.doing in (BEGIN, BEGIN_TO_READ) and bool(self.race.ledger._writer._waiting)
        pid = call.backend
        found = self._looking.execute("SELECT count(*) FROM pg_locks WHERE pid = %s AND NOT granted", (pid,))
        return found.fetchall() != [(0,)]

    def close(self) -> None:
        if self.race is not None:
            self.race.service.close()
        if self.sort == "postgresql":
            self._looking.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found = Store(request.param, tmp_path, lambda: request.getfixturevalue("postgres_server"))
    yield found
    found.close()


Works = Callable[[Race], tuple[Callable[[], Any], Callable[[], Any]]]


def every_schedule(store: Store, works: Works, check: Callable[[Race, Any, Any], None]) -> Explored:
    """Run two calls in every order; `works` prepares them, `check` looks at what they have come to."""

    def run() -> Run:
        return Run(works(store.again()), store.waits)

    def checked(found: tuple[Any, ...]) -> None:
        assert store.race is not None
        check(store.race, *found)
        store.race.check(*found)

    with stopping():
        explored = Explored(run, checked)
    print(f"{store.sort}: {explored}")
    assert explored.complete
    assert explored.schedules > 1000
    assert explored.waits > 10
    return explored


def test_r6_two_movers(store: Store) -> None:
    def check(race: Race, first: Outcome, second: Outcome) -> None:
        assert first.moved
        assert second.moved
        assert sorted(map(str, race.steps()[2:])) == ["shelf", "work"]

    every_schedule(store, lambda race: (partial(race.move, "work"), partial(race.move, "shelf")), check)


def test_r6_two_movers_that_were_decided_on_one_entry(store: Store) -> None:
    """SL4: one of them moves the task, the other has lost."""

    def works(race: Race) -> tuple[Callable[[], Any], Callable[[], Any]]:
        return partial(race.move, "work", race.entry), partial(race.move, "shelf", race.entry)

    def check(race: Race, *found: Outcome) -> None:
        assert sorted(outcome.kind.value for outcome in found) == ["abandoned", "moved"]

    every_schedule(store, works, check)


def test_r6_a_mover_and_a_decider(store: Store) -> None:
    seen = set()

    def works(race: Race) -> tuple[Callable[[], Any], Callable[[], Any]]:
        race.decide("ada", "approved")
        return partial(race.move, "shelf"), partial(race.decide, "ben", "approved")

    def check(race: Race, moved: Outcome, decided: Outcome) -> None:
        assert moved.moved
        assert decided.decision_id is not None
        assert race.steps()[2:] == (["done", "shelf"] if decided.kind is OutcomeKind.MOVED else ["shelf"])
        seen.add(decided.kind)

    every_schedule(store, works, check)
    assert seen == {OutcomeKind.MOVED, OutcomeKind.ABANDONED, OutcomeKind.STAYED}


def test_r6_a_turn_and_a_rejection(store: Store) -> None:
    """With both approved, the turn may go on to Done only if the rejection comes after it."""
    seen = set()

    def works(race: Race) -> tuple[Callable[[], Any], Callable[[], Any]]:
        race.given(ada="approved", ben="approved")
        return race.turn, partial(race.decide, "ada", "rejected")

    def check(race: Race, turned: Outcome, rejected: Outcome) -> None:
        given = race.service.decisions("T")[-1]
        assert (given.decider, given.verdict) == ("ada", "rejected")
        assert (race.steps()[-1] == "done") is (given.step == "done")
        assert race.steps()[-1] in ("done", "work")
        seen.add((turned.kind, rejected.kind))

    every_schedule(store, works, check)
    assert (OutcomeKind.MOVED, OutcomeKind.STAYED) in seen
    assert (OutcomeKind.ABANDONED, OutcomeKind.MOVED) in seen


def test_r6_two_deciders(store: Store) -> None:
    def works(race: Race) -> tuple[Callable[[], Any], Callable[[], Any]]:
        return partial(race.decide, "ada", "approved"), partial(race.decide, "ben", "approved")

    def check(race: Race, *found: Outcome) -> None:
        assert [outcome.kind for outcome in found].count(OutcomeKind.MOVED) == 1
        assert race.steps()[2:] == ["done"]

    every_schedule(store, works, check)


def test_r6_two_turns(store: Store) -> None:
    def works(race: Race) -> tuple[Callable[[], Any], Callable[[], Any]]:
        race.given(ada="approved", ben="approved")
        return race.turn, race.turn

    def check(race: Race, *found: Outcome) -> None:
        kinds = [outcome.kind for outcome in found]
        assert kinds.count(OutcomeKind.MOVED) == 1
        assert set(kinds) <= {OutcomeKind.MOVED, OutcomeKind.ABANDONED, OutcomeKind.STAYED}

    every_schedule(store, works, check)


def test_r6_a_mover_and_a_redispatch(store: Store) -> None:
    seen = set()

    def works(race: Race) -> tuple[Callable[[], Any], Callable[[], Any]]:
        return partial(race.move, "shelf"), partial(race.service.redispatch, race.entry)

    def check(race: Race, moved: Outcome, again: EntryReport) -> None:
        assert {action.status.value for action in again.actions} <= {"unchanged", "redelivered", "superseded"}
        seen.add(again.superseded)

    every_schedule(store, works, check)
    assert seen == {True, False}
