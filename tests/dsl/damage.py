"""One random damage to a real file, for the bars of recovery; seeded, so that a run can be repeated."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(
    r'"{3,}[ \t]*\r?\n(?:[^\n]*\n)*?[ \t]*"{3,}|"(?:[^"\\\n]|\\.)*"|#[^\n]*|->|\.\.|[A-Za-z_][\w-]*|-?\d[\w.]*|[^\s\w]'
)
JUNK = [
    "?",
    "@",
    "$",
    ";",
    "(",
    ")",
    "[",
    "]",
    '"',
    "'",
    "=",
    ":",
    ",",
    "->",
    "|",
    "foo",
    "7",
    "5x",
    "step",
    "on",
    "&&",
    "!",
    "%",
    "/",
    "\\",
    ".",
]


def files() -> list[str]:
    """The vocabulary, the examples and the cases, as text."""
    paths = [ROOT / "grammars" / "standard.newel", *sorted((ROOT / "tests" / "cases" / "ok").glob("*.newel"))]
    paths += sorted((ROOT / "examples").rglob("*.newel"))
    return [path.read_text(encoding="utf-8") for path in paths]


def tokens(text: str) -> list[re.Match[str]]:
    """Everything in a file but its comments."""
    return [token for token in TOKEN.finditer(text) if not token[0].startswith("#")]


def cut(text: str, start: int, end: int) -> str:
    """The text without a stretch of it."""
    return text[:start] + text[end:]


def without_bracket(text: str, rng: random.Random) -> str:
    """One bracket less."""
    token = rng.choice([each for each in tokens(text) if each[0] in "(){}[]"])
    return cut(text, token.start(), token.end())


def without_quote(text: str, rng: random.Random) -> str:
    """One quote, or one fence of a long text, less."""
    token = rng.choice([each for each in tokens(text) if each[0].startswith('"')])
    fence = re.match(r'"{3,}', token[0])
    width = len(fence[0]) if fence else 1
    return cut(text, *rng.choice([(token.start(), token.start() + width), (token.end() - width, token.end())]))


def without_token(text: str, rng: random.Random) -> str:
    """One token less."""
    token = rng.choice(tokens(text))
    return cut(text, token.start(), token.end())


def with_junk(text: str, rng: random.Random) -> str:
    """Something put in before or behind a token."""
    token = rng.choice(tokens(text))
    at = rng.choice([token.start(), token.end()])
    return f"{text[:at]} {rng.choice(JUNK)} {text[at:]}"


def with_brace(text: str, rng: random.Random) -> str:
    """A brace too many, before or behind a token."""
    token = rng.choice(tokens(text))
    at = rng.choice([token.start(), token.end()])
    return f"{text[:at]} {rng.choice('{}')} {text[at:]}"


def damaged(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """A kind of damage and a file that has suffered it, `count` of each kind."""
    sources = [text for text in files() if '"' in text]
    for kind in (without_bracket, without_quote, without_token, with_junk, with_brace):
        rng = random.Random(seed)  # noqa: S311  # not for secrets: the run is to be the same every time
        for _ in range(count):
            yield kind.__name__, kind(rng.choice(sources), rng)
