"""What `newel check` was asked for, to what is done about it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newel.compiler.config import Config
from newel.runtime.cli.common import cannot, config, doubt_patterns, files, project_root, selection_of, standard_input
from newel.runtime.cli.progress import Progress
from newel.runtime.cli.wanted import STDIN, Wanted, code_of, show

if TYPE_CHECKING:
    from newel.compiler.checks import Selection
    from newel.compiler.units import Task


def run(wanted: Wanted) -> int:
    """Check, mend where that is asked for, and report. The exit code."""
    settings = config(wanted.paths)
    return _standard_input(wanted, settings) if wanted.stdin else _files(wanted, settings)


def _files(wanted: Wanted, settings: Config) -> int:
    chosen = files(wanted.paths, settings)
    if not chosen:
        cannot("there are no workflow files (*.newel) here: name one, or a folder that has some")
    task = task_of(settings, wanted, project_root(chosen, settings))
    changes = False
    with Progress(len(chosen), quiet=wanted.quiet) as progress:
        if wanted.fix or wanted.diff:
            from newel.runtime.cli.mending import mend

            judged, changes = mend(chosen, task, progress, wanted)
        else:
            from newel.compiler.judging import check_each

            judged = check_each(chosen, task, jobs=wanted.jobs or _processors(), tick=progress)
    if not (wanted.paths or wanted.quiet):
        doubt_patterns(settings)
    for reason in judged.unread:
        click.echo(f"error: {reason}", err=True)
    if not wanted.diff:
        show(wanted, judged.findings, len(chosen) - len(judged.unread), judged.paths, root=task.project.root)
    return code_of(wanted, judged.findings, changes=changes, unread=bool(judged.unread))


def _standard_input(wanted: Wanted, settings: Config) -> int:
    from newel.compiler.units import check_source

    task, text = task_of(settings, wanted, settings.root), standard_input()
    if wanted.fix or wanted.diff:
        from newel.runtime.cli.mending import mend_input

        return mend_input(text, task, wanted)
    findings = check_source(text, STDIN, task)
    show(wanted, findings, 1, (STDIN,), root=task.project.root)
    return code_of(wanted, findings)


def task_of(settings: Config, wanted: Wanted, root: Path) -> Task:
    """How files are judged. The host's handlers are not asked: checking a file runs nobody's code."""
    from newel.compiler.checks import Host
    from newel.compiler.files import Project
    from newel.compiler.units import Task

    triggers = None if settings.host_triggers is None else frozenset(settings.host_triggers)
    selection = _selection(settings, wanted)
    return Task(Project(root.resolve()), selection, Host(triggers=triggers), settings.limits)


def _selection(settings: Config, wanted: Wanted) -> Selection:
    """What is asked for, else what is configured; which of the two is wrong is told apart."""
    from newel.compiler.checks.selection import SelectionError

    configured = selection_of(settings)
    try:
        return replace(configured, select=wanted.select or configured.select, ignore=wanted.ignore or configured.ignore)
    except SelectionError as error:
        raise click.UsageError(str(error)) from error


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
