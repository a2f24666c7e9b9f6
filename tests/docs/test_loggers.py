"""The loggers that the manual lists are those that the source writes to."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

NAMED = re.compile(r"\b(?:getLogger|Log)\(\s*\"(newel\.[a-z.]+)\"")


def test_the_manual_lists_every_logger_and_no_other() -> None:
    modules = [path for room in ("compiler", "dsl", "runtime") for path in sorted((ROOT / room).rglob("*.py"))]
    written = {name for path in modules for name in NAMED.findall(path.read_text("utf-8"))}
    page = (ROOT / "docs" / "how-to" / "embed.md").read_text("utf-8")
    assert "newel.guards" in written
    assert set(re.findall(r"^\| `(newel\.\w+)` \|", page, re.MULTILINE)) == written
