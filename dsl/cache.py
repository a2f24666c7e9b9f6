"""Plain data to a file in the user's cache folder and back; whatever goes wrong there, the program goes on without."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any


def folder() -> Path:
    """Where the cache lies: `newel` under XDG_CACHE_HOME, else under what the system uses."""
    if home := os.environ.get("XDG_CACHE_HOME"):
        return Path(home) / "newel"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "newel" / "cache"
    return Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser() / "newel"


def read(name: str) -> dict[str, Any] | None:
    """What was written under a name; None where there is nothing, or nothing whole."""
    try:
        seal, _, body = (folder() / f"{name}.json").read_bytes().partition(b"\n")
        if seal.decode() != hashlib.sha256(body).hexdigest():
            return None
        data = json.loads(body)
    except (OSError, ValueError, RuntimeError):
        return None
    return data if isinstance(data, dict) else None


def write(name: str, data: dict[str, Any]) -> None:
    """Keep data under a name. Written beside and renamed, so that a reader sees a whole file or none."""
    body = json.dumps(data, separators=(",", ":")).encode()
    with contextlib.suppress(OSError, RuntimeError):
        home = folder()
        home.mkdir(parents=True, exist_ok=True)
        beside = home / f"{name}.{os.getpid()}"
        try:
            with beside.open("xb") as file:
                file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            beside.replace(home / f"{name}.json")
        finally:
            beside.unlink(missing_ok=True)
