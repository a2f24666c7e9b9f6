"""The formats findings are written in. A new one is a file beside this and a line in `REPORTS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from newel.compiler.reports import concise, json, text
from newel.compiler.reports.results import Results
from newel.dsl.findings import Finding


@dataclass(frozen=True, slots=True)
class Report:
    """One format: its name on the command line and what writes it."""

    name: str
    render: Callable[[Results], str]


REPORTS = (
    Report("text", text.render),
    Report("concise", concise.render),
    Report("json", json.render),
)


def report(name: str, findings: Sequence[Finding], files: int, *, color: bool = False) -> str:
    """The findings in the format of that name; KeyError where there is none. `files` is how many were read."""
    formats = {format_.name: format_ for format_ in REPORTS}
    return formats[name].render(Results(findings, files, color))
