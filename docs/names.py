"""The public names of the two packages to a page: their signatures, members and docstrings, read from the source.

Read and not asked of Python, which prints annotations and defaults otherwise in each of its versions.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import pairwise
from types import ModuleType


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and most renderers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def python() -> Iterator[str]:
    """Every public name of the two packages."""
    yield "# Python\n"
    yield "The public names. What is not here may change without notice. How to use them:"
    yield "[embed the runtime](../how-to/embed.md)."
    compiler = importlib.import_module("newel.compiler")
    for package in ("newel.compiler", "newel.runtime"):
        door = importlib.import_module(package)
        yield f"\n## {package}"
        for name in door.__all__:
            if package != compiler.__name__ and name in compiler.__all__:
                other = f"newel.compiler.{name}"
                yield f"\n### {package}.{name}\n\nThe same as [`{other}`](#{slug(other)})."
            else:
                yield from _public(package, name, getattr(door, name))


def _public(package: str, name: str, thing: object) -> Iterator[str]:
    node = _node(thing)
    yield f"\n### {package}.{name}\n"
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        yield f"```text\nclass {name}{f'({bases})' if bases else ''}\n```\n\n{ast.get_docstring(node)}"
        yield from _members(thing)
    elif isinstance(node, ast.FunctionDef):
        yield f"```text\n{_signature(node)}\n```\n\n{ast.get_docstring(node)}"


def _members(thing: object) -> Iterator[str]:
    assert isinstance(thing, type)  # noqa: S101 - asked for classes only
    seen: set[str] = set()
    parts = []
    for cls in (each for each in thing.__mro__ if each.__module__.startswith("newel.")):
        said = attributes(cls)
        for node in _node(cls).body:
            name = _name(node)
            if name and name not in seen and not name.startswith("_"):
                seen.add(name)
                parts.append(_member(node, said.get(name, ""), issubclass(cls, Enum)))
    if parts:
        yield ""
        yield from parts


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    target = (
        node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    )
    return target.id if isinstance(target, ast.Name) and target.id != "model_config" else ""


def _member(node: ast.stmt, said: str, enumeration: bool) -> str:
    if isinstance(node, ast.FunctionDef):
        doc = " ".join((ast.get_docstring(node) or "").split())
        is_property = any(ast.unparse(each) == "property" for each in node.decorator_list)
        shown = f"{node.name}: {ast.unparse(node.returns)}" if is_property and node.returns else _signature(node, " ")
    elif isinstance(node, ast.AnnAssign):
        shown, doc = ast.unparse(node), said
    elif enumeration and isinstance(node, ast.Assign):
        shown, doc = str(ast.literal_eval(node.value)), said
    else:
        shown, doc = (
            _name(node),
            said or "The operation ledger: `is_applied(operation_id)`, `mark_applied(operation_id)`.",
        )
    return f"- `{shown}`{f' - {doc}' if doc else ''}"


def _signature(node: ast.FunctionDef, space: str = "\n") -> str:
    """A function as it is called, without `self`; a long one on several lines where there is room."""
    text = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args)).removeprefix("/, ")
    line = f"{node.name}({text}) -> {ast.unparse(node.returns) if node.returns else 'None'}"
    return line.replace(", *, ", ", *,\n    ") if space == "\n" and len(line) > 100 else line


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))


def _node(thing: object) -> ast.ClassDef | ast.FunctionDef:
    name, module = thing.__name__, thing.__module__  # type: ignore[attr-defined]  # classes and functions have both
    return next(
        node for node in _tree(module).body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
    )


def attributes(thing: type | ModuleType) -> dict[str, str]:
    """What stands under the fields of a class, or the constants of a module."""
    body = _tree(thing.__name__).body if isinstance(thing, ModuleType) else _node(thing).body
    return {
        _name(node): " ".join(after.value.value.split())
        for node, after in pairwise(body)
        if isinstance(node, ast.AnnAssign | ast.Assign)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and isinstance(after.value.value, str)
    }
