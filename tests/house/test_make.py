"""The one-word commands: they are all there, they run what they say, and a machine without a fit Python is told so."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNS = {
    "demo": "examples/demo.py",
    "test": "-m pytest",
    "check": "run mypy",
    "coverage": "--fail-under=95",
    "bench": "tests/benchmarks/run.py",
    "torture": "tests/torture.py",
    "reference": "-m docs.reference",
    "docs": "-m docs.manual build/manual",
    "wheel": "-m build",
    "clean": "rm -rf .venv",
}


def make(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *arguments], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("target", "command"), RUNS.items())
def test_a_target_runs_its_command(target: str, command: str) -> None:
    result = make("--dry-run", target)
    assert result.returncode == 0, result.stderr
    assert command in result.stdout


def test_make_alone_names_every_target() -> None:
    listed = re.findall(r"^make (\w+) ", make().stdout, re.MULTILINE)
    assert sorted(listed) == sorted(RUNS)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_every_make_command_of_a_document_exists(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    named = re.findall(r"(?:^|`)make (\w+)", text, re.MULTILINE)
    assert named
    assert set(named) <= set(RUNS)


@pytest.mark.parametrize("script", re.findall(r"\$\(PY\) (\S+\.py)", (ROOT / "Makefile").read_text("utf-8")))
def test_every_script_that_make_starts_exists(script: str) -> None:
    assert (ROOT / script).is_file()


def test_every_module_that_must_be_covered_wholly_exists() -> None:
    (include,) = re.findall(r'--fail-under=100 --include="(.+)"', make("--dry-run", "coverage").stdout)
    assert [pattern for pattern in include.split(",") if not list(ROOT.glob(pattern))] == []


def test_without_a_fit_python_make_says_what_is_needed(tmp_path: Path) -> None:
    """In a folder with a space in its name, too."""
    folder = tmp_path / "new machine"
    folder.mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)
    result = make("demo", "PYTHON=/no/such/python", cwd=folder)
    assert result.returncode == 2
    assert "Newel needs Python 3.11 or newer" in result.stderr
    assert not (folder / ".venv").exists()
