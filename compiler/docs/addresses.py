"""Names to their pages and to places on them. A page goes by its stem; the form it is written in gives the ending."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from newel.compiler.docs.forms import FORMS
from newel.compiler.errors import DocsError
from newel.compiler.exports.plain import anchor

VOCABULARY = "vocabulary"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_DEVICES = {"aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}  # of Windows


def pages(workflows: Iterable[str]) -> Mapping[str, str]:
    """The stem of each workflow's page, its name; with a number where the name is taken: by a page of ours, by a
    name that differs in case alone, or by a device of Windows. Raises `DocsError` for what is no name."""
    names = sorted(workflows)
    for name in names:
        if not _NAME.fullmatch(name):
            raise DocsError(f"{name!r} is no name of a workflow: a page is written only under letters, digits, - and _")
    taken = {VOCABULARY, *(form.index.lower() for form in FORMS), *_DEVICES}
    wanted = {name.lower() for name in names}
    found: dict[str, str] = {}
    for name in names:
        page, number = name, 1
        while page.lower() in taken or (number > 1 and page.lower() in wanted):
            number += 1
            page = f"{name}-{number}"
        taken.add(page.lower())
        found[name] = page
    return found


def step(page: str, name: str) -> str:
    """Where a step is described."""
    return f"{page}#step-{anchor(name)}"


def declared(sort: str, name: str) -> str:
    """Where a declaration is described; `sort` is `kind`, `trigger`, `guard`, `type`, `key`, or a setting's owner."""
    return f"{VOCABULARY}#{sort}-{anchor(name)}"


def finished(address: str, suffix: str) -> str:
    """An address with the ending of its page's file: `office#step-work` to `office.html#step-work`."""
    page, sign, anchor_ = address.partition("#")
    return f"{page}{suffix}{sign}{anchor_}"
