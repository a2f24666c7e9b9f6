"""How much a set of files may become when it is put together, so that a small file cannot become an endless one."""

FILES = 1_000
"""Files of one compilation."""
INCLUDED = 100_000
"""Statements that come into steps through `include` and `every step`, in one compilation."""
INCLUDE_DEPTH = 32
"""Fragments inside fragments."""
EXPANDED_TEXT = 32 * 1024 * 1024
"""Characters of all long texts after shared ones were put in."""
