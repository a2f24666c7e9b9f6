"""The data of a site to the files of its search. Its index is a script: a page from disk may read no other file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from newel.compiler.docs.render import TEMPLATES
from newel.compiler.docs.shape import Declaration, Site, StepView, WorkflowView

INDEX = "search-index.js"
SCRIPT = "search.js"

_MOST = 2000
"""Signs of a prompt that are searched: the index is read whole."""

_SORTS = {
    "kinds": "kind of action",
    "triggers": "trigger",
    "guards": "guard",
    "settings": "setting",
    "types": "type",
    "operation_ids": "operation id",
}


Entry = tuple[str, str, str, str, str]
"""A place: its title, name, sort, address and words."""


def files(site: Site) -> Mapping[str, str]:
    """The files that search a site."""
    return searching(_entries(site))


def searching(entries: Iterable[Entry]) -> Mapping[str, str]:
    """The script, and the index it reads."""
    rows = ",\n".join(map(_row, entries))
    return {INDEX: f"window.newelIndex = [\n{rows}\n];\n", SCRIPT: (TEMPLATES / SCRIPT).read_text(encoding="utf-8")}


def _row(entry: Entry) -> str:
    """ASCII, and no sign that could end a script."""
    return json.dumps(entry).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _entries(site: Site) -> Iterator[Entry]:
    for workflow in site["workflows"]:
        yield workflow["title"], workflow["name"], "workflow", workflow["page"], _words(workflow)
        for step in workflow["steps"]:
            href = f"{workflow['page']}#{step['anchor']}"
            yield step["title"], step["name"], f"step of {workflow['title']}", href, _words(step)
    page = site["vocabulary"]["page"]
    for group, sort in _SORTS.items():
        declared: list[Declaration] = site["vocabulary"][group]  # type: ignore[literal-required] # the keys of the table
        for each in declared:
            yield each["name"], each["code"], sort, f"{page}#{each['anchor']}", " ".join(each["doc"].split())


def _words(view: WorkflowView | StepView) -> str:
    texts = (view["about"], view["doc"], *(prompt["text"][:_MOST] for prompt in view["prompts"]))
    return " ".join(" ".join(texts).split())
