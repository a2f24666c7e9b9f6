"""The board of the model: one program in two revisions, what it says in numbers, and what there can be on it."""

from __future__ import annotations

from dataclasses import dataclass, field

BOARD = """
action page on enter, exit, event
action note_it on enter, exit, event
dispatch { page, note_it }
workflow w "W" {
  step a "A" {
    start
    on comment {
      queue_run(target=agent(id="x"))
      auto_start_agent
      page
      -> c
    }
    on turn_start { -> b }
    on turn_complete { -> b }
    on children_completed { -> e }
    on exit { note_it }
  }
  step b "B" {
    on enter {
      enable_plan_mode
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
      page
      note_it
      reset_agent_context
    }
    on comment { -> e when all_decide(reviewer) }
    on turn_complete {
      -> c when all_approve(reviewer)
      -> a when any_reject(reviewer)
    }
    on approval_resolved { -> e requires approval }
  }
  step c "C" {
    wip_limit 1
    pull_from e
    requires_signal true
    cancel_completes_turn true
    on enter {
      queue_run(target=agent(id="x"))
      MORE
    }
    on turn_complete { -> d }
  }
  step d "D" { end }
  step e "E" { manual_move false }
  step f "F" {
    on turn_complete {
      -> e when n_approve(reviewer, count=2)
      -> a when majority_approve(reviewer)
    }
    on approval_resolved { -> a requires approval when all_decide(reviewer) }
    on exit {
      page
      note_it
    }
  }
}
workflow v "V" {
  step p "P" {
    start
    on enter { page }
  }
  step q "Q" { end }
}
"""
REVISIONS = ("", 'queue_run(target=agent(id="y"))')
"""What the program says in the place of MORE: now this, now that."""
BOARDS = tuple(BOARD.replace("MORE", more) for more in REVISIONS)

STEPS = {"w": "abcdef", "v": "pq"}
CLEAR, SEAT, WAKE, PAGE, NOTE = 1, 2, 3, 4, 5
"""The dispatched positions of the list of b; the session's half stands before and behind them."""
HALF = (0, 6)
ENDS = "dq"
FULL, PLACES, FEEDER = ("w", "c"), 1, ("w", "e")
BY_HAND_NOT = "e"
CANDIDATES = ("ada", "ben")

Place = tuple[str, str]


def listed(step: str, revision: int) -> tuple[int, ...]:
    """The dispatched positions of a step's entry list."""
    return {"b": (CLEAR, SEAT, WAKE, PAGE, NOTE), "c": (0, 1)[: 1 + revision], "p": (0,)}.get(step, ())


class Refused(Exception):
    """The call is a mistake, and changes nothing."""


class Failed(Exception):
    """An action has raised, and that is what the caller hears."""


@dataclass
class MTask:
    """Where a task is (LM1: one that waits has not arrived)."""

    at: Place | None = None
    entry: int | None = None
    waits: Place | None = None
    since: int = 0
    priority: int = 0
    position: int = 0
    parent: str | None = None


@dataclass
class MDecision:
    """One that was given; `active` until its decider gives another there (Q5)."""

    task: str
    at: Place
    entry: int
    role: str
    decider: str
    kind: str
    verdict: str
    active: bool = True


@dataclass
class MApproval:
    """One that was asked for (EN9)."""

    task: str
    entry: int
    status: str = "pending"


@dataclass
class MSeat:
    """One at a step; in the order in which they were taken."""

    workflow: str
    step: str
    role: str
    agent: str
    required: bool = True
    position: int = 0
    ensured: bool = False


@dataclass(frozen=True)
class By:
    """Who moves a task, in whose session, and why, if a cause says so: an outer one, and one inside it."""

    actor: tuple[str, str] | None = None
    session: str | None = None
    cause: str | None = None


@dataclass
class Row:
    """One arrival or detach (SL3). `by` where the call says by whom."""

    entry: int
    task: str
    was: Place | None
    to: Place | None
    route: str
    revision: int
    by: By | None = None


@dataclass
class Record:
    """What became of one position of an entry, and how often it was dispatched (OB1)."""

    status: str
    deliveries: int = 1


@dataclass
class Report:
    """What one dispatch says of itself (SE6)."""

    entry: int
    redelivery: bool
    actions: list[tuple[int, str]] = field(default_factory=list)
