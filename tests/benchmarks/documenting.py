"""The documentation of 100 workflows of 20 steps, against rendering their Mermaid text alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from newel.compiler import compile_text
from newel.compiler.docs import render_docs
from newel.compiler.exports import graph
from newel.compiler.exports.dot import dot
from newel.compiler.exports.layout import found, run
from newel.compiler.exports.picture import picture
from tests.benchmarks.figures import Figure
from tests.benchmarks.texts import workflow
from tests.benchmarks.timing import Way, in_turns, milliseconds, ratio

BOARDS, STEPS = 100, 20


def pages() -> list[Figure]:
    """As Markdown, whose pictures are that text, and as HTML, whose pictures are laid out. What the layout program
    alone takes for them stands beside it: no page with a picture can be faster."""
    program = compile_text("".join(workflow(STEPS, f"board{number}") for number in range(BOARDS))).require()
    graphs = "".join(dot(picture(program, each)) for each in program.workflows.values())

    def mermaid() -> None:
        for name in program.workflows:
            graph(program, name, "mermaid")

    def written(format_: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            render_docs(program, Path(folder), format=format_)

    times = in_turns(
        5,
        mermaid=_processors(mermaid),
        markdown=_processors(lambda: written("markdown")),
        html=_processors(lambda: written("html")),
        layout=_processors(lambda: run(found(None), graphs, 60)),
    )
    what = f"{BOARDS} workflows of {STEPS} steps documented as %s, to their Mermaid text"
    return [
        Figure("P10a", what % "Markdown", ratio(times, "markdown", "mermaid"), 25),
        Figure(
            "P10b",
            what % "HTML with pictures",
            ratio(times, "html", "mermaid"),
            80,
            beside={
                "the layout program alone": ratio(times, "layout", "mermaid"),
                **milliseconds(times, "html", "layout", "mermaid"),
            },
        ),
    ]


def _processors(work: Callable[[], object]) -> Way:
    """Measured by the processor time of this process and of those it starts."""

    def measured() -> float:
        before = _used()
        work()
        return _used() - before

    return measured


def _used() -> float:
    return sum(each.ru_utime + each.ru_stime for each in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))
