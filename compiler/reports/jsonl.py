"""Findings for programs that read a line at a time: one JSON object each, as in the JSON report."""

from __future__ import annotations

import json

from newel.compiler.reports.json import as_data
from newel.compiler.reports.results import Results


def render(results: Results) -> str:
    """One line a finding, and nothing where there is none."""
    return "".join(json.dumps(as_data(finding)) + "\n" for finding in results.findings)
