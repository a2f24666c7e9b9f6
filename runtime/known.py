"""Names that a call gives to what the program has: the same refusal, with the nearest name, wherever one is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from newel.compiler.program import Program, TriggerDef
from newel.runtime.errors import UnknownStep, UnknownTrigger, UnknownWorkflow

_SHOWN = 12
"""So many names are listed where none is near; of more, the first."""


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


def flaw(text: str) -> str | None:
    """What a text that some database could not hold would have to be; None for one that all can."""
    if "\0" in text:
        return "a text without NUL characters"
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return "a text that can be written as UTF-8"
    return None


def _suggested(name: str, known: Iterable[str]) -> str:
    """The name that may have been meant, else those that there are."""
    names = list(known)
    close: Sequence[str] = get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"; there are {', '.join(names[:_SHOWN])}{more}" if names else ""
