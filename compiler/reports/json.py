"""Findings for programs: one JSON document, its shape held by `format_version`."""

from __future__ import annotations

import json
from typing import Any

from newel.compiler.reports.results import Results
from newel.dsl.findings import Finding, Fix
from newel.dsl.source import Position, Span

FORMAT_VERSION = "1.0"


def render(results: Results) -> str:
    """The document, in ASCII: what could act on a terminal is escaped."""
    counts = {f"{severity}s": count for severity, count in results.counts().items()}
    document = {
        "format_version": FORMAT_VERSION,
        "findings": [as_data(finding) for finding in results.findings],
        "summary": {**counts, "files": results.files},
    }
    return json.dumps(document, indent=2) + "\n"


def as_data(finding: Finding) -> dict[str, Any]:
    """One finding as plain data; lines and columns count from 1, offsets are bytes from 0."""
    rule = finding.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "message": finding.message,
        "hint": finding.advice,
        "url": None,  # until the manual has an address
        **_where(finding.span),
        "related": [{"message": related.message, **_where(related.span)} for related in finding.related],
        "fix": None if finding.fix is None else _fix(finding.fix),
    }


def _fix(fix: Fix) -> dict[str, Any]:
    return {"message": fix.message, "edits": [{**_where(edit.span), "text": edit.text} for edit in fix.edits]}


def _where(span: Span) -> dict[str, Any]:
    return {"path": span.source.path, "range": {"start": _at(span.first), "end": _at(span.last)}}


def _at(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column, "offset": position.offset}
