"""Numbers to workflow texts of that size, in the mixture of statements that boards have."""

from __future__ import annotations

STEP = """\
  ## What is done in step {at}.
  step {name} "Step {at}" {{
    {first}
    stage work
    color "bg-blue-500"
    prompt "Do part {at} and say so: {{{{task_prompt}}}}"
    on enter {{
      auto_start_agent
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run(target=primary, reason="step_{at}")
    }}
    on comment {{ queue_run(reason="task_comment") }}
    on turn_complete {{
      -> {onward} when all_approve(reviewer) and not any_reject(reviewer)
      -> {back} when any_reject(reviewer)
    }}
  }}

"""
"""19 lines; every step is reached from the one before and leads to the next and back."""


SMALL = """\
  step {name} {{
    {first}
    on enter {{ queue_run(reason="step_{at}") }}
    on turn_complete {{
      -> {onward} when all_approve(reviewer)
      -> {back} when any_reject(reviewer)
    }}
  }}
"""


def workflow(steps: int, name: str = "board", step: str = STEP) -> str:
    """A workflow of that many steps, in a circle."""
    lines = [f'workflow {name} "{name.title()}" {{\n']
    for at in range(steps):
        first = "start" if at == 0 else "heartbeat_every 30m"
        onward, back = f"s{(at + 1) % steps}", f"s{(at - 1) % steps}"
        lines.append(step.format(at=at, name=f"s{at}", first=first, onward=onward, back=back))
    return "".join(lines) + "}\n"


def lines(count: int) -> str:
    """That many lines: workflows of ten steps each, and comments for what is left over."""
    made = ""
    number = 0
    while (room := count - made.count("\n")) >= 2 + 3 * 19:
        made += workflow(min(10, (room - 2) // 19), f"board{number}")
        number += 1
    return made + "# and so on\n" * (count - made.count("\n"))


def ring(steps: int) -> str:
    """A workflow of small steps: one move each, in a circle, nothing on entry."""
    made = "".join(
        f"  step s{at} {{\n    on turn_complete {{ -> s{(at + 1) % steps} }}\n  }}\n" for at in range(1, steps)
    )
    return "workflow board {\n  step s0 {\n    start\n    on turn_complete { -> s1 }\n  }\n" + made + "}\n"


GUARDED = """
guard yes on turn_complete
workflow board {
  step s0 {
    start
    on turn_complete { -> s1 when yes }
  }
  step s1 {
    on turn_complete { -> s0 when yes }
  }
}
"""
"""Two steps with a guard between them, whose function the host gives."""

ENTERED = """
workflow board {
  step s0 {
    start
    on turn_complete { -> s1 }
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run(reason="again")
    }
  }
  step s1 {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run(reason="again")
    }
  }
}
"""
"""Two steps with three database actions on entry each."""
