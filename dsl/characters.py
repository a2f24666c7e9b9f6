"""Text that is no token - a quote without its end, `5x`, `;`, an umlaut - to a finding and what it was meant to be."""

from __future__ import annotations

import re

from newel.dsl import mends, quotes, slips
from newel.dsl.findings import Fix
from newel.dsl.recovery import Recovery
from newel.dsl.rules import (
    BAD_ESCAPE,
    BAD_NAME,
    BAD_NUMBER,
    NOT_UTF8,
    TEXT_FORM,
    UNCLOSED_TEXT,
    UNEXPECTED,
)
from newel.dsl.skip import indent, line_end
from newel.dsl.tree import Name, Text
from newel.dsl.trial import Trial

CLOSED = re.compile(r'"(?!"")(?:[^"\\\n]|\\[^\n])*"')
BAD_PIECE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9A-Fa-f]{4}).?|[\x00-\x1f]')
GOOD_PIECE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})')
TAIL = re.compile(r"[\s(){}\[\]]+$")
NUMBER = re.compile(r"-?\d[\w.-]*")
WORD = re.compile(r"[^\W\d][\w-]*|[\w-]+")
LONG_LINE = re.compile(r'"{3,}[^"\n]*"{3,}')
QUOTED = re.compile(
    "'([^'\"\\\\\n]*)'|[\u201c\u201e\u201d]([^\"\\\\\n\u201c\u201d]*)[\u201c\u201d]|\u00ab([^\"\\\\\n\u00bb]*)\u00bb"
)
QUOTES = frozenset("'\u201c\u201d\u201e\u00ab\u2018\u2019")


def read(recovery: Recovery, pos: int) -> int:
    """Report what stands at a place where no token begins; where to go on."""
    char = recovery.text[pos]
    at = quotes.fence_left_out(recovery, "", pos, pos)
    if at is not None:
        return at
    if char == '"':
        return _long(recovery, pos) if recovery.text.startswith('"""', pos) else _quoted(recovery, pos)
    if char in "-0123456789" and (number := NUMBER.match(recovery.text, pos)):
        return _number(recovery, pos, number.end())
    if char == "\ufffd" or "\ud800" <= char <= "\udfff":
        return _lost(recovery, pos)
    if char.isalpha():
        return _name(recovery, pos)
    if char.isspace() or not char.isprintable():
        return _space(recovery, pos)
    if char in QUOTES:
        return _other_quotes(recovery, pos)
    if char == ";":
        return _semicolon(recovery, pos)
    if recovery.text.startswith(("//", "/*", "--"), pos):
        return _other_comment(recovery, pos)
    at = slips.other_sign(recovery, pos)
    return _plain(recovery, pos, None) if at is None else at


# ---------------------------------------------------------------- texts


def _stand_in(recovery: Recovery, start: int, end: int, value: str, long: bool = False) -> int:
    """Read a stretch as a text where one can stand, else give the statement up behind it."""
    kind = "LONG_STRING" if long and recovery.driver.takes("LONG_STRING") else "STRING"
    if recovery.driver.feed(kind, start, end, Text(start, end, value, long, start + 1)):
        return end
    return recovery.give_up(end)


def _quoted(recovery: Recovery, pos: int) -> int:
    """A `"` that the token could not be read from: it is not closed, or something in it is wrong."""
    text = recovery.text
    closed = CLOSED.match(text, pos)
    if closed:
        return _bad_escape(recovery, pos, closed.end())
    end = quotes.never_opened(recovery, pos)
    if end is not None:
        return end
    if not recovery.driver.takes("STRING") and quotes.kept(recovery, pos):
        return quotes.stray(recovery, pos)
    end = quotes.end_of_unclosed(recovery, pos)
    if end is None:
        stop = line_end(text, pos)
        tail = TAIL.search(text, pos + 1, stop)  # brackets at the end of the line are not part of the text
        end = tail.start() if tail else stop
    recovery.driver.report(UNCLOSED_TEXT, pos, pos + 1, wound=(pos, end))
    return _stand_in(recovery, pos, end, text[pos + 1 : end])


