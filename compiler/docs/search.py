"""The data of a site to the files of its search. Its index is a script: a page from disk may read no other file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from newel.compiler.docs.render import TEMPLATES
from newel.compiler.docs.shape import Declaration, Site, StepView, WorkflowView

INDEX = "search-index.js"
SCRIPT = "search.js"

_MOST = 2000
"""Signs of a prompt, of a value or of the statements of a step that are searched: the index is read whole."""

_SORTS = {
    "kinds": "kind of action",
    "triggers": "trigger",
    "guards": "guard",
    "settings": "setting",
    "types": "type",
    "operation_ids": "operation id",
}


Entry = tuple[str, str, str, str, str, str]
"""A place: its title, name, sort, address, its text, and words in lower case that are searched and not shown."""


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
        yield workflow["title"], workflow["name"], "workflow", workflow["page"], _words(workflow), ""
        for step in workflow["steps"]:
            href = f"{workflow['page']}#{step['anchor']}"
            yield (
                step["title"],
                step["name"],
                f"step of {workflow['title']}",
                href,
                _flat((_words(step), *_statements(step))),
                "",
            )
    page = site["vocabulary"]["page"]
    for group, sort in _SORTS.items():
        declared: list[Declaration] = site["vocabulary"][group]  # type: ignore[literal-required] # the keys of the table
        for each in declared:
            yield each["name"], each["code"], sort, f"{page}#{each['anchor']}", _flat(_declared(each)), ""


def _words(view: WorkflowView | StepView) -> str:
    given = (row for row in view["settings"] if row["given"])
    values = (text for row in given for text in (row["name"], row["value"][:_MOST]))
    prompts = (text for prompt in view["prompts"] for text in (prompt["name"], prompt["text"][:_MOST]))
    return _flat((view["about"], view["doc"], *prompts, *values))


def _statements(step: StepView) -> Iterator[str]:
    """What runs, as it is written: arguments, guards and whom they ask. Moves have the names of their steps."""
    for item in (*step["entry"]["dispatched"], *step["entry"]["session"]):
        yield item["code"][:_MOST]
    for listed in step["lists"]:
        yield listed["trigger"]["text"]
        yield from (text[:_MOST] for item in listed["statements"] for text in (item["code"], item["when"]) if text)


def _declared(each: Declaration) -> Iterator[str]:
    """What is said of a declaration, then its parts: parameters, cases, rules, marks."""
    yield each["doc"]
    yield from (parameter["name"] for parameter in each["parameters"])
    yield from each["lines"]
    yield from each["marks"]


def _flat(texts: Iterable[str]) -> str:
    return " ".join(" ".join(texts).split())
