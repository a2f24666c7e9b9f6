"""The examples of a rule turned into what is said of them, for the pages of findings and the tests that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from newel.compiler.checks.facts import Host
from newel.compiler.checks.registry import CHECKS
from newel.compiler.checks.selection import Selection
from newel.compiler.config import find_config
from newel.compiler.files import Project, Reader
from newel.compiler.pipeline import check_files
from newel.dsl.findings import Finding, Rule

NAME = "example.newel"
"""What the file of an example is called, where its further files speak of it."""

OLD = "old.newel"
"""What the old version of it is called, for the rules that compare two."""


def findings_of(rule: Rule, text: str) -> Sequence[Finding]:
    """What is said of a text beside the further files of a rule, the rule itself turned on. Where one of these is the
    old version of the text, what changed is said."""
    selection = Selection(severity={} if rule.default else {rule.code: rule.severity})
    with TemporaryDirectory(prefix="newel-") as folder:
        for path, content in {**rule.extra, NAME: text}.items():
            Path(folder, path).write_text(content, "utf-8", newline="")
        if OLD in rule.extra:
            return _changes(Path(folder))
        return check_files([Path(folder, NAME)], folder, selection=selection, host=_host(rule, Path(folder))).findings


def _changes(folder: Path) -> Sequence[Finding]:
    from newel.compiler.diff import Version, compare, findings_of_changes  # the model is loaded for no other example

    project = Project(folder.resolve())
    old, new = (Version.of(Reader(project).read([folder / name])) for name in (OLD, NAME))
    return tuple(finding for _, finding in findings_of_changes(compare(old.program, new.program), old, new))


def _host(rule: Rule, folder: Path) -> Host:
    triggers = find_config(folder).host_triggers
    kinds = next((check.host.kinds for check in CHECKS if check.rule is rule and check.host), None)
    return Host(None if triggers is None else frozenset(triggers), kinds)
