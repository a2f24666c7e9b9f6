"""A large workflow is told in stages: those that its steps name, or those that its ways show."""

from __future__ import annotations

import pytest

from newel.compiler import compile_text
from newel.compiler.exports import graph
from newel.compiler.exports.picture import Picture, picture
from newel.compiler.exports.stages import overview, stages
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
