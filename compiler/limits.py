"""How much a set of files may become when it is put together, so that a small file cannot become an endless one."""

from __future__ import annotations

from dataclasses import dataclass

from newel.dsl import limits

FILES = 1_000
USE_DEPTH = 64
INCLUDED = 100_000
INCLUDE_DEPTH = 32
COPIED = 32 * 1024 * 1024
DEFAULT_SIZE = 10_000
STEPS = 20_000
ACTIONS = 10_000
STATES = 20_000
SUGGESTIONS = 20_000
SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class Limits(limits.Limits):
    """The limits of one compilation: of each file, and of all together. They can be set lower, not higher."""

    files: int = FILES
    """Files of one compilation."""
    use_depth: int = USE_DEPTH
    """Files that use one another, in a row."""
    included: int = INCLUDED
    """Statements that come into steps through `include` and `every step`, in one compilation."""
    include_depth: int = INCLUDE_DEPTH
    """Fragments inside fragments."""
    copied: int = COPIED
    """Characters that are there more than once: of fragments, of `every step`, of shared texts and of defaults."""
    default_size: int = DEFAULT_SIZE
    """Characters of a default, those of the types inside it put in."""
    steps: int = STEPS
    """Steps of a workflow."""
    actions: int = ACTIONS
    """Actions and moves of one list, those of its fragments put in."""
    states: int = STATES
    """Places looked at in search of the loops of one part of a workflow, before the search is given up."""
    suggestions: int = SUGGESTIONS
    """Names that are looked at, in one compilation, to find one that may have been meant."""
    shown: int = SHOWN
    """Findings of one compilation; of more the errors come first, and it is said that there are others."""


DEFAULT = Limits()
