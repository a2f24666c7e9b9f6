"""A picture that would be too wide is laid out in rows, as a long line of text is folded."""

from __future__ import annotations

from itertools import pairwise

from newel.compiler.exports.folding import part, rows
from newel.compiler.exports.picture import Box, Picture, picture
from newel.compiler.exports.sheet import sheet
from newel.compiler.exports.ways import Ways
from newel.compiler.exports.widths import MOST
from newel.compiler.program import Move, Workflow
from tests.compiler.exports.boards import chain, office, program, step, workflow


def shown(board: Workflow) -> Picture:
    return picture(program(board), board)


def steps(piece: Picture) -> list[str]:
    return [box.key for box in piece.boxes if box.sort == "step"]


def elsewhere(piece: Picture) -> list[tuple[str, str]]:
    """What stands for steps elsewhere, and what is said of it besides."""
    return [(box.title, box.name) for box in piece.boxes if box.sort == "elsewhere"]


def test_what_fits_is_left_as_it_is() -> None:
    assert sheet(shown(office())).pieces == (shown(office()),)


def test_a_long_row_is_folded_in_the_order_it_is_read() -> None:
    """Every step is in one row, and no row is long."""
    found = [steps(row) for row in sheet(shown(chain(14))).pieces]
    assert [key for row in found for key in row] == [f"step-{number}" for number in range(14)]
    assert all(1 <= len(row) <= 5 for row in found)


def test_a_row_ends_in_the_step_that_the_next_one_begins_with() -> None:
    """And begins with the one that the row before ended in; both lead to the section of their step."""
    for before, behind in pairwise(sheet(shown(chain(12))).pieces):
        first, last = steps(behind)[0], steps(before)[-1]
        assert [box.leads for box in before.boxes if box.key.startswith("to ")][-1:] == [f"step-{first}"]
        assert f"step-{last}" in [box.leads for box in behind.boxes if box.key.startswith("from ")]


def test_a_loop_is_kept_in_a_row() -> None:
    """Step 1 to step 3 and back: where the fewest arrows are cut, a row ends."""
    found = [steps(row) for row in sheet(shown(chain(12))).pieces]
    assert [row for row in found if "step-1" in row] == [row for row in found if "step-3" in row]


def test_all_arrows_are_drawn_once_with_what_is_said_of_them() -> None:
    """Where it leaves a row, an arrow says its move; where it comes to one, it says nothing again."""
    whole = shown(chain(60))
    arrows = [arrow for row in sheet(whole).pieces[1:] for arrow in row.arrows if arrow.labels]
    drawn = sorted((arrow.source.key, arrow.target.key.removeprefix("to "), arrow.look) for arrow in arrows)
    assert drawn == sorted((arrow.source.key, arrow.target.key, arrow.look) for arrow in whole.arrows)


def test_a_step_of_another_stage_says_which() -> None:
    whole = shown(chain(60))
    two = whole.boxes[4:6]
    found = part(whole, two, Ways(whole), {"step-3": 1, "step-4": 1, "step-5": 1, "step-6": 2, "step-7": 2})
    assert elsewhere(found) == [("Step 3", "Step 3"), ("Step 7", "stage 2"), ("Step 6", "stage 2")]


def test_many_ways_into_a_step_have_one_box() -> None:
    """That leads to the step itself, where all of them are told."""
    names = [f"s{number}" for number in range(9)]
    board = workflow(
        "w", "W", [step("end", "End"), *(step(n, n.title(), on={"comment": (Move(to="end"),)}) for n in names)]
    )
    whole = shown(board)
    found = part(whole, whole.boxes[:1], Ways(whole), {})
    assert elsewhere(found) == [("S0 and 8 more", "S0 and 8 more")]
    assert [arrow.source.leads for arrow in found.arrows] == ["step-end"]


def test_what_leads_nearly_everywhere_says_how_many_moves() -> None:
    names = [f"s{number}" for number in range(40)]
    moves = tuple(Move(to=name) for name in names)
    board = workflow("w", "W", [step("first", "First", on={"comment": moves}), *(step(n, n) for n in names)])
    whole = shown(board)
    found = part(whole, whole.boxes[:1], Ways(whole), {})
    assert elsewhere(found) == [("40 steps", "40 steps")]
    assert [label.trigger for arrow in found.arrows for label in arrow.labels] == ["40 moves"]


def test_steps_without_any_way_are_folded_too() -> None:
    """By number: a row is never higher than it can be taken in."""
    boxes = [Box(f"b{number}", f"b{number}", f"b{number}") for number in range(30)]
    whole = Picture("w", "W", tuple(boxes), ())
    assert [len(row.boxes) for row in rows(whole, boxes, Ways(whole), {})] == [10, 10, 10]
    assert MOST >= 10
