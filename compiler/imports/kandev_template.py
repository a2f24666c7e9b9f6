"""Kandev's template form: one workflow, its steps named by ids; a key it does not know is an error there and here."""

from __future__ import annotations

from newel.compiler.imports.document import Mapping
from newel.compiler.imports.draft import Workflow
from newel.compiler.imports.formats import Format
from newel.compiler.imports.names import Names
from newel.compiler.imports.reading import Reading
from newel.compiler.imports.tables import TEMPLATE
from newel.compiler.imports.workflows import workflow_of


def matches(document: Mapping) -> bool:
    """A template has steps at its top."""
    return document.raw("steps") is not None


def read(reading: Reading, document: Mapping) -> list[Workflow]:
    """Its one workflow."""
    return [workflow_of(reading, TEMPLATE, document, Names("workflow"))]


KANDEV_TEMPLATE = Format("kandev-template", "Kandev template", matches, read)