def _bad_escape(recovery: Recovery, pos: int, end: int) -> int:
    """The first thing that is wrong inside a text that is closed."""
    text = recovery.text
    at = pos + 1
    while not (bad := BAD_PIECE.match(text, at, end - 1)):
        good = GOOD_PIECE.match(text, at, end)
        at = good.end() if good else at + 1
    written = bad[0] if bad[0].isprintable() else f"U+{ord(bad[0][0]):04X}"
    hint = None if bad[0][0] == "\\" else "write it as an escape" + (": `\\t`" if bad[0] == "\t" else "")
    fix = mends.replaced(recovery.driver.source, at, bad.end(), "\\t", hint) if hint and bad[0] == "\t" else None
    recovery.driver.report(BAD_ESCAPE, at, bad.end(), hint=hint, fix=fix, escape=written)
    return _stand_in(recovery, pos, end, text[pos + 1 : end - 1])


def _long(recovery: Recovery, pos: int) -> int:
    """A `\"\"\"` that begins no long text: all on one line, or never closed."""
    text = recovery.text
    one_line = LONG_LINE.match(text, pos)
    if one_line:
        recovery.driver.report(TEXT_FORM, pos, one_line.end())
        return _stand_in(recovery, pos, one_line.end(), one_line[0].strip('"'), long=True)
    margin = indent(text, pos)
    fence = text[pos : pos + len(text[pos:]) - len(text[pos:].lstrip('"'))]
    end = _long_end(text, pos, margin, fence)
    rest = text[pos + len(fence) : line_end(text, pos)].strip()
    if rest and text.startswith(fence, end - len(fence)):
        recovery.driver.report(TEXT_FORM, pos, pos + len(fence), hint="put the text on the next line", wound=(pos, end))
    else:
        hint = f"close it with `{fence}` on a line of its own"
        recovery.driver.report(UNCLOSED_TEXT, pos, pos + len(fence), hint=hint, wound=(pos, end))
    return _stand_in(recovery, pos, end, text[pos:end].strip('"'), long=True)


def _long_end(text: str, pos: int, margin: int, fence: str) -> int:
    """Where a long text was meant to end: behind the next fence, or before the first line that is indented no deeper
    than the one it begins on; a text is always deeper."""
    shallow = re.compile(rf'\r?\n(?=[ \t]{{0,{margin}}}[^\s"])').search(text, pos)
    end = shallow.start() if shallow else len(text)
    close = text.find(fence, pos + len(fence), end)
    return close + len(fence) if close >= 0 else end


def _other_quotes(recovery: Recovery, pos: int) -> int:
    """Single, curly or angled quotes: the text between them is read."""
    found = QUOTED.match(recovery.text, pos)
    if found is None:
        return _plain(recovery, pos, 'texts stand in straight double quotes: "..."')
    value = next(group for group in found.groups() if group is not None)
    hint = f'write "{value}"'
    if recovery.driver.takes("STRING"):
        fix = mends.replaced(recovery.driver.source, pos, found.end(), f'"{value}"', hint)
        _say(recovery, pos, found.end(), hint, fix if value.isprintable() else None)
    else:
        _say(recovery, pos, pos + 1, hint)
    return _stand_in(recovery, pos, found.end(), value)


# ---------------------------------------------------------------- words and numbers


def _number(recovery: Recovery, start: int, end: int) -> int:
    """`5x`, `2weeks`, `1.2.3`; or a name that begins with a digit."""
    written = recovery.text[start:end]
    driver = recovery.driver
    a_name = driver.takes("NAME") and not driver.takes("NUMBER")
    if recovery.statement() is None or (a_name and recovery.reads_without(end)):
        return _plain_word(recovery, start, end)
    if a_name and not driver.takes("_NL"):
        driver.report(
            BAD_NAME,
            start,
            end,
            hint="begin it with a letter",
            word=written,
            reason="a name begins with a letter or `_`",
        )
        driver.feed("NAME", start, end)
        return end
    driver.report(BAD_NUMBER, start, end, written=written)
    return recovery.give_up(end)


def _plain_word(recovery: Recovery, start: int, end: int) -> int:
    """A number, or what begins like one, where no number can stand."""
    reads = recovery.reads_without(end)
    _say(recovery, start, end, None)
    return end if reads else recovery.give_up(end)


