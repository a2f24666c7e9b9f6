"""A large workflow is told in stages: those that its steps name, or those that its ways show."""

from __future__ import annotations

import pytest

from newel.compiler import compile_text
from newel.compiler.exports import graph
from newel.compiler.exports.dot import dot
from newel.compiler.exports.layout import layouts
from newel.compiler.exports.picture import Arrow, Box, Label, Picture, picture
from newel.compiler.exports.sheet import sheet
from newel.compiler.exports.stages import overview, stages
from newel.compiler.exports.widths import ROW
from newel.compiler.program import Move, Workflow
from tests.compiler.exports.boards import chain, office, program, step, workflow


def shown(board: Workflow) -> Picture:
    return picture(program(board), board)


def test_what_can_be_taken_in_has_no_stages() -> None:
    """Nor what is long, but no more than one."""
    assert stages(shown(office())) == ()
    assert stages(shown(chain(12))) == ()


@pytest.mark.parametrize(("count", "least", "most"), [(25, 2, 3), (60, 4, 5), (200, 8, 14), (1000, 20, 35)])
def test_stages_are_so_many_that_they_can_be_overlooked(count: int, least: int, most: int) -> None:
    """Each step is in one, in the order of the ways; a stage goes by its first and last step."""
    found = stages(shown(chain(count)))
    assert least <= len(found) <= most
    assert [box.key for stage in found for box in stage.boxes] == [f"step-{number}" for number in range(count)]
    assert found[1].title == f"2. {found[1].boxes[0].title} to {found[1].boxes[-1].title}"


def test_a_loop_stays_in_its_stage() -> None:
    """None of the three steps that lead back to each other is in another stage than the others."""
    of = {box.key: stage.number for stage in stages(shown(chain(60))) for box in stage.boxes}
    assert all(of[f"step-{at}"] == of[f"step-{at - 2}"] for at in range(3, 60, 4))


def named(*names: str) -> Workflow:
    """A row of steps that say which stage they are of, "" where they leave it at the default."""
    steps = [
        step(
            f"s{at}",
            f"S{at}",
            start=at == 0,
            settings={"stage": name or "custom"},
            on={"comment": (Move(to=f"s{at + 1}"),)} if at + 1 < len(names) else {},
        )
        for at, name in enumerate(names)
    ]
    return workflow("w", "W", steps)


def test_steps_that_name_their_stage_are_grouped_by_it() -> None:
    """Through the setting `stage` of any vocabulary, here the standard one, where it is not at its default."""
    said = ["work"] * 12 + ["review"] * 10 + [None] * 6
    lines = []
    for at, name in enumerate(said):
        start, stage = "start\n" if not at else "", f"stage {name}\n" if name else ""
        move = f"on comment {{ -> s{at + 1} }}\n" if at + 1 < len(said) else "end\n"
        lines.append(f'step s{at} "S{at}" {{\n{start}{stage}{move}}}\n')
    compiled = compile_text(f'workflow w "W" {{\n{"".join(lines)}}}\n').require()
    found = stages(picture(compiled, compiled.workflows["w"]))
    assert [stage.title for stage in found] == ["1. work: S0 to S11", "2. review: S12 to S21", "3. S22 to S27"]


def test_names_that_take_turns_tell_no_stages_apart() -> None:
    """Work and review by turns: thirty stages of one step would be no help."""
    board = named(*(["work", "review"] * 15))
    assert all(stage.said == "" for stage in stages(shown(board)))
    assert len(stages(shown(board))) == 2


def test_a_long_stage_that_is_named_is_cut_like_any_other() -> None:
    found = stages(shown(named(*(["work"] * 40 + ["review"] * 5))))
    assert [(stage.said, len(stage.boxes)) for stage in found] == [
        ("work", 13),
        ("work", 13),
        ("work", 14),
        ("review", 5),
    ]


