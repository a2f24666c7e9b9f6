"""One writing of a board: where findings are collected, and what every part of it asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from newel.compiler.boards.rules import NOT_EXPORTED
from newel.compiler.imports.fields import Unsayable
from newel.compiler.imports.tables import Form
from newel.compiler.model import Declared, Json
from newel.dsl.findings import Finding, Related, Rule
from newel.dsl.source import Span

NOT_STANDARD = "only what the standard vocabulary declares has words there"
NO_KEY = "the form has no key for it"


@dataclass(slots=True)
class Writing:
    """What is found out while one form is written. With `lossy` what has no words is left out with a warning."""

    form: Form
    lossy: bool = False
    findings: list[Finding] = field(default_factory=list)

    def report(self, rule: Rule, span: Span, trace: Iterable[Related] = (), /, **fields: object) -> None:
        """Note a finding at a place of the `.newel` file."""
        if self.lossy and rule.severity == "error":
            left_out = "{what} is left out: {why}" if rule is NOT_EXPORTED else rule.message
            rule = replace(rule, severity="warning", message=left_out, hint="")
        self.findings.append(Finding(rule, span, fields, tuple(trace)))

    def lost(self, what: str, why: str, span: Span, trace: Iterable[Related] = ()) -> None:
        """Something that has no words in this form."""
        self.report(NOT_EXPORTED, span, trace, what=what, why=why, form=self.form.title)

    def said(self, what: str, value: Json | Unsayable, span: Span, trace: Iterable[Related] = ()) -> Json:
        """What a codec wrote; None with a finding where it has no words."""
        if isinstance(value, Unsayable):
            self.lost(what, value.why, span, trace)
            return None
        return value

    def foreign(self, declared: Declared, what: str, span: Span, trace: Iterable[Related] = ()) -> bool:
        """Whether a word is not of the standard vocabulary, with a finding."""
        if not declared.file.standard:
            self.lost(what, NOT_STANDARD, span, trace)
        return not declared.file.standard
