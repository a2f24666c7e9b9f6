"""A program to the data its pages are made from: see `shape`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, cast

from newel.compiler.docs import addresses, pictures, settings
from newel.compiler.docs.changed import Changed
from newel.compiler.docs.forms import HTML, MARKDOWN, Form
from newel.compiler.docs.shape import VERSION, Link, Picture, Site, WorkflowView
from newel.compiler.docs.steps import Steps
from newel.compiler.docs.vocabulary import Reference, included
from newel.compiler.exports.picture import picture as picture_of
from newel.compiler.exports.plain import lines
from newel.compiler.pieces import Piece
from newel.compiler.program import Program, Workflow


def site(
    program: Program,
    dot: str | None = None,
    form: Form = HTML,
    against: Program | None = None,
    pieces: Sequence[Piece] = (),
) -> Site:
    """Everything the templates get. `dot` names the layout program of the pictures, `against` is an older version to
    compare with, `pieces` are what the files declare besides. Raises `LayoutError`."""
    pages = addresses.pages(program.workflows)
    drawn = {pages[name]: picture_of(program, each) for name, each in program.workflows.items()}
    shown = pictures.mermaids(drawn) if form is MARKDOWN else pictures.svgs(drawn, dot)
    changed = Changed.between(against, program)
    parts = included(pieces)
    workflows = [
        _workflow(program, workflow, pages[name], picture, changed, form.suffix, parts)
        for (name, workflow), picture in zip(program.workflows.items(), shown, strict=True)
    ]
    return {
        "version": VERSION,
        "revision": program.revision,
        "form": form.name,
        "index": f"{form.index}{form.suffix}",
        "more": [],
        "compared": against is not None,
        "changes": _clean(changed.elsewhere(), form.suffix),
        "workflows": workflows,
        "vocabulary": cast("Any", _clean(Reference(program, pages, pieces).view(), form.suffix)),
    }


def _workflow(
    program: Program,
    workflow: Workflow,
    page: str,
    picture: Picture,
    changed: Changed,
    suffix: str,
    parts: Mapping[tuple[str, str], list[Link]],
) -> WorkflowView:
    steps = Steps(program, workflow, page)
    described = steps.views()
    for step in described:
        step["changes"] = changed.step(workflow.name, step["name"])
        step["included"] = parts.get((workflow.name, step["name"]), [])
    view: WorkflowView = {
        "name": workflow.name,
        "title": workflow.title or workflow.name,
        "page": page,
        "doc": workflow.doc or "",
        "about": settings.about(workflow.settings),
        "file": PurePath(workflow.place.path).name if workflow.place else "",
        "start": steps.link(workflow.start),
        "ends": [steps.link(step.name) for step in workflow.steps.values() if step.end],
        "picture": pictures.NONE,
        "settings": settings.rows(workflow.settings, "workflow", program.vocabulary),
        "prompts": settings.prompts(workflow.settings, "workflow", program.vocabulary),
        "steps": described,
        "changes": changed.workflow(workflow),
    }
    clean = cast("WorkflowView", _clean(view, suffix))
    clean["picture"] = picture
    return clean


# ---------------------------------------------------------------- texts


def _clean(data: Any, suffix: str) -> Any:
    """The same data, every text free of signs that act, every address with the ending of its file."""
    if isinstance(data, str):
        return lines(data)
    if isinstance(data, dict):
        return {
            key: _address(value, suffix) if key in _ADDRESSES else _clean(value, suffix) for key, value in data.items()
        }
    return [_clean(value, suffix) for value in data] if isinstance(data, list | tuple) else data


_ADDRESSES = frozenset(("href", "page"))


def _address(value: Any, suffix: str) -> Any:
    return addresses.finished(value, suffix) if isinstance(value, str) else _clean(value, suffix)
