"""What is wrong with a file: a value that is collected, never raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from newel.dsl.source import Span

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong with a file, with all the prose that is ever shown about it.

    `message` and `hint` are `str.format` templates over the fields a finding gives: lower case, no full stop, names in
    backquotes. `hint` says what to do next and may be empty when a finding brings its own. `why` is the page of
    `newel explain`; `wrong` is a whole file that gives this finding and `right` the same file mended. A rule that a
    file alone cannot show names in `extra` the further files of its examples, by path. An error is firm: it cannot be
    allowed in a comment or made less in the configuration, unless it is `judged` - about what a file does, not about
    what it is.
    """

    code: str
    name: str
    severity: Severity
    message: str
    hint: str
    why: str
    wrong: str
    right: str
    default: bool = True
    extra: Mapping[str, str] = field(default_factory=dict)
    judged: bool = False

    @property
    def firm(self) -> bool:
        """Whether there is no way round it but to mend the file."""
        return self.severity == "error" and not self.judged


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that belongs to a finding, and what it has to do with it."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a file, and the text to stand in its place."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A mend that can be made without asking: what it does, and the edits of one file that do it, all or none.

    Only what cannot change what a file means, or is the one thing that can have been meant, is a fix.
    """

    message: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place: the rule it breaks, the facts for its message, and the other places involved.

    `hint` replaces the rule's own where the place knows better ("did you mean `clear_decisions`?").
    """

    rule: Rule
    span: Span
    fields: Mapping[str, object] = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    hint: str | None = None
    fix: Fix | None = None

    @property
    def message(self) -> str:
        """What is wrong, in the reader's terms."""
        return self.rule.message.format(**self.fields)

    @property
    def advice(self) -> str:
        """What to do next; empty where nothing better than the message can be said."""
        return self.hint if self.hint is not None else self.rule.hint.format(**self.fields)
