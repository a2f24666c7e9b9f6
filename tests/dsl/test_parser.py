"""Text to tree: every form, with exact places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from newel.dsl import Limits, parse
from newel.dsl.source import Source
from newel.dsl.tree import (
    ActionDecl,
    Args,
    Both,
    Broken,
    Call,
    Duration,
    Either,
    Every,
    File,
    Fragment,
    GroupDecl,
    GuardDecl,
    Include,
    KeyDecl,
    Line,
    ListValue,
    MapValue,
    Move,
    MovesDecl,
    Named,
    Negated,
    Node,
    Number,
    On,
    Ownership,
    Placeholder,
    RecordDecl,
    Ref,
    Scenario,
    Setting,
    SettingDecl,
    Step,
    Text,
    TextDecl,
    TriggerDecl,
    TypeDecl,
    Use,
    Workflow,
)

CASES = Path(__file__).parents[1] / "cases"


def whole(text: str) -> File:
    """The tree of a text without fault."""
    file, findings = parse(text)
    assert [finding.message for finding in findings] == []
    return file


def item(text: str) -> Any:
    """The only item of a text."""
    (found,) = whole(text).items
    return found


def statement(text: str) -> Any:
    """The only statement of a step."""
    workflow = item(f"workflow w {{ step s {{\n{text}\n}} }}")
    (step,) = workflow.body
    (found,) = step.body
    return found


def value(text: str) -> Any:
    """A setting's value."""
    return statement(f"x {text}").value


def words(nodes: list[Any]) -> list[str]:
    return [node.text for node in nodes]


# ---------------------------------------------------------------- declarations


def test_use_takes_a_file_or_the_word_nothing() -> None:
    a, b = whole('use "a.newel"\nuse nothing\n').items
    assert isinstance(a, Use)
    assert isinstance(b, Use)
    assert isinstance(a.target, Text)
    assert a.target.value == "a.newel"
    assert not isinstance(b.target, Text)
    assert b.target.text == "nothing"


def test_a_text_stands_in_the_file_or_in_one_of_its_own() -> None:
    a, b, c = whole('text a "x"\ntext b """\n  x\n  """\ntext file file "f.md"\n').items
    assert isinstance(a, TextDecl)
    assert isinstance(b, TextDecl)
    assert isinstance(c, TextDecl)
    assert (a.name.text, a.value.value, a.file) == ("a", "x", False)
    assert (b.value.value, b.value.long, b.file) == ("x", True, False)
    assert (c.name.text, c.value.value, c.file) == ("file", "f.md", True)


def test_a_placeholder_has_a_name() -> None:
    found = item("placeholder task_prompt")
    assert isinstance(found, Placeholder)
    assert found.name.text == "task_prompt"


def test_a_type_has_cases_which_may_carry_fields() -> None:
    found = item("type target = primary | agent(id: text, n: int = 1)\n  | third")
    assert isinstance(found, TypeDecl)
    assert words([case.name for case in found.cases]) == ["primary", "agent", "third"]
    assert words([param.name for param in found.cases[1].params]) == ["id", "n"]
    assert not found.extends
    assert item("extend type role = legal").extends


def test_a_type_may_have_only_fields() -> None:
    found = item("type seat(role: role, agent: list(map(text))?, required: flag = true,)")
    assert isinstance(found, RecordDecl)
    role, agent, required = found.params
    assert (role.type.name.text, role.type.optional, role.default) == ("role", False, None)
    assert (agent.type.name.text, agent.type.optional) == ("list", True)
    inner: Any = agent.type.argument
    assert (inner.name.text, inner.argument.name.text) == ("map", "text")
    assert isinstance(required.default, Ref)


def test_a_setting_has_an_owner_a_type_a_default_and_marks() -> None:
    found = item("setting step wip_limit: int(0..9) = 3\n  means limit, pull")
    assert isinstance(found, SettingDecl)
    bounds: Any = found.type.argument
    assert (found.owner.text, found.name.text, bounds.low.value, bounds.high.value) == ("step", "wip_limit", 0, 9)
    assert isinstance(found.default, Number)
    assert words([mark.name for mark in found.marks]) == ["limit", "pull"]


def test_a_duration_is_bounded_in_seconds_and_open_above() -> None:
    bounds = item("setting step x: duration(1m..)").type.argument
    assert (bounds.low.seconds, bounds.high) == (60, None)


def test_a_trigger_has_a_payload_shapes_and_marks() -> None:
    found = item('trigger t(a: text)\n  operation "t:{a}"\n  # a comment\n  operation edge "u:{a}"\n  means person')
    assert isinstance(found, TriggerDecl)
    assert [(each.shape.value, each.edge) for each in found.operations] == [("t:{a}", False), ("u:{a}", True)]
    assert words([mark.name for mark in found.marks]) == ["person"]


def test_a_key_has_one_shape() -> None:
    found = item('key wake(parent: text) "wake:{parent}"')
    assert isinstance(found, KeyDecl)
    assert (found.operation.shape.value, found.operation.edge) == ("wake:{parent}", False)


