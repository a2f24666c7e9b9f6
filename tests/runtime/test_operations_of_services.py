"""The operation ledger in services (OL1-OL4, OL8-OL12): no rebuild, by whatever setter, forgets a delivery."""

from __future__ import annotations

import ast
import hashlib
import inspect
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from newel import runtime
from newel.compiler import BlankOperation, Program, compile_text
from newel.runtime import Handlers, Ledger, NotWired, OutcomeKind, Service, StaticAgents, open_ledger
from newel.runtime import service as service_module
from newel.runtime.operations import OperationLedger
from newel.runtime.store import Store

TEXT = """
workflow w "W" {
  step work "Work" {
    start
    on agent_error { queue_run(target=agent(id="eve"))
      -> stuck }
    on comment { queue_run(target=agent(id="ada")) }
  }
  step stuck "Stuck" {
    on agent_error { -> work }
  }
}
"""
SETTERS = sorted(name for name, _ in inspect.getmembers(Service, inspect.isfunction) if name.startswith("set_"))


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_text(TEXT).require()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = open_ledger(f"sqlite:///{tmp_path / 'tasks.db'}?synchronous=NORMAL")
    yield opened
    opened.close()


def rebuild(service: Service, setter: str, program: Program, ledger: Ledger) -> None:
    parts: dict[str, Any] = {"program": program, "ledger": ledger, "handlers": Handlers(), "agents": StaticAgents()}
    getattr(service, setter)(parts.get(setter.removeprefix("set_")))


def error(service: Service, run: str = "r1") -> OutcomeKind:
    return service.handle("T", "agent_error", payload={"run_id": run, "message": "it broke"}).kind


# ---------------------------------------------------------------- OL1, OL2, OL12


def test_ol1_the_setters_are_all_there_is_to_rebuild_by() -> None:
    assert [f"set_{part}" for part in ("agents", "handlers", "ledger", "observer", "program", "sessions")] == SETTERS


@pytest.mark.parametrize("setter", SETTERS)
def test_ol1_a_mark_outlives_every_setter(setter: str, program: Program, ledger: Ledger) -> None:
    service = Service(program, ledger)
    service.operations.mark_applied("x")
    before = service.wired()
    for _ in range(100):
        rebuild(service, setter, program, ledger)
    after = service.wired()
    assert after is not before
    assert after.store is not before.store
    assert after.store.is_operation_applied("x")
    assert service.operations.is_applied("x")


@pytest.mark.parametrize("setter", SETTERS)
def test_ol2_old_and_new_stores_see_each_others_marks(setter: str, program: Program, ledger: Ledger) -> None:
    service = Service(program, ledger)
    old = service.wired().store
    rebuild(service, setter, program, ledger)
    new = service.wired().store
    old.mark_operation_applied("by the old one")
    new.mark_operation_applied("by the new one")
    assert new.is_operation_applied("by the old one")
    assert old.is_operation_applied("by the new one")
    assert service.operations.is_applied("by the old one")


@pytest.mark.parametrize("setter", SETTERS)
def test_ol12_a_redelivered_error_is_idempotent_after_every_setter(
    setter: str, program: Program, ledger: Ledger
) -> None:
    service = Service(program, ledger)
    service.create("T", "w")
    assert error(service) is OutcomeKind.MOVED
    rebuild(service, setter, program, ledger)
    assert error(service) is OutcomeKind.IDEMPOTENT
    assert service.task("T").step == "stuck"
    assert len(service.runs("T")) == 1
    assert error(service, "r2") is OutcomeKind.MOVED


def test_ol1_a_rebuild_while_a_delivery_runs_does_not_split_it(program: Program, ledger: Ledger) -> None:
    """A delivery that began before the rebuild marks what one that begins after it reads."""
    words = "action ring on event, enter\ndispatch { ring }\n"
    ringing = compile_text(words + TEXT.replace("on comment {", "on comment { ring\n")).require()
    handlers, seen = Handlers(), []

    @handlers.action("ring")
    def ring(action: Any, context: Any) -> None:
        seen.append(context.operation_id)
        for setter in SETTERS:
            if setter != "set_handlers":
                rebuild(context.service, setter, ringing, ledger)

    service = Service(ringing, ledger, handlers)
    service.create("T", "w")
    for kind in (OutcomeKind.STAYED, OutcomeKind.IDEMPOTENT):
        assert service.handle("T", "comment", payload={"comment_id": "c1"}).kind is kind
    assert seen == ["task_comment:c1"]


def test_ol1_a_setter_added_later_forgets_nothing_either(program: Program, ledger: Ledger) -> None:
    class Later(Service):
        def set_nothing(self) -> None:
            self._rebuild()

    service = Later(program, ledger)
    service.create("T", "w")
    assert error(service) is OutcomeKind.MOVED
    service.set_nothing()
    assert error(service) is OutcomeKind.IDEMPOTENT


