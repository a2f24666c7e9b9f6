"""Plain data to a file in the user's cache folder and back; whatever goes wrong there, the program goes on without."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

KEPT = 8  # of a kind: so many versions of Newel and Python may take turns


def folder() -> Path:
    """Where the cache lies: `newel` under XDG_CACHE_HOME, else under what the system uses."""
    if home := os.environ.get("XDG_CACHE_HOME"):
        return Path(home) / "newel"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "newel" / "cache"
    return Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser() / "newel"


def key(parts: Iterable[bytes]) -> str:
    """Names what something was made of: other parts, another name. No secret hangs on it, and loading a cryptographic
    digest would cost more than reading what is kept."""
    whole = b"\0".join(parts)
    return f"{len(whole):x}-{zlib.crc32(whole):08x}{zlib.adler32(whole):08x}"


def _seal(body: bytes) -> bytes:
    return key([body]).encode()


def _prune(home: Path, kind: str) -> None:
    """Leave the newest of a kind: what older versions kept is of no use to anybody."""
    for old in sorted(home.glob(f"{kind}-*.json"), key=lambda path: path.stat().st_mtime_ns)[:-KEPT]:
        old.unlink(missing_ok=True)


def read(name: str) -> dict[str, Any] | None:
    """What was written under a name; None where there is nothing, or nothing whole."""
    try:
        seal, _, body = (folder() / f"{name}.json").read_bytes().partition(b"\n")
        if seal != _seal(body):
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
                file.write(_seal(body) + b"\n" + body)
            beside.replace(home / f"{name}.json")
            _prune(home, name.partition("-")[0])
        finally:
            beside.unlink(missing_ok=True)
