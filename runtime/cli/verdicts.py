"""Played scenarios to what `newel test` prints: text, JUnit's XML, or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from newel.compiler.counting import counted
from newel.compiler.reports.safe import safe
from newel.runtime.cli.shown import as_json
from newel.runtime.cli.traces import told_lines, trace_lines, written
from newel.runtime.scenarios.coverage import WHATS

if TYPE_CHECKING:
    from newel.compiler.scenarios import Line, Script
    from newel.runtime.scenarios import Coverage, Result

FORMAT_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What is to be told: the results in the order they were played; `coverage` None where nobody asked for it."""

    results: list[Result]
    coverage: Coverage | None = None
    traces: bool = False

    @property
    def failed(self) -> list[Result]:
        """Those that failed."""
        return [result for result in self.results if result.failed is not None]


def _place(script: Script) -> str:
    return f"{safe(script.span.source.path)}:{script.span.source.line_of(script.span.start)}"


# ---------------------------------------------------------------- text


def text(verdicts: Verdicts) -> Iterator[str]:
    """A line for each scenario, then each failed one with its trace, then the coverage, then figures."""
    for result in verdicts.results:
        verdict = "ok" if result.failed is None else "FAILED"
        yield f"{_place(result.script)}: {safe(result.script.title)} ... {verdict}"
    for result in verdicts.results if verdicts.traces else verdicts.failed:
        yield f"\n{_place(result.script)}: {safe(result.script.title)}"
        yield from trace_lines(result.trace)
    if verdicts.coverage is not None:
        yield ""
        yield from _coverage(verdicts.coverage)
    count, failed = len(verdicts.results), len(verdicts.failed)
    yield f"\n{counted(count, 'scenario')}: {count - failed} ok, {failed} failed"


def _coverage(coverage: Coverage) -> Iterator[str]:
    for workflow in coverage.workflows():
        tallies = [f"{what} {(t := coverage.tally(what, workflow)).seen}/{t.all}" for what in WHATS]
        yield f"coverage of {workflow}: {', '.join(tallies)}"
        for point in coverage.missed(workflow):
            at = f"{safe(point.place.path)}:{point.place.line}:{point.place.column}: " if point.place else ""
            yield f"  {at}{point.missed}"
    yield f"coverage: {shown_percent(coverage)} %"


def shown_percent(coverage: Coverage) -> str:
    """The whole coverage, with one decimal and never rounded up to all."""
    return f"{int(coverage.percent() * 10) / 10:.1f}"


# ---------------------------------------------------------------- JUnit


def junit(verdicts: Verdicts) -> Iterator[str]:
    """A suite for each file, a test case for each scenario, its trace in the failure."""
    results, suites = verdicts.results, dict[str, list[Any]]()
    for result in results:
        suites.setdefault(result.script.span.source.path, []).append(result)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="newel test" tests="{len(results)}" failures="{len(verdicts.failed)}" errors="0" time="0">'
    for path, members in sorted(suites.items()):
        failures = sum(result.failed is not None for result in members)
        counts = f'tests="{len(members)}" failures="{failures}" errors="0" skipped="0" time="0"'
        yield f"  <testsuite name={_attribute(path)} {counts}>"
        for result in members:
            yield from _case(path, result)
        yield "  </testsuite>"
    yield "</testsuites>"


def _case(path: str, result: Result) -> Iterator[str]:
    head = f'<testcase classname={_attribute(path)} name={_attribute(result.script.title)} time="0"'
    if result.failed is None:
        yield f"    {head}/>"
        return
    body = "\n".join([_place(result.script), *trace_lines(result.trace)])
    message = _attribute(result.failed.failure or "")
    yield f"    {head}>"
    yield f'      <failure type="failed" message={message}>{escape(_xml(body))}</failure>'
    yield "    </testcase>"


def _attribute(value: str) -> str:
    return quoteattr(_xml(safe(value)))


def _xml(value: str) -> str:
    """Without the two characters that `safe` leaves and XML cannot hold."""
    return value.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


# ---------------------------------------------------------------- JSON


def json(verdicts: Verdicts) -> Iterator[str]:
    """One document; its fields stay as they are within a version of the format."""
    failed = len(verdicts.failed)
    document = {
        "format_version": FORMAT_VERSION,
        "scenarios": [_scenario(result) for result in verdicts.results],
        "coverage": None if verdicts.coverage is None else _covered(verdicts.coverage),
        "summary": {
            "scenarios": len(verdicts.results),
            "ok": len(verdicts.results) - failed,
            "failed": failed,
        },
    }
    yield as_json(document).rstrip("\n")


def _scenario(result: Result) -> dict[str, Any]:
    script, failed = result.script, result.failed
    return {
        "title": script.title,
        "workflow": script.workflow,
        "status": "ok" if failed is None else "failed",
        **_range(script),
        "failure": None if failed is None else {"message": failed.failure, **_range(failed.line)},
        "trace": [
            {"text": written(said.line), **_range(said.line), "told": list(told_lines(said))} for said in result.trace
        ],
    }


def _range(thing: Script | Line) -> dict[str, Any]:
    line, column = thing.span.source.line_column(thing.span.start)
    return {"path": thing.span.source.path, "line": line, "column": column}


def _covered(coverage: Coverage) -> dict[str, Any]:
    return {
        "percent": float(shown_percent(coverage)),
        "workflows": [
            {
                "name": name,
                **{what.replace(" ", "_"): coverage.tally(what, name) for what in WHATS},
                "missed": [
                    {
                        "what": point.what,
                        "message": point.missed,
                        "path": point.place.path if point.place else None,
                        "line": point.place.line if point.place else None,
                        "column": point.place.column if point.place else None,
                    }
                    for point in coverage.missed(name)
                ],
            }
            for name in coverage.workflows()
        ],
    }


FORMATS: Mapping[str, Callable[[Verdicts], Iterator[str]]] = {"text": text, "junit": junit, "json": json}
