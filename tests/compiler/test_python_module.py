"""The module of a vocabulary: the standard one is up to date, and any is Python a type checker accepts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from newel.compiler import compile_files, compile_text, standard
from newel.compiler.kinds import classes_of
from newel.compiler.program import Vocabulary
from newel.compiler.python_module import python_module, standard_module

ROOT = Path(__file__).parents[2]

ODD = '''
## Holds """ quotes and a backslash \\ and ends with "
type odd(from: text, json: int = 1, a-b: flag = true)
type kind-of = plain | filled(size: int(1..) = 3, odd: odd = odd("x"), more: list(odd) = [])
type word = yes | no
## Two lines
## of documentation.
action class(from: text, import: list(odd)?, kinds: kind-of = filled, words: list(word) = [yes], f: number = 2) on exit
action bare on exit
action none(Literal: text?, mro: text?, register: int?, model_dump: int?, None: none-of?, Word: word?) on exit
action TYPES on exit
action KINDS on exit
type none-of = true | false(GUARDS: text?)
guard lambda(yield: int(1..3) = 2, str: text = "a\\"b", where: map?, wait: duration = 5s, there: step?)
'''


def vocabulary(text: str) -> Vocabulary:
    return compile_text(text).require().vocabulary


def load(text: str) -> ModuleType:
    """A module from its text; its classes look their names up in it, so it is known while they are made."""
    module = ModuleType("made")
    sys.modules["made"] = module
    try:
        exec(compile(text, "made.py", "exec"), module.__dict__)  # noqa: S102 - the text is what this test is about
    finally:
        del sys.modules["made"]
    return module


def test_the_standard_module_is_what_the_standard_vocabulary_gives() -> None:
    """Written anew by `newel compile --python`, compared to the byte."""
    written = Path(standard.__file__).read_text("utf-8")
    assert written == standard_module(vocabulary(""))


def test_a_vocabulary_that_adds_nothing_takes_everything_from_the_standard_one() -> None:
    text = python_module(vocabulary(""))
    assert "\nclass " not in text
    assert load(text).KINDS == standard.KINDS


@pytest.mark.parametrize(
    "text", [ODD, f"use nothing\n{ODD}", "extend type role = judge\nextend type target = desk(name: text)\n"]
)
def test_the_written_classes_are_those_the_compiler_makes(text: str) -> None:
    made = classes_of(vocabulary(text))
    module = load(python_module(vocabulary(text)))
    for tables, classes in ((module.KINDS, made.kinds), (module.GUARDS, made.guards)):
        assert tables.keys() == classes.keys()
        for name, (written, _) in tables.items():
            assert schema(written) == schema(classes[name])


def schema(model: Any) -> Any:
    """What a class takes and gives, its documentation aside."""
    return without(model.model_json_schema(by_alias=True))


def without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without(each) for key, each in value.items() if key not in ("description", "title")}
    return [without(each) for each in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_a_written_module_passes_the_type_checker(tmp_path: Path) -> None:
    """Our own trades' vocabularies and one of odd names, under mypy --strict."""
    words = sorted((ROOT / "examples").glob("*-words.newel"))
    texts = [python_module(compile_files([path]).require().vocabulary) for path in words]
    for number, text in enumerate([*texts, python_module(vocabulary(ODD)), standard_module(vocabulary(""))]):
        (tmp_path / f"module_{number}.py").write_text(text, "utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *map(str, sorted(tmp_path.glob("*.py")))],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / ".namespace"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Success" in checked.stdout, checked.stdout + checked.stderr