def test_ol2_two_services_do_not_share(program: Program, ledger: Ledger) -> None:
    first, second = Service(program, ledger), Service(program, ledger)
    first.operations.mark_applied("x")
    assert not second.operations.is_applied("x")


# ---------------------------------------------------------------- OL3


class Forgetful(Service):
    def __init__(self) -> None:
        pass


BARE: list[Callable[[], Service]] = [
    lambda: Service.__new__(Service),
    lambda: object.__new__(Service),
    Forgetful,
]


@pytest.mark.parametrize("make", BARE)
def test_ol3_a_service_nobody_wired_has_a_ledger_and_says_what_it_lacks(make: Callable[[], Service]) -> None:
    service = make()
    service.operations.mark_applied("x")
    assert service.operations.is_applied("x")
    with pytest.raises(NotWired, match="set_program"):
        service.task("T")


@pytest.mark.parametrize("make", BARE)
@pytest.mark.parametrize("order", [("program", "ledger"), ("ledger", "program")])
def test_ol3_a_bare_service_is_wired_by_its_setters_in_any_order(
    make: Callable[[], Service], order: tuple[str, str], program: Program, ledger: Ledger
) -> None:
    service = make()
    service.operations.mark_applied("before")
    for part in order:
        rebuild(service, f"set_{part}", program, ledger)
    assert service.wired().store.is_operation_applied("before")
    service.create("T", "w")
    assert error(service) is OutcomeKind.MOVED
    assert service.operations.is_applied("agent_error:r1")
    assert error(service) is OutcomeKind.IDEMPOTENT


# ---------------------------------------------------------------- OL4


def test_ol4_nothing_of_it_is_stored(tmp_path: Path, program: Program) -> None:
    opened = open_ledger(f"sqlite:///{tmp_path / 'x.db'}?synchronous=NORMAL")
    service = Service(program, opened)

    def digest() -> str:
        kept = sorted(p for p in tmp_path.iterdir() if p.suffix != ".db-shm")
        return hashlib.sha256(b"".join(p.read_bytes() for p in kept)).hexdigest()

    before = digest()
    service.operations.mark_applied("x")
    service.wired().store.mark_operation_applied("y")
    assert digest() == before
    opened.close()


