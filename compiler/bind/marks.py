"""The marks the checks and the runtime know: which declarations carry which, and what their parameters must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Bearer = Literal["action", "guard", "trigger", "setting", "moves"]
ROLE = "role"
COUNT = "count"


@dataclass(frozen=True, slots=True)
class Known:
    """One mark: what it says of its declaration, how few parameters it names at least, and what each is. On a setting:
    the type it needs, and whether a setting of a workflow may carry it too."""

    says: str
    least: int = 0
    parameters: tuple[str, ...] = ()
    type: str | None = None
    workflow: bool = False


MARKS: Mapping[Bearer, Mapping[str, Known]] = {
    "action": {
        "starts": Known("it starts an agent in the session of the task"),
        "session": Known("it is run in the session, under other triggers than entry"),
        "wakes": Known("it queues work for somebody; `wakes(role)` for the seats of a role", 0, (ROLE,)),
        "seats": Known("`seats(role)`: it gives the role a seat", 1, (ROLE,)),
        "clears": Known("it forgets decisions"),
    },
    "guard": {
        "approval": Known("`approval(role)` or `approval(role, count)`: it asks for approvals", 1, (ROLE, COUNT)),
        "rejection": Known("`rejection(role)`: it holds when somebody rejects", 1, (ROLE,)),
        "decision": Known("`decision(role)`: it asks for decisions, whichever way", 1, (ROLE,)),
    },
    "trigger": {
        "person": Known("a person does it"),
        "clock": Known("a clock does it"),
        "system": Known("another system does it"),
        "work_done": Known("whoever works at the step has finished a turn"),
    },
    "setting": {
        "manual_entry": Known("a flag: people may move tasks into the step", type="flag"),
        "signal": Known("a flag: finished work counts only when it was signalled", type="flag"),
        "cancel": Known("a flag: a turn that a person cancelled counts as finished", type="flag"),
        "limit": Known("an int: so many tasks at most", type="int"),
        "pull": Known("a step: a freed place is filled from there", type="step"),
        "prompt": Known("a text that somebody is started with", type="text", workflow=True),
        "agent": Known("the agent of a step", workflow=True),
        "seats": Known("a list of seats that every task finds here", type="list"),
    },
    "moves": {
        "in_turn": Known("the session is already in its turn"),
    },
}
