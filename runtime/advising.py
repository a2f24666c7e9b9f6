"""A decision to what whoever gave it may not have meant. The decision stands, whatever is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from newel.compiler.program import Program
from newel.compiler.verdicts import REJECTED, TOLD_APART, meant
from newel.runtime.quorum import slate
from newel.runtime.rows import ActorKind, Seat, Task


def advice(
    program: Program, at: Task, seats: Iterable[Seat], *, role: str, decider: str, kind: ActorKind, verdict: str
) -> Iterator[str]:
    """A verdict that looks like one of those told apart and is none; a role in which the decider has no seat."""
    near = meant(verdict)
    if near is not None:
        told_apart = ", ".join(TOLD_APART)
        yield f"the verdict {verdict!r} counts only as decided; did you mean {near!r}? Told apart are {told_apart}"
    if kind == "human" and verdict in REJECTED:  # counts for `any_reject`, with a seat or without
        return
    if at.workflow is None or at.step is None:
        return
    sitting = [seat.agent for seat in slate(program, at.workflow, at.step, role, seats)]
    if decider not in sitting:
        who = f"those who have one are {', '.join(sitting)}" if sitting else "nobody has one"
        yield f"{decider!r} has no seat as {role} at {at.step}, so no seat counts this decision; {who}"