def _script(text: str, *arguments: str) -> str:
    """What a script prints in a process of its own."""
    command = [sys.executable, "-c", textwrap.dedent(text), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    return done.stdout


def test_ol4_another_process_starts_without_marks_and_runs_a_redelivery(tmp_path: Path, program: Program) -> None:
    url = f"sqlite:///{tmp_path / 'tasks.db'}?synchronous=NORMAL"
    with Service(program, open_ledger(url)) as service:
        service.create("T", "w")
        assert error(service) is OutcomeKind.MOVED
    file = tmp_path / "program.json"
    file.write_text(program.to_json())
    script = """
        import pathlib, sys
        from newel.compiler import Program
        from newel.runtime import Service, open_ledger
        program = Program.from_json(pathlib.Path(sys.argv[1]).read_text())
        with Service(program, open_ledger(sys.argv[2])) as service:
            print(service.operations.is_applied("agent_error:r1"))
            outcome = service.handle("T", "agent_error", payload={"run_id": "r1", "message": ""})
            print(outcome.kind, service.task("T").step)
    """
    assert _script(script, str(file), url) == "False\nmoved work\n"


def test_ol4_a_fork_copies_marks_and_refuses_the_parents_connection(tmp_path: Path, program: Program) -> None:
    file = tmp_path / "program.json"
    file.write_text(program.to_json())
    script = """
        import os, pathlib, sys
        from newel.compiler import Program
        from newel.runtime import Service, WrongProcess, open_ledger
        program = Program.from_json(pathlib.Path(sys.argv[1]).read_text())
        service = Service(program, open_ledger(sys.argv[2]))
        service.operations.mark_applied("before")
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            print("parent", service.operations.is_applied("in the child"))
            service.create("T", "w")
        else:
            service.operations.mark_applied("in the child")
            try:
                service.create("T", "w")
            except WrongProcess:
                print("child", service.operations.is_applied("before"), service.operations.is_applied("in the child"))
    """
    said = _script(script, str(file), f"sqlite:///{tmp_path / 'tasks.db'}?synchronous=NORMAL")
    assert said.splitlines() == ["child True True", "parent False"]


# ---------------------------------------------------------------- OL8, on the source


def _class(tree: ast.Module, name: str) -> ast.ClassDef:
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def _methods(of: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in of.body if isinstance(node, ast.FunctionDef)}


SOURCE = ast.parse(inspect.getsource(service_module))
METHODS = _methods(_class(SOURCE, "Service"))
PARTS = {f"_{setter.removeprefix('set_')}" for setter in SETTERS}


def _assigned(method: ast.FunctionDef) -> set[str]:
    """The attributes of `self` a method assigns."""
    return {
        node.attr
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store | ast.Del)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


def test_ol8_the_rebuild_reaches_the_ledger_only_as_self_operations() -> None:
    rebuild_ = METHODS["_rebuild"]
    stores = [
        node
        for node in ast.walk(rebuild_)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Store"
    ]
    assert [ast.unparse(node) for node in stores] == ["Store(self._ledger, self.operations)"]
    named = [ast.unparse(node) for node in ast.walk(rebuild_) if "operations" in getattr(node, "attr", "")]
    assert named == ["self.operations"]
    assert _assigned(rebuild_) == {"_wiring"}


def test_ol8_every_method_that_assigns_wiring_ends_in_the_rebuild() -> None:
    assigning = {name: method for name, method in METHODS.items() if _assigned(method) & PARTS}
    assert set(assigning) == {"__init__", *SETTERS}
    for name, method in assigning.items():
        assert ast.unparse(method.body[-1]) == "self._rebuild()", name
        assert not [node for node in ast.walk(method) if isinstance(node, ast.Return | ast.Try)], name


def test_ol8_nobody_but_the_field_makes_an_operation_ledger() -> None:
    makers = []
    for file in sorted(Path(str(runtime.__file__)).resolve().parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("OperationLedger", "OperationsField")):
                makers.append(file.name)
    assert makers == ["operations.py", "operations.py"]


def test_ol8_a_store_takes_the_ledger_by_position_without_a_default() -> None:
    parameters = list(inspect.signature(Store.__init__).parameters.values())[1:]
    assert [p.name for p in parameters] == ["ledger", "operations"]
    assert {p.kind for p in parameters} == {inspect.Parameter.POSITIONAL_ONLY}
    assert {p.default for p in parameters} == {inspect.Parameter.empty}
    source = ast.parse(inspect.getsource(Store).strip())
    assert not [node for node in ast.walk(source) if isinstance(node, ast.If | ast.IfExp | ast.BoolOp | ast.Try)]


def test_ol6_no_module_reaches_into_the_set() -> None:
    for file in sorted(Path(str(runtime.__file__)).resolve().parent.rglob("*.py")):
        if file.name != "operations.py":
            assert "._applied" not in file.read_text(encoding="utf-8").replace("self._applied(", ""), file.name
    assert not hasattr(OperationLedger, "__len__")
    assert not hasattr(OperationLedger, "__iter__")


# ---------------------------------------------------------------- OL9, OL11, EN3a


def test_ol9_an_operation_id_is_built_from_the_triggers_shape(program: Program, ledger: Ledger) -> None:
    service = Service(program, ledger)
    service.create("T", "w")
    payload = {"message": "it broke", "session_id": "s1"}
    service.handle("T", "agent_error", payload=payload)
    assert service.operations.is_applied("agent_error:session:s1")
    service.handle("T", "agent_error", payload={**payload, "execution_id": "e1"})
    assert service.operations.is_applied("agent_error:session:s1:e1")
    service.handle("T", "agent_error", payload={**payload, "run_id": "r9"})
    assert service.operations.is_applied("agent_error:r9")
    assert service.handle("T", "agent_error", payload=payload).kind is OutcomeKind.IDEMPOTENT


@pytest.mark.parametrize("payload", [{"message": "m"}, {"message": "m", "run_id": ""}, {"message": "m", "run_id": " "}])
def test_k2_a_blank_part_is_an_error_not_a_shared_key(
    payload: dict[str, str], program: Program, ledger: Ledger
) -> None:
    service = Service(program, ledger)
    service.create("T", "w")
    with pytest.raises(BlankOperation):
        service.handle("T", "agent_error", payload=payload)
    assert service.runs() == ()


def test_k3_a_retry_queues_no_second_run_and_another_entry_does(program: Program, ledger: Ledger) -> None:
    service = Service(program, ledger)
    service.create("T", "w")
    hello = {"comment_id": "c1"}
    for _ in range(2):  # deferred and never marked: as after a later failure
        service.handle("T", "comment", payload=hello, defer_operation_mark=True)
    assert [run.key for run in service.runs("T")] == ["task_comment:c1:1:0"]
    service.move("T", "stuck")
    service.move("T", "work")
    service.handle("T", "comment", payload=hello, defer_operation_mark=True)
    assert [run.key for run in service.runs("T")] == ["task_comment:c1:1:0", "task_comment:c1:3:0"]


def test_k3_without_an_operation_id_runs_are_never_deduplicated(program: Program, ledger: Ledger) -> None:
    service = Service(program, ledger)
    service.create("T", "w")
    for _ in range(2):
        service.handle("T", "comment", payload={"comment_id": "c1"}, operation_id="")
    assert [run.key for run in service.runs("T")] == [None, None]


def test_ol11_everything_else_is_made_anew(program: Program, ledger: Ledger) -> None:
    service = Service(program, ledger)
    before = service.wired()
    other = compile_text(TEXT.replace("stuck", "lost")).require()
    service.set_program(other)
    after = service.wired()
    assert after.program is other
    assert after.machines is not before.machines
    service.set_handlers(Handlers())
    assert service.wired().machines is after.machines