def test_a_group_a_moves_line_a_guard_and_an_action() -> None:
    group, moves, plain, guard, action = whole(
        "group g = a | b\nmoves on a\nmoves guarded on a, b means in_turn\n"
        "guard p(r: role) on a means approval(r)\naction k on enter, g means wakes(r, s)\n"
    ).items
    assert isinstance(group, GroupDecl)
    assert words(group.members) == ["a", "b"]
    assert isinstance(moves, MovesDecl)
    assert (moves.guarded, moves.marks) == (False, [])
    assert isinstance(plain, MovesDecl)
    assert (plain.guarded, words(plain.triggers)) == (True, ["a", "b"])
    assert isinstance(guard, GuardDecl)
    assert words(guard.triggers) == ["a"]
    assert isinstance(action, ActionDecl)
    assert words(action.marks[0].parameters) == ["r", "s"]


def test_the_two_lists_hold_names() -> None:
    dispatch, exclude, empty = whole("dispatch {\n  a,\n  b,\n}\nexclude { c }\nexclude {}\n").items
    assert isinstance(dispatch, Ownership)
    assert (dispatch.owner, words(dispatch.names)) == ("dispatch", ["a", "b"])
    assert isinstance(exclude, Ownership)
    assert (exclude.owner, words(exclude.names)) == ("exclude", ["c"])
    assert isinstance(empty, Ownership)
    assert empty.names == []


# ---------------------------------------------------------------- workflows


def test_a_workflow_holds_settings_steps_and_every_step() -> None:
    found = item('workflow w "W" {\n  a\n  every step { b }\n  step s "S" { c }\n  step t {}\n}')
    assert isinstance(found, Workflow)
    assert [type(each) for each in found.body] == [Setting, Every, Step, Step]
    assert found.title is not None
    assert found.title.value == "W"
    assert item("workflow w {}").title is None


def test_a_fragment_and_its_include_take_arguments() -> None:
    found = item("fragment gate(role: role) { include other(role, back=work) }")
    assert isinstance(found, Fragment)
    (include,) = found.body
    assert isinstance(include, Include)
    assert isinstance(include.args, Args)
    first, second = include.args.items
    assert isinstance(first, Ref)
    assert isinstance(second, Named)
    assert second.name.text == "back"
    assert statement("include x").args is None


def test_a_setting_takes_nothing_a_value_or_arguments() -> None:
    assert value("") is None
    assert isinstance(value('("Claude", model="opus")'), Args)
    assert value("()").items == []


def test_values() -> None:
    """Texts, numbers, durations, words with and without arguments, dotted words, lists and maps."""
    assert (value('"a\\n\\u00e9\\/"').value, value("-2.5").value, value("42").value) == ("a\né/", -2.5, 42)
    assert [value(each).seconds for each in ("90s", "15m", "24h", "7d")] == [90, 900, 86400, 604800]
    assert isinstance(value("0s"), Duration)
    found = value("agent.a.b(1)")
    assert isinstance(found, Ref)
    assert (words(list(found.path)), len(found.args.items) if found.args else 0) == (["agent", "a", "b"], 1)
    assert isinstance(value("[\n1,\n[2],]"), ListValue)
    assert value("[]").items == []
    pairs = value('{a: 1,\n"b c": {},}')
    assert isinstance(pairs, MapValue)
    assert [getattr(pair.key, "text", None) or getattr(pair.key, "value", None) for pair in pairs.pairs] == ["a", "b c"]


def test_a_move_may_need_approval_and_a_guard_and_go_on_over_lines() -> None:
    found = statement("on t {\n-> b\n  requires approval\n  # why\n  when x\n  and not y(1) or (z)\n}")
    assert isinstance(found, On)
    (move,) = found.body
    assert isinstance(move, Move)
    assert move.approval is not None
    assert isinstance(move.guard, Either)
    both, last = move.guard.parts
    assert isinstance(both, Both)
    assert isinstance(both.parts[1], Negated)
    assert isinstance(last, Call)


def test_brackets_bind_before_not_and_and_or() -> None:
    (move,) = statement("on t { -> b when a and (b or c) }").body
    assert isinstance(move.guard, Both)
    assert isinstance(move.guard.parts[1], Either)


def test_not_twice_is_a_finding() -> None:
    (finding,) = parse("workflow w { step s { on t { -> b when not not a } } }")[1]
    assert finding.advice == "write one `not`, or none, and only before a guard"


def test_a_scenario_is_words_and_values() -> None:
    found = item('scenario "s" for w {\n  create step=a\n  fire t(x=1)\n  expect queued 2\n  redispatch\n}')
    assert isinstance(found, Scenario)
    assert (found.title.value, found.workflow.text) == ("s", "w")
    lines = [line for line in found.lines if isinstance(line, Line)]
    assert [(line.verb.text, len(line.words)) for line in lines] == [
        ("create", 1),
        ("fire", 1),
        ("expect", 2),
        ("redispatch", 0),
    ]


