"""Findings as SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from newel.compiler.reports.fingerprints import fingerprints
from newel.compiler.reports.results import Results
from newel.compiler.version import __version__
from newel.dsl.findings import Finding, Fix, Related, Rule
from newel.dsl.source import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "newel/v1"

Placed = Callable[[str], str]


def render(results: Results) -> str:
    """One run with the rules that were broken and a result a finding."""
    rules = {finding.rule.code: finding.rule for finding in results.findings}
    at = {code: number for number, code in enumerate(sorted(rules))}
    named = zip(results.findings, fingerprints(results), strict=True)
    driver = {
        "name": "newel",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rules[code]) for code in at],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": "The folder that paths are relative to."}}},
        "results": [_result(finding, at[finding.rule.code], name, results.placed) for finding, name in named],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    """A rule with its page. There is no address of it until the manual has one."""
    why = rule.why or rule.name
    text = f"{why}\n\nWrong:\n\n{rule.wrong}\nRight:\n\n{rule.right}"
    markdown = f"{why}\n\nWrong:\n\n{_fenced(rule.wrong)}\n\nRight:\n\n{_fenced(rule.right)}\n"
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.name.replace("-", " ").capitalize() + "."},
        "fullDescription": {"text": why},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": rule.severity, "enabled": rule.default},
        "properties": {"tags": ["newel", "firm" if rule.firm else "judged"]},
    }


def _fenced(text: str) -> str:
    return f"````newel\n{text.rstrip()}\n````"


def _result(finding: Finding, index: int, fingerprint: str, placed: Placed) -> dict[str, Any]:
    advice = f"\n{finding.advice}" if finding.advice else ""
    result: dict[str, Any] = {
        "ruleId": finding.rule.code,
        "ruleIndex": index,
        "level": finding.rule.severity,
        "message": {"text": finding.message + advice},
        "locations": [{"physicalLocation": _place(finding.span, placed)}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [_related(number, each, placed) for number, each in enumerate(finding.related, 1)]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix, placed)]
    return result


def _related(number: int, related: Related, placed: Placed) -> dict[str, Any]:
    return {"id": number, "physicalLocation": _place(related.span, placed), "message": {"text": related.message}}


def _fix(fix: Fix, placed: Placed) -> dict[str, Any]:
    path = fix.edits[0].span.source.path
    replacements = [
        {"deletedRegion": _region(edit.span), **({"insertedContent": {"text": edit.text}} if edit.text else {})}
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(placed(path)), "replacements": replacements}
    return {"description": {"text": fix.message}, "artifactChanges": [change]}


def _place(span: Span, placed: Placed) -> dict[str, Any]:
    return {"artifactLocation": _artifact(placed(span.source.path)), "region": _region(span)}


def _artifact(path: str) -> dict[str, str]:
    """A path as a reference: what a URI cannot hold is escaped. An absolute one is of no project."""
    reference = quote(path.encode("utf-8", "surrogatepass"), safe="/!$&'()*+,;=@~")
    return {"uri": f"file://{reference}"} if path.startswith("/") else {"uri": reference, "uriBaseId": "ROOT"}


def _region(span: Span) -> dict[str, int]:
    """The place in lines, characters and bytes; `endColumn` is that of the character after it."""
    first, last = span.first, span.last
    return {
        "startLine": first.line,
        "startColumn": first.column,
        "endLine": last.line,
        "endColumn": last.column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
        "byteOffset": first.offset,
        "byteLength": last.offset - first.offset,
    }
