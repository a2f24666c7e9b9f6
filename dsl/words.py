"""Broken statements to the words in them: names that may have been meant, and are not to be called unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from newel.dsl.tree import Broken, Every, File, Fragment, On, Scenario, Step, Workflow

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")


def broken_in(node: object) -> Iterator[Broken]:
    """Every Broken inside a File, a workflow or another block, in the order of the text."""
    if isinstance(node, Broken):
        yield node
    elif isinstance(node, File):
        for item in node.items:
            yield from broken_in(item)
    elif isinstance(node, Workflow | Step | Every | Fragment | On):
        for each in node.body:
            yield from broken_in(each)
    elif isinstance(node, Scenario):
        for line in node.lines:
            yield from broken_in(line)


def is_broken(node: object) -> bool:
    """Whether anything in a File, a workflow or another block could not be read as it was meant."""
    return next(broken_in(node), None) is not None


def broken_words(file: File) -> frozenset[str]:
    """The words in what could not be read. A name among them is suspected, not reported as unknown."""
    text = file.source.text
    return frozenset(word for each in broken_in(file) for word in WORD.findall(text, each.start, each.end))
