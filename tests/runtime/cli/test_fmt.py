"""`newel fmt` on real files, in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from newel.compiler import check_text, compile_files
from newel.dsl.layout import laid_out
from tests.dsl.respaced import files, respaced

ROOT = Path(__file__).parents[3]
NEWEL = Path(sys.executable).with_name("newel")
CROOKED = b"placeholder   a\n"
STRAIGHT = b"placeholder a\n"
BROKEN = b"placeholder a b\n"


def newel(folder: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`newel fmt` in a folder."""
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        [NEWEL, "fmt", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file in the layout, one that is not, and one with a syntax error."""
    (tmp_path / "crooked.newel").write_bytes(CROOKED)
    (tmp_path / "straight.newel").write_bytes(STRAIGHT)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "broken.newel").write_bytes(BROKEN)
    return tmp_path


def test_files_are_rewritten_and_those_with_syntax_errors_left_alone(folder: Path) -> None:
    """Their findings go to standard error, and the exit code is 1."""
    done = newel(folder)
    assert done.returncode == 1
    assert done.stdout == b"crooked.newel\n", "what has changed is named"
    assert b"inner/broken.newel" in done.stderr
    assert b"1 changed, 1 as before, 1 left alone: syntax errors" in done.stderr
    assert (folder / "crooked.newel").read_bytes() == STRAIGHT
    assert (folder / "straight.newel").read_bytes() == STRAIGHT
    assert (folder / "inner" / "broken.newel").read_bytes() == BROKEN
    assert sorted(path.name for path in folder.rglob("*")) == [
        "broken.newel",
        "crooked.newel",
        "inner",
        "straight.newel",
    ]


def test_a_file_in_the_layout_is_not_touched(folder: Path) -> None:
    before = (folder / "straight.newel").stat()
    done = newel(folder, "straight.newel")
    after = (folder / "straight.newel").stat()
    assert done.returncode == 0
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_check_names_the_files_that_differ_and_writes_nothing(folder: Path) -> None:
    done = newel(folder, "--check", "crooked.newel", "straight.newel")
    assert (done.returncode, done.stdout) == (1, b"crooked.newel\n")
    assert b"1 would change, 1 in the layout" in done.stderr
    assert (folder / "crooked.newel").read_bytes() == CROOKED
    assert newel(folder, "--check", "straight.newel").returncode == 0


def test_diff_prints_a_patch_and_writes_nothing(folder: Path) -> None:
    """The patch can be applied, and then the file is in the layout; with --check the exit code tells."""
    (folder / "crooked.newel").write_bytes(b"\xef\xbb\xbfplaceholder  a # \xc3\xa9\r\n\r\n\r\nplaceholder  b")
    done = newel(folder, "--diff", "crooked.newel")
    assert done.returncode == 0
    assert done.stdout.startswith(b"--- crooked.newel\n+++ crooked.newel\n@@ ")
    assert b"\\ No newline at end of file" in done.stdout
    assert newel(folder, "--diff", "--check", "crooked.newel").returncode == 1
    if shutil.which("patch"):
        subprocess.run(["patch", "--binary", "-s"], cwd=folder, input=done.stdout, check=True)
        assert newel(folder, "--check", "crooked.newel").returncode == 0


def test_standard_input_goes_to_standard_output(folder: Path) -> None:
    """To the byte: byte order mark, line ends and letters; nothing comes out where there is a syntax error."""
    done = newel(folder, "-", given=b"\xef\xbb\xbfplaceholder  a # \xc3\xa9\r\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"\xef\xbb\xbfplaceholder a  # \xc3\xa9\r\n", b"")
    done = newel(folder, "-", given=BROKEN)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"<stdin>" in done.stderr
    done = newel(folder, "--check", "-", given=CROOKED)
    assert (done.returncode, done.stdout) == (1, b"<stdin>\n")


def test_another_encoding_is_a_finding_and_the_file_stays(folder: Path) -> None:
    data = "placeholder  ä\n".encode("utf-16")
    (folder / "crooked.newel").write_bytes(data)
    done = newel(folder, "crooked.newel")
    assert done.returncode == 1
    assert b"UTF-16" in done.stderr
    assert (folder / "crooked.newel").read_bytes() == data


def test_a_link_stays_a_link_and_the_mode_is_kept(folder: Path) -> None:
    (folder / "crooked.newel").chmod(0o640)
    (folder / "inner" / "link.newel").symlink_to(Path("..") / "crooked.newel")
    assert newel(folder, "inner/link.newel").returncode == 0
    assert (folder / "inner" / "link.newel").is_symlink()
    assert (folder / "crooked.newel").read_bytes() == STRAIGHT
    assert (folder / "crooked.newel").stat().st_mode & 0o777 == 0o640


def test_what_cannot_be_read_is_said_and_the_others_are_done(folder: Path) -> None:
    (folder / "gone.newel").symlink_to("nowhere.newel")
    done = newel(folder, ".")
    assert done.returncode == 3
    assert b"error: cannot format 'gone.newel'" in done.stderr
    assert (folder / "crooked.newel").read_bytes() == STRAIGHT


def test_a_file_that_may_not_be_written_stays(folder: Path) -> None:
    (folder / "crooked.newel").chmod(0o444)
    if os.access(folder / "crooked.newel", os.W_OK):
        pytest.skip("this user may write everything")
    done = newel(folder, "crooked.newel")
    assert done.returncode == 3
    assert b"it may not be written" in done.stderr
    assert (folder / "crooked.newel").read_bytes() == CROOKED


def test_wrong_use(tmp_path: Path) -> None:
    """Nothing to work on is 3, a path that leads nowhere is 2."""
    assert newel(tmp_path).returncode == 3
    assert newel(tmp_path, "nowhere.newel").returncode == 2


@pytest.mark.parametrize("options", [(), ("--check",)])
def test_no_path_means_the_configured_ones(folder: Path, options: tuple[str, ...]) -> None:
    (folder / "newel.toml").write_text('paths = ["crooked.newel"]\n', "utf-8")
    done = newel(folder, *options)
    assert done.returncode == len(options)
    assert re.search(rb"1 (would change|changed)\n", done.stderr)


def test_a_program_keeps_its_revision(tmp_path: Path) -> None:
    """The examples with every line crooked compile to the same programs, and come back as they were."""
    for path in (ROOT / "examples").rglob("*"):
        if path.suffix in (".newel", ".md"):
            target = tmp_path / path.relative_to(ROOT / "examples")
            target.parent.mkdir(exist_ok=True)
            shutil.copy(path, target)
    names = ["kanban.newel", "office.newel", "orders.newel", "release.newel"]
    before = [compile_files([tmp_path / name]).require().revision for name in names]
    for path in tmp_path.glob("*.newel"):
        path.write_text(re.sub(r"^(?! *[A-Z\"{])  +", r"\t ", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    crooked = [compile_files([tmp_path / name]) for name in names]
    assert [compiled.require().revision for compiled in crooked] == before
    assert newel(tmp_path).returncode == 0
    assert [compile_files([tmp_path / name]).require().revision for name in names] == before
    for path in tmp_path.glob("*.newel"):
        assert path.read_bytes() == (ROOT / "examples" / path.name).read_bytes(), path.name


ALLOWANCES = [f"# newel: allow {codes} because of the test" for codes in ("NW504", "NW505", "NW510", "NW601, NW602")]


def findings(text: str) -> list[tuple[str, str]]:
    """The codes found in a text, with the words they are found at."""
    return sorted(
        (each.rule.code, "".join(each.span.text.split())[:9]) for each in check_text(text, "a.newel").findings
    )


@pytest.mark.parametrize("seed", range(60))
def test_suppressions_cover_what_they_covered(seed: int) -> None:
    """Crooked files with suppressions strewn in anywhere have the same findings when they are laid out."""
    rng = Random(seed)  # noqa: S311 - the run is to be the same every time
    boards = [path.read_text("utf-8") for path in sorted((ROOT / "tests" / "cases" / "err").glob("NW[56]*.newel"))]
    original = rng.choice([text for text in boards if len(text) < 4000] + [files()["office.newel"]] * 9)
    text = respaced(original, rng, comments=ALLOWANCES)
    assert findings(laid_out(text)) == findings(text)
