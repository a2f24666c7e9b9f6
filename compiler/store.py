"""Files to their texts and trees, each read and parsed once however many compilations of a run use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from newel.dsl import parse, read_source, tree
from newel.dsl.findings import Finding
from newel.dsl.limits import DEFAULT, Limits
from newel.dsl.source import Source


@dataclass(slots=True)
class Store:
    """What was read of a project that stands still meanwhile. `texts` are read instead of what lies on the disk."""

    texts: Mapping[Path, Source] = field(default_factory=dict)
    _sources: dict[Path, Source | Finding] = field(default_factory=dict)
    _trees: dict[int, tuple[Source, tree.File, list[Finding]]] = field(default_factory=dict)

    def source(self, path: Path, shown: str, limits: Limits = DEFAULT) -> Source | Finding:
        """The text of a file, by its resolved path. Raises OSError where it cannot be read."""
        if path not in self._sources:
            self._sources[path] = self.texts.get(path) or read_source(path, shown, limits)
        return self._sources[path]

    def parsed(self, source: Source, limits: Limits = DEFAULT) -> tuple[tree.File, list[Finding]]:
        """The tree of a text, and what is wrong with its form."""
        key = id(source)  # kept alive beside the tree, so that no other gets the number
        if key not in self._trees:
            self._trees[key] = (source, *parse(source, limits))
        return self._trees[key][1:]
