"""The closed set of routes and writers (SL7), read from the source: each route is driven, and nothing else writes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import newel.runtime
from newel.compiler.program import Program
from newel.runtime.arriving import WRITERS
from newel.runtime.causes import ROUTES
from newel.runtime.outcomes import Outcome, OutcomeKind
from newel.runtime.ports import Actor, Context
from tests.runtime.boards import Live, Make, Rig, compiled, entering, statuses

ANN = Actor.human("ann")
BOT = Actor.agent("bot")

ENTER = entering('note_it(text="in %s")', "auto_start_agent")
TEXT = f"""
workflow w "W" {{
  step a "A" {{
    start
    {ENTER % "a"}
    on turn_complete {{ -> b }}
    on comment {{ -> b requires approval }}
    on children_completed {{ -> b }}
  }}
  step b "B" {{
    cancel_completes_turn
    {ENTER % "b"}
    on turn_complete {{ -> c }}
  }}
  step c "C" {{
    manual_move false
    {ENTER % "c"}
    on turn_complete {{ -> b when all_approve(reviewer) }}
  }}
}}
workflow l "L" {{
  step q "Q" {{
    start
    wip_limit 1
    {ENTER % "q"}
  }}
  step r "R" {{ {ENTER % "r"} }}
}}
workflow v "V" {{
  step z "Z" {{
    start
    end
    {ENTER % "z"}
  }}
}}
"""


def program() -> Program:
    return compiled(TEXT)


# ---------------------------------------------------------------- every route

Drive = Callable[[Rig], Outcome]
DRIVERS: dict[str, list[Drive]] = {}


def drives(route: str) -> Callable[[Drive], Drive]:
    """Register a function as one that makes task T arrive by a route."""

    def register(drive: Drive) -> Drive:
        DRIVERS.setdefault(route, []).append(drive)
        return drive

    return register


@drives("created")
def created(rig: Rig) -> Outcome:
    return rig.service.create("T", "w", actor=ANN)


@drives("manual_move")
def moved_by_hand(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    return rig.service.move("T", "b", actor=ANN)


@drives("bulk_move")
def moved_with_others(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    rig.service.create("U", "w")
    return rig.service.move_many([("T", "c"), ("U", "b")], actor=ANN)[0]


def _by(route: str) -> Drive:
    def move(rig: Rig) -> Outcome:
        rig.service.create("T", "w")
        return rig.service.move("T", "c", route=route, actor=ANN)

    return drives(route)(move)


for name in ("agent_move", "agent_move_at_turn_end", "restore", "migrated", "unknown"):
    _by(name)


@drives("engine_transition")
def moved_by_a_trigger(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    return rig.service.handle("T", "turn_complete", actor=ANN)


@drives("engine_transition")
def moved_by_a_decision(rig: Rig) -> Outcome:
    rig.service.create("T", "w", "c")
    rig.service.seat("T", step="c", role="reviewer", agent="ada")
    return rig.service.decide("T", role="reviewer", decider="ada", verdict="approved", actor=ANN)


@drives("engine_transition")
def moved_by_an_approval(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    (number,) = rig.service.handle("T", "comment", payload={"comment_id": "1"}).pending
    return rig.service.approve(number, actor=ANN)


@drives("engine_transition")
def moved_by_its_children(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    rig.service.create("C", "v", parent="T")
    return rig.service.children_completed("T", actor=ANN)


@drives("user_cancellation")
def moved_by_a_cancelled_turn(rig: Rig) -> Outcome:
    rig.service.create("T", "w", "b")
    with rig.service.cause(route="user_cancellation", actor=ANN):
        return rig.service.handle("T", "turn_complete")


@drives("attached")
def attached(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    rig.service.detach("T")
    return rig.service.switch("T", "v", actor=ANN)


@drives("switched")
def switched(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    return rig.service.switch("T", "v", actor=ANN)


@drives("detached")
def detached(rig: Rig) -> Outcome:
    rig.service.create("T", "w")
    return rig.service.detach("T", actor=ANN)


@drives("pull")
def pulled_by_who_left(rig: Rig) -> Outcome:
    rig.service.create("U", "l")
    assert rig.service.create("T", "l").kind is OutcomeKind.QUEUED
    (pulled,) = rig.service.move("U", "r", actor=ANN).pulled
    return pulled


@drives("pull")
def pulled_by_a_call(rig: Rig) -> Outcome:
    rig.service.create("U", "l")
    assert rig.service.create("T", "l").kind is OutcomeKind.QUEUED
    with rig.ledger.transaction() as tx:  # as a crash leaves it: U is away, and nobody has pulled
        tx.remove_task("U")
    (pulled,) = rig.service.pull("l", "q")
    return pulled


def test_sl7_every_route_of_the_source_is_driven() -> None:
    assert set(DRIVERS) == set(ROUTES)


@pytest.mark.parametrize(
    ("route", "drive"), [pytest.param(r, d, id=f"{r}-{d.__name__}") for r in DRIVERS for d in DRIVERS[r]]
)
def test_sl7_each_route_commits_one_row_and_dispatches_once(make: Make, route: str, drive: Drive) -> None:
    live = Live("T")
    rig = make(program(), sessions=live)
    seen: list[tuple[int, int, int]] = []

    def before(action: Any, context: Context) -> None:
        if context.task == "T":
            seen.append((context.entry_id or 0, len(rig.paged), len(live.ran)))

    rig.on_note = before
    outcome = drive(rig)
    history = rig.service.history("T")
    row = history[-1]
    who = ("system", None) if route == "pull" else ("human", "ann")  # nobody in particular frees a place
    assert (row.route, row.actor_kind, row.actor_id) == (route, *who)
    assert outcome.kind is OutcomeKind.MOVED
    assert (outcome.from_step, outcome.to_step) == (row.from_step, row.to_step)
    # one dispatch for each row that names a destination, none for the others, and both halves of it
    arrivals = [r.id for r in history if r.to_step is not None]
    assert [entry for entry, *_ in seen] == arrivals
    assert [context.entry_id for _, _, context in live.ran] == arrivals
    if route == "detached":
        assert (outcome.entry, row.to_step) == (None, None)
    else:
        assert outcome.entry is not None
        assert (outcome.entry.entry_id, statuses(outcome)) == (row.id, ["applied"])
    assert rig.service.audit().clean


@pytest.mark.parametrize(
    ("route", "drive"), [pytest.param(r, d, id=f"{r}-{d.__name__}") for r in DRIVERS for d in DRIVERS[r]]
)
def test_sl7_the_outermost_cause_wins_on_every_route(make: Make, route: str, drive: Drive) -> None:
    rig = make(program())
    with rig.service.cause(actor=BOT), rig.service.cause(route="restore", actor=ANN), rig.service.cause("migrated"):
        if route == "user_cancellation":  # what the outermost cause says is no cancelled turn any more
            assert drive(rig).moved
        else:
            drive(rig)
    row = rig.service.history("T")[-1]
    expected = "pull" if route == "pull" else "restore"  # a pull is one, whoever freed the place
    assert (row.route, row.actor_kind, row.actor_id) == (expected, "agent", "bot")


def test_sl7_no_op_reorder_and_removal_write_nothing_and_dispatch_nothing(make: Make) -> None:
    rig = make(program())
    rig.service.create("T", "w")
    rig.service.create("U", "w")
    before = rig.table("newel_rows"), rig.notes()
    assert rig.service.move("T", "a").kind is OutcomeKind.ALREADY_THERE
    assert rig.service.move_many([("T", "a"), ("U", "a")])[1].kind is OutcomeKind.ALREADY_THERE
    assert rig.service.switch("T", "w", "a").kind is OutcomeKind.ALREADY_THERE
    rig.service.reorder("T", 3)
    assert (rig.table("newel_rows"), rig.notes()) == before
    rig.service.detach("T")
    rows = rig.table("newel_rows")
    assert rig.service.detach("T").kind is OutcomeKind.ALREADY_THERE
    rig.service.remove("U")
    assert [row for row in rows if row[1] == "T"] == rig.table("newel_rows")
    assert rig.notes() == before[1]


# ---------------------------------------------------------------- every writer

RUNTIME = Path(newel.runtime.__file__).parent
SOURCES = {path.relative_to(RUNTIME).as_posix(): path for path in sorted(RUNTIME.rglob("*.py"))}
# the kit drives bare ledgers, in tests, and knows no service
SOURCES = {name: path for name, path in SOURCES.items() if not name.startswith("testing/")}
TABLE = r'(?:only\s+)?(?:\w+\.)?["`\[]?newel_(?:tasks|rows)\b["`\]]?'
CHANGES = re.compile(
    # what an UPDATE assigns, and the columns of an INSERT - all of them where it names none
    rf"\bupdate\b(?:\s+or\s+\w+)?\s+{TABLE}.*?\bset\b(.*?)(?:\bfrom\b|\bwhere\b|\breturning\b|$)"
    rf"|\b(?:insert(?:\s+or\s+\w+)?|replace|merge)\s+into\s+{TABLE}(?:\s*\(([^)]*)\))?",
    re.IGNORECASE | re.DOTALL,
)
STEP = re.compile(r"\b(?:to_)?step\b", re.IGNORECASE)
ASSIGNS = re.compile(
    r'(?<![\w:(@$.])(?:to_)?step\b["`\]]?\s*(?:=|(?:,[^()]*)?\)\s*=)|\(\s*(?:to_)?step\b[^()]*\)\s*=', re.IGNORECASE
)


def writes_step(text: str) -> bool:
    """Whether a statement writes the step of a task or of a row."""
    for assigned, columns in CHANGES.findall(text):
        if ASSIGNS.search(assigned) or (not assigned and (not columns or STEP.search(columns))):
            return True
    return False


STATEMENTS = {"place_task", "add_row"}
"""The statements of a dialect that write a task's step, or the row of it."""
CALLS = {"add_task", "arrive", "depart", "_write_row"}
"""What only writers call."""
ADD = {"SqlTransaction.add_task", "PostgresTransaction.add_task"}
ARRIVE = {"SqlTransaction.arrive", "PostgresTransaction.arrive"}
"""The methods of the ledgers that run them."""


