"""All findings of one run turned into those to be shown: each once, in the order of the text, without those allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from newel.compiler.checks import nw706_allows_nothing, nw707_allowed_without_reason
from newel.compiler.checks.codes import advice
from newel.compiler.checks.registry import rules
from newel.compiler.checks.selection import EVERYTHING, Selection
from newel.dsl.findings import Finding, Severity
from newel.dsl.rules.over_limit import OVER_LIMIT
from newel.dsl.suppressions import Suppression, suppressions
from newel.dsl.tree import File

_COMPARED = "NW8"
"""How the codes begin that are about two versions: what allows them speaks to a comparison, which this is not."""

_SEVERITIES: Sequence[Severity] = ("error", "warning", "note")


def settle(findings: Iterable[Finding], files: Iterable[File], selection: Selection = EVERYTHING) -> list[Finding]:
    """The findings to show, by path, then place, then code. `files` are those read, whose comments may allow some."""
    found = list(_readable(list(_once(findings))))
    left = _Allowed(files).sift(found)
    return sorted((selection.graded(finding) for finding in left if selection.wants(finding)), key=_order)


def first_of(findings: Sequence[Finding], most: int) -> Sequence[Finding]:
    """So many of the findings at most, errors before warnings before notes, still in their order. Of more it is said
    that there are others, as severe as the worst of those."""
    if len(findings) <= most:
        return findings
    worst = sorted(range(len(findings)), key=lambda at: _SEVERITIES.index(findings[at].rule.severity))
    kept, hidden = sorted(worst[:most]), findings[worst[most]]
    rule = replace(OVER_LIMIT, severity=hidden.rule.severity)
    fields = {"what": "compilation", "limit": most, "unit": "findings"}
    advice = f"mend these first: {len(findings) - most} more are not shown, the first of them here"
    return [*(findings[at] for at in kept), Finding(rule, hidden.span, fields, (), advice)]


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """A fault in a piece that is included in several places is found in each, and told once."""
    seen: set[tuple[object, ...]] = set()
    for finding in findings:
        key = (*_order(finding), finding.span.end)
        if key not in seen:
            seen.add(key)
            yield finding


def _readable(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Leaves out what is said of names and types in lines that could not be read whole: the fault is told already."""
    form = [finding for finding in findings if finding.rule.code < "NW1"]
    spans = [span for finding in form for span in (finding.span, *(related.span for related in finding.related))]
    unread = {(span.source.path, span.source.line_of(span.start)) for span in spans}
    for finding in findings:
        span = finding.span
        follows = "NW1" <= finding.rule.code < "NW3"
        if not (follows and unread and (span.source.path, span.source.line_of(span.start)) in unread):
            yield finding


def _order(finding: Finding) -> tuple[str, int, str, str]:
    return finding.span.source.path, finding.span.start, finding.rule.code, finding.message


class _Allowed:
    """What the comments of the files allow."""

    def __init__(self, files: Iterable[File]) -> None:
        self._all = [(suppression, file) for file in files for suppression in suppressions(file)]
        self._at: dict[tuple[str, int], list[Suppression]] = {}
        for suppression, file in self._all:
            for line in suppression.lines:
                self._at.setdefault((file.source.path, line), []).append(suppression)
        self._paths = {file.source.path for _, file in self._all}

    def sift(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Those that no comment allows, then those about the comments themselves."""
        used: set[int] = set()
        refused: set[int] = set()
        for finding in findings:
            by = self._by(finding)
            (refused if finding.rule.firm else used).update(map(id, by))
            if finding.rule.firm or not by:
                yield finding
        wrong = any(finding.rule.firm for finding in findings)
        for suppression, _ in self._all:
            yield from _about(suppression, id(suppression) in used, id(suppression) in refused, wrong)

    def _by(self, finding: Finding) -> list[Suppression]:
        if finding.span.source.path not in self._paths:
            return []
        span = finding.span
        at = (span.source.path, span.source.line_of(span.start))
        return [suppression for suppression in self._at.get(at, ()) if suppression.code == finding.rule.code]


def _about(suppression: Suppression, used: bool, refused: bool, wrong: bool) -> Iterator[Finding]:
    """What is wrong with a comment that allows something. While a file has errors not everything is looked for, so that
    nothing is found to allow says little."""
    code = suppression.code
    if not code:
        because = "it does not read `allow CODE because REASON`"
        yield Finding(nw706_allows_nothing.RULE, suppression.span, {"because": because}, (), "mend it, or delete it")
    elif not (used or refused) and code not in rules():  # else there is a finding of that code
        because = f"there is no code `{code}`"
        yield Finding(nw706_allows_nothing.RULE, suppression.span, {"because": because}, (), advice(code, rules()))
    elif refused:
        because = f"`{code}` is an error that can only be mended"
        yield Finding(nw706_allows_nothing.RULE, suppression.span, {"because": because}, fix=suppression.removed())
    elif not suppression.reason:
        yield Finding(nw707_allowed_without_reason.RULE, suppression.span, {"code": code})
    elif not used and not wrong and not code.startswith(_COMPARED):
        because = f"there is no `{code}` on this line or the next"
        yield Finding(nw706_allows_nothing.RULE, suppression.span, {"because": because}, fix=suppression.removed())
