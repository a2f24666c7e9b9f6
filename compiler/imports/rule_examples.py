"""Small boards from which the examples of the rules are made."""

from __future__ import annotations

STEP = """\
id: board
name: Board
steps:
  - id: todo
    name: To do
    is_start_step: true
"""

_MOVE = """\
id: board
name: Board
steps:
  - id: todo
    name: To do
    is_start_step: true
    events:
      on_turn_complete:
        - type: move_to_step
          config:
            step_id: done
            {config}
  - id: done
    name: Done
    position: 1
"""

_ACTION = """\
id: board
name: Board
steps:
  - id: todo
    name: To do
    is_start_step: true
    events:
      {trigger}:
        - type: {kind}
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
"""


def move(config: str) -> str:
    return _MOVE.replace("{config}", config)


def action(trigger: str, kind: str, *config: str) -> str:
    lines = ["          config:\n", *(f"            {line}\n" for line in config)] if config else []
    return _ACTION.format(trigger=trigger, kind=kind) + "".join(lines)
