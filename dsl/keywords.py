"""A keyword with a letter wrong, or one that stands in the wrong block, to the keyword and where it belongs.

`stp work "Work" {`, `-> done wen ...`, `step` at the top of a file. What reads with the keyword is read as if it stood
there; what stands in the wrong block is skipped whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from newel.dsl.blocks import HEADS, OPENERS
from newel.dsl.expected import words
from newel.dsl.recovery import HERE, Recovery
from newel.dsl.rules import UNEXPECTED
from newel.dsl.trial import Trial

NEAR = 0.7
DEPTH = {"file": 0, "workflow": 1, "scenario": 1, "step": 2, "on": 3}
HOMES = {word: block for block in ("file", "workflow", "step") for word in HEADS[block]}


def nearest(word: str, known: Mapping[str, str]) -> Iterator[str]:
    """The terminals of keywords like a word, the likest first; of those as like, the one that begins like it."""
    found = [(_like(word, each), terminal) for each, terminal in known.items() if each != word]
    return (terminal for (like, _), terminal in sorted(found, reverse=True) if like >= NEAR)


def _like(word: str, keyword: str) -> tuple[float, int]:
    """How alike two words are, and how far they begin alike; letters in another order make them just alike enough."""
    from difflib import SequenceMatcher  # only a mistake needs it

    matcher = SequenceMatcher(None, word, keyword, autojunk=False)
    most = 1.0 if sorted(word) == sorted(keyword) and len(word) > 1 else 0.0
    return max(matcher.ratio(), most * NEAR), _begins(word, keyword)


def _begins(word: str, keyword: str) -> int:
    return sum(word.startswith(keyword[:size]) for size in range(1, len(keyword) + 1))


def misspelt(recovery: Recovery, kind: str, start: int, end: int) -> int | None:
    """A token that reads as a keyword like it, or the first word of the statement that does."""
    at = _here(recovery, start, end) if kind == "NAME" else None
    return _head(recovery, start) if at is None else at


def _here(recovery: Recovery, start: int, end: int) -> int | None:
    """`-> done wen ...`, `scenario "..." fro office {`."""
    driver = recovery.driver
    if driver.states[-1] in driver.table.boundaries or start in recovery.reopened:
        return None
    written = recovery.text[start:end]
    for terminal in nearest(written, driver.table.keywords[driver.states[-1]]):
        trial = Trial(driver)
        if trial.feed(terminal) and trial.line(end):
            recovery.reopened.add(start)
            problem = f"expected {words(driver.accepts())}, found `{written}`"
            driver.report(UNEXPECTED, start, end, problem=problem, hint=f"write `{_word(terminal)}`")
            driver.feed(terminal, start, end)
            return end
    return None


def _head(recovery: Recovery, start: int) -> int | None:
    """`stp work "Work" {`, `onn enter {`, `tpye colour = red`."""
    driver, begin = recovery.driver, recovery.statement()
    begin = start if begin is None else begin
    word = recovery.word(begin)
    if not word or word in OPENERS | HEADS[recovery.block()] or begin in recovery.reopened:
        return None
    stop = begin + len(word)
    for terminal in nearest(word, driver.table.keywords[driver.states[recovery.boundary()]]):
        trial = Trial(driver, len(driver.values) - recovery.boundary())
        del trial.blocks[len(trial.blocks) - recovery.flat() :]
        if trial.feed(terminal) and trial.line(stop):
            recovery.reopened.add(begin)
            problem = f"`{word}` cannot stand {HERE[recovery.block()]}"
            driver.report(UNEXPECTED, begin, stop, problem=problem, hint=f"write `{_word(terminal)}`")
            recovery.drop_statement()
            driver.feed(terminal, begin, stop)
            return stop
    return None


def too_deep(recovery: Recovery, _kind: str, start: int, _end: int) -> int | None:
    """`fragment` in a workflow, `step` in a step: a block further in than where it belongs."""
    return _misplaced(recovery, start, outward=True)


def not_deep_enough(recovery: Recovery, _kind: str, start: int, _end: int) -> int | None:
    """`step` at the top of a file, `on` in a workflow."""
    return _misplaced(recovery, start, outward=False)


def _misplaced(recovery: Recovery, start: int, *, outward: bool) -> int | None:
    begin = recovery.statement()
    begin = start if begin is None else begin
    word, block = recovery.word(begin), recovery.block()
    home = HOMES.get(word)
    if home is None or word in HEADS[block] or (DEPTH[home] < DEPTH[block]) is not outward:
        return None
    problem = f"`{word}` cannot stand {HERE[block]}"
    recovery.driver.report(UNEXPECTED, begin, begin + len(word), problem=problem, hint=stands(word))
    return recovery.give_up(start)


def stands(word: str) -> str:
    """Where a word that begins a statement stands; empty for any other."""
    return f"`{word}` stands {HERE[HOMES[word]]}" if word in HOMES else ""


def _word(terminal: str) -> str:
    return terminal.strip("_").lower()
