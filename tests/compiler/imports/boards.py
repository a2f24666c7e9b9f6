"""Small boards in the client's two forms, and what is found when one is imported."""

from __future__ import annotations

from pathlib import Path

from newel.compiler import Program, compile_text
from newel.compiler.imports import Imported, import_text
from newel.dsl import Finding

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus" / "kandev"

TEMPLATE = """\
id: board
name: Board
steps:
  - id: todo
    name: To do
    position: 0
    is_start_step: true
    allow_manual_move: true
    show_in_command_panel: true
{step}
  - id: doing
    name: Doing
    position: 1
    allow_manual_move: true
    show_in_command_panel: true
  - id: shipped
    name: Shipped
    position: 2
    allow_manual_move: true
    show_in_command_panel: true
"""

PORTABLE = """\
version: 1
type: kandev_workflow
workflows:
  - name: Board
    steps:
      - name: To do
        position: 0
        is_start_step: true
        allow_manual_move: true
        show_in_command_panel: true
{step}
      - name: Shipped
        position: 1
        allow_manual_move: true
        show_in_command_panel: true
"""


def template(step: str = "") -> str:
    """A template whose first step has these further lines."""
    return TEMPLATE.replace("{step}", "\n".join("    " + line for line in step.splitlines()))


def portable(step: str = "") -> str:
    """An export whose first step has these further lines."""
    return PORTABLE.replace("{step}", "\n".join("        " + line for line in step.splitlines()))


def action(trigger: str, kind: str, **config: str) -> str:
    """The events of a step with one action; the values of its configuration are YAML."""
    inner = ", ".join(f"{key}: {value}" for key, value in config.items())
    return f"events: {{{trigger}: [{{type: {kind}, config: {{{inner}}}}}]}}"


def codes(imported: Imported) -> list[str]:
    """The codes of what was found, in the order of the file."""
    return [finding.rule.code for finding in imported.findings]


def said(text: str) -> list[str]:
    """Each finding of an import on one line."""
    return [line(finding) for finding in import_text(text, "board.yml").findings]


def line(finding: Finding) -> str:
    """A finding with its place, severity and advice on one line."""
    first = finding.span.first
    advice = f" ({finding.advice})" if finding.advice else ""
    return f"{first.line}:{first.column} {finding.rule.severity} {finding.rule.code} {finding.message}{advice}"


def body(step: str, *, form: str = "template") -> str:
    """What the first step of a board becomes, without its margin; the import must have no error."""
    text = (template if form == "template" else portable)(step)
    imported = import_text(text, "board.yml")
    assert imported.text is not None, [line(finding) for finding in imported.findings]
    lines = imported.text.split("\n")
    start = next(number for number, each in enumerate(lines) if each.startswith("  step "))
    if lines[start].endswith(" }"):
        return lines[start].split(" { ", 1)[1].removesuffix(" }")
    end = lines.index("  }", start)
    return "\n".join(each.removeprefix("    ") for each in lines[start + 1 : end])


def compiled(text: str) -> tuple[Program, list[Finding]]:
    """The program of an imported text, and everything the language finds in it; there is no error."""
    result = compile_text(text, "board.newel")
    return result.require(), list(result.findings)
