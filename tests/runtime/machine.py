"""A service and the model of its board, driven by the same calls and compared after each."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from newel.compiler.pipeline import compile_text
from newel.runtime.casting import StaticAgents
from newel.runtime.errors import NewelError
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import Outcome
from newel.runtime.ports import Actor
from newel.runtime.service import Service
from tests.runtime.ledgers.plain_ledger import Database, PlainLedger
from tests.runtime.model import BOARD, LISTS, STEPS, Model, Refused

PROGRAM = compile_text(BOARD).require()
NAMES = ("T", "U", "V", "X")
NAME = st.sampled_from(NAMES)
PLACE = st.sampled_from([("w", step) for step in "aabcce"] + [("v", "p"), ("v", "q")])
STEP = st.sampled_from("abbcccdepq")
TOKEN = st.sampled_from(["none", "none", "current", "stale"])
_numbers = itertools.count()


class Board(RuleBasedStateMachine):
    """One sequence of calls. `opened` gives a ledger in which nothing stands."""

    opened: ClassVar[Any]
    calls: ClassVar[Counter[str]] = Counter()

    @staticmethod
    def open_url(url: str) -> Any:
        return open_ledger(url)

    @staticmethod
    def open_file(folder: Path) -> Any:
        return open_ledger(f"sqlite:///{folder}/{next(_numbers)}.db?synchronous=NORMAL")

    @staticmethod
    def open_plain() -> Any:
        return PlainLedger(Database())

    @initialize(steps=st.lists(st.sampled_from("abbcce"), min_size=4, max_size=4), parent=st.sampled_from((None, "T")))
    def begin(self, steps: list[str], parent: str | None) -> None:
        """Four tasks stand about, so that most calls find one."""
        self.model, self.ledger = Model(), self.opened()
        self.breaks, self.pages = "", Counter[int]()
        self.entries: dict[int, int] = {}
        self.numbers = itertools.count()
        self._service()
        for name, step in zip(NAMES, steps, strict=True):
            self.create(name, ("w", step), 0, None if name == "T" else parent)

    def _service(self) -> None:
        handlers = Handlers()
        handlers.action("page")(self._page)
        candidates = [("ada", ["reviewer"])]
        machine = self

        class Breaking(StaticAgents):
            def candidates(self, role: str) -> Any:
                if machine.breaks == "before":
                    raise KeyboardInterrupt
                return super().candidates(role)

        agents = Breaking(runner="runner", targets={}, candidates=candidates)
        self.service = Service(PROGRAM, self.ledger, handlers, agents=agents)

    def _page(self, action: Any, context: Any) -> None:
        if self.breaks:
            raise KeyboardInterrupt
        self.pages[context.entry_id] += 1

    def teardown(self) -> None:
        if hasattr(self, "service"):
            self.service.close()

    def _same(self, expected: Callable[[], Any], real: Callable[[], Any]) -> None:
        """Do both; both refuse, or they come to the same."""
        try:
            wanted = expected()
        except Refused:
            wanted = "refused"
        try:
            found = real()
        except NewelError:
            found = "refused"
        if isinstance(found, list):
            found = [outcome.kind.value for outcome in found]
        if isinstance(found, Outcome):
            found = found.kind.value
        self.calls["several" if isinstance(found, list) else str(found)] += 1
        assert found == wanted

    def _token(self, name: str, which: str) -> tuple[int | None, int | None]:
        """An entry to compare, as the model and as the ledger call it."""
        task = self.model.tasks.get(name)
        if which == "none" or task is None or task.entry is None:
            return None, None
        entry = task.entry if which == "current" else next(row.entry for row in self.model.rows if row.task == name)
        return entry, self.entries[entry]

    # ---------------------------------------------------------------- the calls

    @rule(name=NAME, place=PLACE, priority=st.integers(0, 1), parent=st.none() | NAME)
    def create(self, name: str, place: tuple[str, str], priority: int, parent: str | None) -> None:
        parent = None if parent == name else parent
        self._same(
            lambda: self.model.create(name, place, priority, parent),
            lambda: self.service.create(name, *place, priority=priority, parent=parent),
        )

    @rule(name=NAME, step=STEP, which=TOKEN, over=st.sampled_from([False, False, False, True]))
    def move(self, name: str, step: str, which: str, over: bool) -> None:
        mine, theirs = self._token(name, which)
        self._same(
            lambda: self.model.move(name, step, mine, over),
            lambda: self.service.move(name, step, if_entry=theirs, over_limit=over),
        )

    @rule(names=st.permutations(NAMES), steps=st.lists(STEP, min_size=2, max_size=4))
    def move_many(self, names: list[str], steps: list[str]) -> None:
        pairs = list(zip(names, steps, strict=False))
        self._same(lambda: self.model.move_many(pairs), lambda: self.service.move_many(pairs))

    @rule(name=NAME, step=st.sampled_from("bbp"), breaks=st.sampled_from(["before", "page"]))
    def lose(self, name: str, step: str, breaks: str) -> None:
        task = self.model.tasks.get(name)
        where = (task.at or task.waits) if task is not None else None
        if task is None or where is None or step not in STEPS[where[0]] or task.at == (where[0], step):
            return
        upto = 0 if step == "p" or breaks == "before" else 3
        self.breaks = breaks
        try:
            self.service.move(name, step)
        except KeyboardInterrupt:
            assert self.model.lose(name, step, upto)
        else:
            raise AssertionError("the entry ran though it was broken off")
        finally:
            self.breaks = ""

    @rule(name=NAME)
    def detach(self, name: str) -> None:
        self._same(lambda: self.model.detach(name), lambda: self.service.detach(name))

    @rule(name=NAME, place=PLACE)
    def switch(self, name: str, place: tuple[str, str]) -> None:
        self._same(lambda: self.model.switch(name, place), lambda: self.service.switch(name, *place))

    @rule(name=NAME)
    def turn(self, name: str) -> None:
        self._same(lambda: self.model.handle(name, "turn_complete"), lambda: self.service.handle(name, "turn_complete"))

    @rule(name=NAME, comment=st.sampled_from("12"))
    def comment(self, name: str, comment: str) -> None:
        self._same(
            lambda: self.model.handle(name, "comment", f"task_comment:{comment}"),
            lambda: self.service.handle(name, "comment", payload={"comment_id": comment}),
        )

    @rule(name=NAME)
    def ask(self, name: str) -> None:
        number = str(next(self.numbers))
        payload = {"approval_id": number, "status": "approved"}
        self._same(
            lambda: self.model.handle(name, "approval_resolved", f"approval_resolved:{number}"),
            lambda: self.service.handle(name, "approval_resolved", payload=payload),
        )

    @precondition(lambda self: self.model.approvals)
    @rule(data=st.data(), yes=st.booleans())
    def settle(self, data: Any, yes: bool) -> None:
        number = data.draw(st.integers(0, len(self.model.approvals) - 1))
        entry = self.entries[self.model.approvals[number].entry]
        with self.ledger.read() as view:
            (there,) = [a for a in view.approvals(self.model.approvals[number].task) if a.entry_id == entry]
        if yes:
            self._same(lambda: self.model.approve(number), lambda: self.service.approve(there.id))
        else:
            self._same(lambda: self.model.reject(number), lambda: self.service.reject(there.id))

    @rule(
        name=NAME,
        role=st.sampled_from(["reviewer", "reviewer", "approver"]),
        decider=st.sampled_from(["ada", "ada", "ben"]),
        person=st.booleans(),
        verdict=st.sampled_from(["approved", "approved", "rejected", "looked"]),
        which=TOKEN,
    )
    def decide(self, name: str, role: str, decider: str, person: bool, verdict: str, which: str) -> None:
        mine, theirs = self._token(name, which)
        actor = Actor.human(decider) if person else Actor.agent(decider)
        self._same(
            lambda: self.model.decide(name, role, decider, actor.kind, verdict, mine),
            lambda: self.service.decide(
                name, role=role, decider=decider, verdict=verdict, actor=actor, if_entry=theirs
            ),
        )

    @rule(name=NAME)
    def children_completed(self, name: str) -> None:
        self._same(lambda: self.model.children_completed(name), lambda: self.service.children_completed(name))

    @rule(name=NAME, agent=st.sampled_from(["ada", "ben"]))
    def seat(self, name: str, agent: str) -> None:
        task = self.model.tasks.get(name)
        if task is not None and task.at is not None and task.at[0] == "w":
            self.service.seat(name, step="b", role="reviewer", agent=agent)
            self.model.seats.setdefault(name, set()).add(("w", "reviewer", agent))

    @rule()
    def pull(self) -> None:
        self.service.pull("w", "c")
        self.model.pull()

    @rule(name=NAME, position=st.integers(0, 2))
    def reorder(self, name: str, position: int) -> None:
        if name in self.model.tasks:
            self.service.reorder(name, position)
            self.model.tasks[name].position = position

    @rule(name=NAME)
    def remove(self, name: str) -> None:
        if any(task.parent == name for task in self.model.tasks.values()):
            return
        self._same(lambda: self.model.remove(name), lambda: self.service.remove(name))

    @precondition(lambda self: any(row.to for row in self.model.rows))
    @rule(data=st.data())
    def redispatch(self, data: Any) -> None:
        entry = data.draw(st.sampled_from([row.entry for row in self.model.rows if row.to]))
        real = self.service.redispatch(self.entries[entry])
        left = self.model.redispatch(entry)
        assert real.superseded is (left and bool(real.actions))

    @rule()
    def restart(self) -> None:
        """OL4: whoever starts anew remembers no operation, and all that stands in the ledger."""
        self._service()
        self.model.applied.clear()

    # ---------------------------------------------------------------- what must be the same

    @invariant()
    def everything_is_the_same(self) -> None:
        if not hasattr(self, "model"):
            return
        model, service = self.model, self.service
        tasks = service.tasks()
        self._histories()
        assert {
            t.id: ((t.workflow, t.step) if t.step else None, t.entry_id, (t.queued_workflow, t.queued_for))
            for t in tasks
        } == {
            name: (t.at, t.entry and self.entries[t.entry], t.waits or (None, None)) for name, t in model.tasks.items()
        }
        assert Counter((r.task, r.entry_id, r.position, r.agent) for r in service.runs()) == Counter(
            (task, self.entries[entry], position, agent) for task, entry, _, position, agent in model.runs
        )
        for name in model.tasks:
            self._of(name)
        self._entries()

    def _histories(self) -> None:
        """SL4: the same rows, and so which entry of the model is which of the ledger."""
        for name in self.model.tasks:
            mine = [row for row in self.model.rows if row.task == name]
            found = self.service.history(name)
            places = [((r.from_workflow, r.from_step), (r.to_workflow, r.to_step), r.route) for r in found]
            assert places == [(row.was or (None, None), row.to or (None, None), row.route) for row in mine]
            self.entries.update({row.entry: real.id for row, real in zip(mine, found, strict=True)})

    def _of(self, name: str) -> None:
        model, service = self.model, self.service
        seats = {(seat.workflow, seat.role, seat.agent) for seat in service.seats(name)}
        assert seats == model.seats.get(name, set())
        given = [(d.step, d.entry_id, d.role, d.decider, d.verdict, d.superseded) for d in service.decisions(name)]
        assert given == [
            (d.step, self.entries[d.entry], d.role, d.decider, d.verdict, not d.active)
            for d in model.decisions
            if d.task == name
        ]
        approvals = [(a.entry_id, a.status) for a in service.approvals(name)]
        assert approvals == [(self.entries[a.entry], a.status) for a in model.approvals if a.task == name]

    def _entries(self) -> None:
        """SE5, OB1, OB4: the records, what came to the outside, and what an audit says of it."""
        lacking: dict[int, str] = {}
        for row in self.model.rows:
            if row.to is None:
                continue
            real = self.entries[row.entry]
            done = self.model.records.get(row.entry, set())
            assert {action.position for action in self.service.entry(real).actions} == done
            assert self.pages[real] == self.model.pages[row.entry]
            if len(done) < LISTS.get(row.to[1], 0):
                current = self.model.tasks[row.task].entry == row.entry
                lacking[real] = "running" if current else "superseded"
        result = self.service.audit()
        assert result.findings == ()
        assert {item.entry_id: item.kind.value for item in result.notes} == lacking


def sequences(opening: Callable[[], Any], examples: int, steps: int) -> Counter[str]:
    """Try so many sequences of calls; what the calls came to."""

    class Here(Board):
        opened = staticmethod(opening)
        calls: ClassVar[Counter[str]] = Counter()

    silent = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(Here, settings=silent)
    return Here.calls