class Found(ast.NodeVisitor):
    """What a module does to steps: (what, the function it stands in)."""

    def __init__(self) -> None:
        self.scope: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.names: list[tuple[str, str]] = []
        self.keyword: str | None = None

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._scoped(node)
        else:
            super().visit(node)

    def _scoped(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.scope.append(node.name)
        body = node.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]  # a docstring
        for part in [*node.decorator_list, *body]:
            self.visit(part)
        self.scope.pop()

    def visit_keyword(self, node: ast.keyword) -> None:
        before, self.keyword = self.keyword, node.arg
        self.generic_visit(node)
        self.keyword = before

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            if writes_step(node.value):
                self.texts.append((node.value, self.keyword or ".".join(self.scope)))
            if node.value in CALLS | STATEMENTS:  # by way of getattr
                self.names.append((node.value, ".".join(self.scope)))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = "".join(p.value if isinstance(p, ast.Constant) else " step = " for p in node.values)  # type: ignore[misc]  # its texts are str
        self.visit_Constant(ast.Constant(text))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in CALLS | STATEMENTS:
            self.names.append((node.attr, ".".join(self.scope)))
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in CALLS and isinstance(node.ctx, ast.Load):
            self.names.append((node.id, ".".join(self.scope)))


def _found(text: str) -> Found:
    found = Found()
    tree = ast.parse(text)
    if isinstance(tree.body[0], ast.Expr):
        del tree.body[0]
    found.visit(tree)
    return found


