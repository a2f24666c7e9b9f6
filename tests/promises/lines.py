"""The lines of the contract, from `lines.toml`, to what they promise and the tests that are named after each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.promises.edits import ROOT

DECLARED = Path(__file__).with_name("lines.toml")
NAMED = re.compile(r"^\s*(?:async )?def (test_([a-z]{1,2}\d+[a-z]?)_\w+)", re.MULTILINE)
"""A test that is named after a line, whether there is that line or not."""


@dataclass(frozen=True)
class Family:
    """Lines that belong together. Without `edits` they are figures: shown by tests, and broken by no edit of ours."""

    title: str
    lines: Mapping[str, str] = field(default_factory=dict)
    edits: bool = True


@cache
def families() -> tuple[Family, ...]:
    """Every family with its lines, in the order of the file."""
    return tuple(Family(**table) for table in tomllib.loads(DECLARED.read_text("utf-8"))["family"])


def all_lines() -> dict[str, Family]:
    """Every line, and its family."""
    return {line: family for family in families() for line in family.lines}


@cache
def shown() -> Mapping[str, Mapping[str, list[str]]]:
    """By lower case name of a line, by file: the tests that are named after it, as they stand there."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name, line in NAMED.findall(path.read_text("utf-8")):
            found.setdefault(line, {}).setdefault(path.relative_to(ROOT / "tests").as_posix(), []).append(name)
    return found
