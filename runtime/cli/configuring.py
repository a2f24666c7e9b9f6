"""`newel config`: show the configuration in force, and where it came from."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import click

from newel.compiler.config import Config, keys_of
from newel.runtime.cli.common import config, configured, doubt_patterns, selection_of

_PASSWORDS = (re.compile(r"(://[^:@/?]*:).*(@)"), re.compile(r"(?i)([?&]\w*pass\w*=)[^&#]*()"))


@click.command("config")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def config_(as_json: bool) -> None:
    """Show the configuration in force: each key with its value and where that came from.

    It is read from newel.toml, or from [tool.newel] in pyproject.toml, in the nearest folder upwards that has it.
    Exits with 2 where something in it is wrong.

    \b
    newel config
    newel config --json
    """
    settings = config()
    selection_of(settings)  # a code that there is not is told here, too, and a path
    list(configured(settings))
    doubt_patterns(settings)
    rows = _rows(settings)
    if as_json:
        whole = {"file": _shown(settings.file), "root": _shown(settings.root), "settings": rows}
        click.echo(json.dumps(whole, indent=2))
        return
    click.echo(f"# {_shown(settings.file) or 'no configuration: everything is at its default'}")
    click.echo(f"# nothing is read outside of {_shown(settings.root)}")
    for key, row in rows.items():
        value = "is not set" if row["value"] is None else f"= {_toml(row['value'])}"
        comment = "# " if row["value"] is None else ""
        click.echo(f"{comment}{key} {value}  # {row['from']}")


def _rows(settings: Config) -> dict[str, dict[str, Any]]:
    given = keys_of(settings.file) if settings.file else frozenset()
    rows = {}
    for each in fields(settings):
        key = each.name.replace("_", "-")
        if each.name not in ("root", "file"):
            origin = _shown(settings.file) if key in given else "default"
            rows[key] = {"value": _plain(getattr(settings, each.name)), "from": origin}
    return rows


def _plain(value: object) -> Any:
    """A setting as lists, tables and texts, without the password of a ledger."""
    if is_dataclass(value):
        inner = {each.name.replace("_", "-"): getattr(value, each.name) for each in fields(value)}
        return {key: _plain(found) for key, found in inner.items() if found is not None}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return _without_password(value) if isinstance(value, str) else value


def _without_password(text: str) -> str:
    """A URL may hold one; whatever it looks like, it is not shown."""
    for pattern in _PASSWORDS:
        text = pattern.sub(r"\g<1>***\g<2>", text)
    return text


def _toml(value: Any) -> str:
    """A value as TOML has it on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


def _shown(path: Path | None) -> str | None:
    """A path from where we stand: never that of a machine."""
    return None if path is None else Path(os.path.relpath(path)).as_posix()
