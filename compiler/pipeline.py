"""Files to findings and a program: parse -> bind -> check -> lower."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from newel.compiler.bind import bind
from newel.compiler.checks.facts import Host
from newel.compiler.checks.runner import run
from newel.compiler.checks.selection import EVERYTHING, Selection
from newel.compiler.checks.settling import first_of, settle
from newel.compiler.errors import CompileError
from newel.compiler.files import Reader, Reading, project_of
from newel.compiler.limits import DEFAULT, Limits
from newel.compiler.model import Model
from newel.compiler.pieces import Piece, pieces
from newel.compiler.scenarios.script import Script
from newel.dsl.collector import paused
from newel.dsl.findings import Finding
from newel.dsl.source import Source

if TYPE_CHECKING:
    from newel.compiler.program import Program


@dataclass(frozen=True, slots=True)
class Checked:
    """What a set of files means as far as it could be bound, and what is wrong with it, in order."""

    model: Model
    findings: tuple[Finding, ...]
    sound: bool
    """Whether nothing is wrong but in scenarios, which are no part of the program."""
    scripts: tuple[Script, ...]
    """The scenarios in which nothing is wrong."""

    @property
    def good(self) -> bool:
        """Whether no finding is an error."""
        return all(finding.rule.severity != "error" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Compiled:
    """The program of a set of files, None where it has errors, and what is wrong with them, scenarios included."""

    program: Program | None
    findings: tuple[Finding, ...]
    scenarios: tuple[Script, ...] = ()
    """What its workflows are expected to do. No part of the program, so that they do not change its revision."""
    sound: Program | None = None
    """The program also where something is wrong in a scenario alone: whoever only runs it has not asked for those."""

    pieces: tuple[Piece, ...] = ()
    """What its files declare that is no part of the program: for the documentation."""

    def require(self) -> Program:
        """The program. Raises `CompileError` where there is none."""
        if self.program is None:
            raise CompileError(self.findings)
        return self.program


def check(reading: Reading, selection: Selection = EVERYTHING, host: Host | None = None) -> Checked:
    """Bind what was read and look at it. Loads neither pydantic nor anything of the runtime."""
    model, findings = bind(reading.files, reading.suspects, reading.limits)
    found = [*reading.findings, *findings, *run(model, host)]
    settled = settle(found, (file.tree for file in model.files), selection)
    errors = [finding for finding in settled if finding.rule.severity == "error"]
    sound = all(any(each.holds(error) for each in model.scenarios) for error in errors)
    whole = (each for each in model.scenarios if not any(map(each.holds, errors)))
    scripts = tuple(each.script for each in whole if each.script is not None) if sound else ()
    return Checked(model, tuple(first_of(settled, reading.limits.shown)), sound, scripts)


def compile_reading(reading: Reading, host: Host | None = None) -> Compiled:
    """The program of what was read."""
    checked = check(reading, host=host)
    if not checked.sound:
        return Compiled(None, checked.findings)
    from newel.compiler.lower import lower

    program = lower(checked.model)
    return Compiled(
        program if checked.good else None, checked.findings, checked.scripts, program, pieces(checked.model)
    )


def check_files(
    paths: Iterable[str | PathLike[str]],
    root: str | PathLike[str] | None = None,
    *,
    selection: Selection = EVERYTHING,
    host: Host | None = None,
    limits: Limits = DEFAULT,
) -> Checked:
    """What is wrong with some files, taken together. Nothing is read outside of `root`, by default the folder they
    share. Raises `NoSuchFile` where one of them cannot be read."""
    with paused():
        return check(_read(paths, root, limits), selection, host)


def check_text(
    text: str | bytes,
    path: str = "<text>",
    root: str | PathLike[str] | None = None,
    *,
    selection: Selection = EVERYTHING,
    host: Host | None = None,
    limits: Limits = DEFAULT,
) -> Checked:
    """The same for a text, reported under `path`; what it uses is named relative to `root`, by default the working
    folder."""
    with paused():
        return check(_read_text(text, path, root, limits), selection, host)


def compile_files(
    paths: Iterable[str | PathLike[str]], root: str | PathLike[str] | None = None, *, limits: Limits = DEFAULT
) -> Compiled:
    """The program of some files; see `check_files`."""
    with paused():
        return compile_reading(_read(paths, root, limits))


def compile_text(
    text: str | bytes,
    path: str = "<text>",
    root: str | PathLike[str] | None = None,
    *,
    limits: Limits = DEFAULT,
) -> Compiled:
    """The program of a text; see `check_text`."""
    with paused():
        return compile_reading(_read_text(text, path, root, limits))


def _read(paths: Iterable[str | PathLike[str]], root: str | PathLike[str] | None, limits: Limits) -> Reading:
    given = [Path(path) for path in paths]
    return Reader(project_of(given, None if root is None else Path(root)), limits).read(given)


def _read_text(text: str | bytes, path: str, root: str | PathLike[str] | None, limits: Limits) -> Reading:
    source: Source | bytes = text if isinstance(text, bytes) else Source(path, text.removeprefix("\ufeff"))
    return Reader(project_of([], Path(root or ".")), limits).read_text(source, path)
