"""Ways to show what becomes of something that the first client drops in silence; the table is in `test_discards.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newel.compiler import Program, check_text, compile_text
from newel.compiler.boards import export_text
from newel.compiler.checks import Host
from newel.compiler.imports import import_text
from newel.runtime import ActionNotYetWired, Handlers, OutcomeKind, Service, StaticAgents, StepGone, open_ledger
from tests.compiler.imports.boards import action, codes, portable, template

AGENTS = StaticAgents(
    runner="ada", targets={"primary": "ada", "code_reviewer": "rex"}, candidates=[("ben", ["reviewer"])]
)
GUARD = "{role: reviewer, threshold: all_approve}"
MANY = "\n".join


# ---------------------------------------------------------------- ways to show it


def board(first: str, second: str = "", words: str = "") -> str:
    """A board of two steps with these bodies; kinds of the host stand before it."""
    return f'{words}workflow w "W" {{\n  step a "A" {{\n    start\n{first}\n  }}\n  step b "B" {{\n{second}\n  }}\n}}\n'


def found(text: str, host: Host | None = None) -> dict[str, str]:
    """The severity of each code found in a file."""
    return {finding.rule.code: finding.rule.severity for finding in check_text(text, host=host).findings}


def language(*bodies: str, code: str) -> Callable[[], None]:
    """Each body of a step is an error of that code, and there is no program."""

    def show() -> None:
        for body in bodies:
            assert found(board(body)).get(code) == "error", body
            assert compile_text(board(body)).program is None

    return show


def imported(*steps: str, code: str, form: Callable[[str], str] = template) -> Callable[[], None]:
    """Each step of the client's own form gives a finding of that code."""

    def show() -> None:
        for step in steps:
            assert code in codes(import_text(form(step))), step

    return show


def both(*shown: Callable[[], None]) -> Callable[[], None]:
    """Several ways to show one thing."""

    def show() -> None:
        for each in shown:
            each()

    return show


def program(first: str, second: str = "", words: str = "") -> Program:
    return compile_text(board(first, second, words)).require()


class Session:
    """A session of the task, which remembers what it was asked to do."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def live(self, task: str) -> str | None:
        return f"session of {task}"

    def run(self, session: str, action: Any, context: Any) -> None:
        self.ran.append(action.kind)


def service(compiled: Program, **ports: Any) -> Service:
    """A service on a ledger of its own, with a task `t` at the start."""
    made = Service(compiled, open_ledger("memory:"), agents=AGENTS, **ports)
    made.create("t", "w")
    return made


def statuses(report: Any) -> dict[str, tuple[str, str | None]]:
    return {each.kind: (each.status.value, each.reason) for each in report.actions}


# ---------------------------------------------------------------- what happens at run time


def session_is_configured() -> None:
    """16: carried by the import, and run by the arriving session like the rest of its half."""
    text = import_text(
        template(action("on_enter", "configure_session", rules="[{agent_name: A, operation: keep}]"))
    ).text
    assert text is not None
    compiled = compile_text(text).require()
    session = Session()
    running = Service(compiled, open_ledger("memory:"), sessions=session)
    entry = running.create("t", "board").entry
    assert entry is not None
    assert session.ran == ["configure_session"]
    assert [each.status.value for each in entry.session_actions] == ["ran"]


PAGE = "action page on enter, event\ndispatch { page }\n"


def kind_without_handler() -> None:
    """17: on entry it is recorded as failed, `not_wired`; under every other trigger the delivery is refused."""
    running = service(program("on comment { page }", "on enter { page }", PAGE))
    with pytest.raises(ActionNotYetWired, match="page, at position 0 on comment, has no handler"):
        running.handle("t", "comment", payload={"comment_id": "1"})
    entry = running.move("t", "b").entry
    assert statuses(entry) == {"page": ("failed", "not_wired")}


def approval_is_consumed() -> None:
    """18: the move waits, and a person's approval makes it."""
    running = service(program("on turn_complete { -> b requires approval }"))
    asked = running.handle("t", "turn_complete")
    assert asked.kind is OutcomeKind.PENDING_APPROVAL
    assert running.approve(asked.pending[0]).moved
    assert running.task("t").step == "b"


