"""What comes through the door: every argument of every public method, alike on all ledgers."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum, StrEnum
from hashlib import sha512
from typing import Any

import pytest

from newel.compiler import compile_text
from newel.runtime.aio import AsyncService
from newel.runtime.arguments import checked
from newel.runtime.casting import StaticAgents
from newel.runtime.errors import BadArgument, NewelError, NotAnActor, UnknownTask
from newel.runtime.handlers import Handlers
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ports import Actor
from newel.runtime.service import Service
from tests.runtime.boards import Make, Rig, board, compiled, entering

BOARD = board(a="on comment { queue_run }")

METHODS = {
    name: member
    for name, member in vars(Service).items()
    if inspect.isfunction(member) and (name == "__init__" or name[0] != "_")
}
VALID: Mapping[str, Mapping[str, Any]] = {
    "create": {"task": "U", "workflow": "w"},
    "move": {"task": "T", "to": "b"},
    "move_many": {"moves": [("T", "b")]},
    "switch": {"task": "T", "workflow": "w"},
    "detach": {"task": "T"},
    "pull": {"workflow": "w", "step": "b"},
    "redispatch": {"entry_id": 1},
    "handle": {"task": "T", "trigger": "turn_complete"},
    "children_completed": {"parent": "T"},
    "decide": {"task": "T", "role": "reviewer", "decider": "ada", "verdict": "approved"},
    "approve": {"approval": 1},
    "reject": {"approval": 1},
    "task": {"task": "T"},
    "history": {"task": "T"},
    "entry": {"entry_id": 1},
    "seats": {"task": "T"},
    "decisions": {"task": "T"},
    "approvals": {"task": "T"},
    "approval": {"approval": 1},
    "runs": {},
    "audit": {},
    "unwired_at": {"workflow": "w", "step": "b"},
    "seat": {"task": "T", "step": "a", "role": "reviewer", "agent": "ada"},
    "unseat": {"seat": 1},
    "claim_runs": {"worker": "w"},
    "finish_run": {"run": 1, "worker": "w"},
    "remove": {"task": "T"},
    "reorder": {"task": "T", "position": 1},
}
"""A call of each method that takes something, but for those that wire the service."""

TEXTS = (7, True, b"T", ["T"], "a\0b", "torn \udcff")
NUMBERS = ("high", 1.0, True, 2**63, -(2**63) - 1)
WRONG: Mapping[str, tuple[Any, ...]] = {
    "str": TEXTS,
    "int": NUMBERS,
    "bool": (1, "yes", None),
    "float": ("60", True, math.nan, math.inf, -1.0, 1e10),
    "int | str": (1.0, True, 2**63, "a\0b"),
    "Actor": ("mia", 7, Actor("robot"), Actor("human", "a\0b"), Actor("human", 7)),  # type: ignore[arg-type]  # none of these is one
    "Iterable[tuple[str, str]]": ("Tb", 7, [("T",)], [("T", 7)], [("T", "a\0b")], [("x" * 1001, "b")], {"T": "b"}),
}
LONG = ("x" * 1001, "ä" * 501)
MORE: Mapping[str, tuple[Any, ...]] = {
    **dict.fromkeys(("verdict", "worker"), ("",)),
    **dict.fromkeys(("agent", "decider"), ("", *LONG)),
    **dict.fromkeys(("task", "parent"), LONG),
    "limit": (-1,),
}


def cases() -> Iterator[tuple[str, str, Any]]:
    for method, function in METHODS.items():
        for name, parameter in inspect.signature(function).parameters.items():
            optional = str(parameter.annotation).endswith(" | None")
            wrong = WRONG.get(str(parameter.annotation).removesuffix(" | None"), ())
            for value in (*wrong, *MORE.get(name, ()), *(() if optional or not wrong else (None,))):
                yield method, name, value


def stands(rig: Rig) -> Any:
    found = rig.service
    return found.tasks(), found.history("T"), found.seats("T"), found.decisions("T"), found.runs(), rig.ledger.commits


def test_every_public_method_is_among_the_cases() -> None:
    wiring = {name for name in METHODS if name.startswith("set_")} | {"__init__"}
    silent = {name for name, function in METHODS.items() if len(inspect.signature(function).parameters) == 1}
    assert set(METHODS) - silent - wiring == set(VALID)
    assert {method for method, _, _ in cases()} == set(VALID)
    assert {name for name in vars(AsyncService) if name in METHODS} >= set(VALID)


def test_every_argument_that_does_not_fit_is_refused_by_name_and_touches_nothing(make: Make) -> None:
    rig = make(BOARD)
    rig.service.create("T", "w")
    before = stands(rig)
    for method, name, value in cases():
        with pytest.raises(BadArgument) as refused:
            getattr(rig.service, method)(**{**VALID[method], name: value})
        said = str(refused.value)
        assert isinstance(refused.value, NewelError), said
        if not isinstance(refused.value, NotAnActor):
            assert said.startswith(f"{method}: `{name}` takes "), (method, name, value)
            assert said.isprintable(), said
    assert stands(rig) == before


def test_what_is_taken_fits_every_ledger(make: Make) -> None:
    rig = make(BOARD)
    service = rig.service
    service.create("ä 🐝\n", "w", priority=2**63 - 1, actor=Actor.human("ö"))
    service.reorder("ä 🐝\n", -(2**63))
    assert service.task("ä 🐝\n").position == -(2**63)
    assert service.claim_runs("w", 0, 0) == ()
    assert service.claim_runs("w", 2**63 - 1, 10**9) == ()
    with pytest.raises(UnknownTask):
        service.task("")


SAID = [
    ("task", "a\0b", "not 'a\\x00b'; there is one at 1: leave it out"),
    ("operation_id", "torn \udcff", "there is half a character at 5: replace it, as text.encode"),
    ("task", "ä" * 501, "an id of at most 1,000 bytes, not .*; it has 1,002: take a shorter one, or a digest of it"),
]


@pytest.mark.parametrize(("name", "value", "said"), SAID)
def test_a_text_that_some_database_cannot_hold_comes_with_what_to_do(
    make: Make, name: str, value: str, said: str
) -> None:
    arguments: dict[str, Any] = {"task": "T", "trigger": "comment", name: value}
    with pytest.raises(BadArgument, match=re.escape(said).replace(r"\.\*", ".*")):
        make(BOARD).service.handle(**arguments)


def endless(length: int, seed: str) -> str:
    """Letters in which nothing comes twice, so that no database stores fewer."""
    return "".join(sha512(f"{seed} {number}".encode()).hexdigest() for number in range(length // 128 + 1))[:length]


def test_the_longest_ids_are_held_by_every_ledger_with_the_longest_names(make: Make) -> None:
    task, parent, ada = (endless(1000, name) for name in ("task", "parent", "ada"))
    flow, one, other = (f"a{endless(99, name)}" for name in ("flow", "one", "other"))
    seated = entering("ensure_participant_seat(approver)")
    program = compiled(f'workflow {flow} "W" {{\nstep {one} "A" {{\nstart\n{seated}\n}}\nstep {other} "B" {{\n}}\n}}\n')
    rig = make(program, agents=StaticAgents(runner=ada))
    rig.service.create(parent, flow)
    outcome = rig.service.create(task, flow, parent=parent)
    assert outcome.entry is not None
    assert [action.status.value for action in outcome.entry.actions] == ["applied"]
    for role in ("reviewer", "approver"):
        rig.service.seat(task, step=one, role=role, agent=ada)
        rig.service.decide(task, role=role, decider=ada, verdict="rejected", note=endless(20_000, "note"))
    rig.service.move_many([(task, other)])
    assert (rig.service.task(task).step, rig.service.audit().clean) == (other, True)


def test_ol7_runs_are_told_apart_by_operation_ids_of_any_length(make: Make) -> None:
    """Also by their last letter; and in another process, which remembers none of them."""
    rig = make(BOARD)
    rig.service.create("T", "w")
    long = endless(20_000, "operation")
    for service in (rig.service, rig.again().service):
        for operation in (f"{long}a", f"{long}b"):
            service.handle("T", "comment", payload={"comment_id": "c"}, operation_id=operation)
        service.handle("T", "comment", payload={"comment_id": long})
    keys = [run.key for run in rig.service.runs()]
    assert keys == [f"{long}a:1:0", f"{long}b:1:0", f"task_comment:{long}:1:0"]


@pytest.mark.parametrize("named", ["a\0b", "torn \udcff", "x" * 1001])
def test_an_agent_that_no_ledger_can_hold_is_the_failure_of_the_action_that_asked(make: Make, named: str) -> None:
    seating = board(a=entering("ensure_participant_seat(approver)", "queue_run(primary)"))
    for agents in (StaticAgents(runner=named), StaticAgents(runner="ada", candidates=[(named, ["approver"])])):
        rig = make(seating, agents=agents)
        entry = rig.service.create("T", "w").entry
        assert entry is not None
        assert entry.actions[0].status.value == "failed"
        assert "BadArgument: the id of " in (entry.actions[0].reason or "")
        assert rig.service.seats("T") == ()
        assert len(rig.service.runs()) == (agents.runner("T") == "ada")


class Name(StrEnum):
    """A host's own names."""

    TASK = "T"
    FLOW = "w"
    STEP = "b"


