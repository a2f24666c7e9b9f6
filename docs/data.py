"""The data that templates get to a page: every structure with its fields, read from the source that declares them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from newel.compiler.docs import shape


def template_data() -> Iterator[str]:
    """Each structure, what is outermost first."""
    tree = ast.parse(inspect.getsource(shape))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    yield "# The data of a template\n"
    yield f"Version {shape.VERSION}. How to use it: [write the documentation your way](../how-to/templates.md).\n"
    yield (ast.get_docstring(tree) or "").partition("\n\n")[2]
    for node in reversed(classes.values()):
        yield f"\n## {node.name}\n\n{ast.get_docstring(node)}\n\n| field | type |\n| --- | --- |"
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                yield f"| `{field.target.id}` | {_type(field.annotation, classes)} |"


def _type(node: ast.expr, classes: dict[str, ast.ClassDef]) -> str:
    """The type in words, with a link to the structure it names."""
    match node:
        case ast.Subscript(value=ast.Name("list"), slice=inner):
            return f"list of {_type(inner, classes)}"
        case ast.BinOp(left=left, right=ast.Constant(None)):
            return f"{_type(left, classes)}, or none"
        case ast.Name(name):
            words = {"str": "text", "int": "number", "bool": "flag"}
            return f"[{name}](#{name.lower()})" if name in classes else words[name]
        case _:
            raise TypeError(ast.unparse(node))
