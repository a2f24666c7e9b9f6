"""NW115: duplicate name. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW115",
    name="duplicate-name",
    severity="error",
    message="the {what} `{name}` is declared twice",
    hint="rename one of the two, or delete it",
    why="""\
One name means one thing. All files that are compiled together, and the standard vocabulary with them, share their
names; a type of another file grows by `extend type`.""",
    wrong='''\
text rules """
  Small changes.
  """
text rules """
  Tests first.
  """

workflow board "Board" {
  step work "Work" {
    start
    prompt """
      {{rules}}
      """
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
''',
    right='''\
text rules """
  Small changes. Tests first.
  """

workflow board "Board" {
  step work "Work" {
    start
    prompt """
      {{rules}}
      """
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
''',
)
