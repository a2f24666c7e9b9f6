"""The reference says what its sources say, and every name, option and code has a heading there."""

from __future__ import annotations

import importlib
import re
import runpy
from collections.abc import Iterator
from dataclasses import fields

import click
import pytest

from newel.compiler import compile_text
from newel.compiler.bind.marks import MARKS
from newel.compiler.bind.types import BUILT_IN
from newel.compiler.config import AgentConfig, AgentsConfig, Config
from newel.compiler.explain import list_codes
from newel.compiler.reports import REPORTS
from newel.runtime.cli.app import app
from tests.docs.pages import ROOT, headings

# Not imported: the folder beside it has the same name.
SCRIPT = runpy.run_path(str(ROOT / "docs" / "reference.py"))
FOLDER, PAGES, rendered = SCRIPT["FOLDER"], SCRIPT["PAGES"], SCRIPT["rendered"]
LANGUAGE = FOLDER / "language.md"


def titles(page: str) -> list[str]:
    return [title.replace("`", "") for title in headings(FOLDER / page)]


@pytest.mark.parametrize("page", PAGES)
def test_a_rendered_page_is_what_its_source_says(page: str) -> None:
    """Where it is not: `make reference`."""
    assert (FOLDER / page).read_text("utf-8") == rendered(page)


def test_the_picture_of_the_readme_is_the_one_that_is_drawn() -> None:
    assert SCRIPT["PICTURE"].read_text("utf-8") == SCRIPT["picture"]()


def test_every_code_has_a_heading() -> None:
    codes = [line.split()[0] for line in list_codes().splitlines()]
    found = [title.split()[0] for title in titles("findings.md") if title.startswith("NW")]
    assert found == codes


def test_every_word_of_the_standard_vocabulary_has_a_heading() -> None:
    words = compile_text("").require().vocabulary
    found = set(titles("vocabulary.md"))
    assert {*words.kinds, *words.guards, *words.triggers, "enter", "exit"} <= found
    assert {f"{setting.owner} {setting.name}" for setting in words.settings} <= found
    assert {f"type {name}" for name in words.types} | {f"key {name}" for name in words.keys} <= found
    text = (FOLDER / "vocabulary.md").read_text("utf-8")
    assert [name for name in words.placeholders if f"\n- `{name}`\n" not in text] == []


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, f"{path} {name}")
    else:
        yield path, command


def test_every_command_and_option_has_a_heading() -> None:
    found = set(titles("command-line.md"))
    for path, command in commands(app, "newel"):
        assert path in found
        for option in (each for each in command.params if isinstance(each, click.Option)):
            assert {f"{path} {option.opts[-1]}", option.opts[-1]} & found, f"{path} {option.opts}"


def test_every_key_of_the_configuration_has_a_heading() -> None:
    found = set(titles("configuration.md"))
    for each in (each for each in fields(Config) if each.name not in ("root", "file")):
        assert each.name.replace("_", "-") in found
    assert {f"agents.{part.name}" for part in fields(AgentsConfig)} <= found
    assert {f"agents.candidates.{part.name}" for part in fields(AgentConfig)} <= found


@pytest.mark.parametrize("package", ["newel.compiler", "newel.runtime", "newel.runtime.testing"])
def test_every_public_name_has_a_heading_and_says_what_it_is(package: str) -> None:
    found = titles("python.md")
    for name in importlib.import_module(package).__all__:
        assert f"{package}.{name}" in found
    assert "\nNone\n" not in (FOLDER / "python.md").read_text("utf-8"), "a public name has no docstring"


def test_every_word_of_the_grammar_is_in_the_page_of_the_language() -> None:
    grammar = (ROOT / "grammars" / "newel.lark").read_text("utf-8")
    words = re.findall(r"^_?[A-Z_]+\.\d: .*?([a-z]+)\(\?!\[", grammar, re.MULTILINE)
    assert len(words) > 25
    text = LANGUAGE.read_text("utf-8")
    assert [word for word in words if not re.search(rf"\b{word}\b", text)] == []


def test_the_tables_of_types_and_marks_are_whole() -> None:
    text = LANGUAGE.read_text("utf-8")
    types = set(re.findall(r"^\| `(\w+)(?:\(T\))?` \|", text, re.MULTILINE))
    assert types == set(BUILT_IN)
    marks = re.findall(r"^\| (\w+) \| `(\w+)` \|", text, re.MULTILINE)
    assert marks == [(bearer, mark) for bearer, known in MARKS.items() for mark in known]


def test_the_page_about_ci_names_every_format() -> None:
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "how-to" / "ci.md").read_text("utf-8"), re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == [report.name for report in REPORTS]