def _outer(scope: str) -> str:
    """A function inside a writer belongs to it."""
    return next((name for name in WRITERS if scope == name or scope.startswith(f"{name}.")), scope)


def unregistered(name: str, text: str) -> Iterator[str]:
    """What in a module writes a task's step and is no registered writer."""
    found = _found(text)
    for statement, where in found.texts:
        if not (name.startswith("ledgers/") and name.endswith("_sql.py") and where in STATEMENTS):
            yield f"{name}: {where} holds {' '.join(statement.split())[:50]!r}"
    for what, where in found.names:
        if what in STATEMENTS:
            if not (name.startswith("ledgers/") and where in ARRIVE):
                yield f"{name}: {where} runs {what}"
        elif _outer(where) not in WRITERS and where not in ADD:
            yield f"{name}: {where} calls {what}"


def _registered(text: str) -> set[str]:
    """The functions of a module that the source decorates as writers."""
    found: set[str] = set()

    def look(body: list[ast.stmt], scope: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                look(node.body, f"{scope}{node.name}.")
            if isinstance(node, ast.FunctionDef):
                if any(isinstance(d, ast.Name) and d.id == "writer" for d in node.decorator_list):
                    found.add(f"{scope}{node.name}")
                look(node.body, f"{scope}{node.name}.")

    look(ast.parse(text).body, "")
    return found


def _writers() -> set[str]:
    names: set[str] = set()
    for name, path in SOURCES.items():
        registered = _registered(path.read_text("utf-8"))
        if registered:
            import_module(f"newel.runtime.{name.removesuffix('.py').replace('/', '.')}")
        names |= registered
    return names


def test_sl7_the_writers_of_the_source_are_the_registered_ones_and_no_two_share_a_name() -> None:
    found = [writer for path in SOURCES.values() for writer in _registered(path.read_text("utf-8"))]
    assert _writers() == set(WRITERS)
    assert len(found) == len(set(found))


def test_sl7_nothing_else_in_the_source_writes_a_step() -> None:
    _writers()
    wrong = [each for name, path in SOURCES.items() for each in unregistered(name, path.read_text("utf-8"))]
    assert wrong == []
    # and the ledgers do write it where they should: else this test would look for the wrong thing
    held = {w for name, path in SOURCES.items() if name.endswith("_sql.py") for _, w in _found(path.read_text()).texts}
    assert held == STATEMENTS


@pytest.mark.parametrize(
    "text",
    [
        'def f(tx):\n    tx.execute("UPDATE newel_tasks SET step = ?")',
        'def f(tx):\n    tx.execute("""update\n newel_tasks\n set workflow = 1, step = 2""")',
        'def f(tx, s):\n    tx.execute(f"UPDATE newel_tasks SET {s} = 1")',
        'SQL = "INSERT OR REPLACE INTO newel_tasks(id, step) VALUES (1, 2)"',
        'SQL = "insert into main.newel_rows(task, to_step, step) values (1, 2, 3)"',
        'def f(tx):\n    tx.execute("UPDATE newel_tasks SET (workflow, step) = (1, 2)")',
        "def f(tx, task):\n    tx.arrive(task, 'w', 's')",
        "def f(tx, task):\n    go = tx.arrive\n    go(task)",
        "def f(tx, task):\n    getattr(tx, 'arrive')(task)",
        "class A:\n    def f(self):\n        self._all(self.sql.place_task, ())",
        "def f(tx):\n    def move(): arrive(tx)\n    move()",
        "class Departure:\n    def other(self):\n        arrive(self)",
    ],
)
def test_sl7_whoever_writes_a_step_elsewhere_is_found(text: str) -> None:
    assert list(unregistered("engine.py", "'''doc'''\n" + text))
