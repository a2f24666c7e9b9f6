"""What an export reports: an error for what a form cannot say, less for what is said and will differ there."""

from __future__ import annotations

from newel.dsl.findings import Rule

_BOARD = """\
workflow board "Board" {
  step work "Work" {
    start
%s
  }
  step done "Done" { end }
}
"""


def _work(*lines: str) -> str:
    return _BOARD % "\n".join(f"    {line}" for line in lines)


NOT_EXPORTED = Rule(
    code="NW950",
    name="no-words-for-it",
    severity="error",
    message="{what} cannot be said in a Kandev {form}: {why}",
    hint="take it away, choose another form, or have it left out with `--lossy`",
    why="""\
Each form of Kandev has words for some of what a workflow can say. A file that said less than the workflow would look
good and be another board; so nothing is written where something has no words there. `--lossy` writes the rest, and
lists what is left out.""",
    wrong=_work('seats [seat(role=reviewer, agent="ben")]', "on turn_complete { -> done }"),
    right=_work("on turn_complete { -> done }"),
)

TAKEN_FOR_END = Rule(
    code="NW951",
    name="taken-for-an-end",
    severity="error",
    message="Kandev takes `{step}` for an end, by its place and title, and here it is none",
    hint="mark it `end`, give it another title, or write it as it is with `--lossy`",
    why="""\
Kandev has no word for `end`: a task is finished at the last step of the board if that is called done, complete,
completed or approved.""",
    wrong="""\
workflow board "Board" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" {
    on turn_start { -> work }
  }
}
""",
    right=_work("on turn_complete { -> done }"),
)

SAME_WORKFLOW = Rule(
    code="NW952",
    name="workflows-of-one-title",
    severity="error",
    message="two workflows are called {title}; Kandev would take only the first",
    hint="give each its own title, or export one of them with `--workflow`",
    why="""\
Kandev knows workflows by their titles, and skips one whose title it has already.""",
    wrong=_work("on turn_complete { -> done }") + _work("on turn_complete { -> done }").replace("board", "board_2", 1),
    right=_work("on turn_complete { -> done }"),
)

TOO_LONG = Rule(
    code="NW953",
    name="cut-off-there",
    severity="error",
    message="the file would have {size} bytes; Kandev reads only the first {most}",
    hint="export one workflow at a time with `--workflow`",
    why="""\
Kandev cuts an import off after 1 MiB without a word, and would make less of this file than stands in it.""",
    wrong="",
    right=_work("on turn_complete { -> done }"),
)

NOT_ACTED_ON = Rule(
    code="NW954",
    name="not-acted-on-there",
    severity="warning",
    message="`{what}` is written, and Kandev does not act on it: {why}",
    hint="",
    why="""\
The file can say it, and an import into Newel gets it back; but Kandev itself reads it and does nothing, or drops it
when it imports the file.""",
    wrong=_work("on comment { queue_run }", "on turn_complete { -> done }"),
    right=_work("on turn_complete { -> done }"),
)

NAME_FROM_TITLE = Rule(
    code="NW955",
    name="name-not-exported",
    severity="note",
    message="the name of {owner} `{name}` is not written; an import would make `{new}` of its title",
    hint="",
    why="""\
The portable form knows workflows by their titles and steps by their positions, and has no names. Moves lead to the
same steps; only whoever names a step - a ledger, a script - will find another name after a way there and back.""",
    wrong=_work("on turn_complete { -> done }").replace("work ", "w ", 2),
    right=_work("on turn_complete { -> done }"),
)

NOTES_LEFT_OUT = Rule(
    code="NW956",
    name="notes-not-exported",
    severity="note",
    message="{what} of the file are not written",
    hint="",
    why="""\
Comments, documentation and scenarios are there for the people who read the file; a board has no place for them. It is
said once, so that nobody deletes the file for the export.""",
    wrong="# Everything the desk does.\n" + _work("on turn_complete { -> done }"),
    right=_work("on turn_complete { -> done }"),
)

EXPORT_RULES = (
    NOT_EXPORTED,
    TAKEN_FOR_END,
    SAME_WORKFLOW,
    TOO_LONG,
    NOT_ACTED_ON,
    NAME_FROM_TITLE,
    NOTES_LEFT_OUT,
)
