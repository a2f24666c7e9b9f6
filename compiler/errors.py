"""What is wrong with a call, or with the world: exceptions under one base. (What is wrong with a file is a finding.)"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

from newel.compiler.counting import counted

if TYPE_CHECKING:
    from pathlib import Path

    from newel.dsl.findings import Finding


class NewelError(Exception):
    """Newel could not do what it was asked."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or inspect.getdoc(type(self)))


class CompileError(NewelError):
    """The files have errors."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        errors = [f for f in self.findings if f.rule.severity == "error"]
        lines = [f"{f.span.source.path}:{f.span.first.line}: {f.rule.code} {f.message}" for f in errors]
        super().__init__("\n".join([f"the files have {counted(len(errors), 'error')}", *lines]))


class UnknownTrigger(NewelError):
    """No trigger of that name is declared."""


class UnknownWorkflow(NewelError):
    """The program has no workflow of that name."""


class LayoutError(NewelError):
    """The picture could not be laid out."""


class DocsError(NewelError):
    """The documentation could not be written."""


class InTheWay(DocsError):
    """Files that were not written by `newel docs`, or were edited since, are in the way."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        more = f" and {counted(len(names) - 1, 'more file')} were" if names[1:] else " was"
        super().__init__(f"{folder / names[0]}{more} not written by `newel docs`, or edited since")
        self.names = tuple(names)


class BadArgument(NewelError, TypeError):
    """An argument is not what the call takes."""


class BlankOperation(NewelError):
    """An operation id needs a part that is blank or was not given."""


class NoSuchFile(NewelError):
    """The file cannot be read."""
