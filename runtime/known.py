"""Names that a call gives to what the program has: the same refusal, with the nearest name, wherever one is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from newel.compiler.program import Program, TriggerDef
from newel.runtime.errors import UnknownStep, UnknownTrigger, UnknownWorkflow

_SHOWN = 12
"""So many names are listed where none is near; of more, the first."""
LONGEST_ID = 1_000
"""Bytes of the id of a task, an agent or a decider, in UTF-8: two of them and three names fit a row of any index."""


class Flaw(NamedTuple):
    """What a text would have to be, and how it comes to be so."""

    wanted: str
    advice: str


def known_step(program: Program, workflow: str, step: str | None = None) -> str:
    """That step of the workflow, its start step for None. Raises `UnknownWorkflow` and `UnknownStep`."""
    found = program.workflows.get(workflow)
    if found is None:
        raise UnknownWorkflow(f"the program has no workflow {workflow!r}{_suggested(str(workflow), program.workflows)}")
    if step is not None and step not in found.steps:
        raise UnknownStep(f"workflow {workflow!r} has no step {step!r}{_suggested(str(step), found.steps)}")
    return step or found.start


def known_trigger(program: Program, trigger: str) -> TriggerDef:
    """What the program declares of a trigger. Raises `UnknownTrigger`."""
    found = program.vocabulary.triggers.get(trigger)
    if found is None:
        known = [name for name in program.vocabulary.triggers if name not in ("enter", "exit")]
        raise UnknownTrigger(f"the program declares no trigger {trigger!r}{_suggested(str(trigger), known)}")
    return found


def flaw(text: str) -> Flaw | None:
    """What keeps some database from holding a text; None for one that all can hold."""
    if "\0" in text:
        return Flaw("a text without NUL characters", f"there is one at {text.index(chr(0))}: leave it out")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            mend = "replace it, as text.encode(errors='replace').decode() does"
            return Flaw("a text that can be written as UTF-8", f"there is half a character at {error.start}: {mend}")
    return None


def id_flaw(text: str) -> Flaw | None:
    """What keeps some database from holding a text as an id, by which it is found."""
    found = flaw(text)
    if found is None and (size := len(text.encode())) > LONGEST_ID:
        return Flaw(f"an id of at most {LONGEST_ID:,} bytes", f"it has {size:,}: take a shorter one, or a digest of it")
    return found


def _suggested(name: str, known: Iterable[str]) -> str:
    """The name that may have been meant, else those that there are."""
    names = list(known)
    close: Sequence[str] = get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"; there are {', '.join(names[:_SHOWN])}{more}" if names else ""
