"""What a report is made from: settled findings and the number of files that were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from newel.compiler.counting import counted
from newel.dsl.findings import Finding, Severity

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Results:
    """Findings in the order they are to be shown in; `files` counts those read, clean ones too, and `paths` names them.
    `quiet` leaves the figures out; `command` is what has found them; `placed` makes a path one from the root of the
    repository, for the services that show a finding beside its line there."""

    findings: Sequence[Finding]
    files: int
    color: bool = False
    quiet: bool = False
    paths: Sequence[str] = ()
    command: str = "newel check"
    placed: Callable[[str], str] = str

    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, the worst first."""
        counted = Counter(finding.rule.severity for finding in self.findings)
        return {severity: counted[severity] for severity in SEVERITIES}


def summary(results: Results) -> str:
    """One line of figures: `3 errors, 1 warning in 2 files`."""
    found = ", ".join(counted(count, severity) for severity, count in results.counts().items() if count)
    return f"{found or 'nothing wrong'} in {counted(results.files, 'file')}"
