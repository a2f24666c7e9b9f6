"""A line with a quote too few, to the text that was meant: the one after which the rest of the line reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from newel.dsl.expected import words
from newel.dsl.recovery import Recovery
from newel.dsl.rules import UNCLOSED_TEXT, UNEXPECTED
from newel.dsl.skip import CLOSER, indent, line_end
from newel.dsl.tree import Name, Text
from newel.dsl.trial import Trial

QUOTE = re.compile(r'\\[^\n]|"')
CUT = re.compile(r"\s+|(?=[,)\]}])")
TRIES = 64


def odd(text: str, start: int, end: int) -> bool:
    """Whether a stretch holds an odd number of quotes."""
    return sum(each[0] == '"' for each in QUOTE.finditer(text, start, end)) % 2 == 1


def missing(recovery: Recovery, _kind: str, start: int, end: int) -> int | None:
    """An unexpected token on a line with a quote too few: where the text begins or ends is guessed."""
    text = recovery.text
    first = text.rfind("\n", 0, start) + 1
    last = line_end(text, start)
    if text.find("\n", start, end) >= 0 or last - first > recovery.driver.limits.text_length:
        return None  # no line that anybody wrote
    if not odd(text, first, last):
        return None
    for attempt in (_reclose, _stray):
        at = attempt(recovery)
        if at is not None:
            return at
    if text[start] == '"' and kept(recovery, start):
        return stray(recovery, start)
    at = never_opened(recovery, start)
    return at if at is not None or not recovery.flat() else _give_up(recovery, start)


def _give_up(recovery: Recovery, start: int) -> int:
    """There is no telling where the text begins: the statement ends with its line, or where its block ends on it."""
    text = recovery.text
    driver = recovery.driver
    stop = line_end(text, start)
    quote = text.find('"', start, stop)
    if quote < 0:
        quote = text.rfind('"', 0, start)
    driver.report(UNCLOSED_TEXT, quote, quote + 1, hint='each text needs a `"` on both sides')
    block = next((each.start for each in reversed(driver.opened) if each.block), -1)
    brace = text.rfind("}", start, stop) if block >= 0 and text.find("\n", block, start) < 0 else -1
    end = brace if brace >= 0 else stop
    dropped = recovery.abandon()
    recovery.put_broken(start if dropped is None else dropped, end)
    return end


def never_opened(recovery: Recovery, start: int) -> int | None:
    """The next quote closes a text that was never opened: one that begins here, or with the word before."""
    driver = recovery.driver
    text = recovery.text
    close = next((each.start() for each in QUOTE.finditer(text, start, line_end(text, start)) if each[0] == '"'), None)
    if close is None:
        return None
    last = driver.values[-1] if driver.values else None
    begins = [(start, 0)]
    if isinstance(last, Name) and last.end == driver.end and text.find("\n", last.start, start) < 0:
        begins.append((last.start, 1))
    for begin, drop in begins:
        trial = Trial(driver, drop)
        if trial.feed("STRING") and trial.line(close + 1):
            return _open(recovery, begin, close, drop)
    return None


def _open(recovery: Recovery, begin: int, close: int, drop: int) -> int:
    driver = recovery.driver
    value = recovery.text[begin:close]
    _drop(recovery, drop)
    problem = f"expected {words(driver.accepts())}, found `{value}`"
    driver.report(UNEXPECTED, begin, close, problem=problem, hint=f'put it in quotes: "{value}"')
    driver.feed("STRING", begin, close + 1, Text(begin, close + 1, value, False, begin))
    return close + 1


def _reclose(recovery: Recovery) -> int | None:
    """The text before was closed by a quote that opens the next one: it ends earlier."""
    driver = recovery.driver
    last = driver.values[-1] if driver.values else None
    if not isinstance(last, Text) or last.long or last.end != driver.end:
        return None
    for end in cuts(recovery.text, last.start, last.end - 1):
        trial = Trial(driver, 1)
        if trial.feed("STRING") and trial.line(end):
            _drop(recovery, 1)
            driver.report(UNCLOSED_TEXT, last.start, last.start + 1, wound=(last.start, last.end))
            value = recovery.text[last.start + 1 : end]
            driver.feed("STRING", last.start, end, Text(last.start, end, value, False, last.start + 1))
            return end
    return None


def kept(recovery: Recovery, start: int) -> bool:
    """Whether the line reads when the quote here is left out."""
    return Trial(recovery.driver).line(start + 1)


def stray(recovery: Recovery, start: int) -> int:
    """A quote that should not be there: read on behind it."""
    recovery.driver.report(UNCLOSED_TEXT, start, start + 1, hint='remove it, or add the other `"`')
    return start + 1


def _stray(recovery: Recovery) -> int | None:
    """The text before was opened by a quote too many."""
    driver = recovery.driver
    last = driver.values[-1] if driver.values else None
    if not isinstance(last, Text) or last.long or last.end != driver.end or not Trial(driver, 1).line(last.start + 1):
        return None
    _drop(recovery, 1)
    return stray(recovery, last.start)


def end_of_unclosed(recovery: Recovery, start: int) -> int | None:
    """Where a text that is not closed on its line was meant to end; None where no place makes the line whole."""
    text = recovery.text
    whole = start + len(text[start : line_end(text, start)].rstrip())
    for end in (*([whole] if balanced(text[start:whole]) else []), *cuts(text, start, whole), whole):
        trial = Trial(recovery.driver)
        if trial.feed("STRING") and trial.line(end):
            return end
    return None


def balanced(text: str) -> bool:
    """Whether a text closes as many brackets as it opens."""
    return all(text.count(opening) == text.count(closing) for opening, closing in CLOSER.items())


def cuts(text: str, start: int, stop: int) -> Iterator[int]:
    """Places inside a text where it may have been meant to end."""
    for count, each in enumerate(CUT.finditer(text, start + 1, stop)):
        if count == TRIES:
            return
        yield each.start()


def _drop(recovery: Recovery, count: int) -> None:
    driver = recovery.driver
    if count:
        del driver.states[-count:], driver.values[-count:], driver.starts[-count:]


# ---------------------------------------------------------------- long texts

FENCE_LINE = re.compile(r'\n([ \t]*)("{3,})[ \t]*\r?$', re.M)
OPENER_LINE = re.compile(r'[^\n"]"{3,}[ \t]*\r?\n')


def fence_left_out(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """The lines here are a long text whose opening fence is missing: the closing one stands below, as deep as they."""
    text = recovery.text
    start = end if kind == "_NL" else start
    fence = FENCE_LINE.search(text, text.rfind("\n", 0, start) if text.rfind("\n", 0, start) >= 0 else 0)
    if fence is None or OPENER_LINE.search(text, start, fence.start()):
        return None
    margin = len(fence[1])
    first = _first_line(text, start, margin)
    if first is None or fence.start() - first > recovery.driver.limits.text_length:
        return None
    lines = text[first : fence.start()].split("\n")
    if any(line.strip() and len(line) - len(line.lstrip(" \t")) < margin for line in lines):
        return None
    end = fence.end(2)
    recovery.driver.report(
        UNCLOSED_TEXT,
        fence.start(2),
        end,
        hint=f"the text needs `{fence[2]}` at the end of the line before it, too",
        wound=(first, end),
    )
    before = text.rfind("\n", 0, first - 1) + 1
    recovery.driver.doubts.append((before + indent(text, before), end))  # the setting that the text belongs to
    dropped = recovery.abandon()
    recovery.put_broken(first if dropped is None else dropped, end)
    return end


def _first_line(text: str, start: int, margin: int) -> int | None:
    """Where the lines begin that are indented by `margin`, below one that is not."""
    line = text.rfind("\n", 0, start) + 1
    while line > 0:
        above = text.rfind("\n", 0, line - 1) + 1
        if text[above:line].strip() and indent(text, above) < margin:
            return line
        line = above
    return None
