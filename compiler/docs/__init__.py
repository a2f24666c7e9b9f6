"""Documentation of a compiled program: plain data (`shape`), made from the program (`view`), rendered (`render`).

`render_docs` writes it as pages that open from disk, `stale_docs` says what a folder lacks of them.
"""

from newel.compiler.docs.site import render_docs, stale_docs

__all__ = ["render_docs", "stale_docs"]
