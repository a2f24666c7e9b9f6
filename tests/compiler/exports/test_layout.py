"""The layout program: found, run, and every way in which it may let us down."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from newel.compiler.errors import LayoutError
from newel.compiler.exports import graph
from newel.compiler.exports import layout as layouts
from newel.compiler.exports.layout import layout
from tests.compiler.exports.boards import office, program

GRAPH = 'digraph { a [id="a", label="A"]; b [id="b"]; a -> b [id="e"] }'


def script(folder: Path, body: str) -> str:
    """A layout program that does what the body says."""
    path = folder / "my-dot"
    path.write_text(f"#!{sys.executable}\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_graph_is_laid_out_with_y_downwards() -> None:
    """Everything by its id, within the size of the whole, texts on their base line."""
    found = layout(GRAPH)
    assert set(found.drawn) == {"a", "b", "e"}
    assert [text.text for text in found.drawn["a"].texts] == ["A"]
    for drawn in found.drawn.values():
        for shape in (shape for shape in drawn.shapes if shape.kind != "circle"):
            assert all(-1 <= x <= found.width + 1 and -1 <= y <= found.height + 1 for x, y in shape.points)


def test_the_bundled_program_is_found_where_its_package_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the path is empty."""
    monkeypatch.setenv("PATH", "")
    assert layout(GRAPH).width > 0


def test_another_program_may_be_named(tmp_path: Path) -> None:
    """It gets the graph on its standard input and is asked for a drawing as JSON."""
    bundled = layouts.found(None)
    log = tmp_path / "log"
    body = f"""import subprocess, sys
open({str(log)!r}, "w").write(" ".join(sys.argv[1:]))
sys.exit(subprocess.run([{bundled!r}, *sys.argv[1:]]).returncode)"""
    mine = graph(program(office()), "office", "svg", dot=script(tmp_path, body))
    assert mine == graph(program(office()), "office", "svg")
    assert log.read_text() == "-Kdot -Tjson"


def test_a_missing_program_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both for one that was named and for the one that should have come along."""
    with pytest.raises(LayoutError, match=r"no layout program no-such-dot .* name a Graphviz .* mermaid and dot"):
        layout(GRAPH, "no-such-dot")
    monkeypatch.setattr(layouts, "BUNDLED", "no-such-package")
    with pytest.raises(LayoutError, match=r"no layout program no-such-package .* `pip install"):
        layout(GRAPH)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import sys; sys.stderr.write('noise\\nout of ink'); sys.exit(3)", "my-dot failed: out of ink"),
        ("import sys; sys.exit(3)", "my-dot failed: exit code 3"),
        ("print('<svg/>')", "did not answer with a drawing"),
        ("print('{}')", "did not answer with a drawing"),
        ("print('[1]')", "did not answer with a drawing"),
        ("import json; print(json.dumps({'bb': '0,0,1,1', 'objects': [{'name': 'a'}]}))", "did not answer"),
        ("import time; time.sleep(60)", "did not lay the picture out within 1 s"),
    ],
)
def test_a_program_that_fails_is_an_error_with_a_way_out(tmp_path: Path, body: str, said: str) -> None:
    """It fails, answers nonsense or does not answer: each says what happened and which formats need none."""
    with pytest.raises(LayoutError, match=said) as caught:
        layout(GRAPH, script(tmp_path, body), seconds=1 if "sleep" in body else 20)
    assert "the formats mermaid and dot need no layout program" in str(caught.value)


def test_a_program_that_leaves_something_out_is_an_error(tmp_path: Path) -> None:
    """A picture without one of its steps would be a lie."""
    body = "import json; print(json.dumps({'bb': '0,0,1,1', 'objects': []}))"
    with pytest.raises(LayoutError, match="left a part of the picture out"):
        graph(program(office()), "office", "svg", dot=script(tmp_path, body))


def test_a_file_that_is_no_program_is_an_error(tmp_path: Path) -> None:
    """The system refuses to run it."""
    path = tmp_path / "my-dot"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(LayoutError, match=r"my-dot could not be run \("):
        layout(GRAPH, str(path))
