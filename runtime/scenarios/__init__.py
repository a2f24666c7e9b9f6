"""Scenarios played: each on a ledger in memory of its own, through the same `Service` that hosts use.

`newel test` and `newel simulate` share the one interpreter of their lines, `playing.Player`.
"""

from newel.runtime.scenarios.acts import Act
from newel.runtime.scenarios.coverage import Coverage
from newel.runtime.scenarios.playing import Player, Result, Said, run
from newel.runtime.scenarios.stage import Stage

__all__ = ["Act", "Coverage", "Player", "Result", "Said", "Stage", "run"]
