"""A file to whether we wrote it: its last line has its name and a digest of what stands above.

So a page that was copied, renamed or edited is somebody else's.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from newel.compiler.docs.forms import of_file

_SAID = "written by newel docs"
_DIGITS = 16


def signed(name: str, text: str) -> str:
    """The text of a file, with the line that marks it as ours."""
    body = f"{text.rstrip()}\n"
    return f"{body}{_mark(name, body)}\n"


def is_ours(path: Path) -> bool:
    """Whether a file is as we wrote it, line ends aside: git may have checked it out with others."""
    if path.is_symlink() or not path.is_file():
        return False
    body, mark = _parted(path)
    return mark.lower() == _mark(path.name, body).lower()  # some systems do not tell names apart by case


def is_of_before(path: Path) -> bool:
    """Whether a file has the mark of the first versions, which said no name: it counts for pages that are there."""
    if path.is_symlink() or not path.is_file():
        return False
    opened, closed = of_file(path.name).comment
    return _parted(path)[1] == f"{opened}{_SAID}{closed}"


def _parted(path: Path) -> tuple[str, str]:
    """What stands above the last line, and that."""
    text = path.read_bytes().replace(b"\r\n", b"\n").decode("utf-8", "replace").rstrip("\n")
    above, newline, last = text.rpartition("\n")
    return above + newline, last


def _mark(name: str, body: str) -> str:
    opened, closed = of_file(name).comment
    digest = hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
    return f"{opened}{_SAID}: {name} {digest}{closed}"
