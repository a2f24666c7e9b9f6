"""Names to the files of their pages and to places on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from newel.compiler.errors import DocsError
from newel.compiler.exports.plain import anchor

INDEX = "index.html"
VOCABULARY = "vocabulary.html"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_DEVICES = {"aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}  # of Windows


def pages(workflows: Iterable[str]) -> Mapping[str, str]:
    """The file of each workflow's page, `<name>.html`; with a number where the name is taken: by a page of ours, by a
    name that differs in case alone, or by a device of Windows. Raises `DocsError` for what is no name."""
    names = sorted(workflows)
    for name in names:
        if not _NAME.fullmatch(name):
            raise DocsError(f"{name!r} is no name of a workflow: a page is written only under letters, digits, - and _")
    taken = {INDEX, VOCABULARY, *(f"{device}.html" for device in _DEVICES)}
    wanted = {f"{name}.html".lower() for name in names}
    found: dict[str, str] = {}
    for name in names:
        page, number = f"{name}.html", 1
        while page.lower() in taken or (number > 1 and page.lower() in wanted):
            number += 1
            page = f"{name}-{number}.html"
        taken.add(page.lower())
        found[name] = page
    return found


def step(page: str, name: str) -> str:
    """Where a step is described."""
    return f"{page}#step-{anchor(name)}"


def declared(sort: str, name: str) -> str:
    """Where a declaration is described; `sort` is `kind`, `trigger`, `guard`, `type`, `key`, or a setting's owner."""
    return f"{VOCABULARY}#{sort}-{anchor(name)}"
