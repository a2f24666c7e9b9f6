"""NW125: nested text. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW125",
    name="nested-text",
    severity="error",
    message="the text `{name}` is not put into the text `{into}`",
    hint="write out what it says, or put both where they are needed",
    why="""\
Shared texts are put in once: where a step's own text names them. A text named inside another shared text would stay
as it is written, so it is refused.""",
    wrong='''\
text tone """
  Be kind.
  """
text rules """
  Small changes. {{tone}}
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
text tone """
  Be kind.
  """
text rules """
  Small changes.
  """

workflow board "Board" {
  step work "Work" {
    start
    prompt """
      {{rules}}
      {{tone}}
      """
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
''',
)
