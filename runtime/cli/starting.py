"""`newel init`: begin a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from newel.compiler.config import find_config
from newel.runtime.cli import starters

CI = {
    "github": (Path(".github/workflows/newel.yml"), starters.GITHUB),
    "gitlab": (Path(".gitlab-ci.yml"), starters.GITLAB),
}


@click.command()
@click.argument("directory", metavar="[DIR]", default=".", type=click.Path())
@click.option(
    "--ci",
    type=click.Choice([*CI, "none"]),
    multiple=True,
    help="For which system a job is written; may be given twice. Guessed from what is there unless given.",
)
def init(directory: str, ci: tuple[str, ...]) -> None:
    """Begin a project: a workflow to start from, a newel.toml, and a job that checks both.

    DIR is made if it is not there. What is there stays as it is: a file is never overwritten. A job for which there
    is a file already is printed, to be put in by hand. A folder with workflows gets no other.

    \b
    newel init
    newel init boards --ci gitlab
    """
    if "none" in ci and len(ci) > 1:
        raise click.UsageError("--ci none, or for which system")
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    systems = [name for name in ci if name != "none"] if ci else [_guessed(folder)]
    for path, text in _basics(folder):
        _write(folder / path, text)
    for name in dict.fromkeys(systems):
        path, text = CI[name]
        if not _write(folder / path, text):
            click.echo("put this into it:\n", err=True)
            click.echo(text, nl=False)
    click.echo("next: newel check" + ("; the job needs the variable NEWEL, see its file" if systems else ""), err=True)


def _basics(folder: Path) -> Iterator[tuple[Path, str]]:
    """The workflow, where there is none, and the configuration, where pyproject.toml holds none."""
    begun = next(folder.rglob("*.newel"), None) is not None
    if not begun:
        yield Path("boards/board.newel"), starters.BOARD
    found = find_config(folder).file
    if found is None or found.parent != folder.resolve() or found.name == "newel.toml":
        yield Path("newel.toml"), starters.CONFIGURATION.format(paths='"."' if begun else '"boards"')


def _guessed(folder: Path) -> str:
    return "gitlab" if (folder / CI["gitlab"][0]).exists() else "github"


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
