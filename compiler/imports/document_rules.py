"""What is wrong with an imported document as a document, and with its keys and values."""

from __future__ import annotations

from newel.compiler.imports.rule_examples import PORTABLE, STEP, action
from newel.dsl.findings import Rule

NOT_UTF8 = Rule(
    code="NW901",
    name="import-not-utf8",
    severity="error",
    message="the file is not UTF-8",
    hint="save it as UTF-8",
    why="""\
An imported file is read as UTF-8, with or without a byte order mark, like every file of ours. A file in another
encoding would be read as other words than its author wrote.""",
    wrong="",
    right=STEP,
)

NOT_YAML = Rule(
    code="NW902",
    name="not-yaml",
    severity="error",
    message="not readable as YAML: {problem}",
    hint="mend the file, or save it again from where it came",
    why="""\
The text cannot be read as YAML (or JSON, which YAML reads). Nothing behind this place was looked at.""",
    wrong="id: board\nname: [Board\nsteps: []\n",
    right=STEP,
)

IMPORT_TOO_LARGE = Rule(
    code="NW903",
    name="import-too-large",
    severity="error",
    message="the file has {what}; at most {most} are read",
    hint="split it: each workflow can stand in a file of its own",
    why="""\
A file is read in bounded time and space, so its bytes, its values and the lines of the file that is made of it
are bounded. No board that people use comes near the bounds.""",
    wrong="",
    right=STEP,
)

CUT_BY_CLIENT = Rule(
    code="NW904",
    name="cut-by-client",
    severity="warning",
    message="the file has {size} bytes; Kandev itself reads only the first 1048576",
    hint="compare the board that is made with the one you see there",
    why="""\
Kandev cuts an import off after 1 MiB without a word. This file is longer; here it is read whole, so the board
that is made may hold more than the one Kandev made of the same file.""",
    wrong="",
    right=STEP,
)

IMPORT_TOO_DEEP = Rule(
    code="NW905",
    name="import-too-deep",
    severity="error",
    message="more than {most} maps and lists stand in one another here",
    hint="flatten the payload",
    why="""\
Nesting is bounded so that a file cannot exhaust the reader. The deepest construct of a board, a guard in a
portable file, takes 13 levels; the rest is room for payloads.""",
    wrong=action("on_comment", "queue_run", f"payload: {'{a: ' * 30}1{'}' * 30}"),
    right=action("on_comment", "queue_run", "payload: {a: 1}"),
)

ALIAS = Rule(
    code="NW906",
    name="yaml-alias",
    severity="error",
    message="{what} is not read",
    hint="write the value out at each place",
    why="""\
Anchors, aliases and merges let a small file stand for an enormous one, and let one line change steps far away
from it. A board is written out in full.""",
    wrong="id: board\nname: &name Board\nsteps:\n  - id: todo\n    name: *name\n    is_start_step: true\n",
    right="id: board\nname: Board\nsteps:\n  - id: todo\n    name: Board\n    is_start_step: true\n",
)

TAG = Rule(
    code="NW907",
    name="yaml-tag",
    severity="error",
    message="the tag `{tag}` is not read",
    hint="take it away; put a text that looks like a number into quotes",
    why="""\
A tag changes what a value means, or asks the reader to build something. A board needs none.""",
    wrong=STEP.replace("name: Board", "name: !!str Board"),
    right=STEP,
)

DUPLICATE_KEY = Rule(
    code="NW908",
    name="duplicate-key",
    severity="error",
    message="`{key}` is given twice in one map",
    hint="keep one of the two",
    why="""\
Readers of YAML disagree on which of two equal keys counts, so one half of what is written would be lost. Two
actions under one trigger are two entries of one list.""",
    wrong=STEP + "    name: Doing\n",
    right=STEP,
)

KEY_NOT_TEXT = Rule(
    code="NW909",
    name="key-not-text",
    severity="error",
    message="a key must be a text",
    hint="put it into quotes",
    why="""\
A key that is a number, a truth value, nothing or a list is no key of a board; readers turn it into different
texts.""",
    wrong=action("on_comment", "queue_run", "payload: {1: one}"),
    right=action("on_comment", "queue_run", 'payload: {"1": one}'),
)

SEVERAL_DOCUMENTS = Rule(
    code="NW910",
    name="several-documents",
    severity="error",
    message="a second document begins here",
    hint="put it into a file of its own",
    why="""\
Of several documents in one file Kandev reads the first and drops the others in silence.""",
    wrong=STEP + "---\n" + STEP,
    right=STEP,
)

COMMENTS = Rule(
    code="NW911",
    name="comments-not-carried",
    severity="note",
    message="the comments of the file are not carried",
    hint="copy by hand what is worth keeping",
    why="""\
A comment belongs to no construct of the file, so there is no place it could be carried to. This is said once a
file.""",
    wrong="# Our board.\n" + STEP,
    right=STEP,
)

UNKNOWN_FORMAT = Rule(
    code="NW912",
    name="unknown-format",
    severity="error",
    message="no known form of a board: {why}",
    hint="a template has `id`, `name` and `steps`; an export has `version: 1`, `type: kandev_workflow` and `workflows`",
    why="""\
Two forms are read: the template that Kandev ships, and its portable export in version 1.""",
    wrong="title: Board\ncolumns: [To do, Done]\n",
    right=STEP,
)

WRONG_VALUE = Rule(
    code="NW913",
    name="wrong-value",
    severity="error",
    message="`{key}` must be {expected}, not {found}",
    hint="",
    why="""\
Kandev takes many values of a wrong type for their default, in silence: an approval that is asked for by the text
`"true"` is not asked for at all. Here such a value is an error.""",
    wrong=action("on_comment", "queue_run", "target: [primary]"),
    right=action("on_comment", "queue_run", "target: primary"),
)

MISSING_VALUE = Rule(
    code="NW914",
    name="missing-value",
    severity="error",
    message="{owner} has no `{key}`, or a blank one",
    hint="give one",
    why="""\
Without this key the construct means nothing; Kandev drops it in silence, or fails when the board runs.""",
    wrong=action("on_enter", "set_session_mode"),
    right=action("on_enter", "set_session_mode", "mode: plan"),
)

UNKNOWN_KEY = Rule(
    code="NW915",
    name="unknown-key",
    severity="error",
    message="{owner} of a template has no key `{key}`",
    hint="take it away",
    why="""\
Kandev refuses a template with a key it does not know. Limits, feeders and agent profiles exist in the portable
form only.""",
    wrong=STEP + "    wip_limit: 3\n",
    right=STEP,
)

KEY_NOT_CARRIED = Rule(
    code="NW916",
    name="key-not-carried",
    severity="warning",
    message="`{key}` of {owner} is not carried: {why}",
    hint="take it away, or say it by hand in the file that is made",
    why="""\
What is written here has no effect in Kandev, or none that the language has a word for. The board is made without
it.""",
    wrong=PORTABLE + "        stage_type: review\n",
    right=PORTABLE,
)

IMPORT_TEXT_TOO_LONG = Rule(
    code="NW917",
    name="import-text-too-long",
    severity="error",
    message="`{key}` is too long: {size} characters, and at most {most} as it will be written",
    hint="shorten it, or keep it in a file that the prompt names",
    why="""\
A text of a `.newel` file is bounded, so one that is longer cannot be carried.""",
    wrong="",
    right=STEP,
)
