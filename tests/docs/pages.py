"""The examples of a page of the manual: the files it shows, the commands it runs, the Python it runs.

- ```` ```newel title=review.newel ```` (any language) is a file of the reader's; it is written as it stands;
- ```` ```console ```` is a session: lines after `$ ` are commands (`> ` goes on with one), the rest is what they print;
  `$?` is the exit code of the command before.
  A line `...` stands for any lines, `...` at the end of a line for the rest of it;
- ```` ```python ```` without a title is a script, and what it prints stands in a following ```` ```text ```` block;
- anything else is only shown, and so is what says `fragment`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docs.names import slug

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language and what stands behind it, the title that makes it a file, its text, its line."""

    language: str
    info: str
    title: str | None
    body: str
    line: int


def pages() -> list[Path]:
    """The README and every page of the manual."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page in order."""
    text = page.read_text("utf-8")
    found = []
    for match in FENCE.finditer(text):
        language, _, rest = match["info"].strip().partition(" ")
        title = re.search(r"title=(\S+)", rest)
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(language, rest, title[1] if title else None, match["body"], line))
    return found


def headings(page: Path) -> list[str]:
    """The headings of a page in order, as they are written; a sign in a block is none."""
    text = FENCE.sub("", page.read_text("utf-8"))
    return re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """What a link to a place of a page may name."""
    return set(map(slug, headings(page)))


def runs(block: Block) -> bool:
    """Whether something of it is run."""
    if block.title is not None or "fragment" in block.info:
        return False
    return block.language in ("console", "python")


def _session(body: str) -> Iterator[tuple[str, str]]:
    command: list[str] = []
    output: list[str] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            if command:
                yield "\n".join(command), "\n".join(output)
            command, output = [line[2:]], []
        elif line.startswith("> ") and not output:
            command.append(line[2:])
        else:
            output.append(line)
    if command:
        yield "\n".join(command), "\n".join(output)


def _fits(shown: str, printed: str) -> bool:
    pattern = "".join(map(_line, shown.splitlines()))
    return re.fullmatch(pattern, printed if printed.endswith("\n") or not printed else printed + "\n") is not None


def _line(shown: str) -> str:
    """What a line of a page may stand for, as an expression."""
    if shown == "...":
        return r"(?:.*\n)*"
    if shown.endswith("..."):
        return re.escape(shown[:-3]) + r".*\n"
    return re.escape(shown) + r"\n"


def _run(command: list[str], folder: Path) -> tuple[str, int]:
    binaries = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "80",
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout, done.returncode


def walk(page: Path, folder: Path) -> list[str]:
    """Do what a page shows, in an empty folder; what came out otherwise than it says, with its line."""
    wrong = []
    items = blocks(page)
    for number, block in enumerate(items):
        if block.title is not None:
            target = folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.body, "utf-8")
        elif not runs(block):
            continue
        elif block.language == "console":
            code = 0
            for command, shown in _session(block.body):
                printed, code = _run(["bash", "-c", f"(exit {code}); {command}"], folder)
                if not _fits(shown, printed):
                    wrong.append(f"line {block.line}: $ {command}\nthe page shows:\n{shown}\nit prints:\n{printed}")
        else:
            printed, _ = _run([sys.executable, "-W", "error", "-c", block.body], folder)
            after = items[number + 1] if number + 1 < len(items) else None
            shown = after.body.rstrip("\n") if after and after.language == "text" else ""
            if not _fits(shown, printed):
                wrong.append(f"line {block.line}: the script prints:\n{printed}\nthe page shows:\n{shown}")
    return wrong
