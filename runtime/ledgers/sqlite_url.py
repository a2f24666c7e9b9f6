"""The path of a file to the URL of an SQLite ledger in it, and back, with the options of the URL.

A URL is percent-encoded, a path is taken as it is: nothing but these two functions turns one into the other.
"""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote_to_bytes

from newel.runtime.errors import LedgerUnavailable

SCHEME = "sqlite:"
_PREFIX = f"{SCHEME}///"


def url_of(path: str | os.PathLike[str]) -> str:
    """The URL of a file, whatever signs its path has."""
    return _PREFIX + quote(os.fsencode(path))


def path_of(url: str) -> Path:
    """The file of a URL. Raises `LedgerUnavailable` for a malformed one."""
    target = url.partition("?")[0]
    try:
        path = os.fsdecode(unquote_to_bytes(os.fsencode(target.removeprefix(_PREFIX))))
    except UnicodeError:
        path = ""
    if not target.startswith(_PREFIX) or not path or "\0" in path:
        raise LedgerUnavailable(
            "an SQLite ledger's URL is sqlite:///PATH, with a fourth slash before an absolute path"
        ) from None
    return Path(path)


def below(folder: Path, url: str) -> str:
    """The URL with a relative path taken from a folder; its options stay."""
    _, mark, query = url.partition("?")
    return url_of(folder / path_of(url)) + mark + query


def options_of(url: str) -> dict[str, Any]:
    """The options of a URL. Raises `LedgerUnavailable` for a malformed one."""
    found: dict[str, Any] = {}
    for name, value in parse_qsl(url.partition("?")[2], keep_blank_values=True):
        if name == "synchronous" and value.upper() in ("FULL", "NORMAL"):
            found[name] = value.upper()
        elif name == "timeout" and re.fullmatch(r"\d+(\.\d+)?", value):
            found[name] = min(float(value), threading.TIMEOUT_MAX)
        else:  # the value is not repeated: it may be a secret
            raise LedgerUnavailable("an SQLite ledger's URL takes ?synchronous=FULL or NORMAL, and timeout=SECONDS")
    return found