class Rank(IntEnum):
    """A host's own numbers."""

    URGENT = 9


class Lying(str):
    """Holds one thing and says another."""

    def __str__(self) -> str:
        return "never"


def test_a_subclass_counts_as_the_text_or_number_it_holds(make: Make) -> None:
    rig = make(BOARD)
    rig.service.create(Name.TASK, Name.FLOW, priority=Rank.URGENT, actor=Actor.human(Lying("ada")))
    assert rig.service.move(Lying("T"), Name.STEP).moved
    task, row = rig.service.task("T"), rig.service.history("T")[0]
    assert (task.id, task.step, task.priority, row.actor_id) == ("T", "b", 9, "ada")
    assert {type(value) for value in (task.id, row.task, row.actor_id)} == {str}


PARTS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda s: s.set_program(compile_text("")), r"set_program: `program` takes a compiled program"),
    (lambda s: s.set_program("office.newel"), r"`program` takes a compiled program.*not 'office.newel'"),
    (lambda s: s.set_ledger("sqlite:///tasks.db"), r"set_ledger: `ledger` takes an open ledger, like `open_ledger"),
    (lambda s: s.set_handlers({"page": print}), "set_handlers: `handlers` takes the `Handlers` of a host"),
    (lambda s: s.set_agents("ada"), "set_agents: `agents` takes an `Agents` port, with a method `candidates`"),
    (lambda s: s.set_sessions(object()), "set_sessions: `sessions` takes a `Sessions` port, with a method `live`"),
    (lambda s: s.set_observer(Handlers), "set_observer: `observer` takes an `Observer`, with a method `entry`"),
    (lambda s: Service(s.program, "memory:"), "__init__: `ledger` takes an open ledger"),  # type: ignore[arg-type]  # none of these is one
]


@pytest.mark.parametrize(("call", "said"), PARTS)
def test_a_part_that_is_none_is_refused_and_the_old_one_stays(call: Callable[[Any], Any], said: str) -> None:
    with Service(BOARD, open_ledger("memory:")) as service:
        wired = service.wired()
        with pytest.raises(BadArgument, match=said):
            call(service)
        assert service.wired() is wired
        assert service.create("T", "w").moved


def test_the_actor_of_a_call_that_moves_nothing_is_looked_at(make: Make) -> None:
    rig = make(board(b=entering("page")))
    rig.service.create("T", "w")
    anybody: Any = "mia"
    calls: list[Callable[[], object]] = [
        lambda: rig.service.handle("T", "turn_complete", actor=anybody),
        lambda: rig.service.move("T", "a", actor=anybody),
        lambda: rig.service.children_completed("T", actor=anybody),
    ]
    for call in calls:
        with pytest.raises(NotAnActor, match=r"Actor\.human"):
            call()


def test_a_method_is_not_declared_with_a_parameter_that_nobody_looks_at() -> None:
    def odd(self: Any, number: complex) -> None:
        """Nobody has said what a complex number may be."""

    with pytest.raises(KeyError, match="complex"):
        checked(type("Odd", (), {"odd": odd}))
