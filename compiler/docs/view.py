"""A program to the data its pages are made from: see `shape`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePath
from typing import Any, cast

from newel.compiler.docs import addresses, settings
from newel.compiler.docs.shape import VERSION, Picture, Site, WorkflowView
from newel.compiler.docs.steps import Steps
from newel.compiler.docs.vocabulary import Reference
from newel.compiler.exports.picture import DRAWN
from newel.compiler.exports.picture import Picture as Drawn
from newel.compiler.exports.picture import picture as picture_of
from newel.compiler.exports.plain import lines
from newel.compiler.exports.svg import svg
from newel.compiler.program import Program, Workflow


def site(program: Program, dot: str | None = None) -> Site:
    """Everything the templates get. `dot` names the layout program of the pictures. Raises `LayoutError`."""
    pages = addresses.pages(program.workflows)
    drawn = [picture_of(program, workflow) for workflow in program.workflows.values()]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        pictures = list(threads.map(lambda shown: _picture(shown, dot), drawn))
    workflows = [
        _workflow(program, workflow, pages[name], picture)
        for (name, workflow), picture in zip(program.workflows.items(), pictures, strict=True)
    ]
    return {
        "version": VERSION,
        "revision": program.revision,
        "index": addresses.INDEX,
        "workflows": workflows,
        "vocabulary": cast("Any", _clean(Reference(program, pages).view())),
    }


def _workflow(program: Program, workflow: Workflow, page: str, picture: Picture) -> WorkflowView:
    steps = Steps(program, workflow, page)
    view: WorkflowView = {
        "name": workflow.name,
        "title": workflow.title or workflow.name,
        "page": page,
        "doc": workflow.doc or "",
        "about": settings.about(workflow.settings),
        "file": PurePath(workflow.place.path).name if workflow.place else "",
        "start": steps.link(workflow.start),
        "ends": [steps.link(step.name) for step in workflow.steps.values() if step.end],
        "picture": {"svg": "", "width": 0, "looks": [], "note": ""},
        "settings": settings.rows(workflow.settings, "workflow", program.vocabulary),
        "prompts": settings.prompts(workflow.settings, "workflow", program.vocabulary),
        "steps": steps.views(),
    }
    clean = cast("WorkflowView", _clean(view))
    clean["picture"] = picture
    return clean


def _picture(shown: Drawn, dot: str | None) -> Picture:
    looks = [look for look in ("automatic", "guarded", "approval", "pull") if _has(shown, look)]
    if shown.size > DRAWN:
        note = (
            f"{len(shown.boxes)} steps and {len(shown.arrows)} arrows are too many for a picture (up to {DRAWN} "
            f"together are drawn). `newel graph --workflow {shown.name} --format dot` writes it for other programs."
        )
        return {"svg": "", "width": 0, "looks": looks, "note": note}
    drawn = svg(shown, dot)
    return {"svg": drawn, "width": _width(drawn), "looks": looks, "note": ""}


def _has(shown: Drawn, look: str) -> bool:
    return any(arrow.look == look for arrow in shown.arrows)


def _width(drawn: str) -> int:
    return round(float(drawn.partition(' width="')[2].partition('"')[0]))


def _clean(data: Any) -> Any:
    """The same data, every text free of signs that act."""
    match data:
        case str():
            return lines(data)
        case Mapping():
            return {key: _clean(value) for key, value in data.items()}
        case list() | tuple() as items:
            return [_clean(value) for value in cast("Iterable[Any]", items)]
        case _:
            return data
