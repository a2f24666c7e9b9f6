"""`newel init`: begin a project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from newel.compiler.config import find_config
from newel.runtime.cli import starters
from newel.runtime.cli.searching import workflows_below

CI = {system: Path(path) for system, (path, _, _) in starters.JOBS.items()}
_SOURCE = re.compile(r"[^\s\"'\\$`]+")


@click.command()
@click.argument("directory", metavar="[DIR]", default=".", type=click.Path())
@click.option(
    "--ci",
    type=click.Choice([*CI, "none"]),
    multiple=True,
    help="For which system a job is written; may be given twice. Guessed from what is there unless given.",
)
@click.option(
    "--install",
    "source",
    metavar="SOURCE",
    help="What the job gives to pip to install newel: a URL, git+https://..., name==version. Known where pip took it"
    " from a URL; else the job asks for a variable.",
)
def init(directory: str, ci: tuple[str, ...], source: str | None) -> None:
    """Begin a project: a workflow to start from, with a scenario, a newel.toml, and a job that checks and plays them.

    DIR is made if it is not there. What is there stays as it is: a file is never overwritten. A job for which there
    is a file already is printed, to be put in by hand. A folder with workflows gets no other.

    \b
    newel init
    newel init boards --ci gitlab
    newel init --install git+https://git.example.org/newel@v0.1.0
    """
    if "none" in ci and len(ci) > 1:
        raise click.UsageError("--ci none, or for which system")
    if source is not None and not _SOURCE.fullmatch(source):
        raise click.UsageError("--install takes what pip does, without blanks, quotes, `$` and `\\`")
    source = source or _installed_from()
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    systems = [name for name in ci if name != "none"] if ci else [_guessed(folder)]
    for path, text in _basics(folder):
        _write(folder / path, text)
    for name in dict.fromkeys(systems):
        text = starters.job(name, source)
        if not _write(folder / CI[name], text):
            click.echo("put this into it:\n", err=True)
            click.echo(text, nl=False)
    needs = "; the job needs the variable NEWEL, see its file" if systems and not source else ""
    click.echo(f"next: newel check, newel test{needs}", err=True)


def _basics(folder: Path) -> Iterator[tuple[Path, str]]:
    """The workflow, where there is none, and the configuration, where pyproject.toml holds none."""
    begun = next(workflows_below(folder), None) is not None
    if not begun:
        yield Path("boards/board.newel"), starters.BOARD
    found = find_config(folder).file
    if found is None or found.parent != folder.resolve() or found.name == "newel.toml":
        yield Path("newel.toml"), starters.CONFIGURATION.format(paths='"."' if begun else '"boards"')


def _guessed(folder: Path) -> str:
    return "gitlab" if (folder / CI["gitlab"]).exists() else "github"


def _installed_from() -> str | None:
    """The URL from which pip has installed this newel, with the commit it has taken. A folder of this machine is none,
    nor is one with a password in it; and a name says nothing of the index it came from."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit

    try:
        origin = json.loads(distribution("newel").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None
    url, vcs = str(origin.get("url", "")), origin.get("vcs_info", {})
    if urlsplit(url).scheme != "https" or "@" in url or not _SOURCE.fullmatch(url):
        return None
    return f"{vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else url


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
