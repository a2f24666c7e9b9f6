"""Findings for grep and for editors: one line each."""

from __future__ import annotations

from newel.compiler.reports.results import Results
from newel.compiler.reports.safe import safe
from newel.compiler.reports.text import place


def render(results: Results) -> str:
    """`office.newel:12:5: error NW301 message`, and nothing where there is no finding."""
    return "".join(
        f"{place(finding.span)} {finding.rule.severity} {finding.rule.code} {safe(finding.message)}\n"
        for finding in results.findings
    )
