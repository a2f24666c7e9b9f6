"""Files are written whole or not at all, and only into their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from newel.compiler.docs import writing
from newel.compiler.docs.forms import HTML, MARKDOWN, SCRIPT
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


def test_pages_of_ours_that_are_no_more_are_removed_and_told(tmp_path: Path) -> None:
    """By the line they end in. What somebody else wrote, a link, and the other form's pages stay."""
    mark = HTML.mark
    writing.write(
        {"index.html": f"x\n{mark}\n", "old.html": f"y\n{mark}\n", "search.js": f"z\n{SCRIPT.mark}\n"}, tmp_path
    )
    (tmp_path / "mine.html").write_text(f"about {mark} and so on\n")
    (tmp_path / "link.html").symlink_to(tmp_path / "old.html")
    (tmp_path / "README.md").write_text(f"x\n{MARKDOWN.mark}\n")
    new = {"index.html": f"x\n{mark}\n", "added.html": f"a\n{mark}\n"}
    assert [(each.name, each.state) for each in writing.compare(new, tmp_path)] == [
        ("added.html", "missing"),
        ("old.html", "left over"),
        ("search.js", "left over"),
    ]
    writing.write(new, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "README.md",
        "added.html",
        "index.html",
        "link.html",
        "mine.html",
    ]
    assert writing.compare(new, tmp_path) == []


def test_a_page_that_was_changed_is_stale(tmp_path: Path) -> None:
    """Not one whose line ends are those of another system."""
    writing.write({"a.md": "x\ny\n", "b.md": "x\ny\n"}, tmp_path, MARKDOWN)
    (tmp_path / "a.md").write_bytes(b"x\r\ny\r\n")
    (tmp_path / "b.md").write_bytes(b"x\nz\n")
    found = writing.compare({"a.md": "x\ny\n", "b.md": "x\ny\n"}, tmp_path, MARKDOWN)
    assert [(each.name, each.state) for each in found] == [("b.md", "stale")]
    assert (tmp_path / "b.md").read_bytes() == b"x\nz\n"


def test_a_folder_that_is_not_there_lacks_everything(tmp_path: Path) -> None:
    """And is not made."""
    found = writing.compare({"a.html": "x"}, tmp_path / "none")
    assert [(each.name, each.state) for each in found] == [("a.html", "missing")]
    assert not (tmp_path / "none").exists()
