"""Paths to parsed files: those that were given, those they use, and the standard vocabulary before them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from newel import grammars
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.rules import FILE_NOT_READ, FILE_OUTSIDE, TOO_LARGE, USE_CYCLE
from newel.compiler.errors import NoSuchFile
from newel.compiler.limits import DEFAULT, Limits
from newel.compiler.model import Loaded
from newel.compiler.store import Store
from newel.dsl import decode, read_source, tree
from newel.dsl.findings import Finding
from newel.dsl.shipped import parse_shipped
from newel.dsl.source import Source, Span
from newel.dsl.words import broken_words

STANDARD = "newel:standard.newel"
"""The path under which the standard vocabulary is reported."""


@dataclass(frozen=True, slots=True)
class Project:
    """The folder nothing is read outside of, and the way from where paths are shown to it."""

    root: Path
    prefix: str = ""

    def shown(self, path: Path) -> str:
        """A resolved path as it is shown: never an absolute one where the file is inside."""
        if not path.is_relative_to(self.root):
            return path.as_posix()
        return (PurePosixPath(self.prefix) / path.relative_to(self.root).as_posix()).as_posix()


def project_of(paths: Sequence[Path], root: Path | None) -> Project:
    """The project of some files: the given root, else the folder they share."""
    if root is not None:
        return Project(root.resolve())
    folders = [path.parent for path in paths] or [Path()]
    shared = Path(os.path.commonpath([folder.resolve() for folder in folders]))
    if any(folder.is_absolute() for folder in folders):
        return Project(shared)
    return Project(shared, Path(os.path.commonpath(folders)).as_posix())


@cache
def standard() -> Loaded:
    """The standard vocabulary, read once in a process."""
    source = read_source(Path(grammars.__path__[0]) / "standard.newel", STANDARD)
    if isinstance(source, Finding):
        raise NoSuchFile(f"the standard vocabulary cannot be read: {source.message}")
    return Loaded(parse_shipped(source), standard=True)


@dataclass(slots=True)
class Reading:
    """What was read: the files in order, the standard vocabulary first where one of them has it, and what is wrong
    with their form; `limits` are those of the compilation."""

    files: list[Loaded] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    limits: Limits = DEFAULT

    @property
    def suspects(self) -> frozenset[str]:
        """The words in what could not be read."""
        return frozenset[str]().union(*(broken_words(file.tree) for file in self.files if file.tree.broken))


class Reader:
    """Reads the files of one compilation, each once."""

    def __init__(self, project: Project, limits: Limits = DEFAULT, store: Store | None = None) -> None:
        self.project, self.limits = project, limits
        self.store = store or Store()
        self.reading = Reading(limits=limits)
        self._reports = Reports(limits=limits)
        self._open: list[Path] = []
        self._read: set[Path] = set()

    def read(self, paths: Sequence[Path]) -> Reading:
        """The given files and those they use. Raises `NoSuchFile` where a given one cannot be read."""
        for path in paths:
            resolved = path.resolve()
            if resolved not in self._read:
                try:
                    source = self.store.source(resolved, self.project.shown(resolved), self.limits)
                except OSError as error:
                    raise NoSuchFile(f"cannot read {path.as_posix()}: {_reason(error)}") from error
                self._file(resolved, source, root=True)
        return self._whole()

    def read_text(self, source: Source | bytes, shown: str) -> Reading:
        """A text that is no file, and the files it uses, named relative to the root."""
        read = decode(source, shown, self.limits) if isinstance(source, bytes) else source
        self._file(self.project.root / "<text>", read, root=True)
        return self._whole()

    def _whole(self) -> Reading:
        reading = self.reading
        if not reading.files or any(not _says_nothing(file.tree) for file in reading.files):
            reading.files.insert(0, standard())
        reading.findings += self._reports.findings
        return reading

    def _file(self, path: Path, source: Source | Finding, *, root: bool = False) -> None:
        self._read.add(path)
        if isinstance(source, Finding):
            self.reading.findings.append(source)
            broken = source.span.source
            self.reading.files.append(Loaded(tree.File(broken, [], [], True), root=root))
            return
        parsed, findings = self.store.parsed(source, self.limits)
        loaded = Loaded(parsed, root=root)
        self.reading.files.append(loaded)
        self.reading.findings += findings
        self._open.append(path)
        for item in parsed.items:
            if isinstance(item, tree.Use):
                self._use(item, path, loaded)
            elif isinstance(item, tree.TextDecl) and item.file:
                self._text(item, path, loaded)
        self._open.pop()

    def _use(self, item: tree.Use, by: Path, loaded: Loaded) -> None:
        span = loaded.tree.span(item.target)
        if isinstance(item.target, tree.Name):
            if item.target.text != "nothing":
                self._reports.add(
                    FILE_NOT_READ, span, path=item.target.text, problem="the name of a file stands in quotes"
                )
            return
        path = self._inside(item.target.value, by, span)
        if path is None:
            return
        if path in self._open:
            circle = [*self._open[self._open.index(path) :], path]
            shown = " -> ".join(self.project.shown(each) for each in circle)
            self._reports.add(USE_CYCLE, span, path=shown)
        elif path not in self._read:
            if len(self._read) >= self.limits.files:
                limit = f"{self.limits.files:,}"
                self._reports.add(TOO_LARGE, span, what="the files of one compilation are", limit=limit)
                return
            if len(self._open) >= self.limits.use_depth:
                limit = f"{self.limits.use_depth} in a row"
                self._reports.add(TOO_LARGE, span, what="the files that use one another are", limit=limit)
                return
            source = self._source(path, item.target.value, span)
            if source is not None:
                self._file(path, source)

    def _text(self, item: tree.TextDecl, by: Path, loaded: Loaded) -> None:
        span = loaded.tree.span(item.value)
        path = self._inside(item.value.value, by, span)
        source = None if path is None else self._source(path, item.value.value, span)
        if isinstance(source, Finding):
            self.reading.findings.append(source)
        elif source is not None:
            loaded.texts[item.start] = source

    def _inside(self, name: str, by: Path, span: Span) -> Path | None:
        """The file a name means beside the file that says it; None where that is outside of the project."""
        try:
            path = (by.parent / name).resolve()
        except (OSError, RuntimeError, ValueError):
            self._reports.add(FILE_NOT_READ, span, path=name, problem="this is no path")
            return None
        if path.is_relative_to(self.project.root):
            return path
        self._reports.add(FILE_OUTSIDE, span, path=name)
        return None

    def _source(self, path: Path, name: str, span: Span) -> Source | Finding | None:
        try:
            if path.exists() and not path.is_file() and not path.is_dir():
                raise ValueError("a pipe or device, which would be waited for")  # noqa: TRY301 - said like the others
            return self.store.source(path, self.project.shown(path), self.limits)
        except (OSError, ValueError) as error:
            self._reports.add(FILE_NOT_READ, span, path=name, problem=_reason(error))
            return None


def _says_nothing(file: tree.File) -> bool:
    """Whether a file does without the standard vocabulary."""
    return any(
        isinstance(item, tree.Use) and isinstance(item.target, tree.Name) and item.target.text == "nothing"
        for item in file.items
    )


def _reason(error: OSError | ValueError) -> str:
    """Why a file cannot be read, in the reader's terms, the same on every system."""
    known = (
        (FileNotFoundError, "there is no such file"),
        (IsADirectoryError, "it is a folder"),
        (NotADirectoryError, "there is no such folder"),
        (PermissionError, "it may not be read"),
    )
    return next((text for kind, text in known if isinstance(error, kind)), "it is no readable file")
