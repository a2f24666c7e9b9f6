"""Environments of their own that hold nothing but newel: the libraries are lent by ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[3]
NOT_LENT = ("newel", "_newel", "__editable__")


def lent(folder: Path) -> Path:
    """A folder with all that is installed here, but for newel itself."""
    folder.mkdir(parents=True)
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith(NOT_LENT) and entry.suffix != ".pth":
            (folder / entry.name).symlink_to(entry)
    return folder


def tree(folder: Path) -> Path:
    """A copy of this project, without what its work leaves behind."""

    def leftovers(_: str, names: list[str]) -> list[str]:
        kept = {".namespace", ".gitignore", ".ci", ".pre-commit-hooks.yaml"}
        hidden = [name for name in names if name.startswith(".") and name not in kept]
        return [*hidden, *(name for name in names if name in {"__pycache__", "build", "dist", "node_modules"})]

    shutil.copytree(ROOT, folder, symlinks=True, ignore=leftovers)
    return folder


def wheel(project: Path, folder: Path) -> Path:
    """The wheel of a copy of this project, in a folder."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(project)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("*.whl")
    return found


def git(folder: Path, *arguments: str) -> str:
    """A command of git as somebody, whatever is configured here."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()