def test_an_overview_has_a_box_for_each_stage_and_counts_the_moves() -> None:
    """With the start and the end where they are; it leads to the pictures of the stages."""
    whole = shown(chain(60))
    found = stages(whole)
    over = overview(whole, found)
    assert [(box.title, box.name) for box in over.boxes][:1] == [(found[0].title, f"{len(found[0].boxes)} steps")]
    assert [(box.start, box.end) for box in over.boxes] == [
        (True, False),
        (False, False),
        (False, False),
        (False, True),
    ]
    assert [(arrow.source.id, arrow.target.id) for arrow in over.arrows] == [
        ("stage-1", "stage-2"),
        ("stage-2", "stage-3"),
        ("stage-3", "stage-4"),
    ]
    assert {label.trigger for arrow in over.arrows for label in arrow.labels} == {"1 move"}


def test_stages_are_groups_in_the_other_formats() -> None:
    """A cluster of DOT, a subgraph of Mermaid; a small workflow has none."""
    dot, mermaid = (graph(program(chain(60)), "chain", format_) for format_ in ("dot", "mermaid"))
    assert dot.count('subgraph "cluster_') == mermaid.count("  subgraph stage_") == 4
    assert "<b>1. Step 0 to Step 12</b>" in dot
    assert '  subgraph stage_1["1. Step 0 to Step 12"]\n    step_step_0(' in mermaid
    assert "subgraph" not in graph(program(office()), "office", "dot") + graph(program(office()), "office", "mermaid")


@pytest.mark.parametrize("count", [60, 200, 1000])
def test_an_overview_reads_in_the_order_of_its_stages(count: int) -> None:
    """Also where moves lead back, or past the next stage: from left to right in each row, the rows below each other."""
    steps = "\n".join(f'step s{n} "Step {n}" {{\n{_leading(n, count)}\n}}' for n in range(count))
    made = compile_text(f'workflow w "W" {{\n{steps}\n}}\n').require()
    large = picture(made, made.workflows["w"])
    first = sheet(large).first
    numbers = []
    for row, laid_out in zip(first, layouts([dot(row) for row in first]), strict=True):
        boxes = [box for box in row.boxes if box.sort == "stage"]
        left = {box.key: min(x for shape in laid_out.drawn[box.id].shapes for x, _ in shape.points) for box in boxes}
        numbers += sorted(left, key=left.__getitem__)
        assert laid_out.width < 1.2 * ROW
    assert numbers == [str(number) for number in range(1, len(stages(large)) + 1)]


def _leading(number: int, count: int) -> str:
    """On to the next step; of every third back, and of some far back and far ahead."""
    if number == count - 1:
        return "end"
    ways = [f"on turn_complete {{\n-> s{number + 1} when all_approve(reviewer)"]
    ways.append(f"-> s{number - 3} when any_reject(reviewer)\n}}" if number > 3 and number % 3 == 0 else "}")
    if number % 20 == 10:
        ways += [f"on comment {{ -> s{number - 10} }}", f"on heartbeat {{ -> s{min(count - 1, number + 35)} }}"]
    return "\n".join(["start" * (not number), *ways, ""])


@pytest.mark.parametrize("ways", ["13 24 31 42", "12 23 43 34 31", "41 31 21", "32 21 14", ""])
def test_no_move_puts_a_stage_before_an_earlier_one(ways: str) -> None:
    """Moves that lead past the next one, only back, or nowhere: as the numbers of two stages each."""
    boxes = [Box(str(number), "", f"Stage {number}", start=number == 1, sort="stage") for number in range(1, 5)]
    arrows = [
        Arrow(boxes[int(a) - 1], boxes[int(b) - 1], "between", (Label("1 move"),)) for a, b in map(tuple, ways.split())
    ]
    (laid_out,) = layouts([dot(Picture("w", "W", tuple(boxes), tuple(arrows)))])
    left = [min(x for shape in laid_out.drawn[box.id].shapes for x, _ in shape.points) for box in boxes]
    assert left == sorted(set(left))
