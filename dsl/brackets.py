"""Brackets of values that are never closed, or that close nothing, to the bracket that was meant."""

from __future__ import annotations

from newel.dsl.driver import Driver
from newel.dsl.recovery import Recovery
from newel.dsl.rules import CLOSES_NOTHING, UNCLOSED_BRACKET
from newel.dsl.skip import CLOSER, closes, indent, line_end
from newel.dsl.table import advance
from newel.dsl.trial import Trial

KIND = {")": "RPAR", "]": "RSQB", "}": "RBRACE"}
SIGN = {kind: sign for sign, kind in KIND.items()}


def left_open(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """The innermost bracket is never closed: close it before the token, or at the end of the last line."""
    driver = recovery.driver
    if not recovery.flat():
        return None
    bracket = driver.opened[-1]
    begin = recovery.statement()
    margin = indent(recovery.text, bracket.start if begin is None else begin)
    if closes(recovery.text, bracket.start, margin) or (kind in SIGN and recovery.reads_without(end)):
        return None
    sign = bracket.sign
    driver.report(UNCLOSED_BRACKET, bracket.start, bracket.start + 1, sign=sign, closer=CLOSER[sign])
    if _close(recovery, kind, start):
        _doubt(recovery, begin)
        return start
    if recovery.text.find("\n", driver.end, start) >= 0 or kind == "$END":
        if _close(recovery, "_NL", start):
            _doubt(recovery, begin)
            return driver.end
        return recovery.give_up(driver.end) if recovery.block() == "file" else recovery.give_up_line(driver.end)
    return _give_up(recovery, kind, start)


def _doubt(recovery: Recovery, begin: int | None) -> None:
    """What stands in brackets that were closed by a guess is not to be judged; a declaration is better than none."""
    if begin is not None and recovery.block() != "file":
        recovery.driver.doubts.append((begin, recovery.driver.end))


def _reads(driver: Driver, signs: list[str], start: int) -> bool:
    """Whether the line reads once these brackets are closed: what is a name inside them may be a keyword outside."""
    trial = Trial(driver)
    return all(map(trial.feed, signs)) and trial.line(start)


def _close(recovery: Recovery, kind: str, start: int) -> bool:
    """Close so many brackets here that the token can stand; none, where that does not help."""
    driver = recovery.driver
    signs = [KIND[CLOSER[each.sign]] for each in reversed(driver.opened[-recovery.flat() :])]
    trial = Trial(driver)
    for count, sign in enumerate(signs, 1):
        if not trial.feed(sign):
            return False
        if kind == "_NL" and count < len(signs):
            continue
        if advance(driver.table, trial.stack[:], kind) or (kind == "NAME" and _reads(driver, signs[:count], start)):
            for each in signs[:count]:
                driver.feed(each, driver.end, driver.end)
            return True
    return False


def _give_up(recovery: Recovery, kind: str, start: int) -> int:
    """Drop the statement: up to the `}` of its block, or to its end."""
    if kind != "RBRACE" or any(each.sign == "{" for each in recovery.driver.opened[-recovery.flat() :]):
        return recovery.give_up(start)
    dropped = recovery.abandon()
    if dropped is not None:
        recovery.put_broken(dropped, start)
    return start


def too_many(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """A closing bracket where none of its kind is open: read on as if it were not there."""
    driver = recovery.driver
    if kind not in SIGN or any(CLOSER[each.sign] == SIGN[kind] for each in driver.opened if not each.block):
        return None
    between = driver.states[-1] in driver.table.boundaries
    reads = recovery.reads_without(end)
    if not (between or reads or (driver.takes("_NL") and (kind != "RBRACE" or not driver.opened))):
        return None
    driver.report(CLOSES_NOTHING, start, end, sign=SIGN[kind])
    if between and not recovery.text[end : line_end(recovery.text, end)].strip():
        recovery.put_broken(start, end)
    return end
