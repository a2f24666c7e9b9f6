"""Files are written whole or not at all, and only into their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from newel.compiler.docs import writing
from newel.compiler.errors import DocsError


@pytest.mark.parametrize("name", ["../x.html", "a/x.html", "/etc/x.html", ".hidden", "..", ""])
def test_r15_nothing_is_written_outside_of_the_folder(tmp_path: Path, name: str) -> None:
    """A name with a folder in it is refused before the first file is written."""
    with pytest.raises(DocsError, match="is no name of a file"):
        writing.write({"good.html": "x", name: "y"}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_r15_a_link_in_the_folder_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """What it points to stays as it is."""
    outside = tmp_path / "outside"
    outside.write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").symlink_to(outside)
    (out / f".index.html.{os.getpid()}.new").symlink_to(outside)
    writing.write({"index.html": "page"}, out)
    assert outside.read_text() == "mine"
    assert (out / "index.html").read_text() == "page"
    assert not (out / "index.html").is_symlink()


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    """Here because the text cannot be encoded."""
    (tmp_path / "index.html").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        writing.write({"index.html": "\ud800"}, tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("index.html", "old")]


def test_a_folder_that_cannot_be_written_is_an_error_that_says_which(tmp_path: Path) -> None:
    """A file stands where the folder should be; a folder where a page should be."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(DocsError, match="file could not be written: File exists"):
        writing.write({"index.html": "x"}, tmp_path / "file")
    (tmp_path / "out" / "index.html").mkdir(parents=True)
    with pytest.raises(DocsError, match="could not be written"):
        writing.write({"index.html": "x"}, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.html"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    """The folder is not cleared."""
    (tmp_path / "CNAME").write_text("docs.example")
    writing.write({"index.html": "x\n"}, tmp_path)
    assert (tmp_path / "CNAME").read_text() == "docs.example"
    assert (tmp_path / "index.html").read_bytes() == b"x\n"
