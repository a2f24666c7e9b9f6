"""A compiled workflow to a state machine of `transitions`, which is under every change of a task's step.

A list `a0  -> b when g  a2  -> c when h  a4` becomes, in this order of trial:

    to b        prepare a0    condition g    before a2 a4    (later moves are not taken, later actions run)
    to c        prepare a2    condition h    before a4
    nowhere     prepare a4                                   (nobody moved)

A move that requires approval is prepared like an action - it is reached where no earlier move was taken - and never run
before one that was.

The move itself is applied last: it stands where the library changes the state, and raises where the race was lost, so
that no later move is tried. No other module knows the library.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

from transitions.core import Event, EventData, Machine, State, Transition

from newel.compiler.program import Action, Guard, Move, Program, Statement, Workflow
from newel.dsl.collector import paused

# The library reports each callback at INFO, five lines an arrival. Whoever wants them sets the level himself.
if (_logger := logging.getLogger("transitions")).level == logging.NOTSET:
    _logger.setLevel(logging.WARNING)


class Cursor:
    """One task in one call: where it stands, and what running an action, asking a guard and moving mean for it.

    `run(position, action)`; `holds(position, to, guard)` asks the guard of the move to `to`; `wait(position, move)` is
    a move that waits for approval; `commit(to)` raises where that move is not made.
    """

    __slots__ = ("commit", "holds", "run", "step", "wait")

    def __init__(
        self,
        step: str | None,
        commit: Callable[[str], None],
        run: Callable[[int, Action], None] | None = None,
        holds: Callable[[int, str, Guard], bool] | None = None,
        wait: Callable[[int, Move], None] | None = None,
    ) -> None:
        self.step, self.commit, self.run, self.holds, self.wait = step, commit, run, holds, wait


class _Committed(Transition):
    """A transition that is made by a commit, before the cursor hears of it."""

    def _change_state(self, event_data: EventData) -> None:
        cursor: Any = event_data.model
        cursor.commit(self.dest)
        cursor.step = self.dest


class _FromAnywhere(Event):
    """The move to one step from wherever a task stands: one event a destination, not a transition for each pair."""

    def __init__(self, name: str, machine: Machine, to: str) -> None:
        super().__init__(name, machine)
        self._to = to

    def _is_valid_source(self, state: State) -> bool:  # noqa: ARG002 - from anywhere
        return True

    def _process(self, event_data: EventData) -> bool:
        source = event_data.state.name
        event_data.result = source != self._to and _Committed(source, self._to).execute(event_data)
        return event_data.result


class StepMachine(Machine):
    """The machine of one workflow. It holds no task: each call brings its own cursor."""

    transition_cls = _Committed

    def __init__(self, workflow: Workflow) -> None:
        super().__init__(
            model=None,
            states=list(workflow.steps),
            initial=None,  # None is no initial state, or the library would add one
            auto_transitions=False,
            send_event=True,
            queued=False,
            model_attribute="step",
        )
        for name in workflow.steps:
            self.events[f"to:{name}"] = _FromAnywhere(f"to:{name}", self, name)
        for step in workflow.steps.values():
            for trigger, items in step.on.items():
                if trigger not in ("enter", "exit"):
                    self._add(step.name, f"on:{trigger}", items)

    def _add(self, step: str, name: str, items: tuple[Statement, ...]) -> None:
        event = self.events.setdefault(name, Event(name, self))
        for transition in _transitions(step, items):
            event.add_transition(transition)

    def get_model_state(self, model: object) -> State:
        """The state a cursor is in; one of its own for a step the program no longer has."""
        step: Any = getattr(model, self.model_attribute)
        return self.states.get(step) or State(step)

    def fire(self, trigger: str, cursor: Cursor) -> None:
        """Run the list of a trigger at the cursor's step, which must have one."""
        self._try(self.events[f"on:{trigger}"], cursor)

    def move(self, step: str | None, to: str, commit: Callable[[str], None]) -> bool:
        """Move from wherever a task stands, by `commit(to)`; false, and nothing called, where it stands there already.

        What `commit` raises passes.
        """
        return self._try(self.events[f"to:{to}"], Cursor(step, commit))

    def _try(self, event: Event, cursor: Cursor) -> bool:
        """`Event.trigger` without its way through the queue and the hooks of all events, which this machine has not."""
        state = self.get_model_state(cursor)
        data = EventData(state, event, self, cursor, (), {})
        if event._is_valid_source(state):
            event._process(data)
        return bool(data.result)


class Machines:
    """The machines of a program's workflows, each made when it is first asked for."""

    __slots__ = ("_made", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._made: dict[str, StepMachine] = {}

    def of(self, workflow: str) -> StepMachine:
        """The machine of a workflow of the program."""
        machine = self._made.get(workflow)
        if machine is None:
            with paused():  # else the collector looks at every transition again and again
                machine = self._made[workflow] = StepMachine(self._program.workflows[workflow])
        return machine


def _transitions(step: str, items: tuple[Statement, ...]) -> Iterator[_Committed]:
    pending: list[tuple[int, Statement]] = []
    for position, item in enumerate(items):
        if isinstance(item, Action) or item.approval:
            pending.append((position, item))
        else:
            rest: list[tuple[int, Statement]]
            rest = [(n, later) for n, later in enumerate(items) if n > position and isinstance(later, Action)]
            conditions: Any = None if item.guard is None else [_condition(position, item.to, item.guard)]
            yield _Committed(step, item.to, conditions=conditions, prepare=_runner(pending), before=_runner(rest))
            pending = []
            if conditions is None:
                return
    yield _Committed(step, None, prepare=_runner(pending))  # type: ignore[arg-type]  # no destination: nobody moved


def _runner(items: list[tuple[int, Statement]]) -> Any:
    def run(event_data: EventData) -> None:
        cursor: Any = event_data.model
        for position, item in items:
            if isinstance(item, Action):
                cursor.run(position, item)
            else:
                cursor.wait(position, item)

    return [run] if items else None


def _condition(position: int, to: str, guard: Guard) -> Callable[[EventData], bool]:
    def holds(event_data: EventData) -> bool:
        cursor: Any = event_data.model
        return bool(cursor.holds(position, to, guard))  # the library compares with True

    return holds
