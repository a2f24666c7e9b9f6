"""What a short file may become: each limit holds at its size and is a finding one above, and time stays bounded."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from newel.compiler import check_files, check_text, limits
from newel.compiler.config import ConfigError, find_config
from newel.compiler.limits import DEFAULT, Limits


def codes(text: str, at: Limits = DEFAULT) -> list[str]:
    found = check_text(text, limits=at).findings
    return [finding.rule.code for finding in found if finding.rule.severity == "error"]


def nested(depth: int) -> str:
    """Fragments inside fragments, so deep."""
    pieces = [f"fragment f{number} {{\n  include f{number + 1}\n}}\n" for number in range(1, depth)]
    last = f'fragment f{depth} {{\n  on enter {{ queue_run(reason="x") }}\n}}\n'
    return "".join(pieces) + last + 'workflow w "W" {\n  step a "A" {\n    start\n    include f1\n  }\n}\n'


def test_fragments_nest_so_deep() -> None:
    assert codes(nested(limits.INCLUDE_DEPTH)) == []
    assert codes(nested(limits.INCLUDE_DEPTH + 1)) == ["NW124"]


def included(times: int) -> str:
    """A step that includes a fragment of one statement so many times: two statements each."""
    piece = "fragment f {\n  on enter { clear_decisions }\n}\n"
    body = "    include f\n" * times
    return f'{piece}workflow w "W" {{\n  step a "A" {{\n    start\n{body}  }}\n}}\n'


def test_pieces_add_so_many_statements() -> None:
    assert codes(included(10), Limits(included=20)) == []
    assert codes(included(11), Limits(included=20)) == ["NW124"]


def doubling(levels: int) -> str:
    """Fragments that each include the next twice."""
    pieces = [f"fragment f{n} {{\n  include f{n + 1}\n  include f{n + 1}\n}}\n" for n in range(levels)]
    last = f"fragment f{levels} {{\n  on enter {{ clear_decisions }}\n}}\n"
    return "".join(pieces) + last + 'workflow w "W" {\n  step a "A" {\n    start\n    include f0\n  }\n}\n'


def expanding(times: int, length: int) -> str:
    """A prompt that names a shared text so many times."""
    names = "      {{t}}\n" * times
    return (
        f'text t "{"x" * length}"\nworkflow w "W" {{\n  step a "A" {{\n    start\n    prompt """\n{names}      """\n'
        "    on enter { auto_start_agent }\n  }\n}\n"
    )


def test_shared_texts_add_so_many_characters() -> None:
    few = Limits(copied=10 * 100 + 9)
    assert codes(expanding(10, 100), few) == []
    assert codes(expanding(11, 100), few) == ["NW124"]


def growing(levels: int) -> str:
    """Types whose defaults hold the default of the next one twice."""
    types = [f"type t{n}(a: t{n + 1} = t{n + 1}(), b: t{n + 1} = t{n + 1}())\n" for n in range(levels)]
    return "".join(types) + f'type t{levels}(x: text = "x")\nsetting step s: t0 = t0()\n'


def test_a_default_takes_so_many_characters() -> None:
    assert codes(growing(5)) == []
    assert set(codes(growing(25))) == {"NW124"}


def suggesting(many: int) -> str:
    """As many wrong names as right ones, each like many others."""
    steps = "".join(f'  step step-{n} "S" {{\n    on turn_complete {{ -> stp-{n} }}\n  }}\n' for n in range(many))
    return f'workflow w "W" {{\n{steps}}}\n'


BOMBS = {
    "pieces that double": doubling(31),
    "defaults that double": growing(60),
    "a prompt put into every step": expanding(4000, 150_000),
    "ten thousand wrong names": suggesting(3000),
    "a chain of types": "".join(f"type t{n}(a: t{n + 1}?)\n" for n in range(5000)) + "type t5000(a: text)\n",
    "a circle of types": "".join(f"type t{n}(a: t{(n + 1) % 3000}?)\n" for n in range(3000)),
    "many settings": "".join(f"setting step s{n}: flag\n" for n in range(5000)),
    "an argument used often": "fragment f(t: text) {\n  on enter {\n"
    + "    queue_run(reason=t)\n" * 5000
    + f'  }}\n}}\nworkflow w "W" {{\n  step a "A" {{\n    start\n    include f("{"x" * 150_000}")\n  }}\n}}\n',
    "long lines in every step": f'workflow w "W" {{\n  every step {{\n    prompt "{"x" * 150_000}"\n  }}\n'
    + "".join(f'  step s{n} "S" {{}}\n' for n in range(5000))
    + "}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_a_file_that_would_grow_without_end_is_done_with_in_seconds(text: str) -> None:
    """The bar is far above what it takes, so that a busy machine does not fail it: growth would take hours."""
    began = time.process_time()
    check_text(text)
    assert time.process_time() - began < 20


# ---------------------------------------------------------------- steps, actions, findings


def steps(many: int) -> str:
    """A workflow of so many steps, each leading to the next."""
    middle = "".join(f'  step s{n} "S" {{}}\n' for n in range(many - 1))
    return f'workflow w "W" {{\n  step a "A" {{ start }}\n{middle}}}\n'


def actions(many: int) -> str:
    """A step with a list of so many actions."""
    body = "      clear_decisions\n" * many
    return f'workflow w "W" {{\n  step a "A" {{\n    start\n    on enter {{\n{body}    }}\n  }}\n}}\n'


def wrong(many: int) -> str:
    """A workflow with so many unknown steps, and before them a text that nothing uses: a warning."""
    moves = "".join(f"      -> gone{n} when all_approve(reviewer)\n" for n in range(many))
    return f'text t "x"\nworkflow w "W" {{\n  step a "A" {{\n    start\n    on comment {{\n{moves}    }}\n  }}\n}}\n'


@pytest.mark.parametrize(
    ("made", "low"),
    [(steps, Limits(steps=7)), (actions, Limits(actions=7)), (growing, Limits(default_size=200))],
    ids=["steps", "actions", "default"],
)
def test_a_lowered_limit_holds_at_its_size_and_one_above(made: Callable[[int], str], low: Limits) -> None:
    at, over = (7, 8) if made is not growing else (3, 4)
    assert codes(made(at), low) == []
    assert set(codes(made(over), low)) == {"NW124"}


@pytest.mark.slow
@pytest.mark.parametrize(("made", "most"), [(steps, limits.STEPS), (actions, limits.ACTIONS)], ids=["steps", "actions"])
def test_the_documented_limits_hold(made: Callable[[int], str], most: int) -> None:
    assert codes(made(most)) == []
    assert codes(made(most + 1)) == ["NW124"]


def test_so_many_findings_are_shown_the_errors_first_and_that_there_are_more() -> None:
    """One over the limit: what is left out is the warning, so the file is wrong for its errors alone."""
    assert check_text(wrong(6), limits=Limits(shown=7)).findings[0].rule.code == "NW705"
    found = check_text(wrong(7), limits=Limits(shown=7)).findings
    assert [each.rule.code for each in found] == ["NW103"] * 7 + ["NW011"]
    assert found[-1].rule.severity == "warning"
    assert found[-1].message == "this compilation has more than 7 findings"
    assert found[-1].advice == "mend these first: 1 more are not shown, the first of them here"
    found = check_text(wrong(8), limits=Limits(shown=7)).findings
    assert [each.rule.severity for each in found] == ["error"] * 8


def test_a_thousand_findings_are_shown() -> None:
    assert len(check_text(wrong(limits.SHOWN - 1)).findings) == limits.SHOWN
    assert [each.rule.code for each in check_text(wrong(limits.SHOWN)).findings][-1] == "NW011"


def test_suggestions_cease_after_so_many_names_were_looked_at() -> None:
    """A wrong name is told all the same."""
    step = 'step work "W" {\n  on comment {\n    -> wrok requires approval\n    -> worrk\n  }\n}\n'
    for most, told in ((limits.SUGGESTIONS, [True, True]), (1, [True, False])):
        found = check_text(f'workflow w "W" {{\n{step}}}\n', limits=Limits(suggestions=most)).findings
        names = [each for each in found if each.rule.code == "NW103"]
        assert [each.advice == "did you mean `work`?" for each in names] == told


def test_a_search_for_loops_goes_so_far() -> None:
    """The rest is tested with the loops; here only that the limit can be lowered."""
    text = "".join(f'  step s{n} "S" {{ on heartbeat {{ -> s{(n + 1) % 9} }} }}\n' for n in range(9))
    text = f'workflow w "W" {{\n  step a "A" {{ start }}\n{text}}}\n'
    for low, given_up in ((DEFAULT, False), (Limits(states=3), True)):
        assert ("NW513" in [each.rule.code for each in check_text(text, limits=low).findings]) == given_up


# ---------------------------------------------------------------- lowered by configuration


def test_the_configuration_lowers_limits_and_raises_none(tmp_path: Path) -> None:
    (tmp_path / "newel.toml").write_text("[limits]\nname-length = 20\nsteps = 2\n")
    found = find_config(tmp_path).limits
    assert found == Limits(name_length=20, steps=2)
    file = tmp_path / "w.newel"
    file.write_text(steps(3).replace('w "W"', f'{"w" * 21} "W"'))
    assert check_files([file], limits=found).findings[0].rule.code == "NW011"
    for wrong_one in ("steps = 0", "steps = 20_001", 'steps = "2"', "steps = true", "stepz = 2"):
        (tmp_path / "newel.toml").write_text(f"[limits]\n{wrong_one}\n")
        with pytest.raises(ConfigError, match=r"limits\.step"):
            find_config(tmp_path)
    (tmp_path / "newel.toml").write_text("limits = 3\n")
    with pytest.raises(ConfigError, match="`limits` must be a table"):
        find_config(tmp_path)


@pytest.mark.parametrize("name", [each.name for each in fields(Limits)])
def test_every_limit_can_be_set_lower_and_not_higher(name: str) -> None:
    highest = getattr(DEFAULT, name)
    assert getattr(Limits(**{name: 1}), name) == 1
    for value in (0, highest + 1):
        with pytest.raises(ValueError, match=f"limit {name} must be from 1 to {highest}"):
            Limits(**{name: value})


# ---------------------------------------------------------------- depth


N = 100_000
DEEP = {
    "brackets": "workflow w {\n  a " + "[" * N + "\n}\n",
    "parentheses of guards": "workflow w {\n step s {\n  on t { -> x when " + "(" * N + "a" + ")" * N + " }\n }\n}\n",
    "not before a guard": "workflow w {\n step s {\n  on t { -> x when " + "not " * N + "a }\n }\n}\n",
    "guards in a row": "workflow w {\n step s {\n  on t { -> x when a" + " and a" * N + " }\n }\n}\n",
    "lists of lists": "setting step x: " + "list(" * N + "text" + ")" * N,
    "maps in maps": "workflow w { step s { on comment { queue_run(payload=" + "{a: " * N + "1" + "}" * N + ") } } }",
    "fragments in fragments": "".join(f"fragment f{n} {{\n  include f{n + 1}\n}}\n" for n in range(9_000))
    + 'workflow w "W" {\n  step a "A" {\n    start\n    include f0\n  }\n}\n',
    "fragments in a ring": "".join(f"fragment f{n} {{\n  include f{(n + 1) % 3_000}\n}}\n" for n in range(3_000))
    + 'workflow w "W" {\n  step a "A" {\n    start\n    include f0\n  }\n}\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_is_too_deep_is_a_finding_and_not_the_end_of_the_interpreter(text: str) -> None:
    """Under a recursion limit far below the interpreter's own: depth is bounded by design."""
    began, before = time.process_time(), sys.getrecursionlimit()
    sys.setrecursionlimit(600)
    try:
        found = codes(text)
    finally:
        sys.setrecursionlimit(before)
    assert found
    assert time.process_time() - began < 4


def test_a_text_named_very_often_is_refused_before_it_is_made() -> None:
    """Two hundred thousand characters, named forty thousand times: eight thousand million would not fit in memory."""
    once = "{{t}}" * 39_000
    text = expanding(1, 199_000).replace("{{t}}", once)
    began = time.process_time()
    assert codes(text) == ["NW124"]
    assert time.process_time() - began < 2


def test_a_guard_of_many_parts_is_judged_in_one_walk() -> None:
    """Each of five thousand guards was once looked up in all of them."""
    guard = " and ".join(["not all_approve(reviewer)"] * 5_000)
    first = f'step a "A" {{\n    start\n    on turn_complete {{ -> b when {guard} }}\n  }}'
    text = f'workflow w "W" {{\n  {first}\n  step b "B" {{ end }}\n}}\n'
    began = time.process_time()
    check_text(text)
    assert time.process_time() - began < 4
