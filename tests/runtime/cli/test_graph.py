"""`newel graph`: what is said beside the picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.runtime.cli.app import run


@pytest.mark.parametrize(("count", "noted"), [(20, False), (600, True)])
def test_a_picture_larger_than_mermaid_draws_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int, noted: bool
) -> None:
    """On standard error, with what to do; the text is written all the same. SVG has no such bound."""
    steps = [f'step s{n} "Step {n}" {{\non turn_complete {{ -> s{n + 1} }}\n}}' for n in range(count)]
    steps[0] = steps[0].replace("{\n", "{\nstart\n", 1)
    board, text = tmp_path / "large.newel", tmp_path / "large.mmd"
    board.write_text("\n".join(['workflow w "W" {', *steps, f'step s{count} "End" {{ end }}', "}", ""]))
    assert run(["graph", str(board), "--format", "mermaid", "-o", str(text)]) == 0
    said = capsys.readouterr().err
    assert ("more than Mermaid draws as it comes (500 edges, 50000 characters); raise `maxEdges`" in said) is noted
    assert "flowchart LR" in text.read_text()
    assert run(["graph", str(board), "--format", "dot", "-o", str(text)]) == 0
    assert capsys.readouterr().err == ""
