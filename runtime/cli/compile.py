"""`newel compile`: turn workflow files into a program in JSON."""

from __future__ import annotations

import json

import click

from newel.runtime.cli.common import config, generated_to, program_of, write_generated


@click.command("compile")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@generated_to
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the program instead.")
@click.option("--python", "python", is_flag=True, help="Print a typed Python module of the vocabulary instead.")
def compile_(paths: tuple[str, ...], output: str | None, schema: bool, python: bool) -> None:
    """Turn workflow files into a program in JSON.

    With --schema and no PATH the schema is that of programs of the standard vocabulary.

    \b
    newel compile office.newel -o office.json
    newel compile --schema -o program.schema.json
    newel compile words.newel --python -o words.py
    """
    if schema and python:
        raise click.UsageError("--schema and --python are two different things; ask for one")
    settings = config(paths)
    if schema:
        from newel.compiler.schema import json_schema

        vocabulary = program_of(paths, settings).vocabulary if paths else None
        write_generated(json.dumps(json_schema(vocabulary), ensure_ascii=False, indent=2) + "\n", output)
        return
    program = program_of(paths, settings)
    if python:
        from newel.compiler.python_module import python_module

        write_generated(python_module(program.vocabulary), output)
    else:
        write_generated(program.to_json(), output)
