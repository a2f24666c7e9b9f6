"""A program to the same program, if this version can run all of it."""

from __future__ import annotations

from newel.compiler.program import Move, Program, Step
from newel.runtime.errors import NotSupported


def supported(program: Program) -> Program:
    """Raises `NotSupported`, naming the step, for a program that uses limits, pulls or moves that require approval."""
    settings = [s.name for mark in ("limit", "pull") for s in program.vocabulary.settings_marked(mark)]
    for workflow in program.workflows.values():
        for step in workflow.steps.values():
            where = f"step {step.name!r} of workflow {workflow.name!r}"
            for name in settings:
                if step.settings.get(name):
                    raise NotSupported(f"{where} sets {name}: limits and pulls are not run by this version")
            if _asks_approval(step):
                raise NotSupported(f"{where} has a move that requires approval: approvals are not run by this version")
    return program


def _asks_approval(step: Step) -> bool:
    return any(isinstance(item, Move) and item.approval for items in step.on.values() for item in items)
