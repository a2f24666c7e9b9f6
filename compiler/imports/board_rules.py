"""What an import reports of workflows and their steps."""

from __future__ import annotations

from newel.compiler.imports.rule_examples import PORTABLE, STEP, action, move
from newel.dsl.findings import Rule

DUPLICATE_STEP = Rule(
    code="NW920",
    name="ambiguous-step",
    severity="error",
    message="two steps have the {what} {value}",
    hint="give each step its own",
    why="""\
Moves name a step by its id or position, and next and previous are found by positions. With two of one, which is
meant depends on the reader.""",
    wrong=STEP + "  - id: todo\n    name: Again\n    position: 1\n",
    right=STEP + "  - id: again\n    name: Again\n    position: 1\n",
)

UNKNOWN_IMPORTED_STEP = Rule(
    code="NW921",
    name="reference-to-no-step",
    severity="error",
    message="no step has the {what} {value}",
    hint="name a step of this workflow",
    why="""\
Kandev keeps a reference that leads nowhere and fails, or does nothing, when the board runs.""",
    wrong=action("on_turn_complete", "move_to_step", "step_id: gone"),
    right=move("requires_approval: false"),
)

NAME_CHANGED = Rule(
    code="NW922",
    name="name-changed",
    severity="note",
    message="{owner} `{old}` is called `{new}` here",
    hint="",
    why="""\
A name has ASCII letters, digits, `_` and inner `-`, and begins with a letter or `_`; no step is called `next` or
`previous`. The nearest such name that is free was taken. The title stays as it was.""",
    wrong=STEP.replace("id: todo", 'id: "to do"'),
    right=STEP,
)

STEPS_REORDERED = Rule(
    code="NW923",
    name="steps-reordered",
    severity="note",
    message="the steps are written in the order of their positions: {order}",
    hint="",
    why="""\
In a `.newel` file the order of the steps is the order of the board. Kandev orders by `position`; where the file's
own order differs, the steps were moved.""",
    wrong=STEP.replace("name: To do", "name: To do\n    position: 1")
    + "  - id: idea\n    name: Idea\n    position: 0\n",
    right=STEP + "  - id: idea\n    name: Idea\n    position: 1\n",
)

POSITIONS_RENUMBERED = Rule(
    code="NW924",
    name="positions-renumbered",
    severity="note",
    message="the positions {positions} become 0 to {last}",
    hint="",
    why="""\
A `.newel` file has no positions, only an order. Gaps, negative numbers and a first position that is not 0 are not
kept; next and previous mean the same steps as before.""",
    wrong=STEP + "  - id: doing\n    name: Doing\n    position: 10\n",
    right=STEP + "  - id: doing\n    name: Doing\n    position: 1\n",
)

SEVERAL_STARTS = Rule(
    code="NW925",
    name="several-imported-starts",
    severity="warning",
    message="several steps are marked `is_start_step`; the last of them, `{step}`, is the start",
    hint="mark one step",
    why="""\
A workflow has one start. Kandev lets each further mark take it from the one before.""",
    wrong=STEP + "  - id: doing\n    name: Doing\n    position: 1\n    is_start_step: true\n",
    right=STEP + "  - id: doing\n    name: Doing\n    position: 1\n",
)

NO_START = Rule(
    code="NW926",
    name="no-imported-start",
    severity="note",
    message="no step is marked `is_start_step`; the first one, `{step}`, is the start",
    hint="",
    why="""\
Kandev starts such a board at its lowest position; a `.newel` file says so.""",
    wrong="id: board\nname: Board\nsteps:\n  - id: todo\n    name: To do\n",
    right=STEP,
)

NO_STEPS = Rule(
    code="NW927",
    name="no-steps",
    severity="error",
    message="the workflow has no steps",
    hint="give it at least one step",
    why="""\
Kandev takes a workflow without steps; no task could ever stand in it.""",
    wrong="id: board\nname: Board\nsteps: []\n",
    right=STEP,
)

SAME_TITLE = Rule(
    code="NW928",
    name="same-title",
    severity="warning",
    message="two {what} are called {title}; the second is `{name}` here",
    hint="give each its own name",
    why="""\
Kandev skips a workflow whose name already exists, and matches steps by name when it synchronises.""",
    wrong=PORTABLE + "      - name: To do\n        position: 1\n",
    right=PORTABLE + "      - name: Doing\n        position: 1\n",
)

BAD_PULL = Rule(
    code="NW929",
    name="imported-pull-cycle",
    severity="error",
    message="the step fills its places from {what}",
    hint="name another step, or none",
    why="""\
A step that is its own feeder, by itself or through others, waits for itself. Kandev refuses it too.""",
    wrong=PORTABLE + "        wip_limit: 1\n        pull_from_step_position: 0\n",
    right=PORTABLE + "        wip_limit: 1\n",
)
