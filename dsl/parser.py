"""Source to File and findings: always a whole File, whatever the text."""

from __future__ import annotations

from newel.dsl.collector import paused
from newel.dsl.documentation import attach
from newel.dsl.driver import Asked, Driver, Stop
from newel.dsl.findings import Finding
from newel.dsl.limits import DEFAULT, Limits
from newel.dsl.loading import load
from newel.dsl.rules import NOT_UTF8, OVER_LIMIT
from newel.dsl.source import Source, Span
from newel.dsl.tree import Broken, Comment, File, Item


def parse(source: Source | str, limits: Limits = DEFAULT) -> tuple[File, list[Finding]]:
    """The tree of a text and what is wrong with its form, in the order of the text. Never raises for what it holds."""
    if isinstance(source, str):
        source = of_text(source)
    refused = _refusal(source, limits)
    if refused is not None:
        return nothing(source), [refused]
    with paused():
        driver = Driver(source, load(), limits, _rescue)
        try:
            items: list[Item] = driver.run()
        except Stop:
            items = _stopped(driver)
        return _file(driver, items)


def _rescue(driver: Driver) -> Asked:
    """What the driver asks when it cannot go on; most files never need it."""
    from newel.dsl.rescue import Rescue

    return Rescue(driver)


def of_text(text: str) -> Source:
    """A text that has no file, with its byte order mark taken off."""
    bare = text.removeprefix("\ufeff")
    return Source("<text>", bare, 3 if bare is not text and len(bare) < len(text) else 0)


def nothing(source: Source) -> File:
    """The tree of a file that is not read."""
    return File(source, [Broken(0, len(source.text))], [], True)


def _refusal(source: Source, limits: Limits) -> Finding | None:
    """Why a text is not read at all."""
    text = source.text
    nul = text.find("\0")
    if nul >= 0:
        return Finding(NOT_UTF8, Span(source, nul, nul + 1), {"what": "it holds a NUL character"})
    over = {"what": "file", "limit": limits.bytes, "unit": "bytes"}
    if len(text) > limits.bytes or (not text.isascii() and len(text.encode("utf-8", "replace")) > limits.bytes):
        return Finding(OVER_LIMIT, Span(source, 0, 0), over)
    if text.count("\n") >= limits.lines:
        over = {"what": "file", "limit": limits.lines, "unit": "lines"}
        return Finding(OVER_LIMIT, Span(Source(source.path, ""), 0, 0), over)  # no text: its lines need not be found
    return None


def _stopped(driver: Driver) -> list[Item]:
    """What was read before there were too many findings; the rest is one Broken."""
    last = driver.findings[-1].span.start
    driver.findings.append(
        Finding(
            OVER_LIMIT,
            Span(driver.source, last, last),
            {"what": "file", "limit": driver.limits.findings, "unit": "syntax findings"},
            hint="mend these first: the rest of the file was not read",
        )
    )
    items = next((value for value in driver.values[:2] if isinstance(value, list)), [])
    start = items[-1].end if items else 0
    return [*items, Broken(start, len(driver.text))]


def _file(driver: Driver, items: list[Item]) -> tuple[File, list[Finding]]:
    """The tree with its comments and documentation; what was mended is marked by a Broken where it stands."""
    file = File(driver.source, items, _comments(driver), False)
    findings = driver.findings
    if findings:
        from newel.dsl.mending import mend  # most files need none

        mend(items, driver.doubts, driver.wounds)
        file.broken = True
    findings.extend(attach(file))
    findings.sort(key=lambda each: (each.span.start, each.rule.code))
    return file, findings


def _comments(driver: Driver) -> list[Comment]:
    text = driver.text
    return [
        Comment(start, end, text[start:end], not text[text.rfind("\n", 0, start) + 1 : start].strip())
        for start, end in sorted(driver.comments.items())
    ]
