"""YAML or JSON text to a document with places; refuses what could hide, repeat or blow up something.

No anchors, aliases, merges and tags, no key twice, no key that is not a text, one document. What is refused is a
finding. JSON is read as the YAML it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from newel.compiler.imports import document_rules as rules
from newel.compiler.imports.document import Document, Mapping, Node, Scalar, Sequence, scalars, shown
from newel.compiler.imports.json_as_yaml import as_yaml
from newel.dsl.findings import Finding, Related, Rule
from newel.dsl.limits import BYTES
from newel.dsl.source import Source, Span

CLIENT_BYTES = 1024 * 1024
"""So much of an import the client reads; it cuts the rest off without a word."""
DEPTH = 32
"""Maps and lists open at one place."""
VALUES = 100_000
"""Values of a document."""
FINDINGS = 5_000
"""Findings of one import; after that many the rest is not read."""

_PARSER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


def place(source: Source, node: Node) -> Span:
    """Where a node stands: its first line only, since what follows would bury the excerpt."""
    line_end = source.text.find("\n", node.start)
    end = node.end if line_end < 0 else min(node.end, line_end)
    shown = source.text[node.start : end].rstrip()
    return Span(source, node.start, node.start + len(shown))


def load(source: Source) -> tuple[Document | None, list[Finding]]:
    """The document of a text, and what is wrong with it; None where it could not be read to its end."""
    size = len(source.text.encode("utf-8", "surrogatepass")) + source.bom
    start = Span(source, 0, 0)
    if size > BYTES:
        fields = {"what": f"more than {BYTES} bytes", "most": f"{BYTES} bytes"}
        return None, [Finding(rules.IMPORT_TOO_LARGE, start, fields)]
    reader = _Loader(source)
    if size > CLIENT_BYTES:
        reader.findings.append(Finding(rules.CUT_BY_CLIENT, start, {"size": size}))
    unreadable = _UNREADABLE.search(source.text)
    if unreadable:
        problem = f"a YAML file may not hold the character U+{ord(unreadable.group()):04X}"
        reader.report(rules.NOT_YAML, Node(unreadable.start(), unreadable.end()), problem=problem)
        return None, reader.findings
    document = reader.read()
    if document is not None:
        reader.comments(document)
    return document, reader.findings


@dataclass(slots=True)
class _Open:
    """A map or list that is being read: where it began, what it has so far, a map's key that waits for its value."""

    start: int
    mapping: bool
    items: list[Document] = field(default_factory=list)
    pairs: dict[str, tuple[Scalar, Document]] = field(default_factory=dict)
    key: Scalar | None = None
    between: bool = False


class Stop(Exception):  # the reading ends at this place; it is no error of anybody
    """Nothing behind this place is read."""


def note(findings: list[Finding], finding: Finding) -> None:
    """Add a finding to the others. Raises `Stop` where there are too many, which is the last of them."""
    findings.append(finding)
    if len(findings) >= FINDINGS:
        fields = {"what": "more findings", "most": f"{FINDINGS} of them"}
        findings.append(Finding(rules.IMPORT_TOO_LARGE, finding.span, fields))
        raise Stop


