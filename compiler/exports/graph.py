"""A workflow to its picture in one of the formats. A new format is a file beside this and a line in `EXPORTS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from newel.compiler.errors import UnknownWorkflow
from newel.compiler.exports.dot import dot as dot_text
from newel.compiler.exports.mermaid import mermaid
from newel.compiler.exports.picture import Picture, picture
from newel.compiler.exports.stages import stages
from newel.compiler.exports.svg import svg
from newel.compiler.program import Program


@dataclass(frozen=True, slots=True)
class Export:
    """One format: its name on the command line, the ending of its files, and what writes it. `layout` names the
    layout program, None the one that came with Newel; formats that need none pass it over."""

    name: str
    suffix: str
    write: Callable[[Picture, str | None], str]


EXPORTS = (
    Export("svg", ".svg", svg),
    Export("mermaid", ".mmd", lambda shown, _layout: mermaid(shown, stages(shown))),
    Export("dot", ".dot", lambda shown, _layout: dot_text(shown, stages(shown))),
)


def graph(program: Program, workflow: str, format: str = "svg", *, dot: str | None = None) -> str:  # noqa: A002 - the option's name
    """The picture of a workflow. Raises `UnknownWorkflow`, `LayoutError`, and KeyError for an unknown format."""
    formats = {export.name: export for export in EXPORTS}
    write = formats[format].write
    if workflow not in program.workflows:
        raise UnknownWorkflow(f"there is no workflow {workflow}; there are: {', '.join(program.workflows) or 'none'}")
    return write(picture(program, program.workflows[workflow]), dot)
