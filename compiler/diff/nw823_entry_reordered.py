"""NW823: the entry actions in another order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from newel.compiler.diff.changes import Change
from newel.dsl.findings import Rule

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import Versions

RULE = Rule(
    code="NW823",
    name="entry-reordered",
    severity="note",
    message="entering `{step}` {how}",
    hint="nothing has to be done",
    why="""\
What has run for the tasks that stand there is known by the revision on their rows: a `redispatch` runs that list in
its own order, and nothing is done twice by it.""",
    extra={
        "old.newel": """\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter {
      queue_run
      run_code_review
    }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    },
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter {
      run_code_review
      queue_run
    }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on enter {
      queue_run
      run_code_review
    }
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
""",
)


def find(versions: Versions) -> Iterator[Change]:
    """Compares the order of the kinds that are in both lists, in each half by itself."""
    for step in versions.steps:
        if step.entry.reordered or step.entry.rearranged:
            how = "runs its actions in another order" if step.entry.reordered else "has its two halves mixed otherwise"
            yield step.change(RULE, {"step": step.new.name, "how": how}, step.new.place, step.old.place)
