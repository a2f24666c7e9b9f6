"""Paths to URLs and back: every file can be named, and what a URL encodes is decoded once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newel.runtime.errors import LedgerUnavailable
from newel.runtime.ledgers.opening import open_ledger
from newel.runtime.ledgers.sqlite_url import below, options_of, path_of, url_of

ODD = ["x%41.db", "a b.db", "what?.db", "a#b.db", "100%.db", "a+b&c=d.db", "über.db", os.fsdecode(b"\xff.db"), "C:x.db"]


@pytest.mark.parametrize("name", ODD)
def test_the_url_of_a_path_is_that_of_this_very_file(name: str, tmp_path: Path) -> None:
    url = url_of(tmp_path / name)
    assert url.isascii()
    open_ledger(f"{url}?synchronous=NORMAL").close()
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert path_of(url) == tmp_path / name


@given(st.binary(min_size=1).filter(lambda name: b"\0" not in name))
def test_whatever_bytes_a_path_has_it_comes_back(name: bytes) -> None:
    path = Path(os.fsdecode(name))
    assert path_of(url_of(path)) == path


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///a%20b.db", "a b.db"),
        ("sqlite:////a/%25.db?timeout=1", "/a/%.db"),
        ("sqlite:///x%3Fy.db?timeout=1", "x?y.db"),
        ("sqlite:///%2541.db", "%41.db"),
        ("sqlite:///100%.db", "100%.db"),
    ],
)
def test_what_a_url_encodes_is_decoded_once(url: str, path: str) -> None:
    assert path_of(url) == Path(path)


def test_a_relative_path_is_taken_from_a_folder_and_its_options_stay(tmp_path: Path) -> None:
    folder = tmp_path / "50%41?"
    url = below(folder, "sqlite:///a%20b.db?timeout=3")
    assert path_of(url) == folder / "a b.db"
    assert options_of(url) == {"timeout": 3.0}
    assert "?" not in below(folder, "sqlite:///t.db")
    assert path_of(below(folder, "sqlite:////elsewhere/t.db")) == Path("/elsewhere/t.db")


@pytest.mark.parametrize(
    "url", ["sqlite:x.db", "sqlite://x.db", "sqlite:///", "sqlite:///a%00b", "sqlite:///\ud800", ""]
)
def test_a_url_without_a_file_is_refused(url: str) -> None:
    with pytest.raises(LedgerUnavailable, match="sqlite:///PATH"):
        path_of(url)
