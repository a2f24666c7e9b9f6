"""What belongs together in two versions, which guard lets more through, and which places changes are told at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from newel.compiler import compile_text
from newel.compiler.diff import Version, compare, findings_of_changes, nested
from newel.compiler.diff.registry import DIFFERENCES, category
from newel.compiler.files import Project, Reader
from newel.compiler.program import Program
from newel.dsl.source import Source

ROOT = Path(__file__).parents[3]


def board(*steps: str, name: str = "w", title: str = "W") -> Program:
    return compile_text(f'workflow {name} "{title}" {{\n' + "\n".join(steps) + "\n}\n").require()


def codes(old: Program, new: Program) -> list[str]:
    return [change.rule.code for change in compare(old, new)]


A = 'step a "A" {\nstart\non turn_complete { -> b }\n}'
B = 'step b "B" {\non enter { queue_run }\non comment { queue_run(reason="read") }\non turn_complete { -> c }\n}'
C = 'step c "C" { end }'


def test_the_same_program_has_no_changes_and_neither_has_another_layout() -> None:
    assert codes(board(A, B, C), board(A, B, C)) == []
    assert codes(board(A, B, C), board("# a comment\n" + A, B, "\n" + C)) == []


# ---------------------------------------------------------------- what belongs together


def test_a_step_with_the_same_title_is_the_same_step_whatever_it_says() -> None:
    other = 'step x "b" {\non turn_complete { -> c }\nwip_limit 3\n}'
    found = codes(board(A, B, C), board(A.replace("-> b", "-> x"), other, C))
    assert "NW804" in found
    assert not {"NW803", "NW805"} & set(found)


def test_a_step_that_says_nearly_the_same_is_the_same_step() -> None:
    other = B.replace('b "B"', 'x "X"')
    assert codes(board(A, B, C), board(A.replace("-> b", "-> x"), other, C)) == ["NW804", "NW809"]


def test_a_step_that_says_something_else_under_another_title_is_another_step() -> None:
    other = 'step x "X" {\non heartbeat { -> c }\nwip_limit 3\n}'
    found = codes(board(A, B, C), board(A.replace("-> b", "-> x"), other, C))
    assert {"NW803", "NW805"} <= set(found)
    assert "NW804" not in found


def test_steps_that_say_nothing_are_not_taken_for_one_another_by_that() -> None:
    empty = 'step {0} "{1}" {{ color "{0}" }}'
    found = codes(board(A, B, C, empty.format("d", "D")), board(A, B, C, empty.format("e", "E")))
    assert "NW804" not in found


def test_of_two_that_are_alike_the_title_decides_and_none_is_taken_twice() -> None:
    two = [B.replace('b "B"', f'{name} "{title}"') for name, title in (("x", "X"), ("y", "B"))]
    found = compare(board(A, B, C), board(A.replace("-> b", "-> y"), *two, C))
    renamed = [change.fields for change in found if change.rule.code == "NW804"]
    assert renamed == [{"old": "b", "new": "y"}]
    assert [change.fields["name"] for change in found if change.rule.code == "NW805"] == ["x"]


def test_names_that_are_exchanged_are_no_renaming() -> None:
    """Both names are there: tasks stand where they stood, at steps that say something else now."""
    new = board(A, B.replace('b "B"', 'c "B"').replace("-> c", "-> b"), C.replace('c "C"', 'b "C"'))
    assert not {"NW803", "NW804", "NW805"} & set(codes(board(A, B, C), new))


def test_what_leads_to_a_renamed_step_leads_where_it_did() -> None:
    new = board(A.replace("-> b", "-> x"), B.replace("step b", "step x"), C)
    assert codes(board(A, B, C), new) == ["NW804"]


def test_a_renamed_workflow_is_known_by_its_title_or_its_steps() -> None:
    old = board(A, B, C)
    assert codes(old, board(A, B, C, name="v")) == ["NW802"]
    assert codes(old, board(A, B, C, name="v", title="V")) == ["NW802", "NW809"]
    assert codes(old, board('step z "Z" { start }', name="v", title="V")) == ["NW801", "NW805"]


SAID = "on enter { queue_run }\non comment { queue_run }\non turn_complete { -> c }\n"


@pytest.mark.parametrize(
    ("before", "after", "code", "severity"),
    [
        ("", "end", "NW808", "warning"),
        ("manual_move false", "", "NW810", "note"),
        ("on heartbeat { -> a }", "", "NW812", "warning"),
        ("", "manual_move false", "NW818", "warning"),
        ("", "on heartbeat { queue_run }", "NW827", "note"),
        ("", "requires_signal", "NW828", "warning"),
        ("", 'color "red"', "NW829", "note"),
        ("", "cancel_completes_turn", "NW830", "warning"),
        ('seats [seat(reviewer, agent="ada")]', "", "NW832", "note"),
        ("", 'seats [seat(reviewer, agent="ada")]', "NW833", "note"),
        ("wip_limit 3", "wip_limit 1", "NW834", "warning"),
        ("wip_limit 1", "wip_limit 3", "NW835", "warning"),
    ],
)
def test_a_new_name_hides_nothing_else_that_changed(before: str, after: str, code: str, severity: str) -> None:
    """Told under the new name with the old one beside; what only those miss who stand there is no more than a note."""
    old, new = (f'step {name} "B" {{\n{SAID}{more}\n}}' for name, more in (("b", before), ("x", after)))
    found = {change.rule.code: change for change in compare(board(A, old, C), board(A.replace("-> b", "-> x"), new, C))}
    assert found.keys() == {"NW804", code}
    assert found[code].message.endswith("(`x` was `b`)")
    assert found[code].rule.severity == severity
    assert found[code].group == ("w", "x")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("queue_run\nauto_start_agent", "NW821"),
        ("", "NW822"),
        ('queue_run(reason="look")', "NW824"),
        ("clear_decisions\nqueue_run", "NW825"),
    ],
)
def test_what_a_renamed_step_does_on_entry_is_told_as_what_those_who_are_moved_there_get(entry: str, code: str) -> None:
    new = f'step x "B" {{\n{SAID.replace("on enter { queue_run }", f"on enter {{ {entry} }}" if entry else "")}}}'
    new = new.replace("{ clear_decisions\nqueue_run }", "{\nclear_decisions\nqueue_run\n}")
    new = new.replace("{ queue_run\nauto_start_agent }", "{\nqueue_run\nauto_start_agent\n}")
    found = compare(board(A, f'step b "B" {{\n{SAID}}}', C), board(A.replace("-> b", "-> x"), new, C))
    told = {change.rule.code: change for change in found}
    assert told.keys() == {"NW804", code}
    assert told[code].rule.severity == "note"
    assert "stand there;" not in told[code].message


def test_a_step_of_a_renamed_workflow_is_told_with_both_its_old_names() -> None:
    found = compare(board(A, B, C), board(A, B.replace("step b", "step b").replace("-> c", "-> a"), C, name="v"))
    assert any(change.message.endswith("(`b` was `w/b`)") for change in found)


def test_moves_that_are_tried_in_another_order_are_told() -> None:
    moves = ["-> c when any_reject(reviewer)", "-> a when all_approve(reviewer)"]
    old, new = (B.replace("{ -> c }", "{\n" + "\n".join(order) + "\n}") for order in (moves, moves[::-1]))
    assert codes(board(A, old, C), board(A, new, C)) == ["NW819"]


def test_the_same_kind_called_twice_in_another_order_is_told() -> None:
    calls = ['queue_run(reason="one")', 'queue_run(reason="two")']
    old, new = (
        B.replace("on enter { queue_run }", "on enter {\n" + "\n".join(order) + "\n}") for order in (calls, calls[::-1])
    )
    assert codes(board(A, old, C), board(A, new, C)) == ["NW823"]


def test_two_halves_that_are_mixed_otherwise_are_told_to_be_no_more_than_that() -> None:
    calls = ["queue_run", "auto_start_agent"]
    old, new = (
        B.replace("on enter { queue_run }", "on enter {\n" + "\n".join(order) + "\n}") for order in (calls, calls[::-1])
    )
    (change,) = compare(board(A, old, C), board(A, new, C))
    assert change.message == "entering `b` has its two halves mixed otherwise"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("type tint = red | blue", "type tint = red", ["NW842", "NW847"]),
        ("type tint = red", "type tint = red | blue", ["NW847"]),
        ("type tint = red | blue(of: text)", "type tint = red | blue(of: text, how: int)", ["NW842", "NW847"]),
        ("type tint(of: text)", "type tint(of: text, how: int?)", ["NW847"]),
    ],
)
def test_a_payload_is_held_against_what_its_types_take(before: str, after: str, told: list[str]) -> None:
    use = 'trigger seen(of: list(tint))\n  operation "seen:{digest(of)}"  means system\n'
    old, new = (compile_text(f"{use}{type_}\n").require() for type_ in (before, after))
    assert codes(old, new) == told


def test_a_key_that_is_gone_or_takes_other_fields_breaks_the_host() -> None:
    key = 'key seen(task: text{}) "seen:{{task}}"\n'
    old = compile_text(key.format("")).require()
    assert codes(old, compile_text("").require()) == ["NW841"]
    assert codes(old, compile_text(key.format(", who: text")).require()) == ["NW842"]
    assert codes(old, compile_text(key.format(", who: text?")).require()) == ["NW847"]


# ---------------------------------------------------------------- which guard lets more through

ONE, TWO = "n_approve(reviewer, count=1)", "n_approve(reviewer, count=2)"
ALL, ANY = "all_approve(reviewer)", "any_reject(reviewer)"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (TWO, ONE, "NW814"),
        (ONE, TWO, "NW815"),
        (ALL, "", "NW814"),
        ("", ALL, "NW815"),
        (ALL, f"{ALL} or {ANY}", "NW814"),
        (f"{ALL} or {ANY}", ALL, "NW815"),
        (f"{ALL} and {ONE}", ALL, "NW814"),
        (ALL, f"{ALL} and {ONE}", "NW815"),
        (f"{ALL} and {TWO}", f"{ONE} and {ALL}", "NW814"),
        (ALL, ANY, "NW815"),
        (ALL, f"not {ALL}", "NW815"),
        (f"not {TWO}", f"not {ONE}", "NW815"),
        (f"{ALL} or {ANY}", f"{ANY} or {ALL}", "NW815"),
    ],
)
def test_a_guard_that_only_lets_more_through_is_told_from_one_that_is_another(old: str, new: str, code: str) -> None:
    def guarded(guard: str) -> Program:
        when = f" when {guard}" if guard else ""
        seats = 'seats [seat(reviewer, agent="ada"), seat(reviewer, agent="ben")]'
        return board(f'step a "A" {{\nstart\n{seats}\non turn_complete {{ -> c{when} }}\n}}', C)

    assert codes(guarded(old), guarded(new)) == [code]


# ---------------------------------------------------------------- the list and the places


def test_every_rule_of_the_comparison_is_in_the_list_in_order() -> None:
    files = sorted(path.stem for path in (ROOT / "compiler" / "diff").glob("nw*.py"))
    listed = [difference.rule for difference in DIFFERENCES]
    assert [rule.code for rule in listed] == sorted(rule.code for rule in listed)
    assert [f"{rule.code.lower()}_{rule.name.replace('-', '_')}" for rule in listed] == files
    assert {category(rule) for rule in listed} == {"shape", "flow", "in flight"}


@pytest.fixture
def version(tmp_path: Path) -> Callable[[str, str], Version]:
    def read(name: str, text: str) -> Version:
        (tmp_path / name).write_text(text, "utf-8")
        return Version.of(Reader(Project(tmp_path.resolve())).read([tmp_path / name]))

    return read


def test_a_change_is_told_in_the_new_file_with_the_old_place_beside_it(version: Callable[[str, str], Version]) -> None:
    text = f'workflow w "W" {{\n{A}\n{B}\n{C}\n}}\n'
    old = version("old.newel", text)
    new = version("new.newel", "\n\n" + text.replace("step b", "step x").replace("-> b", "-> x"))
    ((_, finding),) = findings_of_changes(compare(old.program, new.program), old, new)
    assert (finding.span.source.path, finding.span.first.line) == ("new.newel", 8)
    assert [(r.span.source.path, r.span.first.line) for r in finding.related] == [("old.newel", 6)]
    assert finding.span.text == 'x "B"'


def test_the_nested_view_has_each_category_workflow_and_step_once(version: Callable[[str, str], Version]) -> None:
    text = f'workflow w "W" {{\n{A}\n{B}\n{C}\n}}\n'
    changed = text.replace("start\n", "start\nwip_limit 2\n").replace("on enter { queue_run }", "color 1 as text")
    changed = changed.replace("color 1 as text", 'color "red"').replace("-> c }", "-> c requires approval }")
    old, new = version("old.newel", text), version("new.newel", changed)
    lines = list(nested(findings_of_changes(compare(old.program, new.program), old, new)))
    assert [line for line in lines if not line.startswith("      ")] == [
        "flow",
        "  w",
        "    b",
        "in flight",
        "  w",
        "    a",
        "    b",
    ]
    assert sum("NW817" in line for line in lines) == 1


def test_a_line_and_a_column_lead_back_to_the_offset() -> None:
    source = Source("x", "one\ntwo\r\nthree")
    for offset in range(len(source.text)):
        assert source.offset(*source.line_column(offset)) == offset


def _said(before: str, after: str) -> str:
    old, new = (
        board(f'step a "A" {{\nstart\n{more}\non turn_complete {{ -> b }}\n}}', B, C) for more in (before, after)
    )
    (change,) = compare(old, new)
    assert change.rule.code == "NW829"
    return change.message


def test_a_changed_setting_is_told_with_both_values() -> None:
    """Also one that is given in one version alone, and several at once."""
    assert _said('color "red"', 'color "blue"') == '`color` of `a` is `"blue"`, and was `"red"`'
    assert _said("", 'about "Look."') == '`about` of `a` is `"Look."`, and was not given'
    assert _said('about "Look."', "") == '`about` of `a` is not given, and was `"Look."`'
    assert _said('about "A `b`."\ncolor "red"', 'about "C."\ncolor "blue"') == (
        '`about` of `a` is `"C."`, and was `"A \'b\'."`; `color` of `a` is `"blue"`, and was `"red"`'
    )


def test_of_long_values_the_part_that_is_another_is_told() -> None:
    """With what stands before; a short one is told whole."""
    start = "word " * 30
    was, now = f"{start}of old {start}", f"{start}of new {start}"
    assert _said(f'about "{was}"', f'about "{now}"') == (
        "`about` of `a` is `...d word word word of new word word word word word word word w...`, "
        "and was `...d word word word of old word word word word word word word w...`"
    )
    assert _said(f'about "{was}"', 'about "x"').startswith('`about` of `a` is `"x"`, and was `"word word ')
