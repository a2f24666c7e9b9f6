"""One version: files read together, the program they make, and the texts that places point into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from newel.compiler.files import Reading
from newel.compiler.pipeline import compile_reading
from newel.compiler.program import Place, Program
from newel.dsl.source import Source, Span
from newel.dsl.suppressions import Suppression, suppressions


@dataclass(frozen=True, slots=True)
class Version:
    """A program with its sources by the paths they are shown by, and what their comments allow; of the standard
    vocabulary neither."""

    program: Program
    sources: Mapping[str, Source]
    allowed: tuple[Suppression, ...] = field(default=())

    @staticmethod
    def of(reading: Reading) -> Version:
        """The version that was read. Raises `CompileError` where it has errors."""
        compiled = compile_reading(reading)
        program = compiled.sound or compiled.require()
        own = [file.tree for file in reading.files if not file.standard]
        allowed = tuple(each for tree in own for each in suppressions(tree))
        return Version(program, {tree.source.path: tree.source for tree in own}, allowed)

    def allows(self, code: str, span: Span | None) -> Suppression | None:
        """The comment that allows a code where something is."""
        if span is None:
            return None
        path, line = span.source.path, span.source.line_of(span.start)
        those = (each for each in self.allowed if each.code == code and each.span.source.path == path)
        return next((each for each in those if line in each.lines), None)

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
