"""Finished pages to files of one folder: each is written beside and then renamed, so that none is ever half there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from newel.compiler.docs.forms import BESIDE, HTML, Form
from newel.compiler.docs.marks import is_of_before, is_ours
from newel.compiler.errors import DocsError, InTheWay


@dataclass(frozen=True, slots=True)
class Difference:
    """A file of a folder that is not as it would be written: `missing`, `stale`, or `left over` from an earlier run."""

    name: str
    state: Literal["missing", "stale", "left over"]


def write(pages: Mapping[str, str], folder: Path, form: Form = HTML, *, force: bool = False) -> list[Path]:
    """The paths of the files written; those that an earlier run left over are removed. Raises `InTheWay` before
    anything is written where a file of that name is not ours, unless `force` says to write over it, and `DocsError`;
    files that were not replaced yet are as they were."""
    for name in pages:
        if not name or name != Path(name).name or name.startswith("."):
            raise DocsError(f"{name!r} is no name of a file: nothing is written outside of the folder")
    try:
        others = [] if force else [name for name in pages if _is_of_others(folder / name)]
        if others:
            raise InTheWay(folder, sorted(others))
        folder.mkdir(parents=True, exist_ok=True)
        written = [_replace(folder / name, text) for name, text in pages.items()]
        for path in _left_over(pages, folder, form):
            path.unlink()
    except OSError as error:
        raise DocsError(f"{folder} could not be written: {error.strerror or error}") from error
    return written


def compare(pages: Mapping[str, str], folder: Path, form: Form = HTML) -> list[Difference]:
    """What `write` would change, by name. Line ends are taken as git may have checked them out."""
    try:
        found = [Difference(name, state) for name, text in pages.items() if (state := _state(folder / name, text))]
        found += [Difference(path.name, "left over") for path in _left_over(pages, folder, form)]
    except OSError as error:
        raise DocsError(f"{folder} could not be read: {error.strerror or error}") from error
    return sorted(found, key=lambda each: each.name)


def _state(path: Path, text: str) -> Literal["missing", "stale"] | None:
    if not path.exists():
        return "missing"
    return None if path.read_bytes().replace(b"\r\n", b"\n") == text.encode() else "stale"


def _is_of_others(path: Path) -> bool:
    """Whether something stands there that we did not write."""
    return (path.exists() or path.is_symlink()) and not is_ours(path) and not is_of_before(path)


def _left_over(pages: Mapping[str, str], folder: Path, form: Form) -> Iterator[Path]:
    """Files that are as we wrote them and no page any more."""
    endings = {each.suffix for each in ((form, *BESIDE) if form is HTML else (form,))}
    there = {name.lower() for name in pages}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in endings and path.name.lower() not in there and is_ours(path):
            yield path


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
