"""A program to a folder of documentation, and to what a folder lacks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from newel.compiler.docs import search
from newel.compiler.docs.forms import HTML, form
from newel.compiler.docs.marks import signed
from newel.compiler.docs.render import pages
from newel.compiler.docs.view import site
from newel.compiler.docs.writing import Difference, compare, write
from newel.compiler.pieces import Piece
from newel.compiler.program import Program


def render_docs(
    program: Program,
    out: Path,
    *,
    format: str = "html",  # noqa: A002 - the option's name
    dot: str | None = None,
    templates: Path | None = None,
    against: Program | None = None,
    force: bool = False,
    pieces: Sequence[Piece] = (),
) -> list[Path]:
    """The paths of the files written under `out`: the index, the vocabulary, one page for each workflow, and in HTML
    what makes the search. Pages that an earlier run has written and that are no more are removed.

    All are made before the first is written. `format` is `html` or `markdown`; `dot` names a layout program other than
    the one that came along; `templates` is a folder whose templates go before ours; `against` is an older version: what
    is another since is told; `pieces` are those of `Compiled`, to be told too. Raises `LayoutError` and `DocsError`;
    where a file of that name is not as we wrote it, `InTheWay`, unless `force` says to write over it.
    """
    return write(_files(program, format, dot, templates, against, pieces), out, form(format), force=force)


def stale_docs(
    program: Program,
    out: Path,
    *,
    format: str = "html",  # noqa: A002 - the option's name
    dot: str | None = None,
    templates: Path | None = None,
    against: Program | None = None,
    pieces: Sequence[Piece] = (),
) -> list[Difference]:
    """What `render_docs` would change under `out`, which is left as it is."""
    return compare(_files(program, format, dot, templates, against, pieces), out, form(format))


def _files(
    program: Program,
    format_: str,
    dot: str | None,
    templates: Path | None,
    against: Program | None,
    pieces: Sequence[Piece],
) -> Mapping[str, str]:
    chosen = form(format_)
    data = site(program, dot, chosen, against, pieces)
    files = dict(pages(data, chosen, templates))
    if chosen is HTML:
        files |= search.files(data)
        files |= {each["picture"]["file"]: each["picture"]["whole"] for each in data["workflows"]}
    return {name: signed(name, text) for name, text in files.items()}
