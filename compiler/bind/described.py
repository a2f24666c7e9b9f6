"""A value as written to words a reader knows it by."""

from __future__ import annotations

from newel.dsl import tree


def described(node: tree.Value) -> str:
    """A value in the reader's terms."""
    if isinstance(node, tree.Text):
        return "a text"
    if isinstance(node, tree.Number):
        return f"the number {node.value}"
    if isinstance(node, tree.Duration):
        return "a duration"
    if isinstance(node, tree.ListValue):
        return "a list"
    if isinstance(node, tree.MapValue):
        return "a map"
    return f"`{'.'.join(name.text for name in node.path)}`"
