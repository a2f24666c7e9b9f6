"""Boards of other programs to `.newel` files. What cannot be carried is reported, and nothing is dropped in silence."""

from newel.compiler.imports.importing import IMPORTS, Imported, import_file, import_text
from newel.compiler.imports.rules import IMPORT_RULES

__all__ = ["IMPORTS", "IMPORT_RULES", "Imported", "import_file", "import_text"]
