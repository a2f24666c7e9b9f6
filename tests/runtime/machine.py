"""A service and the model of its board, driven by the same calls and compared after each."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, settings
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
from newel.compiler.program import Program
from newel.runtime.casting import StaticAgents
from newel.runtime.errors import NewelError
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.outcomes import EntryReport, Outcome
from newel.runtime.ports import Actor
from newel.runtime.service import Service
from tests.runtime.ledgers.plain_ledger import Database, PlainLedger
from tests.runtime.model import Model
from tests.runtime.model_board import (
    BOARDS,
    BY_HAND_NOT,
    CANDIDATES,
    NOTE,
    PAGE,
    STEPS,
    By,
    Failed,
    MSeat,
    Place,
    Refused,
    listed,
)

PROGRAMS = tuple(compile_text(board).require() for board in BOARDS)
NAMES = ("T", "U", "V")
NAME = st.sampled_from("TTUV")
PLACE = st.sampled_from([("w", step) for step in "abbccef"] + [("v", "p"), ("v", "q")])
STEP = st.sampled_from("aabbbbcccdeffpq")
TOKEN = st.sampled_from(["none", "none", "current", "stale"])
ROLE = st.sampled_from(["reviewer", "reviewer", "reviewer", "approver"])
VERDICT = st.sampled_from(["approved", "approved", "rejected", "looked"])
DECIDER = st.sampled_from(["ada", "ada", "ben", "ben", "cyd"])
BY = st.sampled_from(
    [
        By(),
        By(),
        By(("human", "hal"), ""),
        By(("agent", "ada"), "s1"),
        By(("human", "hal"), None, "restore"),
    ]
)
SEATS = st.lists(st.tuples(st.sampled_from("bf"), ROLE, DECIDER, st.integers(0, 1)), max_size=3)
VOTES = st.lists(st.tuples(ROLE, DECIDER, st.booleans(), VERDICT), min_size=1, max_size=4)
CASTS: list[list[tuple[str, str, str, int]]] = [
    [],
    [("b", "approver", "ada", 0)],
    [("f", "reviewer", "ada", 1), ("b", "reviewer", "ada", 0), ("b", "reviewer", "ben", 0)],
]
YES = st.booleans()
HOW = st.sampled_from(["plain", "plain", "signalled", "signalled", "cancelled"])
DELIVERIES: dict[str, tuple[dict[str, str] | None, str]] = {
    "turn_complete": (None, ""),
    "comment": ({"comment_id": "1"}, "task_comment:1"),
    "approval_resolved": ({"approval_id": "x", "status": "approved"}, "approval_resolved:x"),
}
"""A payload of each trigger, and the operation that it makes."""
_ALL = 10**9
_numbers = itertools.count()
_program = cache(Program.from_json)


class PagerIsBroken(Exception):
    pass


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

    @initialize(
        steps=st.lists(st.sampled_from("abbccef"), min_size=3, max_size=3),
        priorities=st.lists(st.integers(0, 1), min_size=3, max_size=3),
        parent=st.sampled_from((None, "T")),
    )
    def begin(self, steps: list[str], priorities: list[int], parent: str | None) -> None:
        """Three tasks stand about, so that most calls find one."""
        self.model, self.ledger = Model(), self.opened()
        self.breaks = ""
        self.pages, self.goodbyes = Counter[int](), Counter[str]()
        self.sessions: list[tuple[str, int]] = []
        self.entries: dict[int, int] = {}
        self.reports: list[EntryReport] = []
        self.numbers = itertools.count()
        self._service()
        for name, step, priority in zip(NAMES, steps, priorities, strict=True):
            self.create(name, ("w", step), priority, None if name == "T" else parent)

    def _service(self) -> None:
        handlers = Handlers()
        handlers.action("page")(self._page)
        handlers.action("note_it", database=True)(self._note_it)
        self.handlers, machine = handlers, self

        class Breaking(StaticAgents):
            def candidates(self, role: str) -> Any:
                if machine.breaks == "before":
                    raise KeyboardInterrupt
                return super().candidates(role)

        self.agents = Breaking(runner="runner", candidates=[(agent, ["reviewer"]) for agent in CANDIDATES])
        program = PROGRAMS[self.model.revision]
        sessions = Live(self) if self.model.port else None
        self.service = Service(program, self.ledger, handlers, agents=self.agents, sessions=sessions, observer=self)

    def _page(self, action: Any, context: Any) -> None:
        if self.breaks == "page" and context.trigger == "enter":
            raise KeyboardInterrupt
        if self.model.broken:
            raise PagerIsBroken
        if context.trigger == "enter":
            self.pages[context.entry_id] += 1
        else:
            self.goodbyes[context.task] += 1

    def _note_it(self, action: Any, context: Any) -> None:
        """What the host writes goes by way of a table that every ledger has."""
        context.tx.add_run(
            context.task, source=context.task, step=context.step, agent="note", reason=None, payload=None,
            entry_id=context.entry_id, position=context.position, trigger=context.trigger, key=None,
        )  # fmt: skip
        if self.breaks == "note" and context.trigger == "enter":
            raise KeyboardInterrupt

    def entry(self, report: EntryReport) -> None:
        """As an observer: each dispatch, in order."""
        self.reports.append(report)

    def count(self, name: str, labels: Any) -> None:
        pass

    def teardown(self) -> None:
        if hasattr(self, "service"):
            self.service.close()

    def _same(self, expected: Callable[[], Any], real: Callable[[], Any]) -> None:
        """Do both; both refuse, or fail, or they come to the same. The real one first, on what the model knows before:
        whether paging fails, and who has a live session."""
        try:
            found = real()
        except NewelError:
            found = "refused"
        except PagerIsBroken:
            found = "failed"
        try:
            wanted = expected()
        except Refused:
            wanted = "refused"
        except Failed:
            wanted = "failed"
        if isinstance(found, list):
            found = [outcome.kind.value for outcome in found]
        if isinstance(found, Outcome):
            found = found.kind.value
        self.calls["several" if isinstance(found, list) else str(found)] += 1
        assert found == wanted, f"{found!r}, but by the contract {wanted!r}"

    def _token(self, name: str, which: str) -> tuple[int | None, int | None]:
        """An entry to compare, as the model and as the ledger call it."""
        task = self.model.tasks.get(name)
        if which == "none" or task is None or task.entry is None:
            return None, None
        entry = task.entry if which == "current" else next(row.entry for row in self.model.rows if row.task == name)
        return entry, self.entries[entry]

    @contextmanager
    def _caused(self, by: By) -> Iterator[dict[str, Any]]:
        """What a call is given of who makes it; of two causes the outer one counts."""
        actor = Actor(*by.actor) if by.actor else None  # type: ignore[arg-type] # the kinds are literals above
        if by.cause is None:
            yield {"actor": actor, "session": by.session}
        else:
            with Service.cause(by.cause, actor), Service.cause("bulk_move", Actor.agent("eve")):
                yield {"session": by.session}

    # ---------------------------------------------------------------- the calls

    @precondition(lambda self: len(self.model.tasks) < len(NAMES))
    @rule(name=NAME, place=PLACE, priority=st.integers(0, 1), parent=st.none() | NAME)
    def create(self, name: str, place: Place, priority: int, parent: str | None) -> None:
        parent = None if parent == name else parent
        self._same(
            lambda: self.model.create(name, place, priority, parent),
            lambda: self.service.create(name, *place, priority=priority, parent=parent),
        )

    @rule(name=NAME, step=STEP, which=TOKEN, over=st.sampled_from([False, False, False, True]), by=BY)
    def move(self, name: str, step: str, which: str, over: bool, by: By) -> None:
        mine, theirs = self._token(name, which)
        with self._caused(by) as said:
            self._same(
                lambda: self.model.move(name, step, by, mine, over=over),
                lambda: self.service.move(name, step, if_entry=theirs, over_limit=over, **said),
            )

    @rule(names=st.permutations(NAMES), steps=st.lists(STEP, min_size=2, max_size=3))
    def move_many(self, names: list[str], steps: list[str]) -> None:
        pairs = list(zip(names, steps, strict=False))
        self._same(lambda: self.model.move_many(pairs), lambda: self.service.move_many(pairs))

    @rule(name=NAME, step=st.sampled_from("bbp"), breaks=st.sampled_from(["before", "before", "page", "note"]))
    def lose(self, name: str, step: str, breaks: str) -> None:
        task = self.model.tasks.get(name)
        where = (task.at or task.waits) if task is not None else None
        if task is None or where is None or step not in STEPS[where[0]] or task.at == (where[0], step):
            return
        if self.model.stuck(name) or (step == "p" and breaks != "page"):
            return
        upto = 0 if step == "p" else {"before": 1, "page": PAGE, "note": NOTE}[breaks]
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

    @rule(name=NAME, place=PLACE, operation=st.sampled_from([None, None, "op"]))
    def switch(self, name: str, place: Place, operation: str | None) -> None:
        self._same(
            lambda: self.model.switch(name, place, operation),
            lambda: self.service.switch(name, *place, operation_id=operation),
        )

    @rule(name=NAME, trigger=st.sampled_from(["turn_complete", "turn_complete", "turn_start"]), how=HOW)
    def turn(self, name: str, trigger: str, how: str) -> None:
        by = By(("human", "hal"), None, "user_cancellation") if how == "cancelled" else By()
        signalled = how == "signalled"
        with self._caused(by) as said:
            self._same(
                lambda: self.model.handle(name, trigger, by=by, signalled=signalled),
                lambda: self.service.handle(name, trigger, signalled=signalled, **said),
            )

    @rule(name=NAME, comment=st.sampled_from("12"), defer=st.booleans())
    def comment(self, name: str, comment: str, defer: bool) -> None:
        payload = {"comment_id": comment}
        self._same(
            lambda: self.model.handle(name, "comment", f"task_comment:{comment}", defer=defer),
            lambda: self.service.handle(name, "comment", payload=payload, defer_operation_mark=defer),
        )

    @rule(comment=st.sampled_from("12"))
    def mark(self, comment: str) -> None:
        """EN4: the late mark of a caller that has deferred it."""
        self.service.operations.mark_applied(f"task_comment:{comment}")
        self.model.applied.add(f"task_comment:{comment}")

    @rule(name=NAME, trigger=st.sampled_from([*DELIVERIES]), signalled=st.booleans())
    def evaluate(self, name: str, trigger: str, signalled: bool) -> None:
        """EN7: what would happen, and nothing does."""
        imagined = copy.deepcopy(self.model)
        imagined.broken = False
        payload, operation = DELIVERIES[trigger]
        self._same(
            lambda: imagined.handle(name, trigger, operation, signalled=signalled),
            lambda: self.service.handle(name, trigger, payload=payload, signalled=signalled, evaluate_only=True),
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
        role=ROLE,
        decider=DECIDER,
        person=st.booleans(),
        verdict=VERDICT,
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

    @rule(
        name=NAME,
        step=st.sampled_from("bbf"),
        role=ROLE,
        agent=DECIDER,
        required=st.sampled_from([True, True, True, False]),
        position=st.integers(0, 1),
    )
    def seat(self, name: str, step: str, role: str, agent: str, required: bool, position: int) -> None:
        task = self.model.tasks.get(name)
        if task is None or task.at is None or task.at[0] != "w":
            return
        self.service.seat(name, step=step, role=role, agent=agent, decision_required=required, position=position)
        seats = self.model.seats.setdefault(name, [])
        there = [s for s in seats if (s.workflow, s.step, s.role, s.agent) == ("w", step, role, agent)]
        if not there:
            there = [MSeat("w", step, role, agent)]
            seats += there
        there[0].required, there[0].position = required, position

    @rule(name=NAME, number=st.integers(0, 3))
    def unseat(self, name: str, number: int) -> None:
        seats = self.model.seats.get(name, [])
        if number < len(seats):
            self.service.unseat(self.service.seats(name)[number].id)
            seats.pop(number)

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
    @rule(data=st.data(), current=st.sampled_from([True, True, False]))
    def redispatch(self, data: Any, current: bool) -> None:
        standing = {task.entry for task in self.model.tasks.values()}
        entries = [row.entry for row in self.model.rows if row.to and (row.entry in standing or not current)]
        if not entries:
            return
        self._redispatched(data.draw(st.sampled_from(entries)))

    def _redispatched(self, entry: int) -> None:
        real = self.service.redispatch(self.entries[entry])
        left = self.model.redispatch(entry)
        assert real.superseded is left
        if left:
            self.reports = [report for report in self.reports if not report.superseded]

    # ---------------------------------------------------------------- calls that one seldom hits upon by chance

    def _go(self, name: str, step: str) -> None:
        """Bring a task to a step of the large workflow, from wherever it is."""
        task = self.model.tasks.get(name)
        if task is None:
            self.create(name, ("w", step), 0, None)
        elif (task.at or task.waits or ("", ""))[0] != "w":
            self.switch(name, ("w", step), None)
        else:
            self.move(name, step, "none", True, By(("human", "hal"), None, "restore"))
        self.everything_is_the_same()

    @rule(name=NAME, seats=SEATS, votes=VOTES, leaves=st.booleans(), then=st.sampled_from(["turn", "comment", "ask"]))
    def vote_at_b(self, name: str, seats: list[Any], votes: list[Any], leaves: bool, then: str) -> None:
        self._vote(name, "b", seats, votes, leaves, then)

    @rule(name=NAME, seats=SEATS, votes=VOTES, then=st.sampled_from(["turn", "ask"]))
    def vote_at_f(self, name: str, seats: list[Any], votes: list[Any], then: str) -> None:
        self._vote(name, "f", seats, votes, False, then)

    def _vote(self, name: str, step: str, seats: list[Any], votes: list[Any], leaves: bool, then: str) -> None:
        """Seats are taken, and those who sit there decide; in between the task may leave, and come back unnoticed."""
        self._go(name, "a")
        for at, role, agent, position in seats:
            self.seat(name, at, role, agent, True, position)
        self._go(name, step)
        for number, (role, decider, person, verdict) in enumerate(votes):
            if leaves and number == len(votes) - 1:
                self._go(name, "a")
                self.lose(name, "b", "before")
            self.decide(name, role, decider, person, verdict, "none")
            self.everything_is_the_same()
        if then == "turn":
            self.turn(name, "turn_complete", "plain")
        elif then == "ask":
            self.ask(name)
        else:
            self.comment(name, str(next(self.numbers)), False)

    @rule(
        name=NAME,
        comment=st.sampled_from("12"),
        at=st.sampled_from("aabe"),
        between=st.sampled_from(["", "restart", "pager", "evaluate"]),
    )
    def comments(self, name: str, comment: str, at: str, between: str) -> None:
        """The same comment twice, the second time where it is heard."""
        self._go(name, at)
        if between == "evaluate":
            self.evaluate(name, "comment", False)
        self.comment(name, comment, False)
        self.everything_is_the_same()
        if between == "restart":
            self.restart(True)
        if between == "pager":
            self.pager()
        self._go(name, "a")
        self.comment(name, comment, False)

    @rule(name=NAME, vote=st.booleans(), pager=st.booleans(), breaks=st.sampled_from(["", "before", "page", "note"]))
    def wake(self, name: str, vote: bool, pager: bool, breaks: str) -> None:
        """An entry, broken off or not, that is dispatched again, and once more."""
        self._go(name, "a")
        if breaks:
            self.lose(name, "b", breaks)
        else:
            self._go(name, "b")
        self.everything_is_the_same()
        task = self.model.tasks[name]
        if task.at != ("w", "b") or task.entry is None:
            return
        if vote:
            self.decide(name, "reviewer", "cyd", False, "looked", "none")
        for _ in range(2):
            self.seat(name, "b", "reviewer", "ben", True, 0)
            if pager:
                self.pager()
            if task.at == ("w", "b"):
                self._redispatched(task.entry)
            self.everything_is_the_same()

    @rule(name=NAME, seats=st.sampled_from(CASTS), empty=st.booleans())
    def cast(self, name: str, seats: list[Any], empty: bool) -> None:
        """A task whose seats are known comes to where somebody is seated if nobody sits there; a person may reject what
        nobody sits over."""
        self._go(name, "a")
        self._unseated(name)
        for at, role, agent, position in seats:
            self.seat(name, at, role, agent, True, position)
        self._go(name, "b")
        if empty:
            self._unseated(name)
            self.decide(name, "reviewer", "hal", True, "rejected", "none")

    def _unseated(self, name: str) -> None:
        while self.model.seats.get(name):
            self.unseat(name, 0)

    @rule(names=st.permutations(NAMES), at=st.sampled_from("aaf"), to=st.sampled_from(["cc", "ec", "ce"]), again=YES)
    def stand_in_line(self, names: list[str], at: str, to: str, again: bool) -> None:
        """One has the only place, the others wait for it, or stand where it is filled from; then the place is given up.
        Who asks again stays where he stood in the line, and who cannot leave where he is lets the next one go."""
        for name, step in zip(names, f"a{at}a", strict=True):
            self._go(name, step)
        if at == "f" and not self.model.broken:
            self.pager()
        for name, step in zip(names, f"c{to}", strict=True):
            self.move(name, step, "none", False, By(("human", "hal"), None, "restore"))
        if again:
            self.move(names[1], to[0], "none", False, By(("human", "hal"), None, "restore"))
        self.everything_is_the_same()
        self._go(names[0], "a")

    @rule(name=NAME, every=st.booleans())
    def children_end(self, name: str, every: bool) -> None:
        """All children of a task, or one of them; and it hears of it twice."""
        self._go(name, "a")
        children = [child for child, task in self.model.tasks.items() if task.parent == name]
        for child in children if every else children[:1]:
            self._go(child, "d")
        self.children_completed(name)
        self.everything_is_the_same()
        self._go(name, "a")
        self.children_completed(name)

    @rule(name=NAME, over=st.booleans())
    def by_hand(self, name: str, over: bool) -> None:
        """EN17: where only another route leads."""
        self._go(name, "a")
        self.move(name, BY_HAND_NOT, "none", over, By())

    @rule(name=NAME, how=HOW)
    def finish(self, name: str, how: str) -> None:
        """A turn that ends where it must be signalled."""
        self._go(name, "c")
        self.turn(name, "turn_complete", how)

    @rule(name=NAME, trigger=st.sampled_from(["turn_complete", "turn_start"]))
    def attend(self, name: str, trigger: str) -> None:
        """A live session, and a turn that leads to where it has something to do."""
        self.model.live.add(name)
        self._go(name, "a")
        self.turn(name, trigger, "plain")

    # ---------------------------------------------------------------- what goes on around the calls

    @rule(name=NAME)
    def session(self, name: str) -> None:
        """Somebody begins to work on a task, or ends it."""
        self.model.live ^= {name}

    @rule()
    def pager(self) -> None:
        """It breaks, or is mended."""
        self.model.broken = not self.model.broken

    @rule(port=st.sampled_from([True, True, False]))
    def restart(self, port: bool) -> None:
        """OL4: whoever starts anew remembers no operation, and all that stands in the ledger. With sessions, or not."""
        self.model.port = port
        self._service()
        self.model.applied.clear()

    @rule(again=st.booleans())
    def rebuild(self, again: bool) -> None:
        """OL1, OL2: whatever is set anew, what was applied stays so. The other revision is for those who arrive."""
        self.model.revision ^= again
        self.service.set_program(PROGRAMS[self.model.revision])
        self.service.set_agents(self.agents)

    # ---------------------------------------------------------------- what must be the same

    @invariant()
    def everything_is_the_same(self) -> None:
        if not hasattr(self, "model"):
            return
        model = self.model
        with self.ledger.read() as view:
            self._histories(view)
            assert {
                t.id: ((t.workflow, t.step) if t.step else None, t.entry_id, (t.queued_workflow, t.queued_for))
                for t in view.tasks()
            } == {
                name: (t.at, t.entry and self.entries[t.entry], t.waits or (None, None))
                for name, t in model.tasks.items()
            }
            assert [(r.task, r.entry_id, r.position, r.agent) for r in view.runs()] == [
                (task, self.entries[entry], position, agent) for task, entry, position, agent in model.runs
            ]
            for name in model.tasks:
                self._of(view, name)
            self._records(view)
        self._reported()
        assert self.goodbyes == model.goodbyes, (self.goodbyes, model.goodbyes)
        assert self.sessions == model.sessions
        self._audited()

    def _histories(self, view: Any) -> None:
        """SL3, SL4: the same rows, and so which entry of the model is which of the ledger. SL1: no id comes twice."""
        for name in self.model.tasks:
            mine = [row for row in self.model.rows if row.task == name]
            found = view.history(name)
            places = [((r.from_workflow, r.from_step), (r.to_workflow, r.to_step), r.route) for r in found]
            assert places == [(row.was or (None, None), row.to or (None, None), row.route) for row in mine]
            for row, real in zip(mine, found, strict=True):
                if row.by is not None:
                    assert real.session == (row.by.session or None)
                    assert (real.actor_kind, real.actor_id) == (row.by.actor or ("unknown", None))
            self.entries.update({row.entry: real.id for row, real in zip(mine, found, strict=True)})
        assert len(set(self.entries.values())) == len(self.entries)

    def _of(self, view: Any, name: str) -> None:
        model = self.model
        seats = [(s.workflow, s.step, s.role, s.agent, s.required, s.position) for s in view.seats(name)]
        mine = model.seats.get(name, [])
        assert seats == [(s.workflow, s.step, s.role, s.agent, s.required, s.position) for s in mine]
        given = [
            ((d.workflow, d.step), d.entry_id, d.role, d.decider, d.decider_kind, d.verdict, d.superseded)
            for d in view.decisions(name)
        ]
        assert given == [
            (d.at, self.entries[d.entry], d.role, d.decider, d.kind, d.verdict, not d.active)
            for d in model.decisions
            if d.task == name
        ]
        approvals = [(a.entry_id, a.status) for a in view.approvals(name)]
        assert approvals == [(self.entries[a.entry], a.status) for a in model.approvals if a.task == name]

    def _records(self, view: Any) -> None:
        """SE5, OB1: the records, and what came to the outside."""
        assert {(a.entry_id, a.position): (a.status, a.deliveries) for a in view.actions_between(0, _ALL)} == {
            (self.entries[entry], position): (record.status, record.deliveries)
            for entry, records in self.model.records.items()
            for position, record in records.items()
        }
        for row in self.model.rows:
            assert self.pages[self.entries[row.entry]] == self.model.pages[row.entry]

    def _reported(self) -> None:
        """SE6: each dispatch since the last look, as it was told to whoever watches."""
        found = [(r.entry_id, r.redelivery, [(a.position, a.status.value) for a in r.actions]) for r in self.reports]
        mine = self.model.reports
        assert found == [(self.entries[r.entry], r.redelivery, r.actions) for r in mine if r.entry in self.entries]
        self.reports.clear()
        mine.clear()

    def _audited(self) -> None:
        """OB4: what an audit says of what is lacking."""
        lacking: set[tuple[int, str]] = set()
        for row in self.model.rows:
            done = self.model.records.get(row.entry, {})
            current = self.model.tasks[row.task].entry == row.entry
            if row.to is not None and len(done) < len(listed(row.to[1], row.revision)):
                lacking.add((self.entries[row.entry], "running" if current else "superseded"))
            if current and any(record.status == "failed" for record in done.values()):
                lacking.add((self.entries[row.entry], "failed"))
        with patch.object(Program, "from_json", _program):  # each program is read once, not once in each audit
            result = self.service.audit()
        assert result.findings == ()
        told = {(item.entry_id, item.kind.value) for item in result.notes}
        assert told == lacking, (told, lacking)


class Live:
    """The sessions of a machine: which tasks have one, and what runs there."""

    def __init__(self, machine: Board) -> None:
        self._machine = machine

    def live(self, task: str) -> str | None:
        return f"session of {task}" if task in self._machine.model.live else None

    def run(self, session: str, action: Any, context: Any) -> None:
        here = session == f"session of {context.task}"
        self._machine.sessions.append((context.task if here else str(session), context.position))


def sequences(
    opening: Callable[[], Any], examples: int, steps: int, phases: tuple[Phase, ...] = tuple(Phase)
) -> Counter[str]:
    """Try so many sequences of calls; what the calls came to."""

    class Here(Board):
        opened = staticmethod(opening)
        calls: ClassVar[Counter[str]] = Counter()

    silent = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        phases=phases,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(Here, settings=silent)
    return Here.calls
