"""Findings as JUnit's XML, for everything that shows the results of tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from newel.compiler.reports.results import Results
from newel.compiler.reports.safe import safe
from newel.dsl.findings import Finding


def render(results: Results) -> str:
    """One suite a file; a finding is a test case, an error or warning one that fails, a clean file one that passes."""
    by_path: dict[str, list[Finding]] = {path: [] for path in results.paths}
    for finding in results.findings:
        by_path.setdefault(finding.span.source.path, []).append(finding)
    cases = sum(max(1, len(found)) for found in by_path.values())
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="{_attribute(results.command)}" {_counts(cases, results.findings)} time="0">',
    ]
    for path, found in sorted(by_path.items()):
        lines += _suite(path, found, results.command)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _counts(cases: int, findings: Sequence[Finding]) -> str:
    failures = sum(finding.rule.severity != "note" for finding in findings)
    return f'tests="{cases}" failures="{failures}" errors="0"'


def _suite(path: str, findings: Sequence[Finding], command: str) -> Iterator[str]:
    name = _attribute(path)
    yield f'  <testsuite name="{name}" {_counts(max(1, len(findings)), findings)} skipped="0" time="0">'
    for finding in findings:
        yield from _case(finding, name)
    if not findings:
        yield f'    <testcase classname="{name}" name="{_attribute(command)}" time="0"/>'
    yield "  </testsuite>"


def _case(finding: Finding, path: str) -> Iterator[str]:
    rule, (line, column, _) = finding.rule, finding.span.first
    place = f"{finding.span.source.path}:{line}:{column}"
    case = f'classname="{path}" name="{_attribute(f"{rule.code} {rule.name} at {line}:{column}")}" time="0"'
    said = "\n".join(map(_body, filter(None, (place, finding.message, finding.advice))))
    if rule.severity == "note":
        yield f"    <testcase {case}><system-out>{said}</system-out></testcase>"
    else:
        message = f'type="{rule.severity}" message="{_attribute(finding.message)}"'
        yield f"    <testcase {case}><failure {message}>{said}</failure></testcase>"


def _body(text: str) -> str:
    return escape(_xml(text))


def _attribute(text: str) -> str:
    return escape(_xml(text), {'"': "&quot;"})


def _xml(text: str) -> str:
    """Without what XML cannot hold at all: controls, halves of surrogate pairs, and the two that are no characters."""
    return safe(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
