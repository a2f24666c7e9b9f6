"""Checked files to the board file of another program, with a report of all it will not be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike

from newel.compiler.boards import rules
from newel.compiler.boards.emitting import emitted
from newel.compiler.boards.workflows import board_of
from newel.compiler.boards.writing import Writing
from newel.compiler.errors import NewelError, UnknownWorkflow
from newel.compiler.imports.kandev_portable import ENVELOPE
from newel.compiler.imports.loading import CLIENT_BYTES
from newel.compiler.imports.names import Names
from newel.compiler.imports.tables import PORTABLE, TEMPLATE
from newel.compiler.model import Json, Loaded, Model, Workflow
from newel.compiler.pipeline import Checked, check_text
from newel.dsl.findings import Finding, Related
from newel.dsl.source import Span
from newel.dsl.tree import Scenario


class ExportError(NewelError):
    """A template holds one workflow: name the one to export."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What came of an export: the text of a file, None where there are errors, and the findings in the order of the
    source."""

    text: str | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Another program, and the forms in which it takes boards."""

    name: str
    forms: Mapping[str, Callable[[Model, Iterable[Workflow], bool], Exported]]


def export_checked(
    checked: Checked, to: str = "kandev", form: str = "portable", *, workflow: str | None = None, lossy: bool = False
) -> Exported:
    """The workflows of checked files, or one of them, in a form of another program.

    Nothing is written where the files have errors, or where something has no words there; with `lossy` that is left
    out and reported. Raises `UnknownWorkflow` for a name there is none of, `ExportError` for several where one fits.
    """
    if not checked.sound:
        return Exported(None, checked.findings)
    model = checked.model
    if workflow is not None and workflow not in model.workflows:
        raise UnknownWorkflow(f"there is no workflow `{workflow}`: there are {', '.join(sorted(model.workflows))}")
    chosen = [each for name, each in model.workflows.items() if workflow in (None, name)]
    if not chosen:
        raise UnknownWorkflow("the files hold no workflow")
    program = next(each for each in BOARDS if each.name == to)
    return program.forms[form](model, chosen, lossy)


def export_text(
    text: str | bytes,
    to: str = "kandev",
    form: str = "portable",
    *,
    path: str = "<text>",
    root: str | PathLike[str] | None = None,
    workflow: str | None = None,
    lossy: bool = False,
) -> Exported:
    """The same for a text; see `check_text`."""
    return export_checked(check_text(text, path, root), to, form, workflow=workflow, lossy=lossy)


def _portable(model: Model, chosen: Iterable[Workflow], lossy: bool) -> Exported:
    writing = Writing(PORTABLE, lossy)
    names, titles = Names("workflow"), dict[str, Workflow]()
    boards: list[Json] = []
    for workflow in chosen:
        first = titles.setdefault(workflow.title, workflow)
        if first is not workflow:
            related = (Related("the first one", first.span),)
            writing.report(rules.SAME_WORKFLOW, workflow.span, related, title=f"`{workflow.title}`")
        boards.append(board_of(writing, model.vocabulary, workflow, names))
    return _exported(writing, {**ENVELOPE, "workflows": boards}, titles.values())


def _template(model: Model, chosen: Iterable[Workflow], lossy: bool) -> Exported:
    first, *others = chosen
    if others:
        raise ExportError(f"{ExportError.__doc__} {', '.join(each.name for each in (first, *others))}")
    writing = Writing(TEMPLATE, lossy)
    return _exported(writing, board_of(writing, model.vocabulary, first, Names("workflow")), [first])


BOARDS: tuple[Program, ...] = (Program("kandev", {"portable": _portable, "template": _template}),)
"""Every program whose boards can be written, with its forms."""


def _exported(writing: Writing, document: dict[str, Json], workflows: Iterable[Workflow]) -> Exported:
    chosen = list(workflows)
    text = emitted(document)
    size = len(text.encode("utf-8"))
    if size > CLIENT_BYTES:
        writing.report(rules.TOO_LONG, chosen[0].span, size=size, most=CLIENT_BYTES)
    for file in {id(each.file): each.file for each in chosen}.values():
        _unsaid(writing, file, [each for each in chosen if each.file is file])
    once = {_order(each): each for each in reversed(writing.findings)}  # a piece may stand in several steps
    findings = [finding for _, finding in sorted(once.items())]
    failed = any(finding.rule.severity == "error" for finding in findings)
    return Exported(None if failed else text, tuple(findings))


def _unsaid(writing: Writing, file: Loaded, workflows: Iterable[Workflow]) -> None:
    """What is there for people, and has no place on a board; said once a file."""
    documented = any(each.doc or any(step.doc for step in each.steps.values()) for each in workflows)
    parts = {
        "comments": bool(file.tree.comments),
        "documentation": documented,
        "scenarios": any(isinstance(item, Scenario) for item in file.tree.items),
    }
    what = [name for name, there in parts.items() if there]
    if what:
        writing.report(rules.NOTES_LEFT_OUT, Span(file.source, 0, 0), what=", ".join(what))


def _order(finding: Finding) -> tuple[str, int, str, str]:
    return finding.span.source.path, finding.span.start, finding.rule.code, finding.message
