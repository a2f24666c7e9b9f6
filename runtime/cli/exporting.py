"""`newel export`: turn workflows into the file of another program."""

from __future__ import annotations

import click

from newel.compiler.boards import BOARDS
from newel.compiler.reports import report
from newel.runtime.cli.common import cannot, config, files, generated_to, project_root, write_generated
from newel.runtime.cli.offering import workflows

_FORMS = sorted({form for each in BOARDS for form in each.forms})


@click.command()
@click.argument("path", metavar="PATH", type=click.Path())
@click.option("--to", type=click.Choice([each.name for each in BOARDS]), required=True, help="For which program.")
@click.option(
    "--form",
    type=click.Choice(_FORMS),
    default="portable",
    show_default=True,
    help="portable: what Kandev exports and imports; template: what it keeps among its own, one workflow.",
)
@click.option("--workflow", metavar="NAME", shell_complete=workflows, help="Only this one; a template holds one.")
@click.option("--lossy", is_flag=True, help="Leave out what has no words there, and list it.")
@generated_to
def export(path: str, to: str, form: str, workflow: str | None, lossy: bool, output: str | None) -> int:
    """Turn Newel workflows into a Kandev workflow file.

    What has no words there is an error and nothing is written (exit code 1), unless it is to be left out. What will
    differ there is reported on standard error.

    \b
    newel export office.newel --to kandev -o office.yml
    newel export office.newel --to kandev --form template --workflow office
    """
    from newel.compiler import check_files
    from newel.compiler.boards import export_checked

    settings = config((path,))
    chosen = files([path], settings)
    if not chosen:
        cannot("there are no workflow files (*.newel) there")
    checked = check_files(chosen, project_root(chosen, settings), limits=settings.limits)
    exported = export_checked(checked, to, form, workflow=workflow, lossy=lossy)
    if exported.findings:
        click.echo(report("text", exported.findings, len(chosen)), err=True, nl=False)
    if exported.text is None:
        return 1
    write_generated(exported.text, output)
    return 0