def second_move() -> None:
    """19: what can never be taken is a warning; of moves with guards the first that holds is taken."""
    assert found(board("on turn_complete {\n-> b\n-> b\n}"))["NW507"] == "warning"
    guarded = MANY(["on comment {", "-> b when all_approve(reviewer)", "-> b when any_reject(reviewer)", "}"])
    running = service(program(guarded))
    running.seat("t", role="reviewer", agent="ben", step="a")
    running.decide("t", role="reviewer", decider="ben", verdict="rejected")
    assert running.handle("t", "comment", payload={"comment_id": "1"}).to_step == "b"


def move_to_itself() -> None:
    """20: no file can say it, and a call that asks for it is told."""
    language("on comment { -> a }", code="NW503")()
    assert service(program("")).move("t", "a").kind is OutcomeKind.ALREADY_THERE


def arrivals_run_everything() -> None:
    """21: every dispatched kind of an entry list runs, by whatever route the task came."""
    kinds = ["clear_decisions", "ensure_participant_seat(reviewer)", "queue_run", "run_code_review"]
    body = MANY(["on enter {", *kinds, "queue_run_for_each_participant(reviewer)", "}"])
    running = service(program("on turn_complete { -> b }", body))
    entry = running.handle("t", "turn_complete").entry
    assert statuses(entry) == {
        "clear_decisions": ("unchanged", None),
        "ensure_participant_seat": ("applied", None),
        "queue_run": ("applied", None),
        "run_code_review": ("applied", None),
        "queue_run_for_each_participant": ("applied", None),
    }
    assert sorted(run.agent for run in running.runs()) == ["ada", "ben", "rex"]


def guards_are_asked() -> None:
    """22: there is one way by which a finished turn moves a task, and it asks the guard."""
    running = service(program("on turn_complete { -> b when all_approve(reviewer) }"))
    stayed = running.handle("t", "turn_complete")
    assert stayed.kind is OutcomeKind.STAYED
    assert [(each.to, each.reason.value) for each in stayed.guards] == [("b", "slate_empty")]


def nobody_to_wake() -> None:
    """23: a warning where nobody is ever seated, and a reason in the report of the entry."""
    body = "on enter { queue_run_for_each_participant(reviewer) }"
    assert found(board("", body))["NW601"] == "warning"
    entry = service(program("", body)).move("t", "b").entry
    assert statuses(entry) == {"queue_run_for_each_participant": ("unchanged", "slate_empty")}


def unwired_is_told_beforehand() -> None:
    """24a: what a program needs and the host lacks is listed before anything runs, and a warning in its file."""
    text = board("on comment { page }", words=PAGE)
    running = Service(compile_text(text).require(), open_ledger("memory:"), Handlers())
    assert running.unwired() == ("kind page",)
    assert found(text, Host(kinds=frozenset({"queue_run"})))["NW704"] == "warning"


def no_session_is_needed() -> None:
    """24b: a delivery runs without a session; what only a session can do is recorded as not done."""
    running = service(program("on comment {\nqueue_run\nauto_start_agent\n}"))
    outcome = running.handle("t", "comment", payload={"comment_id": "1"})
    assert [run.agent for run in running.runs()] == ["ada"]
    assert [(each.kind, each.status.value) for each in outcome.session_actions] == [("auto_start_agent", "no_session")]


def trigger_never_fired() -> None:
    """24c: a host says which triggers it fires; a list under another is a warning."""
    text = board("on agent_error { queue_run }")
    assert found(text, Host(triggers=frozenset({"comment"})))["NW703"] == "warning"
    running = service(compile_text(text).require())
    running.handle("t", "agent_error", payload={"run_id": "1", "message": "gone"})
    assert len(running.runs()) == 1


def evaluating_touches_nothing() -> None:
    """25: no kind patches data, so no patch can be lost; evaluating says what would happen, and does nothing."""
    language("on comment { set_workflow_data(x=1) }", code="NW101")()
    running = service(program("on comment {\nqueue_run\n-> b\n}"))
    outcome = running.handle("t", "comment", payload={"comment_id": "1"}, evaluate_only=True)
    assert outcome.evaluated
    assert outcome.to_step == "b"
    assert running.runs() == ()
    assert running.task("t").step == "a"


