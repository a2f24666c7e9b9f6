"""Findings as workflow commands of GitHub Actions, which shows each beside its line in the pull request."""

from __future__ import annotations

from newel.compiler.reports.results import Results
from newel.compiler.reports.safe import safe
from newel.dsl.findings import Finding

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(results: Results) -> str:
    """`::error file=office.newel,line=12,...::message`, one line a finding."""
    return "".join(_command(finding, results.placed(finding.span.source.path)) + "\n" for finding in results.findings)


def _command(finding: Finding, path: str) -> str:
    first, last = finding.span.first, finding.span.last
    where = {"file": path, "line": first.line, "endLine": last.line}
    if first.line == last.line:  # columns are not taken over several lines
        where |= {"col": first.column, "endColumn": last.column}
    where["title"] = f"{finding.rule.code} {finding.rule.name}"
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in where.items())
    message = finding.message + (f"\n{finding.advice}" if finding.advice else "")
    return f"::{_COMMANDS[finding.rule.severity]} {properties}::{_data(message)}"


def _data(text: str) -> str:
    """What would end the message, as the runner wants it; what would act on a terminal, as a sign."""
    lines = text.replace("%", "%25").split("\n")
    return "%0A".join(map(safe, lines))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
