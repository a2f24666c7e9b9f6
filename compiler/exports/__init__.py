"""Pictures of a compiled workflow, one file a format, the formats listed in `graph`.

`graph` takes the name of a format and gives text.
"""

from newel.compiler.exports.graph import EXPORTS, Export, graph

__all__ = ["EXPORTS", "Export", "graph"]
