"""`newel init`: begin a project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from newel.compiler.config import find_config
from newel.compiler.counting import counted
from newel.runtime.cli import starters
from newel.runtime.cli.common import files
from newel.runtime.cli.origin import SOURCE, installed_from
from newel.runtime.cli.repository import below, top
from newel.runtime.cli.searching import workflows_below

CHECKED = "newel check"
"""Where this stands in the file of a job, nobody needs to be told what to put there."""


@click.command()
@click.argument("directory", metavar="[DIR]", default=".", type=click.Path())
@click.option(
    "--ci",
    type=click.Choice([*starters.JOBS, "none"]),
    multiple=True,
    help="For which system a job is written; may be given twice. Guessed from what is there unless given.",
)
@click.option(
    "--install",
    "source",
    metavar="SOURCE",
    help="What the job gives to pip to install newel: a URL, git+https://..., name==version. Known where pip took it"
    " from a URL, or from a clone of one; else the job asks for a variable.",
)
def init(directory: str, ci: tuple[str, ...], source: str | None) -> None:
    """Begin a project: a workflow to start from, with a scenario, a newel.toml, and a job that checks and plays them.

    DIR is made if it is not there. The job stands at the root of the git repository that DIR lies in, where the systems
    read it, and works in DIR. What is there stays as it is: a file is never overwritten. A job for which there is a
    file already, and no newel in it, is printed, to be put in by hand. A folder with workflows gets no other.

    \b
    newel init
    newel init boards --ci gitlab
    newel init --install git+https://git.example.org/newel@3f1c2ab
    """
    if "none" in ci and len(ci) > 1:
        raise click.UsageError("--ci none, or for which system")
    if source is not None and not SOURCE.fullmatch(source):
        raise click.UsageError("--install takes what pip does, without blanks, quotes, `$` and `\\`")
    source = source or installed_from()
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in _basics(folder):
        _write(folder / path, text)
    found = _Found.of(folder)
    root = top(folder) or folder.resolve()
    systems = [name for name in ci if name != "none"] if ci else _guessed(root)
    for name in dict.fromkeys(systems):
        job = starters.Job(name, source, below(root, folder), found.scenarios)
        _job(Path(os.path.relpath(root / job.path)), job)
    for line in found.next(bool(systems), source is not None):
        click.echo(line, err=True)


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands in the way of a job: no scenario to play, files that are not in the layout."""

    scenarios: bool
    unlaid: int

    @staticmethod
    def of(folder: Path) -> _Found:
        """What the files of a project are like."""
        from newel.dsl import parse, read_source, tree
        from newel.dsl.findings import Finding
        from newel.dsl.layout import format_source

        read = (read_source(path, path.as_posix()) for path in files((), find_config(folder)) if path.is_file())
        sources = [source for source in read if not isinstance(source, Finding)]
        scenarios = any(isinstance(item, tree.Scenario) for source in sources for item in parse(source)[0].items)
        return _Found(scenarios, sum(format_source(source)[0] not in (None, source.text) for source in sources))

    def next(self, job: bool, known: bool) -> Iterator[str]:
        """What is to be done now."""
        commands = (["newel fmt"] if self.unlaid else []) + [CHECKED] + (["newel test"] if self.scenarios else [])
        needs = "; the job needs the variable NEWEL, see its file" if job and not known else ""
        yield f"next: {', '.join(commands)}{needs}"
        if job and self.unlaid:
            yield f"note: the job fails as long as {counted(self.unlaid, 'file')} is not in the layout: newel fmt"
        if job and not self.scenarios:
            yield "note: there is no scenario yet, so newel test stands in the job as a comment"


def _basics(folder: Path) -> Iterator[tuple[Path, str]]:
    """The workflow, where there is none, and the configuration, where pyproject.toml holds none."""
    begun = next(workflows_below(folder), None) is not None
    if not begun:
        yield Path("boards/board.newel"), starters.BOARD
    found = find_config(folder).file
    if found is None or found.parent != folder.resolve() or found.name == "newel.toml":
        yield Path("newel.toml"), starters.CONFIGURATION.format(paths='"."' if begun else '"boards"')


def _guessed(root: Path) -> list[str]:
    """The systems that a repository has files of, else GitHub."""
    there = {"github": ".github", "gitlab": ".gitlab-ci.yml"}
    return [name for name, path in there.items() if (root / path).exists()] or ["github"]


def _job(path: Path, job: starters.Job) -> None:
    """Write a job; print it where its file is taken, unless the project is checked there already."""
    if _write(path, job.text):
        return
    there = path.read_text("utf-8", "replace")
    if CHECKED not in there or job.below.rstrip("/") not in there:
        click.echo("put this into it:\n", err=True)
        click.echo(job.text, nl=False)


def _write(path: Path, text: str) -> bool:
    """Write a file that is not there yet, and say so; False where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        click.echo(f"kept  {click.format_filename(path)}", err=True)
        return False
    click.echo(f"wrote {click.format_filename(path)}", err=True)
    return True
