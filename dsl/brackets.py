"""Brackets of values that are never closed, or that close nothing, to the bracket that was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newel.dsl.rules import CLOSES_NOTHING, UNCLOSED_BRACKET
from newel.dsl.skip import CLOSER, closes, indent

if TYPE_CHECKING:
    from newel.dsl.recover import Recovery

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
    if closes(recovery.text, bracket.start, margin):
        return None
    sign = bracket.sign
    driver.report(UNCLOSED_BRACKET, bracket.start, bracket.start + 1, sign=sign, closer=CLOSER[sign])
    if recovery.text.find("\n", driver.end, start) >= 0 or kind == "$END":
        return driver.end if _close_all(recovery) else recovery.give_up_line(driver.end)
    return start if _close_for(recovery, kind) else _give_up(recovery, kind, start, end)


def _close_all(recovery: Recovery) -> bool:
    """Close every open bracket here; False where one of them cannot be."""
    driver = recovery.driver
    for _ in range(recovery.flat()):
        if not driver.feed(KIND[CLOSER[driver.opened[-1].sign]], driver.end, driver.end):
            return False
    return driver.takes("_NL") or driver.takes("RBRACE")


def _close_for(recovery: Recovery, kind: str) -> bool:
    """Close brackets here until the token can stand."""
    driver = recovery.driver
    for _ in range(recovery.flat()):
        if not driver.feed(KIND[CLOSER[driver.opened[-1].sign]], driver.end, driver.end):
            return False
        if driver.takes(kind):
            return True
    return False


def _give_up(recovery: Recovery, kind: str, start: int, _end: int) -> int:
    """Drop the statement: up to the `}` of its block, or to its end."""
    if kind != "RBRACE" or any(each.sign == "{" for each in recovery.driver.opened[-recovery.flat() :] if recovery.flat()):
        return recovery.give_up(start)
    dropped = recovery.abandon()
    if dropped is not None:
        recovery.put_broken(dropped, start)
    return start


def too_many(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """A closing bracket where none of its kind is open: read on as if it were not there."""
    driver = recovery.driver
    if kind not in SIGN or any(CLOSER[each.sign] == SIGN[kind] for each in driver.opened):
        return None
    between = driver.states[-1] in driver.table.boundaries
    if kind == "RBRACE" and not between and not driver.takes("_NL"):
        return None
    driver.report(CLOSES_NOTHING, start, end, sign=SIGN[kind])
    if between:
        recovery.put_broken(start, end)
    return end
