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
    """One mark: how few parameters it names at least, and what each is. On a setting: the type it needs, and whether a
    setting of a workflow may carry it too."""

    least: int = 0
    parameters: tuple[str, ...] = ()
    type: str | None = None
    workflow: bool = False


MARKS: Mapping[Bearer, Mapping[str, Known]] = {
    "action": {
        "starts": Known(),
        "session": Known(),
        "wakes": Known(0, (ROLE,)),
        "seats": Known(1, (ROLE,)),
        "clears": Known(),
    },
    "guard": {
        "approval": Known(1, (ROLE, COUNT)),
        "rejection": Known(1, (ROLE,)),
        "decision": Known(1, (ROLE,)),
    },
    "trigger": {"person": Known(), "clock": Known(), "system": Known(), "work_done": Known()},
    "setting": {
        "manual_entry": Known(type="flag"),
        "signal": Known(type="flag"),
        "cancel": Known(type="flag"),
        "limit": Known(type="int"),
        "pull": Known(type="step"),
        "prompt": Known(type="text", workflow=True),
        "agent": Known(workflow=True),
        "seats": Known(type="list"),
    },
    "moves": {"in_turn": Known()},
}
