"""Findings as GitLab's code quality report, which it compares between a merge request and its target."""

from __future__ import annotations

import json
from typing import Any

from newel.compiler.reports.fingerprints import fingerprints
from newel.compiler.reports.results import Results
from newel.dsl.findings import Finding

_SEVERITIES = {"error": "critical", "warning": "major", "note": "info"}


def render(results: Results) -> str:
    """A list with an object a finding; empty where there is none."""
    named = zip(results.findings, fingerprints(results), strict=True)
    entries = [_entry(finding, name, results.placed(finding.span.source.path)) for finding, name in named]
    return json.dumps(entries, indent=2) + "\n"


def _entry(finding: Finding, fingerprint: str, path: str) -> dict[str, Any]:
    first, last = finding.span.first, finding.span.last
    advice = f" ({finding.advice})" if finding.advice else ""
    return {
        "description": f"{finding.rule.code}: {finding.message}{advice}",
        "check_name": finding.rule.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.rule.severity],
        "location": {
            "path": path,
            "lines": {"begin": first.line, "end": last.line},
            "positions": {
                "begin": {"line": first.line, "column": first.column},
                "end": {"line": last.line, "column": last.column},
            },
        },
    }
