"""The layers and the bans bite: each rule is broken once, in a copy, and the linter must say so."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("dsl", "compiler", "runtime", "grammars")

# Runs import-linter on the copy alone: the editable installation of this tree is taken off the path.
LINT = """
import sys
sys.path[:] = [sys.argv[1], *(entry for entry in sys.path if not entry.endswith(".namespace"))]
from importlinter.cli import lint_imports
sys.exit(lint_imports(no_logo=True, cache_dir=None))
"""

LAYERS = "runtime -> compiler -> dsl -> grammars, never back"
VIOLATIONS = [
    ("dsl/seeded.py", "import newel.runtime", LAYERS),
    ("dsl/seeded.py", "from newel import compiler", LAYERS),
    ("grammars/seeded.py", "from newel.dsl import source", LAYERS),
    ("compiler/seeded.py", "def late():\n    from newel import runtime", LAYERS),
    ("compiler/seeded.py", "from lark import Lark", "only dsl imports lark"),
    ("runtime/seeded.py", "from transitions.core import Event", "only the machine imports transitions"),
    ("compiler/seeded.py", "import yaml", "only imports and exports read YAML"),
    ("compiler/docs/seeded.py", "import jinja2", "only the renderer of the documents imports jinja2"),
    ("runtime/seeded.py", "import click", "only the command line imports click"),
    ("runtime/seeded.py", "import watchfiles", "only the command that watches imports watchfiles"),
    ("runtime/seeded.py", "import sqlite3", "only a ledger imports its driver"),
    ("runtime/seeded.py", "from psycopg.rows import dict_row", "only a ledger imports its driver"),
    ("dsl/seeded.py", "import pydantic", "dsl and grammars know no model, template, machine, ledger or terminal"),
    ("dsl/seeded.py", "import sqlite3", "dsl and grammars know no model, template, machine, ledger or terminal"),
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / ".namespace", tmp_path / ".namespace", symlinks=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(copy: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LINT, str(copy / ".namespace")],
        cwd=copy,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_tree_keeps_every_contract(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout + result.stderr


def broken(output: str) -> set[str]:
    return set(re.findall(r"^(.+) BROKEN\b", output, re.MULTILINE))


@pytest.mark.parametrize(("file", "line", "contract"), VIOLATIONS)
def test_an_import_against_the_layers_breaks_its_contract(copy: Path, file: str, line: str, contract: str) -> None:
    (copy / file).write_text(line + "\n")
    result = lint(copy)
    assert result.returncode == 1, result.stdout + result.stderr
    assert broken(result.stdout) >= {contract}


def test_a_folder_that_has_no_place_in_the_order_breaks_the_layers(copy: Path) -> None:
    attic = copy / ".namespace" / "newel" / "attic"
    attic.mkdir()
    (attic / "__init__.py").write_text('"""A room nobody planned."""\n')
    assert lint(copy).returncode == 1


def test_every_contract_is_broken_once_above() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = {contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}
    assert {contract for _, _, contract in VIOLATIONS} == contracts


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("form", ["import {}", "import {}.seeded", "from {} import seeded", "from {}.seeded import x"])
def test_a_room_imported_by_its_bare_name_is_refused(room: str, form: str) -> None:
    assert "TID251" in ruff(form.format(room))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imported_as_part_of_newel_is_not(room: str) -> None:
    assert "TID251" not in ruff(f"import newel.{room}\nfrom newel import {room}\nfrom newel.{room} import x")


def ruff(source: str) -> str:
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise"]
    result = subprocess.run(
        [*command, "--stdin-filename", "compiler/seeded.py", "-"],
        cwd=ROOT,
        input=source + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode in {0, 1}, result.stderr
    return result.stdout
