"""The one layout: nothing is lost by it, and a file that is in it stays as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newel.dsl import parse
from newel.dsl.layout import format_source, laid_out
from newel.dsl.layout.lines import WIDTH
from newel.dsl.layout.pieces import pieces
from newel.dsl.limits import DEFAULT
from newel.dsl.source import Source
from newel.dsl.tree import Setting, Text, Workflow
from tests.dsl.respaced import ROOT, files, respaced, said, shape

FILES = files()
ITEMS = sorted({text[item.start : item.end] for text in FILES.values() for item in parse(text)[0].items}, key=len)
TEXTS = st.sampled_from(sorted(FILES.values(), key=len)) | st.lists(st.sampled_from(ITEMS), max_size=4).map("\n".join)
SEEDS = st.integers(0, 1 << 32).map(Random)
CASES = sorted((ROOT / "tests" / "cases" / "format").glob("*.newel"))
OURS = [*sorted((ROOT / "examples").rglob("*.newel")), ROOT / "grammars" / "standard.newel"]


def tokens(text: str) -> list[str]:
    """The tokens and comments, without the commas and without what stands before the lines of long texts."""
    return ["".join(piece.text.split()) for piece in pieces(text) if piece.kind not in ("_NL", "COMMA")]


# ---------------------------------------------------------------- promises


@settings(max_examples=300, deadline=None)
@given(TEXTS, SEEDS)
def test_nothing_is_lost(original: str, rng: Random) -> None:
    """Values, documentation, long texts and comments are the same after it, in the same order and places; laid out
    once more, the text stays as it is."""
    text = respaced(original, rng)
    before, _ = parse(text)
    assert not before.broken
    result = laid_out(text)
    after, _ = parse(result)
    assert not after.broken
    assert said(after) == said(before)
    assert tokens(result) == tokens(text)
    assert laid_out(result) == result


@settings(max_examples=100, deadline=None)
@given(TEXTS, SEEDS)
def test_spaces_do_not_matter(original: str, rng: Random) -> None:
    """Whatever the indentation and the spaces between words were, the same text comes out."""
    result = laid_out(original)
    other = respaced(result, rng, breaks=False)
    assert laid_out(other).replace("\r\n", "\n") == result


@settings(max_examples=100, deadline=None)
@given(TEXTS, SEEDS)
def test_no_line_ends_in_white_space_and_empty_lines_stand_alone(original: str, rng: Random) -> None:
    text = respaced(original, rng)
    result = laid_out(text).replace("\r\n", "\n")
    assert not any(line != line.rstrip(" \t") for line in result.split("\n"))
    assert "\n\n\n" not in result
    assert not result.startswith("\n")
    assert result == "" or (result.endswith("\n") and not result.endswith("\n\n"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_comes_out_as_it_is_kept(path: Path) -> None:
    """The files beside each other show what the layout does."""
    source = Source(path.name, path.read_bytes().decode("utf-8"))
    expected = path.with_suffix(".out").read_bytes().decode("utf-8")
    assert format_source(source) == (expected, [])


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_the_files_of_this_project_are_in_the_layout(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert format_source(Source(path.name, text)) == (text, [])


# ---------------------------------------------------------------- files as a whole


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", ""),
        ("\n \n\t\n", ""),
        ("\n\n# only this", "# only this\n"),
        ("placeholder a", "placeholder a\n"),
        ("placeholder  a  # why", "placeholder a  # why\n"),
        ("placeholder a\r\nplaceholder  b", "placeholder a\r\nplaceholder b\r\n"),
        ("placeholder a\n\r\n\n\nplaceholder b\r\n", "placeholder a\n\nplaceholder b\n"),
    ],
)
def test_ends_of_lines_and_files(text: str, result: str) -> None:
    """A last line break is added, empty lines at the ends go, and the first line says how lines end."""
    assert laid_out(text) == result


def test_a_file_with_syntax_errors_is_left_alone_with_its_findings() -> None:
    text, findings = format_source(Source("a.newel", "placeholder a b\nworkflow {\n"))
    assert text is None
    assert findings


def test_a_stray_documentation_is_no_reason_to_leave_a_file_alone() -> None:
    assert format_source(Source("a.newel", "##  doc\n\nplaceholder  a\n")) == ("##  doc\n\nplaceholder a\n", [])


def test_a_file_that_would_grow_over_a_limit_stays_as_it_is() -> None:
    """Five arguments a line would be more lines than the file may have."""
    names = ", ".join(f"argument_{number}: text" for number in range(8))
    text = f"action  a({names}) on enter\n"
    assert len(laid_out(text).splitlines()) > 5
    assert format_source(Source("a.newel", text), replace(DEFAULT, lines=5)) == (text, [])


# ---------------------------------------------------------------- long texts


def prompt(text: str) -> str:
    """The value of the first setting of a workflow."""
    workflow = parse(text)[0].items[0]
    assert isinstance(workflow, Workflow)
    setting = workflow.body[0]
    assert isinstance(setting, Setting)
    assert isinstance(setting.value, Text)
    return setting.value.value


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("margin", ["", " ", "\t", "          "])
def test_a_long_text_moves_with_its_statement_and_stays_the_same_to_the_byte(margin: str, end: str) -> None:
    """Trailing spaces, tabs, lines of spaces, `#`, braces and carriage returns in it are its own."""
    value = ["  deep  ", "", "\tx # no comment", " ", "a\rb", "}", '"""x', "é\u2028"]
    lines = [f"{margin}{line}" if line else "" for line in value]
    text = end.join(['workflow w {about """" ', *lines, f'{margin}""""', "}", ""])
    result = laid_out(text)
    assert prompt(text) == prompt(result) == "\n".join(value)
    moved = [f"    {line}" if line else "" for line in value]
    assert result == end.join(["workflow w {", '  about """"', *moved, '    """"', "}", ""])


