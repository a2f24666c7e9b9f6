"""One reading of a document: where findings and placeholders are collected, and what every part of it asks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from newel.compiler.imports.action_rules import PLACEHOLDER_DECLARED
from newel.compiler.imports.document import Document, Mapping, Node, Scalar, Sequence, kind_of, shown
from newel.compiler.imports.document_rules import IMPORT_TEXT_TOO_LONG, MISSING_VALUE, UNKNOWN_KEY, WRONG_VALUE
from newel.compiler.imports.layout import fenced, quoted
from newel.compiler.imports.loading import note, place
from newel.dsl.findings import Finding, Related, Rule
from newel.dsl.limits import NAME_LENGTH, TEXT_LENGTH
from newel.dsl.source import Source

_BRACES = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)\}\}")
_ADVISED = 100
"""After so many findings no further ones are looked at closely: a file that gives them is no board."""
_MARGIN = 8
"""At most so many characters are written beside each line of a long text, and for each of its fences."""


def quote(names: Iterable[str]) -> str:
    """Names as a message shows them."""
    return ", ".join(f"`{name}`" for name in names)


@dataclass(slots=True)
class Reading:
    """What is found out about one source. `known` are the placeholders of the standard vocabulary."""

    source: Source
    known: Collection[str]
    findings: list[Finding] = field(default_factory=list)
    placeholders: dict[str, None] = field(default_factory=dict)

    def report(
        self, rule: Rule, node: Node, /, *, hint: str | None = None, first: Node | None = None, **fields: object
    ) -> None:
        """Note a finding at a node; `first` is the other place of two that clash."""
        related = (Related("the first one", place(self.source, first)),) if first else ()
        facts = {name: shown(value) if isinstance(value, str) else value for name, value in fields.items()}
        note(self.findings, Finding(rule, place(self.source, node), facts, related, hint))

    def nearest(self, word: str, known: Collection[str]) -> str | None:
        """A hint that names the known word most like this one; None where none is, or enough was said already."""
        if len(word) > NAME_LENGTH or len(self.findings) > _ADVISED:
            return None
        near = difflib.get_close_matches(word, sorted(known), n=1)
        return f"did you mean `{near[0]}`?" if near else None

    def wrong(self, key: str, node: Document, expected: str, hint: str | None = None) -> None:
        """A value that is not what its key asks for."""
        self.report(WRONG_VALUE, node, hint=hint, key=key, expected=expected, found=kind_of(node))

    def missing(self, key: str, node: Node, owner: str, hint: str | None = None) -> None:
        """A key without which its owner means nothing."""
        self.report(MISSING_VALUE, node, hint=hint, key=key, owner=owner)

    def mapping(self, key: str, node: Document | None) -> Mapping:
        """The map under a key; an empty one where there is none, with a finding where it is something else."""
        if isinstance(node, Mapping):
            return node
        if node is not None:
            self.wrong(key, node, "a map")
        return Mapping(0, 0, ())

    def maps(self, key: str, node: Document | None) -> list[Mapping]:
        """The maps of the list under a key; empty where there is none, with findings for whatever else it holds."""
        if node is None:
            return []
        if not isinstance(node, Sequence):
            self.wrong(key, node, "a list")
            return []
        for item in node.items:
            if not isinstance(item, Mapping):
                self.wrong(key, item, "a list of maps")
        return [item for item in node.items if isinstance(item, Mapping)]

    def text(self, key: str, node: Scalar, value: str, *, long: bool = False) -> str:
        """A text that fits into a file; the placeholders of a long one are noted."""
        between_fences = long and fenced(value)
        margins = _MARGIN * (value.count("\n") + 3)
        if len(value) + margins > TEXT_LENGTH if between_fences else len(quoted(value)) > TEXT_LENGTH:
            self.report(IMPORT_TEXT_TOO_LONG, node, key=key, size=len(value), most=TEXT_LENGTH)
        elif between_fences:
            self._placeholders(node, value)
        return value

    def _placeholders(self, node: Scalar, value: str) -> None:
        for name in _BRACES.findall(value):
            if name not in self.known and name not in self.placeholders:
                self.placeholders[name] = None
                few = len(self.findings) <= _ADVISED
                at = self.source.text.find("{{" + name + "}}", node.start, node.end) if few else -1
                end = at + len(name) + 4
                self.report(PLACEHOLDER_DECLARED, Node(at, end) if at >= 0 else node, name=name)

    def unknown_keys(self, node: Mapping, known: Collection[str], owner: str) -> None:
        """Each key of a map that is read strictly and has no such key is a finding."""
        for key, _ in node.pairs:
            if key.text not in known:
                self.report(UNKNOWN_KEY, key, hint=self.nearest(key.text, known), owner=owner, key=key.text)
