"""Changes to findings with places in the two versions, and to a view nested by category, workflow and step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from newel.compiler.checks.selection import EVERYTHING, Selection
from newel.compiler.diff.changes import Change
from newel.compiler.diff.registry import DIFFERENCES, category
from newel.compiler.diff.versions import Version
from newel.compiler.reports.safe import safe
from newel.dsl.findings import Finding, Related
from newel.dsl.suppressions import Suppression


def findings_of_changes(
    changes: Iterable[Change], old: Version, new: Version, selection: Selection = EVERYTHING
) -> list[tuple[Change, Finding]]:
    """Each change that is wanted and that no comment in the new version allows, with its finding: by path, place and
    code, each once."""
    found: dict[tuple[str, int, str, str], tuple[Change, Finding]] = {}
    for change in changes:
        finding = _finding(change, old, new)
        if selection.wants(finding) and not new.allows(change.rule.code, new.span(change.new)):
            key = (finding.span.source.path, finding.span.start, finding.rule.code, finding.message)
            found.setdefault(key, (change, selection.graded(finding)))
    return [found[key] for key in sorted(found)]


def allowing_nothing(changes: Iterable[Change], new: Version) -> Iterator[Suppression]:
    """The comments of the new version that allow a change of which there is none."""
    codes = {difference.rule.code for difference in DIFFERENCES}
    used = {new.allows(change.rule.code, new.span(change.new)) for change in changes}
    return (each for each in new.allowed if each.code in codes and each not in used)


def _finding(change: Change, old: Version, new: Version) -> Finding:
    after, before = new.span(change.new), old.span(change.old)
    related = (Related("before", before),) if before and after else ()
    return Finding(change.rule, after or before or new.anywhere(), change.fields, related, change.hint)


def nested(found: Sequence[tuple[Change, Finding]]) -> Iterator[str]:
    """The changes in lines: under their category, what they belong to, and the worst first."""
    shown: tuple[str, ...] = ()
    for change, finding in sorted(found, key=_order):
        path = (category(change.rule), *change.group)
        same = next(
            (n for n, (a, b) in enumerate(zip(shown, path, strict=False)) if a != b), min(map(len, (shown, path)))
        )
        for depth in range(same, len(path)):
            yield f"{'  ' * depth}{safe(path[depth])}"
        shown = path
        indent = "  " * len(path)
        yield f"{indent}{finding.rule.severity} {finding.rule.code} {safe(finding.message)}"
        if finding.advice and finding.rule.severity != "note":
            yield f"{indent}  {safe(finding.advice)}"


_CATEGORIES = ("shape", "flow", "in flight")
_SEVERITIES = ("error", "warning", "note")


def _order(entry: tuple[Change, Finding]) -> tuple[int, tuple[str, ...], int, str, str]:
    change, finding = entry
    severity = _SEVERITIES.index(finding.rule.severity)
    return _CATEGORIES.index(category(change.rule)), change.group, severity, finding.rule.code, finding.message