def test_line_breaks_in_a_long_text_are_its_own() -> None:
    """A carriage return at the end of one of its lines is neither added nor taken away."""
    text = 'text a """\n  one\r\n  two\n  """\n'
    assert laid_out(text) == text


# ---------------------------------------------------------------- comments about lines


LONG = ", ".join(f"argument_{number}=1" for number in range(9))


def test_a_statement_that_a_suppression_covers_keeps_its_lines() -> None:
    """A suppression holds for lines: broken otherwise, the statement would be covered less, or more."""
    for text in (
        f"workflow w {{\n  step a {{\n    # newel: allow NW601 because\n    on enter {{ f({LONG}) }}\n  }}\n}}\n",
        f"workflow w {{\n  step a {{\n    on enter {{ f({LONG}) }}  # newel: allow NW601 because\n  }}\n}}\n",
        f"fragment f(\n  {LONG.replace('=', ': ')}\n) {{  # newel: allow NW601 because\n}}\n".replace("1", "text"),
        "workflow w {\n  step a {\n  }  # newel: allow NW505 because\n}\n",
    ):
        assert laid_out(text) == text


def test_a_suppression_above_a_declaration_covers_all_its_lines() -> None:
    arguments = ", ".join(f"argument_{number}: text" for number in range(9))
    above = "# newel: allow NW601 because\n"
    result = laid_out(f"{above}action f({arguments}) on enter\n")
    assert result.startswith(f"{above}action f(\n  argument_0: text,\n")


# ---------------------------------------------------------------- width


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 12), st.integers(1, 30), st.booleans())
def test_a_line_is_broken_only_where_it_does_not_fit(count: int, width: int, last: bool) -> None:
    """What fits into the columns stands on one line, and what does not has one argument a line."""
    names = [f"{'a' * width}_{number}: text" for number in range(count)]
    head = f"action do({', '.join(names)}{',' if last else ''})"
    result = laid_out(f"{head} on enter means starts\n").splitlines()
    if len(result) == 1:
        assert len(result[0]) <= WIDTH
    else:
        assert len(f"{head} on enter  means starts") > WIDTH
        assert all(len(line) <= WIDTH for line in result)


@pytest.mark.parametrize(
    ("opening", "inner", "closing"), [("[", "1", "]"), ("{ a: ", "1", " }"), ("[1, ", "1", "]"), ("f(", "1", ")")]
)
def test_the_deepest_nesting_there_may_be_is_laid_out(opening: str, inner: str, closing: str) -> None:
    """A value as deep as a file can have it, broken as often as it goes."""
    depth = DEFAULT.nesting - 1
    text = f"workflow w {{\n  x {opening * depth}{inner}{closing * depth}\n}}\n"
    assert not parse(text)[0].broken
    result = laid_out(text)
    assert shape(parse(result)[0].items) == shape(parse(text)[0].items)
    assert laid_out(result) == result


@pytest.mark.parametrize("word", ["and", "or"])
def test_the_deepest_guard_there_may_be_is_laid_out(word: str) -> None:
    depth = DEFAULT.nesting - 3
    guard = f"{f'not (paid {word} ' * depth}late{')' * depth}"
    text = f"workflow w {{\n  step a {{\n    on x {{ -> b when {guard} }}\n  }}\n}}\n"
    assert not parse(text)[0].broken
    result = laid_out(text)
    assert shape(parse(result)[0].items) == shape(parse(text)[0].items)
    assert laid_out(result) == result


def test_columns_count_characters() -> None:
    """A line of a hundred characters fits, whatever they take in bytes."""
    for letters, lines in ((86, 3), (87, 5)):
        text = f'workflow w {{\n  step a {{ x "{"é" * (letters - 3)}" }}\n}}\n'
        assert len(text.splitlines()[1]) == letters + 14
        assert len(laid_out(text).splitlines()) == lines
