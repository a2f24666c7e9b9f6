"""What the checks say of a small board, in short."""

from __future__ import annotations

from newel.compiler.checks.facts import Host
from newel.compiler.checks.registry import rules
from newel.compiler.checks.selection import Selection
from newel.compiler.pipeline import check_text
from newel.dsl.findings import Finding

ALL = Selection(severity={code: rule.severity for code, rule in rules().items() if not rule.default})


def findings(text: str, host: Host | None = None) -> list[Finding]:
    """All that is found in a text, what is off by default too."""
    return list(check_text(text, "board.newel", selection=ALL, host=host).findings)


def said(text: str, host: Host | None = None) -> list[str]:
    """The code of each finding with what it stands at: `NW505 refused`."""
    return [f"{finding.rule.code} {finding.span.text}" for finding in findings(text, host)]


def board(*steps: str, every: str = "") -> str:
    """A workflow of steps given as `name: body`; the body's lines are separated by `;`."""
    lines = ['workflow board "Board" {']
    if every:
        lines += ["  every step {", f"    {every}", "  }"]
    for step in steps:
        name, _, body = step.partition(":")
        statements = [f"    {line.strip()}" for line in body.split(";") if line.strip()]
        lines += [f'  step {name} "{name}" {{', *statements, "  }"]
    return "\n".join([*lines, "}", ""])
