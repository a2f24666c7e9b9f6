"""A program to a folder of pages that open from disk."""

from __future__ import annotations

from pathlib import Path

from newel.compiler.docs.render import pages
from newel.compiler.docs.view import site
from newel.compiler.docs.writing import write
from newel.compiler.program import Program


def render_docs(program: Program, out: Path, *, dot: str | None = None) -> list[Path]:
    """The paths of the pages written under `out`: `index.html`, `vocabulary.html` and one for each workflow.

    All pages are made before the first is written. `dot` names a layout program other than the one that came along.
    Raises `LayoutError` and `DocsError`.
    """
    return write(pages(site(program, dot)), out)
