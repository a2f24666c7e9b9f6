"""A program to the same program, if this version can run all of it."""

from __future__ import annotations

from newel.compiler.program import Program
from newel.runtime.errors import NotSupported


def supported(program: Program) -> Program:
    """Raises `NotSupported`, naming the step, for a program that uses limits or pulls."""
    settings = [s.name for mark in ("limit", "pull") for s in program.vocabulary.settings_marked(mark)]
    for workflow in program.workflows.values():
        for step in workflow.steps.values():
            for name in settings:
                if step.settings.get(name):
                    where = f"step {step.name!r} of workflow {workflow.name!r}"
                    raise NotSupported(f"{where} sets {name}: limits and pulls are not run by this version")
    return program
