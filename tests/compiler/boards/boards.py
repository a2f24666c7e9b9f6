"""Workflows made at random in the words of the standard vocabulary, and what two of them must agree in."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from newel.compiler import Program, compile_text
from newel.compiler.imports.arguments import ROLES
from newel.compiler.imports.draft import Call, Draft, Long, Move, Statement, Step, Time, Value, Word, Workflow
from newel.compiler.imports.importing import STANDARD_PLACEHOLDERS
from newel.compiler.imports.layout import layout
from newel.compiler.imports.names import Names
from newel.compiler.imports.tables import GATES_UNDER, MOVES_UNDER, PORTABLE, TEMPLATE, TRIGGERS, Form

FORMS = {"portable": PORTABLE, "template": TEMPLATE}

# What a file of ours can hold: all of Unicode but lone surrogates and NUL.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
ODD = ["on", "yes", "~", "null", "0o17", "1e3", ".5", "017", "<<", "=", "- x", "a: b", "# c", "{{x}}", " x ", "'", '"']
ODD += ["\u2028", "a\nb", "a\n\n b\n", " a\nb", "\r\n", "x\t", "\x85y", "2026-01-01", "!!str x", "&a", "*a", "|", "@"]
ANY = TEXT | st.sampled_from(ODD)
PROSE = ANY | st.lists(ANY, min_size=1, max_size=3).map("\n".join)
ROLE = st.sampled_from(ROLES).map(Word)
NUMBER = st.integers(-(10**14), 10**14) | st.sampled_from([0.5, -2.25, 100.0, 0.001])
SINGLE: st.SearchStrategy[Any] = NUMBER | st.booleans() | ANY | st.just(Word("null"))
JSON: st.SearchStrategy[Any] = st.recursive(
    SINGLE, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(ANY, inner, max_size=2), max_leaves=5
)
PAYLOAD: st.SearchStrategy[Any] = st.dictionaries(ANY, JSON, min_size=1, max_size=2)


def calls(name: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Call]:
    """A kind, guard or case; an argument is optional with a `_` before its name, and `at` goes by position."""
    required = {key: value for key, value in arguments.items() if not key.startswith("_")}
    optional = {key[1:]: value for key, value in arguments.items() if key.startswith("_")}
    given = st.fixed_dictionaries(required, optional=optional)
    return given.map(lambda args: Call(name, tuple(_argument(key, args[key]) for key in sorted(args, key="at".__ne__))))


def _argument(key: str, value: Value) -> tuple[str, Value]:
    return "" if key == "at" else key, value


NAMES = TEXT.filter(str.strip) | st.sampled_from([text for text in ODD if text.strip()])
RULES = st.lists(
    calls("set", at=NAMES, model=ANY, _options=st.dictionaries(ANY, ANY, min_size=1, max_size=2))
    | calls("set", at=NAMES, options=st.dictionaries(ANY, ANY, min_size=1, max_size=2))
    | calls("keep", at=NAMES)
    | calls("restore_original", at=NAMES),
    min_size=1,
    max_size=3,
    unique_by=lambda call: str(call.args[0][1]),
)
TARGET = st.sampled_from([Word("primary"), Word("ceo_agent")]) | calls("participant", at=ROLE) | calls("agent", at=ANY)
RUN: dict[str, st.SearchStrategy[Any]] = {"_reason": ANY | st.just(""), "_payload": PAYLOAD}
AGENT = {"at": ANY, "_model": ANY, "_mode": ANY}


def kinds(form: str) -> dict[str, st.SearchStrategy[Call]]:
    """Every kind with arguments that the form has words for."""
    reviewer = calls("agent_profile", at=ANY) if form == "template" else calls("agent_profile", **AGENT)
    return {
        "enable_plan_mode": calls("enable_plan_mode"),
        "disable_plan_mode": calls("disable_plan_mode"),
        "auto_start_agent": calls("auto_start_agent"),
        "reset_agent_context": calls("reset_agent_context"),
        "clear_decisions": calls("clear_decisions"),
        "set_session_mode": calls("set_session_mode", at=NAMES),
        "configure_session": calls("configure_session", at=RULES),
        "run_code_review": calls("run_code_review", _agent=reviewer),
        "queue_run": calls("queue_run", _target=TARGET, _task=calls("task", at=ANY), **RUN),
        "queue_run_for_each_participant": calls("queue_run_for_each_participant", at=ROLE, **RUN),
        "ensure_participant_seat": calls("ensure_participant_seat", at=ROLE),
        "run_script": calls(
            "run_script",
            at=NAMES,
            _timeout=st.integers(1, 86400).map(Time),
            _failure=st.sampled_from(["block", "continue"]).map(Word),
        ),
    }


GUARD = st.one_of(
    *(calls(name, at=ROLE) for name in ("all_approve", "all_decide", "majority_approve", "any_reject")),
    calls("n_approve", at=ROLE, count=st.integers(1, 10**6)),
)


@st.composite
def workflows(draw: st.DrawFn, form: str, name: str = "board") -> Workflow:
    """A workflow that the form can carry whole."""
    table = FORMS[form]
    titles = draw(st.lists(NAMES, min_size=1, max_size=4))
    finished = draw(st.booleans())
    if finished:
        titles.append(draw(st.sampled_from(["Done", " complete ", "APPROVED"])))
    elif titles[-1].strip().lower() in {"done", "complete", "completed", "approved"}:
        titles.append("Later")
    taken = Names("step")
    names = [taken.take(title.lower() if form == "portable" else draw(ANY)) for title in titles]
    start = draw(st.integers(0, len(names) - 1))
    steps = []
    for at, title in enumerate(titles):
        step = Step(names[at], title, draw(_settings(table, names[:at])))
        if finished and at == len(titles) - 1:
            step.settings.insert(0, ("end", True))
        if at == start:
            step.settings.insert(0, ("start", True))
        step.on = draw(_events(table, names, at, agent=any(key == "agent" for key, _ in step.settings)))
        if any(trigger == "heartbeat" for trigger, _ in step.on):
            step.settings += draw(st.just([]) | st.integers(1, 10**6).map(lambda n: [("heartbeat_every", Time(n))]))
        steps.append(step)
    settings = draw(_some({"about": PROSE.map(Long)} if form == "portable" else {"hidden": st.booleans()}))
    settings += draw(_some({"prompt": PROSE.map(Long), "agent": calls("", **AGENT)})) if form == "portable" else []
    return Workflow(name, draw(NAMES), settings, steps)


def _some(choices: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[list[tuple[str, Value]]]:
    return st.fixed_dictionaries({}, optional=choices).map(lambda given: list(given.items()))


def _settings(table: Form, before: list[str]) -> st.SearchStrategy[list[tuple[str, Value]]]:
    choices: dict[str, st.SearchStrategy[Any]] = {
        "color": ANY,
        "command_panel": st.booleans(),
        "manual_move": st.booleans(),
        "auto_archive": st.integers(1, 1000).map(lambda hours: Time(hours * 3600)),
        "requires_signal": st.booleans(),
        "cancel_completes_turn": st.booleans(),
        "prompt": PROSE.map(Long),
    }
    if table.strict:
        choices["stage"] = st.sampled_from(["work", "review", "approval", "custom"]).map(Word)
    else:
        choices |= {"agent": calls("", **AGENT), "wip_limit": st.integers(0, 10**6)}
        if before:  # only from steps before it, so that no ring comes about
            choices["pull_from"] = st.sampled_from(before).map(Word)
    return _some(choices)


@st.composite
def _events(
    draw: st.DrawFn, table: Form, names: list[str], at: int, *, agent: bool
) -> list[tuple[str, list[Statement]]]:
    blocks: list[tuple[str, list[Statement]]] = []
    possible = kinds("template" if table.strict else "portable")
    configured = agent
    for key in draw(st.lists(st.sampled_from(sorted(TRIGGERS)), max_size=3, unique=True)):
        allowed = sorted(name for name, kind in table.kinds.items() if key in kind.triggers)
        targets = [name for name in names if name != names[at]]
        targets += ["next"] if at < len(names) - 1 else []
        targets += ["previous"] if at else []
        body: list[Statement] = []
        for _ in range(draw(st.integers(1, 3))):
            if key in MOVES_UNDER and targets and (not allowed or draw(st.booleans())):
                gated = key in GATES_UNDER
                approval = gated and draw(st.booleans())
                guard = draw(st.none() | GUARD) if gated else None
                body.append(Move(draw(st.sampled_from(targets)), approval, guard))
            elif (
                allowed
                and (kind := draw(st.sampled_from(allowed)))
                and not (kind == "configure_session" and configured)
            ):
                configured = configured or kind == "configure_session"
                body.append(draw(possible[kind]))
        if body:
            blocks.append((TRIGGERS[key], body))
    return blocks


def text_of(*workflows: Workflow) -> str:
    """The file that holds them; what stands in double braces in their texts is declared."""
    settings = [pair for each in workflows for pair in each.settings]
    settings += [pair for each in workflows for step in each.steps for pair in step.settings]
    texts = [value.text for _, value in settings if isinstance(value, Long)]
    names = dict.fromkeys(name for text in texts for name in re.findall(r"\{\{([A-Za-z_][\w-]*)\}\}", text, re.ASCII))
    return layout(Draft([name for name in names if name not in STANDARD_PLACEHOLDERS], list(workflows)))


def compiled(text: str) -> Program | None:
    """Its program; None where the language refuses it: a loop in which nobody has to do anything."""
    result = compile_text(text)
    codes = {finding.rule.code for finding in result.findings if finding.rule.severity == "error"}
    assert codes <= {"NW508"}, [finding.message for finding in result.findings]
    return result.program


def meaning(program: Program) -> list[dict[str, Any]]:
    """What workflows mean, without places and documentation. White space at the ends of long texts means nothing."""
    return [_plain(workflow.model_dump(mode="json")) for workflow in program.workflows.values()]


_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
_LONG = ("prompt", "about")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        said = {
            key: each.strip(_SPACE) if key in _LONG and isinstance(each, str) else each for key, each in value.items()
        }
        return {key: _plain(each) for key, each in said.items() if key not in ("place", "doc") and said[key] != ""}
    return [_plain(each) for each in value] if isinstance(value, list) else value