def deleted_step() -> None:
    """26: a reference to a step that is gone is an error under every trigger; a task that stands there can leave."""
    triggers = ["turn_start", "turn_complete", "comment", "blocker_resolved", "heartbeat", "agent_error"]
    language(*(f"on {trigger} {{ -> gone }}" for trigger in triggers), "pull_from gone", code="NW103")()
    running = service(program(""))
    running.set_program(compile_text(board("").replace("step a", "step c")).require())
    with pytest.raises(StepGone):
        running.handle("t", "turn_complete")
    assert running.move("t", "b").moved


# ---------------------------------------------------------------- importing and exporting


def generic_triggers_come_over() -> None:
    """27: both ways, with a note that the client's own import drops them."""
    step = action("on_comment", "auto_start_agent")
    imported(step, code="NW940", form=portable)()
    text = import_text(portable(step)).text
    assert text is not None
    exported = export_text(text)
    assert "on_comment:" in (exported.text or "")
    assert [finding.rule.code for finding in exported.findings] == ["NW954"]


def no_dangling_reference() -> None:
    """29: an id in an export is an error, and an export of ours has none."""
    imported(action("on_turn_complete", "move_to_step", step_id="doing"), code="NW914", form=portable)()
    assert "step_id" not in (export_text(board("on turn_complete { -> b }")).text or "step_id")
    language("on turn_complete { -> gone }", code="NW103")()


def nothing_is_cut() -> None:
    """31: read whole, with a warning; and no file is written that the client would cut."""
    assert codes(import_text(template() + "\n" * 1024 * 1024)) == ["NW904"]
    prompts = "".join(f'  step s{n} "S{n}" {{ prompt "{"x" * 190_000}" }}\n' for n in range(6))
    exported = export_text(f'workflow w "W" {{\n  step a "A" {{ start }}\n{prompts}}}\n')
    assert exported.text is None
    assert "NW953" in [finding.rule.code for finding in exported.findings]


def stages_and_seats() -> None:
    """33: what the portable form has no key for is an error of the export, named; the import reports what it meets."""
    imported("stage_type: review", code="NW916", form=portable)()
    exported = export_text(board('stage review\nseats [seat(role=reviewer, agent="ben")]'))
    assert exported.text is None
    assert [finding.message.split(" cannot")[0] for finding in exported.findings] == [
        "`stage` of the step",
        "`seats` of the step",
    ]


def names_and_starts() -> None:
    """34: each of the things the client takes without a word is an error or reported."""
    two = portable() + portable().split("workflows:\n")[1]
    assert codes(import_text(two)) == ["NW928"]
    assert codes(import_text(portable().replace("name: Shipped", "name: To do"))) == ["NW928"]
    assert codes(import_text(template().replace("name: Shipped", "name: Shipped\n    is_start_step: true"))) == [
        "NW925"
    ]
    assert codes(import_text(template().replace("position: 0", "position: -5"))) == ["NW924"]
    assert codes(import_text("id: b\nname: B\nsteps: []\n")) == ["NW927"]
    imported("auto_archive_after_hours: -1", code="NW916")()
    assert found(board("start\n").replace('"B" {', '"B" { start'))["NW506"] == "error"
    assert found(board("").replace("step b", "step a"))["NW116"] == "error"


def stages_and_rings() -> None:
    """36: a stage nobody knows and a ring of feeders are errors of the file, whoever writes it."""
    language("stage qa", code="NW206")()
    text = board("wip_limit 1\npull_from b", "wip_limit 1\npull_from a")
    assert found(text)["NW511"] == "error"


def limits_of_a_template() -> None:
    """38: the client refuses such a template; the import says which key, and the export names what it cannot write."""
    imported("wip_limit: 3", "pull_from: doing", "agent_profile: {}", code="NW915")()
    exported = export_text(board('wip_limit 2\npull_from b\nagent("A")'), form="template")
    assert exported.text is None
    assert [finding.rule.code for finding in exported.findings] == ["NW950"] * 3


def moved(**config: str) -> str:
    return action("on_turn_complete", "move_to_step", step_id="doing", **config)
