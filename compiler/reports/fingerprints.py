"""Findings to names that stay when lines are added above them, so that a service tells new ones from those it knows."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from newel.compiler.reports.results import Results


def fingerprints(results: Results) -> list[str]:
    """One for each finding: of its code, file, message and line as it is written; the second such finding of a file is
    told from the first."""
    seen: Counter[str] = Counter()
    found = []
    for finding in results.findings:
        source = finding.span.source
        line = source.line(source.line_of(finding.span.start)).strip()
        parts = "\0".join((finding.rule.code, results.placed(source.path), finding.message, line))
        seen[parts] += 1
        whole = f"{parts}\0{seen[parts]}".encode("utf-8", "surrogatepass")
        found.append(sha256(whole).hexdigest())
    return found
