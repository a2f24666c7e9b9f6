"""What the tests of scenarios share: a text with one scenario, played."""

from __future__ import annotations

from pathlib import Path

from newel.compiler.config import AgentsConfig
from newel.compiler.scenarios.collecting import playable
from newel.compiler.scenarios.script import people
from newel.runtime.handlers import Handlers
from newel.runtime.scenarios import Coverage, Result, Stage, run
from newel.runtime.scenarios.standins import Cast

BOARD = """
use "words.newel"

workflow w "W" {
  step a "A" {
    start
    requires_signal
    cancel_completes_turn
    on enter         { auto_start_agent }
    on turn_complete { -> b }
    on paid {
      page(who="desk")
      -> c when enough
      -> d requires approval when not enough
    }
    on comment { queue_run(reason="said") }
    on exit    { page(who="leaving") }
  }
  step b "B" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer, reason="judge")
      page(who="entered")
    }
    on turn_complete {
      -> c when all_approve(reviewer)
      -> a when any_reject(reviewer)
    }
  }
  step c "C" {
    wip_limit 1
    on turn_complete { -> d }
  }
  step d "D" {
    end
    manual_move false
  }
}

workflow other "Other" {
  step x "X" {
    start
    on turn_complete { -> y }
  }
  step y "Y" { end }
}
"""

WORDS = """
trigger paid(amount: int(1..)) operation "paid:{amount}" means system
moves guarded on paid
guard enough
action page(who: text) on enter, exit, paid
dispatch { page }
"""


def played(
    folder: Path,
    *lines: str,
    handlers: Handlers | None = None,
    agents: AgentsConfig | None = None,
    coverage: Coverage | None = None,
    board: str = BOARD,
) -> Result:
    """A scenario of these lines, played in its folder."""
    (folder / "words.newel").write_text(WORDS, "utf-8")
    body = "".join(f"  {line}\n" for line in lines)
    (folder / "board.newel").write_text(f'{board}\nscenario "s" for w {{\n{body}}}\n', "utf-8")
    unit = playable(folder / "board.newel", folder)
    assert unit.program is not None, [finding.message for finding in unit.checked.findings]
    script = unit.scripts[0]
    with Stage(unit.program, "w", Cast(agents or AgentsConfig(), people(script.lines)), handlers) as stage:
        result = run(script, stage)
    if coverage is not None:
        coverage.add(unit.program, [said.act for said in result.trace if said.act is not None])
    return result


def failure(result: Result) -> tuple[str, str] | None:
    """The line a scenario failed at, and why."""
    failed = result.failed
    return None if failed is None else (failed.line.span.text, failed.failure or "")
