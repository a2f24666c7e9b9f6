"""Starting is quick because little is loaded: what a command does not need is not imported."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ["click", "jinja2", "lark", "psycopg", "pydantic", "rich", "sqlite3", "transitions", "yaml"]
SLOW = ["_hashlib", "difflib", "multiprocessing", "shutil", "subprocess", "tempfile", "tomllib"]  # not heavy
SLOW += ["newel.compiler.fixing", "newel.compiler.pool", "newel.dsl.tablemaker"]  # but for nothing

LOADED = """
import json, sys
before = set(sys.modules)
exec(sys.argv.pop(1))
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""
COMMAND = """
from newel.runtime.cli import main
try:
    main()
except SystemExit as exit:
    assert not exit.code, exit.code
"""


def loaded(code: str, *arguments: str, cwd: Path = ROOT / "examples") -> set[str]:
    """The heavy and slow libraries, and the parts of newel, that running the code loads."""
    command = [sys.executable, "-c", LOADED, code, *arguments]
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    modules: list[str] = json.loads(result.stderr.splitlines()[-1])
    return {name for name in modules if name in HEAVY + SLOW or name.startswith("newel.")}


@pytest.mark.parametrize("door", ["newel.compiler", "newel.runtime"])
def test_a_door_loads_no_library_before_a_name_is_asked_for(door: str) -> None:
    assert loaded(f"import {door}").isdisjoint(HEAVY)


def test_the_version_is_told_without_loading_anything() -> None:
    assert loaded(COMMAND, "--version").isdisjoint(HEAVY)


def test_checking_a_file_loads_neither_models_nor_templates_nor_the_machine_nor_a_ledger() -> None:
    """A clean file, so that not even a finding has to be shown."""
    names = loaded(COMMAND, "check", "office.newel")
    assert names.isdisjoint(set(HEAVY) - {"click", "lark"})
    assert "newel.compiler.program" not in names
    assert {name for name in names if name.startswith("newel.runtime.") and ".cli" not in name} == set()


def test_a_second_check_makes_no_table_and_loads_nothing_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first has left table and vocabulary in the cache; there is no configuration that had to be read."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    examples = shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.toml"))
    file = str(examples / "office.newel")
    assert "lark" in loaded(COMMAND, "check", file, cwd=tmp_path)
    assert loaded(COMMAND, "check", file, cwd=tmp_path).isdisjoint({*HEAVY, *SLOW} - {"click"})


def test_a_model_is_loaded_when_a_program_is_asked_for() -> None:
    """So the tests above look at a measure that moves."""
    assert "pydantic" in loaded("import newel.compiler.program")