def _name(recovery: Recovery, pos: int) -> int:
    """A letter that names do not have: the whole word is read as the name."""
    driver = recovery.driver
    word = WORD.match(recovery.text, pos)
    end = word.end() if word else pos + 1
    last = driver.values[-1] if driver.values else None
    reason = "names are ASCII letters, digits, `_` and inner `-`"
    if isinstance(last, Name) and last.end == pos == driver.end:
        last.end, last.text = end, recovery.text[last.start : end]
        driver.end = end
        driver.report(BAD_NAME, last.start, end, word=last.text, reason=reason)
        return end
    driver.report(BAD_NAME, pos, end, word=recovery.text[pos:end], reason=reason)
    return end if driver.feed("NAME", pos, end) else recovery.give_up(end)


# ---------------------------------------------------------------- single characters


def _say(recovery: Recovery, start: int, end: int, hint: str | None, fix: Fix | None = None) -> None:
    written = recovery.text[start:end]
    shown = f"`{written}`" if written.isprintable() else f"the character U+{ord(written[0]):04X}"
    recovery.driver.report(UNEXPECTED, start, end, problem=f"{shown} cannot stand here", hint=hint, fix=fix)


def _plain(recovery: Recovery, pos: int, hint: str | None, fix: Fix | None = None) -> int:
    """Any other character: the statement is given up."""
    reads = recovery.reads_without(pos + 1)
    _say(recovery, pos, pos + 1, hint, fix)
    return pos + 1 if reads else recovery.give_up(pos + 1)


def _lost(recovery: Recovery, pos: int) -> int:
    """U+FFFD or half a surrogate pair: the letter was lost before the file came here. Read as part of a name."""
    end = pos + 1
    what = f"U+{ord(recovery.text[pos]):04X} stands where a character was lost"
    recovery.driver.report(NOT_UTF8, pos, end, what=what)
    last = recovery.driver.values[-1] if recovery.driver.values else None
    if isinstance(last, Name) and last.end == pos == recovery.driver.end:
        word = WORD.match(recovery.text, end)
        last.end = recovery.driver.end = word.end() if word else end
        last.text = recovery.text[last.start : last.end]
        return last.end
    return recovery.give_up(end)


def _space(recovery: Recovery, pos: int) -> int:
    """An invisible character: read as a space."""
    char = recovery.text[pos]
    end = pos + 1
    while recovery.text[end : end + 1] == char:
        end += 1
    problem = f"the invisible character U+{ord(char):04X} cannot stand here"
    blank = char.isspace() and char not in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # no break of a line
    fix = mends.replaced(recovery.driver.source, pos, end, " " * (end - pos), "write a space") if blank else None
    recovery.driver.report(UNEXPECTED, pos, end, problem=problem, hint="remove it, or write a space", fix=fix)
    return end


def _semicolon(recovery: Recovery, pos: int) -> int:
    """`;`: read as the end of the line."""
    driver = recovery.driver
    trial = Trial(driver)
    if recovery.flat() or not (trial.feed("_NL") and trial.line(pos + 1)):
        last = driver.takes("_NL") and not recovery.text[pos + 1 : line_end(recovery.text, pos)].split("#")[0].strip()
        fix = mends.line_broken(driver.source, pos) if last and not recovery.flat() else None
        return _plain(recovery, pos, "one statement a line", fix)
    _say(recovery, pos, pos + 1, "one statement a line", mends.line_broken(driver.source, pos))
    rest = recovery.text[pos + 1 : line_end(recovery.text, pos)].lstrip(" \t\r")
    if rest and rest[0] not in "#}":
        driver.feed("_NL", pos, pos + 1)
    return pos + 1


def _other_comment(recovery: Recovery, pos: int) -> int:
    """`//`, `/*` or `--`: read as a comment."""
    driver = recovery.driver
    end = line_end(recovery.text, pos)
    fix = mends.comment_sign(driver.source, pos) if recovery.text.startswith("//", pos) else None
    kept = driver.states[-1] in driver.table.boundaries or driver.takes("_NL")
    _say(recovery, pos, pos + 2, "comments begin with `#`", fix if kept else None)
    if driver.states[-1] in driver.table.boundaries:
        recovery.put_broken(pos, end)
        return end
    return end if driver.takes("_NL") else recovery.give_up(end)
