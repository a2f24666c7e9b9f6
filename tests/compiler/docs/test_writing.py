"""Files are written whole or not at all, and only into their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from newel.compiler.docs import writing
from newel.compiler.docs.forms import MARKDOWN
from newel.compiler.docs.marks import signed
from newel.compiler.errors import DocsError, InTheWay


@pytest.mark.parametrize("name", ["../x.html", "a/x.html", "/etc/x.html", ".hidden", "..", ""])
def test_r15_nothing_is_written_outside_of_the_folder(tmp_path: Path, name: str) -> None:
    """A name with a folder in it is refused before the first file is written."""
    with pytest.raises(DocsError, match="is no name of a file"):
        writing.write({"good.html": "x", name: "y"}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_r15_a_link_in_the_folder_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """Where it is to be written over; what it points to stays as it is."""
    outside = tmp_path / "outside"
    outside.write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").symlink_to(outside)
    (out / f".index.html.{os.getpid()}.new").symlink_to(outside)
    with pytest.raises(InTheWay, match=r"index\.html"):
        writing.write({"index.html": "page"}, out)
    writing.write({"index.html": "page"}, out, force=True)
    assert outside.read_text() == "mine"
    assert (out / "index.html").read_text() == "page"
    assert not (out / "index.html").is_symlink()


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    """Here because the text cannot be encoded."""
    (tmp_path / "index.html").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        writing.write({"index.html": "\ud800"}, tmp_path, force=True)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("index.html", "old")]


def test_a_folder_that_cannot_be_written_is_an_error_that_says_which(tmp_path: Path) -> None:
    """A file stands where the folder should be; a folder where a page should be."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(DocsError, match="file could not be written: File exists"):
        writing.write({"index.html": "x"}, tmp_path / "file")
    (tmp_path / "out" / "index.html").mkdir(parents=True)
    with pytest.raises(InTheWay, match=r"index\.html was not written by"):
        writing.write({"index.html": "x"}, tmp_path / "out")
    with pytest.raises(DocsError, match="could not be written"):
        writing.write({"index.html": "x"}, tmp_path / "out", force=True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.html"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    """The folder is not cleared."""
    (tmp_path / "CNAME").write_text("docs.example")
    writing.write({"index.html": "x\n"}, tmp_path)
    assert (tmp_path / "CNAME").read_text() == "docs.example"
    assert (tmp_path / "index.html").read_bytes() == b"x\n"


def _signed(*names: str) -> dict[str, str]:
    return {name: signed(name, f"of {name}") for name in names}


def test_pages_of_ours_that_are_no_more_are_removed_and_told(tmp_path: Path) -> None:
    """By the line they end in. What somebody else wrote, a link, and the other form's pages stay."""
    writing.write(_signed("index.html", "old.html", "search.js", "old.svg"), tmp_path)
    (tmp_path / "mine.html").write_text("about written by newel docs and so on\n")
    (tmp_path / "link.html").symlink_to(tmp_path / "old.html")
    (tmp_path / "README.md").write_text(signed("README.md", "x"))
    new = _signed("index.html", "added.html")
    assert [(each.name, each.state) for each in writing.compare(new, tmp_path)] == [
        ("added.html", "missing"),
        ("old.html", "left over"),
        ("old.svg", "left over"),
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


def test_a_copy_of_a_page_under_another_name_and_an_edited_page_are_not_removed(tmp_path: Path) -> None:
    """Their last line came along; it says another name, or does not fit what stands above."""
    writing.write(_signed("README.md", "desk.md", "gone.md"), tmp_path, MARKDOWN)
    (tmp_path / "notes.md").write_bytes((tmp_path / "desk.md").read_bytes())
    (tmp_path / "gone.md").write_text("mine: " + (tmp_path / "gone.md").read_text())
    writing.write(_signed("README.md"), tmp_path, MARKDOWN)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "gone.md", "notes.md"]


@pytest.mark.parametrize("mine", ["mine\n", "", f"mine: {signed('README.md', 'x')}", signed("desk.md", "x")])
def test_nothing_is_written_where_a_file_of_somebody_else_is_in_the_way(tmp_path: Path, mine: str) -> None:
    """One that never was ours, one edited since, and one renamed; all of it stays, unless it is forced."""
    (tmp_path / "README.md").write_text(mine)
    pages = _signed("A.md", "README.md", "desk.md")
    with pytest.raises(InTheWay, match=r"README\.md was not written by `newel docs`, or edited since$"):
        writing.write(pages, tmp_path, MARKDOWN)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("README.md", mine)]
    writing.write(pages, tmp_path, MARKDOWN, force=True)
    assert (tmp_path / "README.md").read_text() == pages["README.md"]


def test_all_that_is_in_the_way_is_counted(tmp_path: Path) -> None:
    for name in ("b.md", "a.md"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(InTheWay, match=r"a\.md and 1 more file were not written"):
        writing.write(_signed("a.md", "b.md"), tmp_path, MARKDOWN)


def test_pages_of_ours_are_written_over(tmp_path: Path) -> None:
    """Also with the line ends of another system, and with the line that the first versions ended them in."""
    writing.write(_signed("a.md"), tmp_path, MARKDOWN)
    (tmp_path / "a.md").write_bytes((tmp_path / "a.md").read_bytes().replace(b"\n", b"\r\n"))
    (tmp_path / "b.md").write_text("of before\n<!-- written by newel docs -->\n")
    (tmp_path / "copy.md").write_text("of before\n<!-- written by newel docs -->\n")
    new = {name: signed(name, "new") for name in ("a.md", "b.md")}
    writing.write(new, tmp_path, MARKDOWN)
    assert {name: (tmp_path / name).read_text() for name in new} == new
    assert (tmp_path / "copy.md").exists()  # whose it is can not be told


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
