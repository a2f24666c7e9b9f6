"""What the tab key offers where a name is wanted: codes of findings, and what the files of the command declare."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.compiler.errors import NewelError
from newel.runtime.cli.common import config, files, project_root

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from newel.compiler.model import Model


def codes(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:  # noqa: ARG001 - click's form
    """The codes that go on so, the last of several."""
    from click.shell_completion import CompletionItem

    from newel.compiler.checks.registry import rules

    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{code}", help=rule.name)
        for code, rule in rules().items()
        if code.startswith(last.upper())
    ]


def workflows(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:  # noqa: ARG001 - click's form
    """The workflows of the files."""
    model = _model(context)
    return _offered(model.workflows if model else (), incomplete)


def steps(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:  # noqa: ARG001 - click's form
    """The steps of the workflow that is named, else of all."""
    model = _model(context)
    known = model.workflows if model else {}
    named = context.params.get("workflow")
    meant = [known[named]] if named in known else known.values()
    return _offered((step for workflow in meant for step in workflow.steps), incomplete)


def triggers(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:  # noqa: ARG001 - click's form
    """The triggers that can be fired."""
    model = _model(context)
    known = model.vocabulary.triggers if model else {}
    return _offered((name for name in known if name not in ("enter", "exit")), incomplete)


def _offered(names: Iterable[str], incomplete: str) -> list[CompletionItem[str]]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _model(context: click.Context) -> Model | None:
    """What the files of the command mean, as far as they are right; None where there are none. Nobody is told of errors
    between two keys."""
    from newel.compiler import check_files

    given = []
    for name in ("program", "paths", "path", "file"):
        value = context.params.get(name) or ()
        given += [os.fspath(each) for each in ((value,) if isinstance(value, str) else value)]
    # behind an option without its value click has read no arguments
    given = given or [word for word in context.obj or () if word.endswith(".newel") and Path(word).exists()]
    try:
        settings = config(given)
        chosen = files(given, settings)
        return check_files(chosen, project_root(chosen, settings), limits=settings.limits).model if chosen else None
    except (NewelError, OSError, click.ClickException):
        return None
