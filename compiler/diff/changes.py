"""One thing that is another in the new version, and whom it concerns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.program import Place

Where = tuple[str, str]
"""A workflow and one of its steps, by the names they have in the old version: that is where tasks stand."""


@dataclass(frozen=True, slots=True)
class Change:
    """A rule with its facts. `group` leads to it in the nested view: the workflow and the step, by their new names if
    they have one, or the word for what is declared.

    `concerns` are the steps whose tasks it may matter to; none where it matters to the host, not to a task. `new` and
    `old` are its places in the two versions, at least one of them.
    """

    rule: Rule
    group: tuple[str, ...]
    fields: Mapping[str, object] = field(default_factory=dict)
    concerns: tuple[Where, ...] = ()
    new: Place | None = None
    old: Place | None = None
    hint: str | None = None

    @property
    def message(self) -> str:
        """What changed, in the reader's terms."""
        return self.rule.message.format(**self.fields)
