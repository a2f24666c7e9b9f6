"""What a picture shows of a workflow."""

from __future__ import annotations

from newel.compiler import compile_text
from newel.compiler.exports.picture import Arrow, Label, picture
from newel.compiler.program import Move
from tests.compiler.exports.boards import asked, office, program, step, workflow


def arrows() -> dict[tuple[str, str, str], Arrow]:
    """The arrows of the office by what they join and how they look."""
    shown = picture(program(office()), office())
    return {(arrow.source.name, arrow.target.name, arrow.look): arrow for arrow in shown.arrows}


def test_each_way_has_its_look() -> None:
    """Always taken, guarded, with approval, pulled - the last from the feeder to the step it fills."""
    assert set(arrows()) == {
        ("backlog", "work", "automatic"),
        ("backlog", "work", "pull"),
        ("work", "review", "automatic"),
        ("review", "approval", "guarded"),
        ("review", "work", "guarded"),
        ("approval", "done", "guarded"),
        ("approval", "work", "guarded"),
        ("approval", "done", "approval"),
    }


def test_an_arrow_says_trigger_and_guard() -> None:
    """In the words of the file."""
    assert arrows()["approval", "done", "approval"].labels == (Label("comment", "n_approve(approver, count=2)"),)


def test_moves_of_one_look_between_two_steps_share_an_arrow() -> None:
    """Two triggers, one arrow with two labels in the order of the file."""
    guarded = (Move(to="b", guard=asked("any_reject", role="reviewer")),)
    first = step("a", "A", start=True, on={"comment": (Move(to="b"),), "turn_complete": (Move(to="b"), *guarded)})
    board = workflow("w", "W", [first, step("b", "B")])
    shown = picture(program(board), board)
    assert [[label.trigger for label in arrow.labels] for arrow in shown.arrows] == [
        ["comment", "turn_complete"],
        ["turn_complete"],
    ]


def test_the_summary_says_what_is_seen() -> None:
    """How many steps, where it begins and ends, and every way once."""
    summary = picture(program(office()), office()).summary
    assert summary.startswith("5 steps, starts at Work, ends at Done. Moves: Approval to Done; Approval to Work; ")
    assert summary.count("Approval to Done") == 1


def test_a_blank_title_is_the_name() -> None:
    """No box is empty."""
    board = workflow("w", "", [step("only", " \n", start=True), step("", "")])
    assert [box.title for box in picture(program(board), board).boxes] == ["only", "?"]


def test_an_arrow_that_waits_for_a_signal_says_so() -> None:
    """Only at the step that asks for one, and only under the end of work."""
    text = """
workflow w "W" {
  step a "A" {
    start
    requires_signal
    on turn_complete { -> b }
    on turn_start { -> b }
  }
  step b "B" {
    on turn_complete { -> a }
  }
}
"""
    compiled = compile_text(text).require()
    labels = [label.trigger for arrow in picture(compiled, compiled.workflows["w"]).arrows for label in arrow.labels]
    assert sorted(labels) == ["turn_complete", "turn_complete, once signalled", "turn_start"]
