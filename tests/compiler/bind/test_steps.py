"""Settings, blocks, fragments and `every step`: what a step says, and what is put into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newel.compiler import check_text
from newel.compiler.model import Action, GuardCall, Model, Move, Step

Found = Callable[[str], list[tuple[str, str]]]
Bound = Callable[[str], Model]

GATE = """
fragment gate(role: role, onward: step, back: step = previous, note: text? ) {
  stage approval
  on enter {
    ensure_participant_seat(role)
    queue_run_for_each_participant(role, reason=note)
  }
  on turn_complete {
    -> onward when all_approve(role)
    -> back   when any_reject(role)
  }
}
"""


def workflow(*steps: str, before: str = "", inside: str = "") -> str:
    """A text with a workflow of three steps; a body is given for each, in order."""
    bodies = [*steps, "", "", ""][:3]
    lines = "".join(f'  step {name} "{name}" {{\n{body}\n  }}\n' for name, body in zip("abc", bodies, strict=True))
    return f'{before}\nworkflow w "W" {{\n{inside}\n{lines}}}\n'


def step(model: Model, name: str = "a") -> Step:
    return model.workflows["w"].steps[name]


def kinds(step: Step, trigger: str = "enter") -> list[str]:
    return [action.kind.name for action in step.actions(trigger)]


def destinations(step: Step) -> list[str | None]:
    return [move.to for _, move in step.moves()]


def test_a_flag_stands_for_true_and_false_turns_it_off(bound: Bound) -> None:
    model = bound(workflow("requires_signal\nmanual_move false"))
    assert {name: value.value for name, value in step(model).settings.items()} == {
        "requires_signal": True,
        "manual_move": False,
    }
    assert model.flag(step(model), "signal")
    assert not model.flag(step(model), "manual_entry")
    assert model.flag(step(model, "b"), "manual_entry")


def test_a_setting_with_fields_takes_them_like_a_call(bound: Bound) -> None:
    model = bound(workflow('agent("Claude Code", model="opus")', 'agent agent_profile("Codex")'))
    assert step(model).settings["agent"].value == {"name": "Claude Code", "model": "opus"}
    assert step(model, "b").settings["agent"].value == {"name": "Codex"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("wip_limit(3)", [("NW201", "(3)")]),
        ('agent "Codex"', [("NW201", '"Codex"')]),
        ("agent", [("NW210", "agent")]),
        ("start 3", [("NW201", "3")]),
        ("start(true)", [("NW201", "(true)")]),
        ("start\nstart", [("NW407", "start")]),
        ("end\nend", [("NW407", "end")]),
    ],
)
def test_a_setting_that_is_said_wrongly(found: Found, body: str, expected: list[tuple[str, str]]) -> None:
    assert found(workflow(body)) == expected


def test_end_false_is_no_end(bound: Bound) -> None:
    assert step(bound(workflow("end false"))).end is None


# ---------------------------------------------------------------- moves


def test_next_and_previous_are_the_neighbours(bound: Bound) -> None:
    model = bound(
        workflow("on turn_complete {\n-> next\n-> previous\n}", "on turn_complete {\n-> next\n-> previous\n}")
    )
    assert destinations(step(model)) == ["b", None]
    assert destinations(step(model, "b")) == ["c", "a"]
    assert [move.relative for _, move in step(model).moves()] == ["next", "previous"]


def test_guards_keep_how_they_are_joined(bound: Bound) -> None:
    model = bound(
        workflow(
            "on turn_complete { -> b requires approval when (all_approve(reviewer) or n_approve(reviewer, count=2))"
            " and not any_reject(role=reviewer) }"
        )
    )
    ((_, move),) = step(model).moves()
    assert move.approval
    assert str(shape(move.guard)) == "['&', ['|', 'all_approve', 'n_approve'], ['!', 'any_reject']]"


def shape(guard: object) -> object:
    if isinstance(guard, GuardCall):
        return guard.guard.name
    parts = getattr(guard, "parts", None)
    return [guard.operator, *map(shape, parts)] if parts else ["!", shape(guard.part)]  # type: ignore[attr-defined]  # a joined guard, else a negated one


# ---------------------------------------------------------------- fragments


def test_a_fragment_is_put_where_it_is_included(bound: Bound) -> None:
    model = bound(workflow("", "include gate(reviewer, onward=c)", before=GATE))
    inside = step(model, "b")
    assert inside.settings["stage"].value == "approval"
    assert [(action.kind.name, action.args) for action in inside.actions()] == [
        ("ensure_participant_seat", {"role": "reviewer"}),
        ("queue_run_for_each_participant", {"role": "reviewer"}),
    ]
    assert destinations(inside) == ["c", "a"]


def test_next_given_to_a_fragment_is_that_of_the_step_it_is_put_in(bound: Bound) -> None:
    model = bound(workflow("", "include gate(reviewer, onward=next)", before=GATE))
    assert destinations(step(model, "b")) == ["c", "a"]


def test_next_given_where_there_is_none_is_left_to_the_check_of_moves(bound: Bound) -> None:
    model = bound(workflow("", "", "include gate(reviewer, onward=next)", before=GATE))
    moves = [move for _, move in step(model, "c").moves()]
    assert [(move.to, move.relative) for move in moves] == [(None, "next"), ("b", "previous")]


def test_blocks_of_a_fragment_are_appended_in_the_order_of_the_text(bound: Bound) -> None:
    piece = "fragment piece {\n  on enter { auto_start_agent }\n}\n"
    before = step(bound(workflow("include piece\non enter { clear_decisions }", before=piece)))
    after = step(bound(workflow("on enter { clear_decisions }\ninclude piece", before=piece)))
    assert kinds(before) == ["auto_start_agent", "clear_decisions"]
    assert kinds(after) == ["clear_decisions", "auto_start_agent"]


def test_inside_a_fragment_a_parameter_hides_a_case_of_its_name(bound: Bound) -> None:
    piece = "fragment piece(reviewer: role) {\n  on enter { ensure_participant_seat(reviewer) }\n}\n"
    action = step(bound(workflow("include piece(approver)", before=piece))).actions()[0]
    assert action.args == {"role": "approver"}


def test_a_parameter_that_is_left_out_leaves_out_what_it_is_given_to(bound: Bound) -> None:
    given = step(bound(workflow("", 'include gate(reviewer, onward=c, note="hi")', before=GATE)), "b").actions()[1]
    assert given.args["reason"] == "hi"


def test_a_fragment_in_a_fragment_gets_what_the_outer_one_was_given(bound: Bound) -> None:
    outer = GATE + "fragment outer(who: role, to: step) {\n  include gate(who, onward=to, back=to)\n}\n"
    inside = step(bound(workflow("include outer(approver, to=next)", before=outer)))
    assert destinations(inside) == ["b", "b"]
    assert inside.actions()[0].args == {"role": "approver"}
    trace = [related.message for related in inside.actions()[0].trace]
    assert trace == ["included here as `outer`", "included here as `gate`"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("include gate(reviewer)", [("NW202", "gate")]),
        ("include gate(reviewr, onward=b)", [("NW206", "reviewr")]),
        ("include gate(reviewer, onward=x)", [("NW103", "x")]),
        ("include gate(reviewer, onwards=b)", [("NW203", "onwards")]),
        ("include gate(reviewer, b)", [("NW207", "b")]),
        ("include gate(reviewer, onward=b)\nstage work", [("NW407", "stage")]),
        ("include gat(reviewer)", [("NW108", "gat")]),
    ],
)
def test_an_include_that_is_wrong(found: Found, body: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(found(workflow(body, before=GATE))) == sorted(expected)


def test_what_a_fragment_says_is_checked_by_the_type_of_its_parameters(found: Found) -> None:
    piece = "fragment piece(size: int, who: text, maybe: role?) {\n%s\n}\n"
    cases = {
        "wip_limit size": [],
        "wip_limit who": [("NW201", "who")],
        "on enter { ensure_participant_seat(maybe) }": [("NW201", "maybe")],
        "on turn_complete { -> who }": [("NW201", "who")],
        "on enter { queue_run(payload={ a: size, b: [who] }) }": [],
    }
    for body, expected in cases.items():
        used = workflow('include piece(3, who="me")', before=piece % body)
        assert found(used) == expected
        assert found(piece % body) == expected  # also where nothing includes it


def test_bounds_are_asked_of_what_a_parameter_stands_for(found: Found) -> None:
    piece = "fragment piece(size: int) {\n  wip_limit size\n}\n"
    assert found(workflow("include piece(-2)", before=piece)) == [("NW205", "size")]


def test_a_fragment_that_nothing_includes_is_checked_all_the_same(found: Found) -> None:
    piece = (
        "fragment piece(to: step) {\n  on turn_complete { -> to }\n  on turn_start { -> somewhere }\n  nonsense\n}\n"
    )
    assert found(piece) == [("NW105", "nonsense")]


def test_a_fragment_that_includes_itself_is_told_once(found: Found) -> None:
    text = "fragment one {\n  include two\n}\nfragment two {\n  include one\n}\n"
    assert found(workflow("include one", before=text)) == [("NW113", "one")]
    assert [code for code, _ in found(text)] == ["NW113"]


# ---------------------------------------------------------------- every step


def test_every_step_gives_what_a_step_does_not_say_itself(bound: Bound) -> None:
    lines = ("wip_limit 2", 'color "x"', "on enter { clear_decisions }", "on turn_complete { -> c }")
    every = "every step {\n" + "\n".join(lines) + "\n}"
    model = bound(workflow("wip_limit 5\non enter { auto_start_agent }", "", "end", inside=every))
    a, b, c = (step(model, name) for name in "abc")
    assert [s.settings["wip_limit"].value for s in (a, b, c)] == [5, 2, 2]
    assert kinds(a) == ["auto_start_agent"]
    assert destinations(a) == ["c"]
    assert kinds(b) == ["clear_decisions"]
    assert not c.on


def test_next_in_every_step_is_that_of_each(bound: Bound) -> None:
    model = bound(workflow("", "", "end", inside="every step { on turn_complete { -> next } }"))
    assert [destinations(step(model, name)) for name in "abc"] == [["b"], ["c"], []]


def test_what_every_step_gives_names_the_step_it_is_given_to(bound: Bound) -> None:
    model = bound(workflow(inside="every step { on turn_complete { -> a } }"))
    ((_, move),) = step(model, "b").moves()
    assert [related.message for related in move.trace] == ["given to step `b`"]


def test_a_fault_in_every_step_is_told_once(found: Found) -> None:
    assert found(workflow(inside="every step { on enter { no_such_kind } }")) == [("NW101", "no_such_kind")]
    assert found('workflow w "W" {\n  every step { nonsense }\n}\n') == [("NW105", "nonsense")]


@pytest.mark.parametrize("flag", ["start", "end"])
def test_neither_start_nor_end_is_for_every_step(found: Found, flag: str) -> None:
    assert found(workflow(inside=f"every step {{ {flag} }}")) == [("NW408", flag)]


# ---------------------------------------------------------------- workflows


def test_settings_of_a_workflow_are_its_own(found: Found, bound: Bound) -> None:
    assert bound(workflow(inside="hidden")).workflows["w"].settings["hidden"].value is True
    assert found(workflow(inside="wip_limit 3")) == [("NW105", "wip_limit")]
    assert found(workflow(inside="start")) == [("NW105", "start")]
    assert found(workflow(inside="hidden\nhidden")) == [("NW407", "hidden")]


@pytest.mark.parametrize("owner", ["step", "workflow"])
def test_a_setting_without_default_has_to_be_given(found: Found, owner: str) -> None:
    declared = f"setting {owner} team: text\n"
    said = 'team "core"'
    everywhere = {"step": f"every step {{ {said} }}", "workflow": said}[owner]
    assert {code for code, _ in found(workflow(before=declared))} == {"NW214"}
    assert found(workflow(before=declared, inside=everywhere)) == []


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("setting step size: int(1..2) = 3\n", ("NW205", "3")),
        ("setting step size: int = 1.5\n", ("NW201", "1.5")),
        ("setting workflow size: step = b\n", ("NW212", "b")),
    ],
)
def test_a_setting_whose_default_is_wrong_need_not_be_given_on_top(
    found: Found, declared: str, said: tuple[str, str]
) -> None:
    """One mistake is one finding, not one more at each step."""
    assert found(workflow(before=declared)) == [said]


def test_a_scenario_knows_its_workflow(bound: Bound, found: Found) -> None:
    scenario = 'scenario "one" for w {\n  create\n  expect at b\n}\n'
    model = bound(workflow() + scenario)
    assert model.scenarios[0].workflow is model.workflows["w"]
    assert [line.verb.text for line in model.scenarios[0].node.lines] == ["create", "expect"]  # type: ignore[union-attr]  # none is broken
    assert found(workflow() + scenario.replace("for w", "for v")) == [("NW107", "v")]


def test_a_workflow_with_a_broken_statement_is_broken_and_the_others_are_not() -> None:
    text = workflow("wip_limit )))") + workflow().replace("workflow w", "workflow v")
    model = check_text(text).model
    assert (model.workflows["w"].broken, model.workflows["v"].broken) == (True, False)


def test_statements_are_actions_and_moves_in_order(bound: Bound) -> None:
    on = step(bound(workflow("on comment {\n-> b\nclear_decisions\n-> c\n}"))).on["comment"]
    assert [type(each) for each in on.statements] == [Move, Action, Move]
