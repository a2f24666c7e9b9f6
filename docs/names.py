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
from types import FunctionType, ModuleType

from newel.runtime.causes import ROUTES


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and most renderers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


DOORS = {
    "newel.compiler": (),
    "newel.runtime": (),
    "newel.runtime.aio": ("AsyncService",),
    "newel.runtime.testing": (),
}
"""The modules with public names, and which these are where the module does not say."""


def python() -> Iterator[str]:
    """Every public name of the two packages."""
    yield "# Python\n"
    yield "The public names. What is not here may change without notice. How to use them:"
    yield "[embed the runtime](../how-to/embed.md)."
    compiler = importlib.import_module("newel.compiler")
    for package, names in DOORS.items():
        door = importlib.import_module(package)
        yield f"\n## {package}"
        for name in names or door.__all__:
            if package != compiler.__name__ and name in compiler.__all__:
                other = f"newel.compiler.{name}"
                yield f"\n### {package}.{name}\n\nThe same as [`{other}`](#{slug(other)})."
            else:
                yield from _public(package, name, getattr(door, name))


def _public(package: str, name: str, thing: object) -> Iterator[str]:
    yield f"\n### {package}.{name}\n"
    if not isinstance(thing, type | FunctionType):
        yield from _constant(package, name)
        return
    node = _node(thing)
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        yield f"```text\nclass {name}{f'({bases})' if bases else ''}\n```\n\n{ast.get_docstring(node)}"
        yield from _made(name, node)
        yield from _members(thing)
        if name == "UnknownRoute":
            yield f"\nThe routes: {', '.join(f'`{route}`' for route in ROUTES)}."
    elif isinstance(node, ast.FunctionDef):
        yield f"```text\n{_signature(node)}\n```\n\n{ast.get_docstring(node)}"


def _constant(package: str, name: str) -> Iterator[str]:
    """A value or a type's other name, which does not know where it was declared: the door does."""
    home = importlib.import_module(importlib.import_module(package)._HOMES[name])
    node = next(each for each in _tree(home.__name__).body if _name(each) == name)
    yield f"```text\n{ast.unparse(node)}\n```\n\n{attributes(home)[name]}"


def _made(name: str, node: ast.ClassDef) -> Iterator[str]:
    """How one is made, where the fields do not say it."""
    made = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    if made is not None and made.args.args[1:]:
        yield f"\n```text\n{_signature(made).replace('__init__', name, 1)}\n```"
        if said := ast.get_docstring(made):
            yield f"\n{said}"


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
        doc = _whole(" ".join((ast.get_docstring(node) or "").split()), node.name)
        is_property = any(ast.unparse(each) == "property" for each in node.decorator_list)
        shown = (
            f"{node.name}: {ast.unparse(node.returns)}"
            if is_property and node.returns
            else _signature(node, many_lines=False)
        )
    elif isinstance(node, ast.AnnAssign):
        shown, doc = ast.unparse(node), said
    elif enumeration and isinstance(node, ast.Assign):
        shown, doc = str(ast.literal_eval(node.value)), said
    else:
        shown, doc = _name(node), said
    return f"- `{shown}`{f' - {doc}' if doc else ''}"


def _whole(doc: str, name: str) -> str:
    """A docstring that refers to the function behind it, with that one's."""
    refers = re.search(r"; see `([\w.]+)`\.$", doc)
    if refers is None:
        return doc
    module = importlib.import_module(refers[1].removesuffix(f".{name}"))
    return f"{doc[: refers.start()]}. {' '.join(inspect.cleandoc(getattr(module, name).__doc__).split())}"


def _signature(node: ast.FunctionDef, many_lines: bool = True) -> str:
    """A function as it is called, without `self`; one with many parameters on as many lines where there is room."""
    parameters = list(_parameters(node.args))
    result = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{node.name}({', '.join(parameters)}){result}"
    if many_lines and len(line) > 100:
        return "\n    ".join([f"{node.name}(", *(f"{each}," for each in parameters)]) + f"\n){result}"
    return line


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for each, default in zip(positional, defaults, strict=True):
        if each.arg not in ("self", "cls"):
            yield _parameter(each, default)
    if arguments.vararg:
        yield f"*{_parameter(arguments.vararg, None)}"
    elif arguments.kwonlyargs:
        yield "*"
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(each, default)
    if arguments.kwarg:
        yield f"**{_parameter(arguments.kwarg, None)}"


def _parameter(each: ast.arg, default: ast.expr | None) -> str:
    text = f"{each.arg}: {ast.unparse(each.annotation)}" if each.annotation else each.arg
    return text if default is None else f"{text} = {ast.unparse(default)}"


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
