"""The operation ids of declarations to shapes, their fields checked."""

from __future__ import annotations

from collections.abc import Mapping

from newel.compiler.bind import rules
from newel.compiler.bind.reports import Reports
from newel.compiler.model import Loaded, Model, Parameter, Shape
from newel.compiler.shapes import Field, ShapeError, fields_of, parse_shape
from newel.dsl import tree
from newel.dsl.source import Span

SURROUNDINGS = ("task", "step", "workflow")
"""The fields every trigger's shape knows beside its payload."""


class Shaping:
    """Reads the operation shapes of one compilation."""

    def __init__(self, model: Model, reports: Reports) -> None:
        self.types = model.vocabulary.types
        self.reports = reports

    def read(self, node: tree.Operation, fields: Mapping[str, Parameter], file: Loaded, *, own: bool) -> Shape:
        """The shape of an operation over payload fields or a key's parameters; `own` where the task, step and workflow
        may stand in it too."""
        span = file.tree.span(node.shape)
        shape = Shape(node.shape.value, node.edge, span)
        try:
            parts = parse_shape(node.shape.value)
        except ShapeError as error:
            at = _inside(node.shape, file, error.offset, 1) or span
            self.reports.add(rules.MALFORMED_SHAPE, at, problem=error.problem)
            return shape
        for field in fields_of(parts):
            self._field(field, node.shape, fields, file, own=own)
        shape.fields = tuple(dict.fromkeys(field.name for field in fields_of(parts)))
        if not any(isinstance(part, Field) and part.name in fields for part in parts):
            self.reports.add(rules.SHAPE_WITHOUT_FIELD, span, shape=node.shape.value)
        return shape

    def _field(
        self, field: Field, text: tree.Text, fields: Mapping[str, Parameter], file: Loaded, *, own: bool
    ) -> None:
        span = _inside(text, file, field.start, len(field.name)) or file.tree.span(text)
        parameter = fields.get(field.name)
        if parameter is None:
            if not own or field.name not in SURROUNDINGS or field.digest:
                known = [*fields, *SURROUNDINGS] if own else [*fields]
                self.reports.unknown(rules.UNKNOWN_FIELD, span, field.name, known)
            return
        declared = self.types.get(parameter.type.name)
        many = parameter.type.name in ("list", "map") or (declared is not None and not declared.simple)
        if field.digest and not many:
            self.reports.add(rules.MALFORMED_SHAPE, span, problem=f"`digest` hashes a list; `{field.name}` is none")
        elif many and not field.digest:
            problem = f"`{field.name}` is no plain value; write `{{digest({field.name})}}`"
            self.reports.add(rules.MALFORMED_SHAPE, span, problem=problem)


def _inside(text: tree.Text, file: Loaded, offset: int, length: int) -> Span | None:
    """The place of a piece of a text, where the text stands in the file as it is, without escapes."""
    start = text.body + offset
    written = file.source.text[text.body : text.body + len(text.value)]
    return Span(file.source, start, start + length) if written == text.value else None
