"""`graph`: a workflow in each of the formats."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from newel.compiler.errors import UnknownWorkflow
from newel.compiler.exports import EXPORTS, graph
from newel.compiler.exports.mermaid import beyond
from newel.compiler.program import Move
from tests.compiler.exports.boards import chain, office, program, step, workflow

FORMATS = [export.name for export in EXPORTS]


def test_the_formats_are_those_of_the_interface() -> None:
    """SVG first: it is the default."""
    assert FORMATS == ["svg", "mermaid", "dot"]
    assert graph(program(office()), "office") == graph(program(office()), "office", "svg")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_same_program_gives_the_same_bytes(format_: str) -> None:
    """In another process too, whatever its hash seed."""
    code = (
        "from tests.compiler.exports.boards import office, program; from newel.compiler.exports import graph; "
        f"import sys; sys.stdout.buffer.write(graph(program(office()), 'office', {format_!r}).encode())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {graph(program(office()), "office", format_).encode()}


def test_an_unknown_workflow_is_an_error_that_names_those_there_are() -> None:
    """So that one can choose."""
    with pytest.raises(UnknownWorkflow, match="no workflow offise; there are: chain, office"):
        graph(program(office(), chain(2)), "offise")


def test_mermaid_says_what_is_more_than_it_draws() -> None:
    """In a first line that is a comment."""
    assert graph(program(office()), "office", "mermaid").startswith("flowchart LR\n")
    text = graph(program(chain(600)), "chain", "mermaid")
    first, second, *_ = text.splitlines()
    assert re.fullmatch(
        r"%% 750 edges, \d+ characters: more than Mermaid draws as it comes \(500 edges, 50000 characters\)", first
    )
    assert second == "flowchart LR"
    assert beyond(text) == first.removeprefix("%% ")


def test_mermaid_ids_are_no_words_of_mermaid_and_each_once() -> None:
    """`end` would end a block, and two names may differ in a dash alone."""
    steps = [step("end", "End", start=True), step("a-b", "One"), step("a_b", "Two", on={"comment": (Move(to="end"),)})]
    text = graph(program(workflow("w", "W", steps)), "w", "mermaid")
    assert '  step_end("End<br/>end"):::start\n' in text
    assert '  step_a_b("One<br/>a-b"):::step\n  step_a_b_2("Two<br/>a_b"):::step\n' in text
    assert '  step_a_b_2 -->|"comment"| step_end\n' in text


def test_mermaid_shows_gates_and_ends() -> None:
    """Dashed with a gate's sign, and the end in a double frame."""
    text = graph(program(office()), "office", "mermaid")
    gate = 'step_approval -.->|"comment<br/>when n_approve(approver,<br/>count=2)<br/>#9671; needs approval"| step_done'
    assert gate in text
    assert 'step_done[["Done<br/>done"]]:::finish' in text


def test_dot_is_left_to_right_and_marks_start_end_and_gates() -> None:
    """With a title, a name, and an address for each step."""
    text = graph(program(office()), "office", "dot")
    assert 'rankdir="LR"' in text
    work = next(row for row in text.splitlines() if row.startswith('  "work" ['))
    assert "<b>Work</b>" in work
    assert 'URL="#step-work"' in work
    assert '"begin work" -> "work"' in text
    assert text.count('peripheries="2"') == 1
    assert text.count('arrowtail="odiamond"') == 1
