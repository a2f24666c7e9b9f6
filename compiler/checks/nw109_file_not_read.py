"""NW109: file not read. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW109",
    name="file-not-read",
    severity="error",
    message="`{path}` cannot be read: {problem}",
    hint="name a file beside this one, or make it readable",
    why="""\
`use` and `text ... file` name files relative to the file they stand in. What is not there cannot be taken in, and
compiling without it would change what the workflow means.""",
    wrong='''\
text rules file "rules.txt"

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
