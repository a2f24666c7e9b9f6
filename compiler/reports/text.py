"""Findings for a person: each with its place, the text there with the fault marked, the other places, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.reports.excerpt import Row, excerpt
from newel.compiler.reports.results import Results, summary
from newel.compiler.reports.safe import safe
from newel.dsl.findings import Finding, Related
from newel.dsl.source import Span

# What is painted how, as the parameters of the terminal's colour sequence.
_STYLES = {"error": "1;31", "warning": "1;33", "note": "1;36", "path": "1", "gutter": "34", "help": "32"}


def render(results: Results) -> str:
    """One block per finding with an empty line after it, then the summary."""
    painter = _Painter(results.color)
    blocks = ["\n".join(painter.block(finding)) + "\n\n" for finding in results.findings]
    return "".join(blocks) + ("" if results.quiet else summary(results) + "\n")


class _Painter:
    def __init__(self, color: bool) -> None:
        self._color = color

    def _paint(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._color and text else text

    def block(self, finding: Finding) -> Iterator[str]:
        """The lines of one finding."""
        rule = finding.rule
        code = self._paint(rule.severity, f"{rule.severity} {rule.code}")
        yield f"{self._paint('path', place(finding.span))} {code} {safe(finding.message)}"
        # Every excerpt of a finding has its bar in the same column.
        spans = [finding.span, *(related.span for related in finding.related)]
        gutter = max(len(str(span.source.line_of(span.end))) for span in spans)
        yield self._line(gutter, "")
        yield from self._rows(excerpt(finding.span), gutter, rule.severity)
        for related in finding.related:
            yield from self._related(related, finding.span, gutter)
        for text in _advice(finding):
            yield f"{' ' * gutter} {self._paint('gutter', '=')} {self._paint('help', 'help:')} {safe(text)}"

    def _related(self, related: Related, beside: Span, gutter: int) -> Iterator[str]:
        if related.span.source is not beside.source:
            yield f"{' ' * gutter} {self._paint('gutter', '>')} {place(related.span)}"
        *rows, marks = excerpt(related.span, "-")
        labelled = Row(None, f"{marks.text} {safe(related.message)}")
        yield from self._rows([*rows, labelled], gutter, "gutter")

    def _rows(self, rows: list[Row], gutter: int, style: str) -> Iterator[str]:
        for number, text in rows:
            yield self._line(gutter, text if number else self._paint(style, text), number)

    def _line(self, gutter: int, text: str, number: int | None = None) -> str:
        edge = f"{number or '':>{gutter}} |"
        return f"{self._paint('gutter', edge)} {text}".rstrip()


def _advice(finding: Finding) -> Iterator[str]:
    """What to do next, and which of it `--fix` does."""
    fix = finding.fix
    if fix is None or fix.message != finding.advice:
        yield from filter(None, (finding.advice,))
    if fix is not None:
        yield f"{fix.message} (mended by --fix)"


def place(span: Span) -> str:
    """Where it begins, as editors and terminals link it: `office.newel:12:5:`."""
    line, column = span.source.line_column(span.start)
    return f"{safe(span.source.path)}:{line}:{column}:"
