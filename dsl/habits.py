"""What people write out of habit from other languages, to what was meant: read on as that, with one finding.

`if`, a name in quotes, a `,` or `:` too many, `state` for `step`, `goto`, arguments without brackets.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from newel.dsl import mends
from newel.dsl.expected import words
from newel.dsl.recovery import HERE, WORD, Recovery
from newel.dsl.rules import UNEXPECTED
from newel.dsl.skip import line_end
from newel.dsl.tree import Name
from newel.dsl.trial import Trial

CONDITIONS = {"if": (("_WHEN",), "when"), "unless": (("_WHEN", "_NOT"), "when not")}
STEPS = frozenset({"state", "column", "stage", "status", "node", "task"})
MOVES = frozenset({"goto", "go", "go_to", "move", "move_to", "transition", "then", "jump"})
OTHERWISE = frozenset({"else", "otherwise", "default"})
BLOCKS = frozenset({"when", "upon", "at"})
NEGATIONS = frozenset({"nor", "nott", "no", "nto", "non"})
TEXT_FOLLOWS = re.compile(r'[ \t]*"')
BLANK = re.compile(r"[ \t\r]*(#|$)")


def mend(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """A token out of habit: say what to write, and go on as if that stood there."""
    match kind:
        case "NAME":
            return _condition(recovery, start, end)
        case "STRING":
            return _step(recovery) or _quoted(recovery, start, end)
        case "LBRACE":
            return _step(recovery)
        case "COMMA":
            return _comma(recovery, start, end)
        case "COLON" | "EQUAL":
            return _sign_of_header(recovery, start, end)
    return None


def _condition(recovery: Recovery, start: int, end: int) -> int | None:
    """`-> done if ...`."""
    meant = CONDITIONS.get(recovery.text[start:end])
    if meant is None or not recovery.driver.takes("_WHEN"):
        return None
    terminals, word = meant
    hint = f"write `{word}`"
    source = recovery.driver.source
    fix = mends.replaced(source, start, end, word, hint) if len(terminals) == 1 else None
    problem = f"`{recovery.text[start:end]}` cannot stand here"
    recovery.driver.report(UNEXPECTED, start, end, problem=problem, hint=hint, fix=fix)
    for terminal in terminals:
        recovery.driver.feed(terminal, start, end)
    return end


def _quoted(recovery: Recovery, start: int, end: int) -> int | None:
    """`-> "done"`, `step "done" "Done"`. One text where a title may stand is that, and its name is missing."""
    driver, written = recovery.driver, recovery.text[start + 1 : end - 1]
    if not driver.takes("NAME") or driver.takes("STRING") or not WORD.fullmatch(written):
        return None
    trial = Trial(driver)
    trial.feed("NAME")
    titled = trial.feed("STRING") and recovery.block() != "on"
    if titled and not TEXT_FOLLOWS.match(recovery.text, end):
        return None
    hint = f"a name has no quotes: write `{written}`"
    fix = mends.replaced(driver.source, start, end, written, f"write `{written}`")
    problem = f"expected {words(driver.accepts())}, found `{recovery.text[start:end]}`"
    driver.report(UNEXPECTED, start, end, problem=problem, hint=hint, fix=fix)
    driver.feed("NAME", start, end, Name(start + 1, end - 1, written))
    return end


def _comma(recovery: Recovery, start: int, end: int) -> int | None:
    """A `,` between steps or statements."""
    driver = recovery.driver
    between = recovery.statement() is None
    if recovery.flat() or recovery.block() == "file" or not (between or driver.takes("_NL")):
        return None
    last = BLANK.match(recovery.text[end : line_end(recovery.text, end)]) is not None
    trial = Trial(driver)
    if not between and not last and not (trial.feed("_NL") and trial.line(end)):
        return None  # rather an argument whose brackets are missing
    hint = "leave the `,` out: a line ends by itself" if last else "write a line for each, without `,`"
    found = "`,` cannot stand " + HERE[recovery.block()] if between else "expected the end of the line, found `,`"
    driver.report(UNEXPECTED, start, end, problem=found, hint=hint, fix=mends.line_broken(driver.source, start))
    if between:
        recovery.put_broken(start, end)
    elif not last:
        driver.feed("_NL", start, end)
    return end


def _sign_of_header(recovery: Recovery, start: int, end: int) -> int | None:
    """`step done: "Done" {`, `on enter: {`, and `on turn_complete: -> done`, whose braces are missing."""
    driver = recovery.driver
    if recovery.flat() or not driver.takes("LBRACE"):
        return None
    sign = recovery.text[start:end]
    read = Trial(driver).line(end)
    trial = Trial(driver)
    if not read and not (trial.feed("LBRACE") and trial.blocks[-1] and trial.line(end)):
        return None
    hint = f"remove the `{sign}`" if read else f"write `{{` for the `{sign}`, and `}}` at the end"
    fix = mends.sign_left_out(driver.source, start, end, hint) if read else None
    problem = f"expected {words(driver.accepts())}, found `{sign}`"
    driver.report(UNEXPECTED, start, end, problem=problem, hint=hint, fix=fix)
    if not read:
        recovery.put_in.add(driver.end)
        driver.feed("LBRACE", driver.end, driver.end)
    return end


def _step(recovery: Recovery) -> int | None:
    """`state done "Done" {`."""
    begin = recovery.statement()
    word = recovery.word(begin)
    if begin is None or recovery.block() != "workflow" or word not in STEPS or recovery.flat():
        return None
    trial = Trial(recovery.driver, len(recovery.driver.values) - recovery.boundary())
    stop = begin + len(word)
    if not (trial.feed("_STEP") and trial.line(stop)):
        return None
    fix = mends.replaced(recovery.driver.source, begin, stop, "step", "write `step`")
    problem = f"`{word}` cannot stand {HERE['workflow']}"
    recovery.driver.report(UNEXPECTED, begin, stop, problem=problem, hint="write `step`", fix=fix)
    recovery.drop_statement()
    recovery.driver.feed("_STEP", begin, stop)
    return stop


# ---------------------------------------------------------------- what is not read on, but has words of its own


def hint(recovery: Recovery, kind: str, start: int, end: int, accepts: Collection[str]) -> str:
    """What to write for a token out of habit that is not read as what was meant; empty for any other."""
    text, begin = recovery.text, recovery.statement()
    word = recovery.word(begin)
    written = text[start:end]
    if recovery.block() == "on" and begin is not None and not recovery.flat():
        if kind == "NAME" and word in MOVES and text[begin + len(word) : start].isspace():
            return f"a move is written `-> {_after(text, end) if written == 'to' else written}`"
        if kind == "ARROW" and word in OTHERWISE:
            return f"leave `{word}` out: of the moves the first that holds is taken"
        if "LPAR" in accepts and kind in ("NAME", "STRING", "NUMBER", "DURATION"):
            return _brackets(text, start, end)
    if word == "on" and "LBRACE" in accepts and kind in ("ARROW", "NAME"):
        return f"put it in braces: `{{ {text[start : line_end(text, start)].split('#')[0].strip()} }}`"
    if kind == "LBRACE" and word in BLOCKS and recovery.block() == "step" and begin is not None:
        return f"write `on {_after(text, begin + len(word))}`"
    if kind == "STRING" and "NAME" in accepts and "STRING" not in accepts and word:
        return f"a name comes first: `{word} NAME {written}`"
    return ""


def _brackets(text: str, start: int, end: int) -> str:
    """`all_approve reviewer`, `queue_run reason="x"`; of two kinds beside one another, that they are two lines."""
    before = re.search(r"([\w-]+)[ \t]*$", text[:start].rpartition("\n")[2])
    called = before[1] if before else ""
    named = text[end : end + 1] == "="
    if called in NEGATIONS:
        return "write `not`"
    guard = re.search(r"\b(when|if|unless|and|or|not)\b[^{}]*$", text[:start].rpartition("\n")[2]) is not None
    if not (named or guard or text[start] in '"0123456789'):
        return f"one statement a line; arguments stand in brackets: `{called}(...)`"
    return f"arguments stand in brackets: `{called}({text[start:end]}{'=...' if named else ''})`"


def _after(text: str, at: int) -> str:
    """The next word."""
    found = WORD.search(text, at, line_end(text, at))
    return found[0] if found else "STEP"
