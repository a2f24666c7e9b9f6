"""What an import from one format consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from newel.compiler.imports.document import Mapping
from newel.compiler.imports.draft import Workflow
from newel.compiler.imports.reading import Reading


@dataclass(frozen=True, slots=True)
class Format:
    """A form in which another program keeps its boards: how to recognise a document of it, and how to read one."""

    name: str
    title: str
    matches: Callable[[Mapping], bool]
    read: Callable[[Reading, Mapping], list[Workflow]]
