"""The edits that break a promise: read from `broken.toml`, made in a copy of the project, and tested there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BROKEN = Path(__file__).with_name("broken.toml")
COPIED = (
    "dsl",
    "compiler",
    "runtime",
    "grammars",
    "examples",
    "tests",
    "docs",
    ".namespace",
    "pyproject.toml",
    "README.md",
)


@dataclass(frozen=True)
class Edit:
    """One line of the contract and a change of the source that breaks it: `find` stands once in `file`."""

    line: str
    file: str
    find: str
    replace: str
    why: str

    @property
    def prefix(self) -> str:
        """How the names of the tests begin that must then fail."""
        return f"test_{self.line.lower()}_"


def edits() -> list[Edit]:
    """Every edit, in the order of the file."""
    return [Edit(**table) for table in tomllib.loads(BROKEN.read_text("utf-8"))["edit"]]


def copied(folder: Path) -> Path:
    """A copy of the project, made as that folder."""
    folder.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    return folder


def broken(edit: Edit, folder: Path) -> subprocess.CompletedProcess[str]:
    """Make the edit in a copy of the project under `folder`, and run there the tests of its line."""
    copy = copied(folder / f"{edit.line}-{abs(hash(edit)) % 10**8}")
    file = copy / edit.file
    text = file.read_text("utf-8")
    if text.count(edit.find) != 1:
        raise ValueError(f"{edit.line}: what to find stands {text.count(edit.find)} times in {edit.file}, not once")
    file.write_text(text.replace(edit.find, edit.replace), "utf-8")
    # the copy stands before an installed project on the path, in the tests' own child processes too
    paths = {**os.environ, "PYTHONPATH": str(copy / ".namespace"), "PYTHONDONTWRITEBYTECODE": "1"}
    # only the files that hold such a test are collected, those that kill processes last: it is most of the time
    files = sorted((copy / "tests").rglob("test_*.py"), key=lambda path: (path.parent.name == "crash", path))
    holding = [str(path) for path in files if f"def {edit.prefix}" in path.read_text("utf-8")]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", edit.prefix, *holding]
    try:
        return subprocess.run(
            command,
            cwd=copy,
            env=paths,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    finally:
        shutil.rmtree(copy)
