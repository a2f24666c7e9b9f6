"""Where pip has taken this newel from, as far as a job on another machine can take it from there too."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

SOURCE = re.compile(r"[^\s\"'\\$`]+")
"""What can stand in the line of a job that installs newel, and be nothing else there."""


def installed_from() -> str | None:
    """The URL, with the commit that was taken of a repository; of a clone on this machine the place it comes from, and
    where it stands. Another folder is no such place, nor is a URL with a password in it; and a name says nothing of
    the index it came from."""
    try:
        origin = json.loads(distribution("newel").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None
    url, vcs = str(origin.get("url", "")), origin.get("vcs_info", {})
    if urlsplit(url).scheme == "file":
        if origin.get("dir_info", {}).get("editable"):
            return None  # what is worked on is nothing to pin
        return _of_clone(Path(unquote(urlsplit(url).path)))
    if not _public(url):
        return None
    return f"{vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else url


def _of_clone(folder: Path) -> str | None:
    """The remote and commit of a clone, where nothing is changed in it and the remote is known to have the commit."""
    if not (folder / ".git").exists() or _git(folder, "status", "--porcelain") != "":
        return None
    url, commit = _git(folder, "remote", "get-url", "origin"), _git(folder, "rev-parse", "HEAD")
    there = _git(folder, "branch", "--remotes", "--contains", "HEAD", "--list", "origin/*")
    return f"git+{url}@{commit}" if url and commit and there and _public(url) else None


def _public(url: str) -> bool:
    return urlsplit(url).scheme == "https" and "@" not in url and SOURCE.fullmatch(url) is not None


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - a list of arguments, no shell, and all of them ours
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the git that the user runs too
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
    except (OSError, UnicodeDecodeError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
