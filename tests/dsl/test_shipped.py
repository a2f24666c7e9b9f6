"""The standard vocabulary costs no parse at start: its tree is kept in the user's cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from newel.dsl import cache, parse, shipped
from newel.dsl.shipped import parse_shipped
from newel.dsl.source import Source

TEXT = "## The day.\nplaceholder day  # a comment\n"

CHECKED = """
import sys
from newel.compiler import check_text
import newel.dsl.parser, newel.dsl.shipped as shipped
read = []
shipped.parse = lambda source: read.append(source.path) or newel.dsl.parser.parse(source)
checked = check_text('workflow w "W" {\\n  step a "A" { start }\\n}\\n')
print(read, len(checked.model.vocabulary.kinds) > 5)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "newel"


def start() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", CHECKED], stdout=subprocess.PIPE, text=True, env=os.environ)


def run() -> str:
    """What another process prints: the shipped texts it has parsed, and whether it knows the standard kinds."""
    return start().communicate()[0].strip()


def test_the_second_process_parses_no_vocabulary(home: Path) -> None:
    assert run() == "['newel:standard.newel'] True"
    assert run() == "[] True"


def test_two_processes_at_once_both_know_it_and_leave_it_whole(home: Path) -> None:
    started = [start() for _ in range(4)]
    assert {process.communicate()[0].split()[-1] for process in started} == {"True"}
    assert run() == "[] True"


def test_a_home_that_cannot_be_written_is_done_without(home: Path) -> None:
    home.write_text("not a folder", encoding="utf-8")
    assert run() == run() == "['newel:standard.newel'] True"


def test_the_tree_out_of_the_cache_is_the_tree_of_the_text(home: Path) -> None:
    source = Source("a", TEXT)
    first, second = parse_shipped(source), parse_shipped(source)
    assert first == second == parse(source)[0]
    assert second.source is source
    assert second.comments


def test_another_text_or_other_code_has_its_own_place(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse_shipped(Source("a", TEXT))
    parse_shipped(Source("a", TEXT.replace("day", "way")))
    monkeypatch.setattr(shipped, "_stamps", lambda: iter([b"tree.py 1 2"]))
    parse_shipped(Source("a", TEXT))
    assert len(list(home.glob("shipped-*"))) == 3


def test_what_was_kept_wrong_is_read_anew(home: Path) -> None:
    source = Source("a", TEXT)
    parse_shipped(source)
    (kept,) = home.glob("shipped-*")
    whole = kept.read_bytes()
    cache.write(kept.stem, {"items": {"classes": ["Nothing"], "items": []}, "comments": []})
    assert parse_shipped(source) == parse(source)[0]
    assert kept.read_bytes() == whole


def test_a_text_with_faults_is_not_kept(home: Path) -> None:
    assert parse_shipped(Source("a", "placeholder {\n")).broken
    assert not list(home.glob("shipped-*"))
