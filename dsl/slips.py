"""The slips that everybody makes, to words of their own; most are read as what was meant.

`=` or `:` after a setting, `;`, `'`, `&& || !`, `//`, `=>`, and a title without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from newel.dsl import habits, mends
from newel.dsl.blocks import HEADS
from newel.dsl.expected import words
from newel.dsl.recovery import HERE, Recovery
from newel.dsl.rules import UNEXPECTED
from newel.dsl.skip import indent, line_end
from newel.dsl.tree import Name, Text
from newel.dsl.trial import Trial

SIGNS = {
    "&&": ("_AND", "and"),
    "&": ("_AND", "and"),
    "||": ("_OR", "or"),
    "!": ("_NOT", "not"),
    "=>": ("ARROW", "->"),
    "\u2192": ("ARROW", "->"),
}
HOLDS = {
    "file": "a file holds declarations, workflows and scenarios",
    "workflow": "a workflow holds settings, steps and `every step`",
    "step": "a step holds settings, `on` blocks and `include`",
    "on": "under `on` stand actions and moves",
    "scenario": "a scenario holds lines that begin with `create`, `fire`, `expect` and their like",
}
LAST_WORD = re.compile(r"([\w-]+)[ \t]*$")
VALUES = frozenset({"NAME", "STRING", "NUMBER", "DURATION", "LSQB", "COLON"})
SIGN = re.compile("&&?|\\|\\||!|=>|\u2192")
BARE = re.compile(r"[^\n\"#{}()\[\],=]*[^\s\"#{}()\[\],=]")


def mend(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """A token that is a common slip: say so, and read what was meant."""
    if kind in ("EQUAL", "_BAR"):
        at = other_sign(recovery, start)
        if at is not None:
            return at
    if kind in ("EQUAL", "COLON"):
        return _setting_sign(recovery, start, end)
    if kind == "NAME":
        return _bare_title(recovery, start, end)
    return None


def other_sign(recovery: Recovery, start: int) -> int | None:
    """`&&`, `=>` and their like, where the sign or word that is meant can stand."""
    sign = SIGN.match(recovery.text, start)
    if sign is None:
        return None
    kind, meant = SIGNS[sign[0]]
    if not recovery.driver.takes(kind):
        return None
    hint = f"write `{meant}`"
    fix = mends.word_for_sign(recovery.driver.source, start, sign.end(), meant, hint)
    problem = f"`{sign[0]}` cannot stand here"
    recovery.driver.report(UNEXPECTED, start, sign.end(), problem=problem, hint=hint, fix=fix)
    recovery.driver.feed(kind, start, sign.end())
    return sign.end()


def _setting_sign(recovery: Recovery, start: int, end: int) -> int | None:
    """`color = "x"` or `color: "x"`: the sign is left out."""
    name = _setting_name(recovery)
    if name is None:
        return None
    sign = recovery.text[start:end]
    fix = mends.sign_left_out(recovery.driver.source, start, end, f"remove the `{sign}`")
    recovery.driver.report(
        UNEXPECTED,
        start,
        end,
        problem=f"expected a value or the end of the line, found `{sign}`",
        hint=f"a setting has no `{sign}`: write `{name.text} VALUE`",
        fix=fix,
    )
    return end


def _setting_name(recovery: Recovery) -> Name | None:
    """The name of the setting at hand, where nothing follows it yet."""
    values = recovery.driver.values
    alone = recovery.boundary() == len(values) - 1
    name = values[-1] if values else None
    return name if alone and isinstance(name, Name) and recovery.block() in ("workflow", "step") else None


def _bare_title(recovery: Recovery, start: int, end: int) -> int | None:
    """`step work Being worked on {`: the words up to the brace are the title."""
    driver = recovery.driver
    if not driver.takes("STRING") or driver.takes("NAME") or recovery.block() == "scenario":
        return None
    found = BARE.match(recovery.text, start, line_end(recovery.text, start))
    stop = found.end() if found else end
    trial = Trial(driver)
    if not (trial.feed("STRING") and trial.line(stop)):
        return _no_title(recovery, start, end)
    written = recovery.text[start:stop]
    hint = f'put it in quotes: "{written}"'
    safe = written.isprintable() and "\\" not in written
    fix = mends.replaced(driver.source, start, stop, f'"{written}"', hint) if safe else None
    problem = f"expected {words(driver.accepts())}, found `{written}`"
    driver.report(UNEXPECTED, start, stop, problem=problem, hint=hint, fix=fix)
    driver.feed("STRING", start, stop, Text(start, stop, written, False, start))
    return stop


def _no_title(recovery: Recovery, start: int, end: int) -> int | None:
    """`scenario for office {`: a text is missing, and nothing else."""
    trial = Trial(recovery.driver)
    if not (trial.feed("STRING") and trial.line(start)):
        return None
    say_unexpected(recovery, "NAME", start, end)
    recovery.driver.feed("STRING", start, start, Text(start, start, "", False, start))
    return start


def say_unexpected(recovery: Recovery, kind: str, start: int, end: int) -> None:
    """`expected this or that, found x`, with the best hint there is."""
    driver = recovery.driver
    begin = recovery.statement()
    accepts = driver.accepts()
    found = recovery.found(kind, start, end)
    if begin is None or begin == start:
        problem = f"{found} cannot stand {HERE[recovery.block()]}"
    else:
        problem = f"expected {words(accepts)}, found {found}"
    advice = hint(recovery, kind, start, end, accepts)
    if kind == "_NL":
        start = end = driver.end
    driver.report(UNEXPECTED, start, end, problem=problem, hint=advice)


def hint(recovery: Recovery, kind: str, start: int, end: int, accepts: Collection[str]) -> str:
    """What to do about an unexpected token; empty where nothing better than the message can be said."""
    text = recovery.text
    driver = recovery.driver
    if kind == "NAME" and "STRING" in accepts and "NAME" not in accepts:
        return f'put it in quotes: "{text[start:end]}"'
    word = LAST_WORD.search(text, text.rfind("\n", 0, start) + 1, start)
    if word and kind in VALUES and recovery.flat() > 0 and driver.opened[-1].sign == "(":
        return _in_brackets(recovery, word[1], accepts)
    if word and word[1] == "not" and recovery.block() == "on":
        return "write one `not`, or none, and only before a guard"
    if habit := habits.hint(recovery, kind, start, end, accepts):
        return habit
    if recovery.block() == "file" and (head := _head_hint(recovery.word(recovery.statement() or start))):
        return head
    if "_NL" in accepts and kind not in ("LBRACE", "RBRACE", "_NL") and text.find("\n", driver.end, start) < 0:
        return "one statement a line"
    return _plain_hint(recovery, kind, start, accepts)


def _in_brackets(recovery: Recovery, word: str, accepts: Collection[str]) -> str:
    """Two words side by side in the brackets of a call or of a declaration."""
    if recovery.block() != "file":
        return f"an argument is `{word}=VALUE`"
    return f"a parameter is `{word}: TYPE`" if "COLON" in accepts else "parameters are separated by `,`"


def _plain_hint(recovery: Recovery, kind: str, start: int, accepts: Collection[str]) -> str:
    """What stands in this block; or that the statement wants an end, or not this."""
    if recovery.statement() in (None, start):
        return HOLDS[recovery.block()]
    if kind == "_NL":
        return _brace_hint(recovery) if "LBRACE" in accepts else "finish the statement on this line"
    return "write what is missing before it, or remove it"


def _brace_hint(recovery: Recovery) -> str:
    """A body is missing, or only its brace."""
    text, end = recovery.text, recovery.driver.end
    begin = recovery.statement()
    following = text[line_end(text, end) :].lstrip("\r\n")
    margin = len(following) - len(following.lstrip(" \t"))
    deeper = margin > indent(text, end if begin is None else begin)
    return "write `{` at the end of the line" if deeper else "write `{}` at the end of the line: a body may be empty"


def _head_hint(word: str) -> str:
    """What the first word of a declaration was meant to be."""
    from difflib import get_close_matches  # rarely needed

    near = get_close_matches(word, sorted(HEADS["file"]), 1) if word and word not in HEADS["file"] else []
    return f"did you mean `{near[0]}`?" if near else ""
