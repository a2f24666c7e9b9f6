"""A module to its mutants: each is the module with one small thing changed, that a test should notice.

Conditions that always or never hold, comparisons the other way round, `and` for `or`, an operand or a statement left
out, another constant, a handler that catches more or nothing, a decorator, a keyword or a `with` gone. What no run can
notice, annotations, documentation and what only forbids, is left as it is.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
NEIGHBOURS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
OTHERS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
UNSEEN = {"overload"}
"""Decorators of what is there for the type checker alone."""
FORBIDDING = {"frozen", "slots", "strict"}
"""Keywords that only forbid what nobody does."""


Path = tuple[tuple[str, int | None], ...]
"""The way to a node of a tree: fields, and numbers in those that are lists."""


@dataclass(frozen=True)
class Mutant:
    """One change: in which function (its lines are `span`), on which line, from what to what."""

    function: str
    span: range
    line: int
    before: str
    after: str
    path: Path
    new: ast.AST

    @property
    def change(self) -> str:
        """What is changed, without the number of its line, which moves."""
        return f"{self.function}: {self.before} -> {self.after}"

    def made(self, text: str) -> str:
        """The module with the change."""
        tree = ast.parse(text)
        _put(tree, self.path, self.new)
        return ast.unparse(tree)


def mutants(text: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its source."""
    tree = ast.parse(text)
    for path, function, span in _places(tree, (), "", range(0)):
        node = _at(tree, path)
        for new in _changes(node):
            placed = ast.fix_missing_locations(ast.copy_location(new, node))
            before, after = _short(node), _short(placed)
            if before != after:
                yield Mutant(function, span, node.lineno, before, after, path, placed)


# ---------------------------------------------------------------- where


def _places(node: ast.AST, path: Path, function: str, span: range) -> Iterator[tuple[Path, str, range]]:
    """The way to every node that may be changed, and the function it stands in; no lines where it stands in none."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        function = f"{function}.{node.name}" if function else node.name
    if isinstance(node, ast.FunctionDef):
        span = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params"):
            continue
        for number, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            part_of_text = isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not part_of_text and not _said_only(child):
                here: Path = (*path, (name, number))
                # a condition that always or never holds is more than one that holds the other way round
                turned = name == "test" and isinstance(child, ast.Compare | ast.UnaryOp)
                if isinstance(child, ast.expr | ast.stmt | ast.ExceptHandler) and not turned:
                    outside = isinstance(node, ast.FunctionDef) and name != "body"  # decorators, defaults: at import
                    yield here, function, range(0) if outside else span
                yield from _places(child, here, function, span)


def _said_only(node: ast.AST) -> bool:
    """Documentation, imports, names of types, and what is there for the type checker alone."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.keyword):
        return node.arg in FORBIDDING
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.FunctionDef):
        return any(ast.unparse(each) in UNSEEN for each in node.decorator_list)
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Subscript) or "__slots__" in {ast.unparse(each) for each in node.targets}
    return False


def _at(tree: ast.AST, path: Path) -> ast.expr | ast.stmt | ast.ExceptHandler:
    found: ast.AST = tree
    for name, number in path:
        value = getattr(found, name)
        found = value if number is None else value[number]
    assert isinstance(found, ast.expr | ast.stmt | ast.ExceptHandler)
    return found


def _put(tree: ast.AST, path: Path, new: ast.AST) -> None:
    *way, (name, number) = path
    owner: ast.AST = tree
    for step, index in way:
        value = getattr(owner, step)
        owner = value if index is None else value[index]
    if number is None:
        setattr(owner, name, new)
    else:
        getattr(owner, name)[number] = new


def _short(node: ast.AST) -> str:
    """What a node says in one line: of what has a body, its head, with its decorators."""
    lines = ast.unparse(node).strip().split("\n")
    return " ".join(lines[: len(getattr(node, "decorator_list", ())) + 1])


# ---------------------------------------------------------------- what


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr):
        yield from _expressions(node)
    elif isinstance(node, ast.ExceptHandler):
        yield from _handlers(node)
    elif isinstance(node, ast.stmt):
        yield from _statements(node)


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[op]):
            for others in (OPPOSITES, NEIGHBOURS):
                if type(op) in others:
                    yield ast.Compare(node.left, [others[type(op)]()], node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            for number in range(len(node.values)):
                left = [each for n, each in enumerate(node.values) if n != number]
                yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.IfExp():
            yield node.body
            yield node.orelse
        case ast.BinOp() if type(node.op) in OTHERS:
            yield ast.BinOp(node.left, OTHERS[type(node.op)](), node.right)
        case ast.Call():
            for number, keyword in enumerate(node.keywords):
                if keyword.arg not in FORBIDDING:
                    yield ast.Call(node.func, node.args, [k for n, k in enumerate(node.keywords) if n != number])
        case ast.JoinedStr():
            yield ast.Constant("other")
        case ast.Constant():
            yield from _constants(node.value)


def _constants(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str):
        yield ast.Constant("other" if value else "something")


def _handlers(node: ast.ExceptHandler) -> Iterator[ast.AST]:
    yield ast.ExceptHandler(ast.Tuple([], ast.Load()), node.name, node.body)
    if node.type is not None and ast.unparse(node.type) == "Exception":
        yield ast.ExceptHandler(ast.Name("BaseException", ast.Load()), node.name, node.body)
    if isinstance(node.type, ast.Tuple):
        for number in range(len(node.type.elts)):
            left = [each for n, each in enumerate(node.type.elts) if n != number]
            yield ast.ExceptHandler(ast.Tuple(left, ast.Load()), node.name, node.body)


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.If() | ast.While():
            for holds in (True, False):
                new = copy.copy(node)
                new.test = ast.Constant(holds)
                yield new
        case ast.For():
            yield ast.For(node.target, ast.Tuple([], ast.Load()), node.body, node.orelse)
        case ast.With() if all(item.optional_vars is None for item in node.items):
            yield ast.If(ast.Constant(True), node.body, [])
        case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign() if not all(isinstance(each, ast.Name) for each in node.targets):
            yield ast.Pass()
        case ast.FunctionDef() | ast.ClassDef():
            for number in range(len(node.decorator_list)):
                bare = copy.copy(node)
                bare.decorator_list = [each for n, each in enumerate(node.decorator_list) if n != number]
                yield bare
