"""Which findings are wanted, and how bad each is: what a project has settled on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from newel.compiler.checks.codes import advice
from newel.compiler.checks.registry import rules
from newel.compiler.errors import NewelError
from newel.dsl.findings import Finding, Rule, Severity

T = TypeVar("T")


class SelectionError(NewelError):
    """A code was selected, ignored or given a severity that it cannot have."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes or their beginnings (`NW5`), and severities other than a code's own.

    With `select` only those are shown, also where they are off by default; a severity turns a code on too. The longest
    of the codes that fit counts. `path_ignore` and `path_severity` hold for the files whose path fits a pattern, in
    which `*` stands for anything; they go before the others, and of two patterns that fit the later. Raises
    `SelectionError` for what is no code, and for a firm error that is to be something less.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    path_ignore: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    path_severity: Mapping[str, Mapping[str, Severity]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ignored = (code for codes in self.path_ignore.values() for code in codes)
        graded = [self.severity, *self.path_severity.values()]
        for code in (*self.select, *self.ignore, *ignored, *(code for codes in graded for code in codes)):
            _is_code(code)
        for severities in graded:
            _can_be(severities)

    def wants(self, finding: Finding) -> bool:
        """Whether it is to be shown."""
        rule, path = finding.rule, finding.span.source.path
        if _meant(rule, self.ignore) or any(_meant(rule, codes) for codes in _fitting(self.path_ignore, path)):
            return False
        return _meant(rule, self.select) if self.select else rule.default or self._severity(finding) is not None

    def graded(self, finding: Finding) -> Finding:
        """The finding with the severity asked for."""
        severity = self._severity(finding)
        return finding if severity is None else replace(finding, rule=replace(finding.rule, severity=severity))

    def _severity(self, finding: Finding) -> Severity | None:
        for severities in (*_fitting(self.path_severity, finding.span.source.path), self.severity):
            codes = sorted((code for code in severities if finding.rule.code.startswith(code)), key=len)
            if codes:
                return severities[codes[-1]]
        return None


def _is_code(code: str) -> None:
    if not any(known.startswith(code) for known in rules()):
        raise SelectionError(f"there is no code `{code}`: {advice(code, rules())}")


def _can_be(severities: Mapping[str, Severity]) -> None:
    for code, severity in severities.items():
        firm = [rule.code for rule in rules().values() if rule.code.startswith(code) and rule.firm]
        if severity != "error" and firm:
            raise SelectionError(f"`{firm[0]}` is an error and cannot be a {severity}")


def _meant(rule: Rule, codes: Iterable[str]) -> bool:
    return any(rule.code.startswith(code) for code in codes)


def _fitting(patterns: Mapping[str, T], path: str) -> list[T]:
    """What stands under the patterns that a path fits, the last first."""
    if not patterns:
        return []
    from fnmatch import fnmatchcase

    return [found for pattern, found in reversed(tuple(patterns.items())) if fnmatchcase(path, pattern)]


EVERYTHING = Selection()
