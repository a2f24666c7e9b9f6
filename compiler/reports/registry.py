"""The formats findings are written in. A new one is a file beside this and a line in `REPORTS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from newel.compiler.reports.results import Results
from newel.dsl.findings import Finding


@dataclass(frozen=True, slots=True)
class Report:
    """One format: its name on the command line and the module that writes it, loaded when it is asked for."""

    name: str
    module: str

    def render(self, results: Results) -> str:
        """The findings in this format."""
        text: str = import_module(self.module).render(results)
        return text


REPORTS = (
    Report("text", "newel.compiler.reports.text"),
    Report("concise", "newel.compiler.reports.concise"),
    Report("json", "newel.compiler.reports.json"),
    Report("jsonl", "newel.compiler.reports.jsonl"),
    Report("github", "newel.compiler.reports.github"),
    Report("gitlab", "newel.compiler.reports.gitlab"),
    Report("junit", "newel.compiler.reports.junit"),
    Report("sarif", "newel.compiler.reports.sarif"),
)


def report(
    name: str,
    findings: Sequence[Finding],
    files: int,
    *,
    color: bool = False,
    quiet: bool = False,
    paths: Sequence[str] = (),
    command: str = "newel check",
    placed: Callable[[str], str] = str,
) -> str:
    """The findings in the format of that name; KeyError where there is none. `files` is how many were read, `paths`
    which; the rest as `Results` has it."""
    formats = {format_.name: format_ for format_ in REPORTS}
    return formats[name].render(Results(findings, files, color, quiet, paths, command, placed))