@pytest.mark.parametrize(
    "word", ["step", "on", "when", "workflow", "means", "operation", "and", "text", "use", "every"]
)
def test_words_are_not_reserved(word: str) -> None:
    """Steps, kinds, roles, triggers and parameters may bear the name of a keyword."""
    text = f"type role = {word}\naction {word}({word}: role = {word}) on {word}, {word}\n"
    text += (
        f"workflow {word} {{ step {word} {{ on {word} {{ {word}({word}={word})\n -> {word} when {word}({word}) }} }} }}"
    )
    assert len(whole(text).items) == 3


def test_a_word_that_could_go_on_does_so_only_where_it_can() -> None:
    """After a call a line may begin with the name of a kind that looks like a conjunction elsewhere."""
    (first, second) = statement("on t {\nrun(1)\nmeans\n}").body
    assert (first.name.text, second.name.text) == ("run", "means")


# ---------------------------------------------------------------- places


def nodes(node: object) -> list[Node]:
    """A node and all below it."""
    found = [node] if isinstance(node, Node) else []
    slots = getattr(type(node), "__dataclass_fields__", {}) if isinstance(node, Node) else {}
    for each in [getattr(node, name) for name in slots]:
        for child in each if isinstance(each, list | tuple) else [each]:
            found += nodes(child)
    return found


@pytest.mark.parametrize("path", sorted((CASES / "ok").glob("*.newel")), ids=lambda path: path.stem)
def test_every_node_lies_inside_its_parent_and_names_are_where_they_stand(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    file, _ = parse(source)
    for top in file.items:
        for node in nodes(top):
            assert top.start <= node.start <= node.end <= top.end
            if type(node).__name__ == "Name":
                assert source.text[node.start : node.end] == node.text  # type: ignore[attr-defined]  # a name, as said


def test_places_are_those_of_the_keyword_and_the_last_sign() -> None:
    text = '  \nworkflow w "W" {\n  step a "A" { on t { -> b when (x) } } # end\n}\n'
    file = whole(text)
    workflow: Any = file.items[0]
    (step,) = workflow.body
    (on,) = step.body
    (move,) = on.body
    assert file.span(workflow).text == text.strip()
    assert file.span(step).text == 'step a "A" { on t { -> b when (x) } }'
    assert file.span(move).text == "-> b when (x)"
    assert file.span(move).first == (3, 23, 42)


def test_windows_line_breaks_change_no_place_and_no_text() -> None:
    unix = '# c\nworkflow w "W" {\n  about """\n    a\n\n      b\n    """\n  step s "S" {\n    start # d\n  }\n}\n'
    (one, _), (two, findings) = parse(unix), parse(unix.replace("\n", "\r\n"))
    assert findings == []
    assert [comment.text for comment in two.comments] == ["# c", "# d"]
    first: Any = one.items[0]
    second: Any = two.items[0]
    assert first.body[0].value.value == second.body[0].value.value == "a\n\n  b"
    for left, right in zip(nodes(first), nodes(second), strict=True):
        assert one.span(left).first[:2] == two.span(right).first[:2]


# ---------------------------------------------------------------- always a whole file


@pytest.mark.parametrize("text", ["", "\n", "   ", "#", "# x\n\n", "\r\n", "\ufeff", "\ufeff# x"])
def test_a_file_without_statements_is_whole(text: str) -> None:
    assert whole(text).items == []


@pytest.mark.parametrize(
    "text", ["\x00", "{", '"', '"""', "\\", "a\x00b", "\ud800", "}" * 9, "workflow", "workflow w {"]
)
def test_garbage_gives_a_file_and_findings(text: str) -> None:
    file, findings = parse(text)
    assert findings
    assert file.broken
    assert any(isinstance(node, Broken) for top in file.items for node in nodes(top))


def test_a_byte_order_mark_counts_in_byte_offsets_only() -> None:
    _, findings = parse("\ufeff?\n")
    assert findings[0].span.first == (1, 1, 3)


def test_comments_are_all_kept_exactly() -> None:
    text = '# a\nuse "x" # b\ntype t = c # d\n  # e\n  | f\ndispatch { # g\n  h, # i\n}\n#j\n\n'
    text += '  # k "l" # m\nbroken ( # n\n#'
    file, _ = parse(text)
    assert [comment.text for comment in file.comments] == [
        "# a",
        "# b",
        "# d",
        "# e",
        "# g",
        "# i",
        "#j",
        '# k "l" # m',
        "# n",
        "#",
    ]
    assert [comment.own_line for comment in file.comments] == [
        True,
        False,
        False,
        True,
        False,
        False,
        True,
        True,
        False,
        True,
    ]
    assert all(file.source.text[each.start : each.end] == each.text for each in file.comments)


def test_limits_can_be_set_lower_but_not_higher() -> None:
    assert Limits(nesting=3).nesting == 3
    with pytest.raises(ValueError, match="nesting"):
        Limits(nesting=65)
    with pytest.raises(ValueError, match="lines"):
        Limits(lines=0)
