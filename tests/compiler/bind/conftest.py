"""What the tests of binding share: a text to what is wrong with it, and to the step that is meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newel.compiler.bind import bind
from newel.compiler.files import Reader, project_of
from newel.compiler.model import Model
from newel.dsl.source import Source

Found = Callable[[str], list[tuple[str, str]]]
Bound = Callable[[str], Model]


def bound_with_findings(text: str) -> tuple[Model, list[tuple[str, str]]]:
    """The model of a text, and the code of each finding of parsing and binding with the text it is about."""
    reading = Reader(project_of([], None)).read_text(Source("<text>", text), "<text>")
    model, findings = bind(reading.files, reading.suspects)
    found = [f for f in (*reading.findings, *findings) if not f.span.source.path.startswith("newel:")]
    return model, [(f.rule.code, f.span.text) for f in sorted(found, key=lambda each: each.span.start)]


@pytest.fixture
def found() -> Found:
    """What is wrong with a text, checks left out."""
    return lambda text: bound_with_findings(text)[1]


@pytest.fixture
def bound() -> Bound:
    """The model of a text that has no errors."""

    def of(text: str) -> Model:
        model, findings = bound_with_findings(text)
        assert findings == []
        return model

    return of
