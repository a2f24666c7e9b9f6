"""Findings counted by code, the most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from newel.compiler.reports.json import FORMAT_VERSION
from newel.compiler.reports.results import Results, summary
from newel.dsl.findings import Severity

FORMATS = ("text", "json")
"""What statistics can be written in."""


def statistics(results: Results, format_: str) -> str:
    """A line a code, and the figures of the run."""
    rows = list(_rows(results))
    if format_ == "json":
        counts = {f"{severity}s": count for severity, count in results.counts().items()}
        whole = {"format_version": FORMAT_VERSION, "statistics": rows, "summary": {**counts, "files": results.files}}
        return json.dumps(whole, indent=2) + "\n"
    width = max((len(str(row["count"])) for row in rows), default=0)
    lines = "".join(_line(row, width) + "\n" for row in rows)
    return lines if results.quiet else f"{lines}{summary(results)}\n"


def _line(row: Mapping[str, Any], width: int) -> str:
    fixable = f" ({row['fixable']} mended by --fix)" if row["fixable"] else ""
    return f"{row['count']:>{width}} {row['code']} {row['severity']} {row['name']}{fixable}"


def _rows(results: Results) -> Iterator[dict[str, Any]]:
    counts: Counter[tuple[str, str, Severity]] = Counter()
    fixable: Counter[tuple[str, str, Severity]] = Counter()
    for finding in results.findings:
        key = (finding.rule.code, finding.rule.name, finding.rule.severity)
        counts[key] += 1
        fixable[key] += finding.fix is not None
    for key, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        code, name, severity = key
        yield {"code": code, "name": name, "severity": severity, "count": count, "fixable": fixable[key]}
