"""Names that a call gives to what the program has: the same refusal, with the nearest name, wherever one is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from newel.compiler.program import Program
from newel.runtime.errors import UnknownStep, UnknownWorkflow


def known_step(program: Program, workflow: str, step: str | None = None) -> str:
    """That step of the workflow, its start step for None. Raises `UnknownWorkflow` and `UnknownStep`."""
    found = program.workflows.get(workflow)
    if found is None:
        raise UnknownWorkflow(f"the program has no workflow {workflow!r}{_suggested(str(workflow), program.workflows)}")
    if step is not None and step not in found.steps:
        raise UnknownStep(f"workflow {workflow!r} has no step {step!r}{_suggested(str(step), found.steps)}")
    return step or found.start


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
    close: Sequence[str] = get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
