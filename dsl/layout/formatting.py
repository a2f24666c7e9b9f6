"""A source to its text in the one layout, or to the findings that say why it is left alone."""

from __future__ import annotations

from newel.dsl.findings import Finding
from newel.dsl.layout.writing import laid_out
from newel.dsl.limits import DEFAULT, Limits
from newel.dsl.parser import parse
from newel.dsl.source import Source


def format_source(source: Source, limits: Limits = DEFAULT) -> tuple[str | None, list[Finding]]:
    """The text in its layout, without a byte order mark; None with the findings where it has syntax errors.

    A file that would grow over a limit by being laid out stays as it is.
    """
    file, findings = parse(source, limits)
    if file.broken:
        return None, findings
    text = laid_out(source.text)
    again, _ = parse(Source(source.path, text), limits)
    return (source.text if again.broken else text), []
