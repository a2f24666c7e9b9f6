"""`##` comments to the declarations they document; those that stand before nothing are findings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from newel.dsl.findings import Finding
from newel.dsl.mends import comments_demoted
from newel.dsl.rules import STRAY_DOCUMENTATION
from newel.dsl.source import Span
from newel.dsl.tree import Broken, Comment, File, Node, Workflow

NEXT_LINE = re.compile(r"\r?\n[ \t]*")


def is_documentation(comment: Comment) -> bool:
    """Whether a comment begins with exactly two signs."""
    return comment.text.startswith("##") and not comment.text.startswith("###")


def attach(file: File) -> Iterator[Finding]:
    """Give every `##` block to the node that begins on the line after it; the findings for those left over."""
    if not any(map(is_documentation, file.comments)):
        return
    nodes = {node.start: node for node in documented(file)}
    broken = [node for node in statements(file) if isinstance(node, Broken)]
    for block, after in blocks(file):
        node = nodes.get(after)
        if node is not None and block[-1].own_line:
            node.doc = "\n".join(each.text[2:].removeprefix(" ").rstrip() for each in block)  # type: ignore[attr-defined]  # see documented()
        elif not any(each.start <= after and block[0].start <= each.end for each in broken):
            # Beside a syntax error it may document what could not be read: only a whole file shows that it is stray.
            fix = None if file.broken else comments_demoted(file.source, [each.start for each in block])
            yield Finding(STRAY_DOCUMENTATION, Span(file.source, block[0].start, block[-1].end), fix=fix)


def statements(file: File) -> Iterator[Node]:
    """The items of a file and the statements of its workflows."""
    for item in file.items:
        yield item
        if isinstance(item, Workflow):
            yield from item.body


def documented(file: File) -> Iterator[Node]:
    """The nodes that take documentation."""
    return (node for node in statements(file) if hasattr(node, "doc"))


def blocks(file: File) -> Iterator[tuple[list[Comment], int]]:
    """The `##` comments of each run of comments on lines of their own, and where the line after the run begins.

    Other comments may stand between; an empty line ends a run. One behind a statement is a run of its own.
    """
    run: list[Comment] = []
    expected = -1
    for comment in file.comments:
        if not comment.own_line or comment.start != expected:
            if run:
                yield run, expected
            run = []
        if is_documentation(comment):
            run.append(comment)
        after = NEXT_LINE.match(file.source.text, comment.end)
        expected = after.end() if after and comment.own_line else -1
    if run:
        yield run, expected
