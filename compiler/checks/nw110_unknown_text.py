"""NW110: unknown text. Emitted while binding."""

from newel.dsl.findings import Rule

RULE = Rule(
    code="NW110",
    name="unknown-text",
    severity="error",
    message="`{{{{{name}}}}}` is neither a text nor a placeholder",
    hint="declare `text {name}`, or `placeholder {name}` where the host fills it in",
    why="""\
`{{name}}` in a long text is replaced by the shared text of that name when the file is compiled. A name that the host
fills in later is declared with `placeholder`. Anything else would reach the agent as it stands, braces and all.""",
    wrong='''\
workflow board "Board" {
  step work "Work" {
    start
    prompt """
      Do what {{task_promt}} asks.
      """
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
''',
    right='''\
workflow board "Board" {
  step work "Work" {
    start
    prompt """
      Do what {{task_prompt}} asks.
      """
    on enter { auto_start_agent }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
''',
)
