"""The one layout of the language: a text in it says what it said before, comments included. Nothing is printed from the
tree, so nothing the tree does not keep can be lost."""

from newel.dsl.layout.formatting import format_source
from newel.dsl.layout.writing import laid_out

__all__ = ["format_source", "laid_out"]
