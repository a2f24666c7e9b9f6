"""Finished pages to files of one folder: each is written beside and then renamed, so that none is ever half there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from newel.compiler.errors import DocsError


def write(pages: Mapping[str, str], folder: Path) -> list[Path]:
    """The paths of the files written. Raises `DocsError`; files that were not replaced yet are as they were."""
    for name in pages:
        if not name or name != Path(name).name or name.startswith("."):
            raise DocsError(f"{name!r} is no name of a file: nothing is written outside of the folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_replace(folder / name, text) for name, text in pages.items()]
    except OSError as error:
        raise DocsError(f"{folder} could not be written: {error.strerror or error}") from error


def _replace(path: Path, text: str) -> Path:
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    beside.unlink(missing_ok=True)
    try:
        with beside.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    return path
