"""NW004: a block whose brace is never closed."""

from __future__ import annotations

from newel.dsl.findings import Rule

UNCLOSED_BLOCK = Rule(
    code="NW004",
    name="unclosed-block",
    severity="error",
    message="the `{{` of `{head}` is never closed",
    hint="add `}}`",
    why="""\
Every block ends with its own `}`. Where one is left out shows only later: at a word that cannot stand inside the block,
or at the end of the file. The block named is the one whose closing brace does not stand under its own line, else the
innermost one.""",
    wrong="""\
workflow w "W" {
  step work "Work" {
    start
    on turn_complete {
      -> done
  }

  step done "Done" { end }
}
""",
    right="""\
workflow w "W" {
  step work "Work" {
    start
    on turn_complete {
      -> done
    }
  }

  step done "Done" { end }
}
""",
)