@dataclass(slots=True)
class _Loader:
    """Turns the events of one text into a document, without recursion."""

    source: Source
    findings: list[Finding] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    root: Document | None = None
    documents: int = 0
    values: int = 0
    meant: dict[int, int | None] = field(default_factory=dict)

    def report(self, rule: Rule, node: Node, **fields: object) -> None:
        """Note a finding at a node."""
        note(self.findings, Finding(rule, place(self.source, node), fields))

    def read(self) -> Document | None:
        """The whole document; None where it broke off or is empty."""
        try:
            for event in self.events():
                self.take(event)
        except Stop:
            return None
        return self.root

    def events(self) -> Iterator[yaml.Event]:
        """The events of the text; what the library says of bad YAML becomes a finding."""
        text, self.meant = as_yaml(self.source.text)
        try:
            yield from yaml.parse(text, Loader=_PARSER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            at = min(mark.index if mark else 0, len(self.source.text))
            problem = error.problem or error.context or "it is cut off"
            if "nesting" in problem:  # the library looks ahead, and has a limit of its own
                self.report(rules.IMPORT_TOO_DEEP, Node(at, at + 1), most=DEPTH)
            else:
                self.report(rules.NOT_YAML, Node(at, at + 1), problem=problem)
            raise Stop from None

    def take(self, event: yaml.Event) -> None:
        """One event."""
        start, end = event.start_mark, event.end_mark
        node = Node(start.index if start else 0, end.index if end else 0)
        match event:
            case yaml.DocumentStartEvent():
                self.document(node)
            case yaml.AliasEvent():
                self.report(rules.ALIAS, node, what="an alias")
                self.place(Scalar(node.start, node.end, "", plain=True))
            case yaml.NodeEvent():
                self.value(event, node)
            case yaml.CollectionEndEvent():
                self.close(node)
            case _:
                pass

    def document(self, node: Node) -> None:
        """The beginning of a document; a second one ends the reading."""
        self.documents += 1
        if self.documents > 1:
            self.report(rules.SEVERAL_DOCUMENTS, Node(node.start, node.start + 3))
            raise Stop

    def value(self, event: yaml.NodeEvent, node: Node) -> None:
        """The beginning of a value."""
        self.values += 1
        if self.values > VALUES:
            self.report(rules.IMPORT_TOO_LARGE, node, what="more values", most=f"{VALUES} of them")
            raise Stop
        if event.anchor is not None:
            self.report(rules.ALIAS, node, what="an anchor")
        tag = getattr(event, "tag", None)
        if tag is not None:
            self.report(rules.TAG, node, tag=shown(tag.replace("tag:yaml.org,2002:", "!!")))
        if isinstance(event, yaml.ScalarEvent):
            plain = event.style is None or event.style == ""
            self.place(Scalar(node.start, node.end, self.whole(event.value, node), plain))
            return
        if len(self.stack) == DEPTH:
            self.report(rules.IMPORT_TOO_DEEP, node, most=DEPTH)
            raise Stop
        self.stack.append(_Open(node.start, isinstance(event, yaml.MappingStartEvent)))

    def whole(self, text: str, node: Node) -> str:
        """The text of a scalar; one that holds what is no character ends the reading."""
        value = text.translate(self.meant) if self.meant else text
        if _NO_CHARACTER.search(value):
            self.report(rules.NOT_YAML, node, problem="an escape here stands for no character")
            raise Stop
        return value

    def close(self, node: Node) -> None:
        """The end of a map or list."""
        opened = self.stack.pop()
        if opened.mapping:
            self.place(Mapping(opened.start, node.end, tuple(opened.pairs.values())))
        else:
            self.place(Sequence(opened.start, node.end, tuple(opened.items)))

    def place(self, document: Document) -> None:
        """Put a finished value where it belongs."""
        if not self.stack:
            self.root = document
            return
        opened = self.stack[-1]
        if not opened.mapping:
            opened.items.append(document)
        elif not opened.between:
            opened.key, opened.between = self.key(document), True
        else:
            opened.between = False
            if opened.key is not None:
                self.pair(opened, opened.key, document)

    def key(self, document: Document) -> Scalar | None:
        """A key of a map; None, with a finding, where it cannot be one."""
        if not isinstance(document, Scalar) or not isinstance(document.value, str):
            self.report(rules.KEY_NOT_TEXT, document)
            return None
        if document.plain and document.text == "<<":
            self.report(rules.ALIAS, document, what="a merge")
            return None
        return document

    def pair(self, opened: _Open, key: Scalar, value: Document) -> None:
        """A key with its value; the same key again is a finding."""
        first = opened.pairs.get(key.text)
        if first is None:
            opened.pairs[key.text] = key, value
            return
        related = Related("first given here", place(self.source, first[0]))
        fields = {"key": shown(key.text)}
        note(self.findings, Finding(rules.DUPLICATE_KEY, place(self.source, key), fields, (related,)))

    def comments(self, document: Document) -> None:
        """Comments are not part of a document: say so once, at the first of them."""
        at = 0
        for scalar in scalars(document):
            found = self.source.text.find("#", at, scalar.start)
            if found >= 0:
                break
            at = max(at, scalar.end)
        else:
            found = self.source.text.find("#", at)
        if found >= 0:
            end = self.source.text.find("\n", found)
            self.report(rules.COMMENTS, Node(found, len(self.source.text) if end < 0 else end))
