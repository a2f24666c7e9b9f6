"""A bound model turned into what is wrong with it."""

from __future__ import annotations

from newel.compiler.checks.facts import Facts, Host
from newel.compiler.checks.registry import CHECKS
from newel.compiler.model import Model
from newel.dsl.collector import paused
from newel.dsl.findings import Finding


def run(model: Model, host: Host | None = None) -> list[Finding]:
    """What every check finds, each run once; `settle` puts it in order. Findings of the binder are not in it."""
    facts = Facts(model, host or Host())
    with paused():
        return [finding for check in CHECKS if check.find is not None for finding in check.find(facts)]
