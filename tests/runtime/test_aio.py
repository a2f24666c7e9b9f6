"""The service for callers that await: the same methods, in threads, under a FastAPI application too."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Iterator
from typing import Annotated, Any

import httpx
import pytest
from fastapi import Depends, FastAPI, Header

from newel.runtime.aio import AsyncService
from newel.runtime.errors import LedgerUnavailable, UnknownTask
from newel.runtime.outcomes import OutcomeKind
from newel.runtime.ports import Actor
from newel.runtime.service import Service
from tests.runtime.boards import AGENTS, REVIEW, Make, Rig, board, entering

PROGRAM = board(
    a="on turn_complete { -> b }\non comment { page }",
    b=entering(*REVIEW.split("\n")) + "\non turn_complete { -> c when all_approve(reviewer) }",
    c=entering('note_it(text="done")'),
)

# ---------------------------------------------------------------- the same methods

SYNCHRONOUS = {"cause", "wired"}
"""What gives back at once: `cause` is for a `with` block, `wired` for the modules that the service delegates to."""


def _public(cls: type) -> dict[str, Any]:
    return {n: m for n, m in vars(cls).items() if not n.startswith("_") and inspect.isfunction(m)}


def test_every_method_of_a_service_has_a_coroutine_of_the_same_signature() -> None:
    plain, awaited = _public(Service), _public(AsyncService)
    assert set(awaited) == set(plain) - SYNCHRONOUS
    for name, method in awaited.items():
        assert inspect.iscoroutinefunction(method), name
        assert inspect.signature(method) == inspect.signature(plain[name]), name
        assert method.__doc__ == plain[name].__doc__ or name == "close", name  # that one waits besides


def test_every_property_of_a_service_is_there_too(make: Make) -> None:
    rig = make(PROGRAM)
    service = AsyncService(rig.service)
    properties = {n for n, m in inspect.getmembers(Service) if not n.startswith("_") and isinstance(m, property)}
    for name in properties | {"operations"}:
        assert getattr(service, name) is getattr(rig.service, name)


def test_a_subclass_keeps_its_own_methods(make: Make) -> None:
    class Loud(Service):
        def remove(self, task: str) -> None:
            said.append(task)

    said: list[str] = []
    rig = make(PROGRAM)
    asyncio.run(AsyncService(Loud(PROGRAM, rig.ledger)).remove("T"))
    assert said == ["T"]


# ---------------------------------------------------------------- in threads


def test_calls_run_in_other_threads_and_the_loop_goes_on(make: Make) -> None:
    rig = make(PROGRAM)
    ran: list[int] = []
    free = threading.Event()

    def page(action: Any, context: Any) -> None:
        ran.append(threading.get_ident())
        assert free.wait(10)

    async def main() -> None:
        service = AsyncService(rig.service)
        await service.create("T", "w")
        call = asyncio.create_task(service.handle("T", "comment", payload={"comment_id": "1"}))
        while not ran:
            await asyncio.sleep(0.01)
        free.set()  # only a loop that goes on gets here
        assert (await call).kind is OutcomeKind.STAYED

    rig.on_page = page
    asyncio.run(main())
    assert ran != [threading.get_ident()]


def test_what_a_call_raises_is_raised_where_it_is_awaited(make: Make) -> None:
    async def main() -> None:
        async with AsyncService(make(PROGRAM).service) as service:
            with pytest.raises(UnknownTask, match="'X'"):
                await service.task("X")
        with pytest.raises(LedgerUnavailable, match="closed"):
            await service.task("X")

    asyncio.run(main())


class Odd(BaseException):
    """What no handler ought to raise."""


@pytest.mark.parametrize("error", [StopIteration, StopAsyncIteration, GeneratorExit, Odd, asyncio.CancelledError])
def test_what_no_future_takes_is_raised_where_it_is_awaited(make: Make, error: type[BaseException]) -> None:
    """By a coroutine, out of which a `StopIteration` comes as the cause of a `RuntimeError`."""
    rig = make(PROGRAM)
    raised = error("odd")

    def page(action: Any, context: Any) -> None:
        raise raised

    async def main() -> BaseException:
        async with AsyncService(rig.service) as service:
            await service.create("T", "w")
            rig.on_page = page
            with pytest.raises(BaseException) as caught:
                await asyncio.wait_for(service.handle("T", "comment", payload={"comment_id": "1"}), 10)
            assert (await service.task("T")).step == "a"
        return caught.value

    said = asyncio.run(main())
    assert (said.__cause__ if isinstance(said, RuntimeError) else said) is raised


def test_what_closing_raises_is_raised_where_it_is_awaited(make: Make) -> None:
    class Stuck(Service):
        def close(self) -> None:
            raise StopIteration("stuck")

    async def main() -> None:
        await asyncio.wait_for(AsyncService(Stuck(PROGRAM, make(PROGRAM).ledger)).close(), 10)

    with pytest.raises(RuntimeError, match="StopIteration") as caught:
        asyncio.run(main())
    assert str(caught.value.__cause__) == "stuck"


def test_a_cancelled_await_does_not_undo_the_move(make: Make) -> None:
    rig = make(board(a="on exit { page }", b=entering('note_it(text="in b")')))
    began, free = threading.Event(), threading.Event()

    def page(action: Any, context: Any) -> None:
        began.set()
        assert free.wait(10)

    rig.on_page = page

    async def main() -> None:
        service = AsyncService(rig.service)
        await service.create("T", "w")
        call = asyncio.create_task(service.move("T", "b"))
        await asyncio.to_thread(began.wait, 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await service.task("T")).step == "a"
        free.set()
        while (await service.task("T")).step == "a":
            await asyncio.sleep(0.01)

    asyncio.run(main())  # ends when every thread has
    assert (rig.service.task("T").step, rig.notes()) == ("b", ["in b"])
    assert rig.service.audit().clean


def test_causes_of_tasks_that_run_at_once_do_not_mix(make: Make) -> None:
    rig = make(board())

    async def one(number: int) -> None:
        service = AsyncService(rig.service)
        with service.cause(route="agent_move", actor=Actor.agent(f"bot{number}")):
            await service.create(f"T{number}", "w")
            await asyncio.sleep(0)
            await service.move(f"T{number}", "b")

    async def main() -> None:
        await asyncio.gather(*(one(number) for number in range(12)))

    asyncio.run(main())
    for number in range(12):
        rows = rig.service.history(f"T{number}")
        assert {(row.route, row.actor_id) for row in rows} == {("agent_move", f"bot{number}")}


# ---------------------------------------------------------------- under FastAPI


async def person(x_person: Annotated[str, Header()]) -> str:
    return x_person


Person = Annotated[str, Depends(person)]


def application(service: AsyncService) -> FastAPI:
    app = FastAPI()

    @app.post("/tasks/{task}")
    async def create(task: str, who: Person) -> dict[str, Any]:
        with service.cause(actor=Actor.human(who)):
            outcome = await service.create(task, "w")
        return {"kind": outcome.kind, "step": outcome.to_step}

    @app.post("/tasks/{task}/done")
    async def done(task: str, who: Person) -> dict[str, Any]:
        with service.cause(actor=Actor.human(who)):
            outcome = await service.handle(task, "turn_complete")
        return {"kind": outcome.kind, "step": outcome.to_step}

    @app.post("/tasks/{task}/approve")
    async def approve(task: str, who: Person) -> dict[str, Any]:
        outcome = await service.decide(task, role="reviewer", decider=who, verdict="approved")
        return {"kind": outcome.kind, "step": outcome.to_step}

    @app.get("/tasks/{task}")
    async def show(task: str) -> dict[str, Any]:
        return {"step": (await service.task(task)).step, "rows": len(await service.history(task))}

    return app


@pytest.fixture
def desk(make: Make) -> Iterator[Rig]:
    yield make(PROGRAM, agents=AGENTS)


def test_a_fastapi_application_serves_requests_that_come_at_once(desk: Rig) -> None:
    tasks = [f"T{number}" for number in range(20)]

    async def walk(client: httpx.AsyncClient, task: str) -> list[Any]:
        said = [(await client.post(f"/tasks/{task}", headers={"x-person": f"of {task}"})).json()]
        # three at once: one of them moves the task
        both = [client.post(f"/tasks/{task}/done", headers={"x-person": f"of {task}"}) for _ in range(3)]
        said.append(sorted(answer.json()["kind"] for answer in await asyncio.gather(*both)))
        said.append((await client.post(f"/tasks/{task}/approve", headers={"x-person": "ada"})).json())
        said.append((await client.get(f"/tasks/{task}")).json())
        return said

    async def main() -> list[list[Any]]:
        transport = httpx.ASGITransport(app=application(AsyncService(desk.service)))
        async with httpx.AsyncClient(transport=transport, base_url="http://desk") as client:
            return await asyncio.gather(*(walk(client, task) for task in tasks))

    for task, said in zip(tasks, asyncio.run(main()), strict=True):
        assert said[0] == {"kind": "moved", "step": "a"}
        assert said[1].count("moved") == 1
        assert set(said[1]) <= {"moved", "abandoned", "stayed"}
        assert said[2:] == [{"kind": "moved", "step": "c"}, {"step": "c", "rows": 3}]
        actors = [(row.actor_kind, row.actor_id) for row in desk.service.history(task)]
        assert actors == [("human", f"of {task}")] * 2 + [("agent", "ada")]
    assert desk.notes() == ["done"] * 20
    assert len(desk.service.runs()) == 20
    audit = desk.service.audit()
    assert audit.clean
    assert not audit.notes
