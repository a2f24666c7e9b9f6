"""One version: files read together, the program they make, and the texts that places point into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from newel.compiler.files import Reading
from newel.compiler.pipeline import compile_reading
from newel.compiler.program import Place, Program
from newel.dsl.source import Source, Span


@dataclass(frozen=True, slots=True)
class Version:
    """A program with its sources by the paths they are shown by, without the standard vocabulary."""

    program: Program
    sources: Mapping[str, Source]

    @staticmethod
    def of(reading: Reading) -> Version:
        """The version that was read. Raises `CompileError` where it has errors."""
        program = compile_reading(reading).require()
        own = (file.tree.source for file in reading.files if not file.standard)
        return Version(program, {source.path: source for source in own})

    def span(self, place: Place | None) -> Span | None:
        """The rest of the line from a place on; None where the place is in none of the sources."""
        source = self.sources.get(place.path) if place else None
        if source is None or place is None or place.line > source.lines:
            return None
        line = source.line(place.line)
        start = source.offset(place.line, place.column)
        length = len(line) - place.column + 1
        return Span(source, start, start + len(line[place.column - 1 :].rstrip(" {}")) if length > 0 else start)

    def anywhere(self) -> Span:
        """The beginning of the first file."""
        return Span(next(iter(self.sources.values())), 0, 0)
