"""How much a set of files may become when it is put together, so that a small file cannot become an endless one."""

FILES = 1_000
"""Files of one compilation."""
USE_DEPTH = 64
"""Files that use one another, in a row."""
INCLUDED = 100_000
"""Statements that come into steps through `include` and `every step`, in one compilation."""
INCLUDE_DEPTH = 32
"""Fragments inside fragments."""
COPIED = 32 * 1024 * 1024
"""Characters that are there more than once: of fragments, of `every step`, of shared texts and of defaults."""
DEFAULT = 10_000
"""Characters of a default, those of the types inside it put in."""
SUGGESTIONS = 20_000
"""Names that are looked at, in one compilation, to find one that may have been meant."""
