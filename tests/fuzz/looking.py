"""One input through the whole compiler: only findings may come out, in time, and what is right must be a program."""

from __future__ import annotations

import time
from pathlib import Path

from newel.compiler import Program, compile_text
from newel.compiler.pipeline import Compiled
from newel.compiler.reports import REPORTS, report

SECONDS = 2.0
"""So long one input may take."""
EMPTY = Path(__file__).parents[1] / "cases" / "fuzz"
"""The root of every input: `use` and `text ... file` find only what the fuzzers found before."""


def look(data: bytes | str, *, told: bool = True) -> Compiled:
    """Compile an input and look at all that comes out; with `told` also at what each report makes of it."""
    began = time.process_time()
    compiled = compile_text(data, "x.newel", EMPTY)
    for finding in compiled.findings:
        source = finding.span.source
        assert finding.message
        assert 0 <= finding.span.start <= finding.span.end <= len(source.text), finding
        assert finding.span.first <= finding.span.last
        assert isinstance(finding.advice, str)
        for related in finding.related:
            assert 0 <= related.span.start <= related.span.end <= len(related.span.source.text), finding
    shown = [(each.span.source.path, each.span.start, each.rule.code, each.message) for each in compiled.findings]
    assert len(shown) == len(set(shown))
    wrong = any(finding.rule.severity == "error" for finding in compiled.findings)
    assert wrong == (compiled.program is None)
    for each in REPORTS if told else ():
        report(each.name, compiled.findings, 1)
    took = time.process_time() - began
    assert took < SECONDS, f"{took:.1f} s"
    return compiled


def again(compiled: Compiled) -> None:
    """A program comes back from its JSON as it was."""
    if compiled.program is not None:
        text = compiled.program.to_json()
        assert Program.from_json(text).to_json() == text
