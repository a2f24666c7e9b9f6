"""Files and what they use: each once, beside the one that says it, never outside of the project."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from newel.compiler import CompileError, NoSuchFile, check_files, check_text, compile_files
from newel.compiler import limits as compiler_limits

BOARD = 'workflow w "W" {\n  step a "A" { start }\n}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder inside another, so that there is an outside."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "board.newel").write_text('use "words/words.newel"\n' + BOARD)
    (folder / "words").mkdir()
    (folder / "words" / "words.newel").write_text('use "more.newel"\ntrigger one\n')
    (folder / "words" / "more.newel").write_text("trigger two\n")
    (tmp_path / "outside.newel").write_text("trigger three\n")
    return folder


def codes(*paths: Path, root: Path | None = None) -> list[tuple[str, str, str]]:
    """The path, code and text of each finding."""
    found = check_files(paths, root).findings
    return [(finding.span.source.path, finding.rule.code, finding.span.text) for finding in found]


def test_a_file_brings_in_what_it_uses_and_what_that_uses(project: Path) -> None:
    checked = check_files([project / "board.newel"])
    assert not checked.findings
    assert {"one", "two"} <= checked.model.vocabulary.triggers.keys()
    assert [file.source.path for file in checked.model.files] == [
        "newel:standard.newel",
        "board.newel",
        "words/words.newel",
        "words/more.newel",
    ]
    assert [file.root for file in checked.model.files] == [False, True, False, False]


def test_a_file_is_read_once_however_often_it_is_named(project: Path) -> None:
    (project / "twice.newel").write_text(
        'use "words/more.newel"\nuse "./words/../words/more.newel"\nuse "board.newel"\n'
    )
    assert codes(project / "twice.newel", project / "twice.newel", project / "board.newel") == []


def test_the_standard_vocabulary_is_there_unless_every_file_does_without(project: Path) -> None:
    (project / "bare.newel").write_text("use nothing\ntrigger turn_complete\n")
    assert "role" not in check_files([project / "bare.newel"]).model.vocabulary.types
    assert [code for _, code, _ in codes(project / "bare.newel", project / "board.newel")] == ["NW115"]


@pytest.mark.parametrize(
    ("line", "code", "place", "message"),
    [
        ('use "gone.newel"', "NW109", '"gone.newel"', "`gone.newel` cannot be read: there is no such file"),
        ('use "words"', "NW109", '"words"', "`words` cannot be read: it is a folder"),
        ('use "board.newel/x"', "NW109", '"board.newel/x"', "`board.newel/x` cannot be read: there is no such folder"),
        ('use "a\\u0000b"', "NW007", None, None),
        ("use words", "NW109", "words", "`words` cannot be read: the name of a file stands in quotes"),
        ('use "../outside.newel"', "NW111", '"../outside.newel"', "`../outside.newel` is outside the project"),
        ('use "/etc/passwd"', "NW111", '"/etc/passwd"', "`/etc/passwd` is outside the project"),
        ('text t file "../outside.newel"', "NW111", '"../outside.newel"', "`../outside.newel` is outside the project"),
        ('text t file "gone.md"', "NW109", '"gone.md"', "`gone.md` cannot be read: there is no such file"),
    ],
)
def test_a_file_that_cannot_be_taken_in(
    project: Path, line: str, code: str, place: str | None, message: str | None
) -> None:
    (project / "it.newel").write_text(line + "\n")
    finding = check_files([project / "it.newel"]).findings[0]
    assert finding.rule.code == code
    if place is not None:
        assert (finding.span.text, finding.message) == (place, message)


def test_a_link_that_leads_outside_is_outside(project: Path) -> None:
    (project / "link.newel").symlink_to(project.parent / "outside.newel")
    (project / "folder").symlink_to(project.parent)
    (project / "round").symlink_to(project / "round")
    (project / "it.newel").write_text('use "link.newel"\nuse "folder/outside.newel"\nuse "round"\n')
    assert [code for _, code, _ in codes(project / "it.newel")] == ["NW111", "NW111", "NW109"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(project: Path) -> None:
    os.mkfifo(project / "pipe")
    (project / "it.newel").write_text('text t file "pipe"\n')
    assert codes(project / "it.newel") == [("it.newel", "NW109", '"pipe"')]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="everything may be read here")
def test_a_file_that_may_not_be_read(project: Path) -> None:
    (project / "words" / "more.newel").chmod(0)
    assert codes(project / "board.newel") == [("words/words.newel", "NW109", '"more.newel"')]


def test_a_wider_root_lets_a_file_use_what_is_beside_its_folder(project: Path) -> None:
    (project / "it.newel").write_text('use "../outside.newel"\n')
    assert codes(project / "it.newel", root=project.parent) == []


def test_files_that_use_each_other_are_told_with_the_whole_way(project: Path) -> None:
    (project / "words" / "more.newel").write_text('use "../board.newel"\n')
    (finding,) = check_files([project / "board.newel"]).findings
    assert (finding.rule.code, finding.span.source.path) == ("NW112", "words/more.newel")
    assert finding.message == (
        "files use each other in a circle: board.newel -> words/words.newel -> words/more.newel -> board.newel"
    )


def test_a_file_that_uses_itself(project: Path) -> None:
    (project / "it.newel").write_text('use "it.newel"\n')
    assert codes(project / "it.newel") == [("it.newel", "NW112", '"it.newel"')]


def test_faults_of_a_used_file_are_told_in_that_file(project: Path) -> None:
    (project / "words" / "more.newel").write_bytes(b"trigger two means nobody\n")
    (project / "words" / "words.newel").write_bytes(b"\xff\xfe")
    assert [(path, code) for path, code, _ in codes(project / "board.newel")] == [("words/words.newel", "NW001")]


# ---------------------------------------------------------------- texts from files


def prompt(project: Path) -> str:
    (project / "it.newel").write_text(
        'text rules file "rules.md"\nworkflow w "W" {\n  step a "A" {\n    start\n    prompt """\n      {{rules}}\n'
        '      """\n    on enter { auto_start_agent }\n  }\n}\n'
    )
    return str(compile_files([project / "it.newel"]).require().workflows["w"].steps["a"].settings["prompt"])


@pytest.mark.parametrize("data", [b"One.\nTwo.\n", b"\xef\xbb\xbfOne.\r\nTwo.\r\n", b"One.\nTwo."])
def test_a_text_is_read_from_its_file_without_its_last_line_break(project: Path, data: bytes) -> None:
    (project / "rules.md").write_bytes(data)
    assert prompt(project) == "One.\nTwo."


def test_a_name_in_the_file_of_a_text_is_found_there(project: Path) -> None:
    (project / "rules.md").write_text("Do.\n{{nobody}} {{task_prompt}}\n")
    with pytest.raises(CompileError):
        prompt(project)
    assert codes(project / "it.newel") == [("rules.md", "NW110", "{{nobody}}")]


def test_a_text_that_is_no_utf8_is_found_in_its_file(project: Path) -> None:
    (project / "rules.md").write_bytes(b"Do.\n\xff")
    with pytest.raises(CompileError):
        prompt(project)
    assert [(path, code) for path, code, _ in codes(project / "it.newel")] == [("rules.md", "NW001")]


# ---------------------------------------------------------------- how paths are shown


def test_paths_are_shown_as_they_are_given_and_never_absolute(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "words" / "more.newel").write_text("nonsense\n")
    monkeypatch.chdir(project.parent)
    for paths, root, shown in (
        ([Path("project/board.newel")], None, "project/words/more.newel"),
        ([project / "board.newel"], None, "words/more.newel"),
        ([Path("project/board.newel")], project.parent, "project/words/more.newel"),
        ([Path("project/board.newel"), Path("project/words/more.newel")], None, "project/words/more.newel"),
    ):
        assert {path for path, _, _ in codes(*paths, root=root)} == {shown}


def test_a_given_file_that_is_not_there_is_a_mistake_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match="there is no such file"):
        check_files([tmp_path / "gone.newel"])


def test_a_text_uses_files_of_its_root(project: Path) -> None:
    assert not check_text('use "words/words.newel"\n' + BOARD, root=project).findings
    assert [f.rule.code for f in check_text('use "../outside.newel"\n', root=project).findings] == ["NW111"]


def test_bytes_are_read_like_a_file() -> None:
    assert not check_text(b"\xef\xbb\xbf" + BOARD.encode()).findings
    assert [f.rule.code for f in check_text(b"\xff").findings] == ["NW001"]


# ---------------------------------------------------------------- limits


def chain(folder: Path, length: int) -> Path:
    """So many files, each using the next."""
    for number in range(length):
        used = f'use "f{number + 1}.newel"\n' if number + 1 < length else ""
        (folder / f"f{number}.newel").write_text(used)
    return folder / "f0.newel"


def test_files_may_use_one_another_so_many_in_a_row(tmp_path: Path) -> None:
    assert codes(chain(tmp_path, compiler_limits.USE_DEPTH)) == []
    found = codes(chain(tmp_path, compiler_limits.USE_DEPTH + 1))
    assert [code for _, code, _ in found] == ["NW124"]


def test_one_compilation_has_so_many_files(tmp_path: Path) -> None:
    few = compiler_limits.Limits(files=5)
    for number in range(1, 6):
        (tmp_path / f"f{number}.newel").write_text("")
    (tmp_path / "whole.newel").write_text("".join(f'use "f{number}.newel"\n' for number in range(1, 5)))
    (tmp_path / "over.newel").write_text("".join(f'use "f{number}.newel"\n' for number in range(1, 6)))
    assert check_files([tmp_path / "whole.newel"], limits=few).findings == ()
    assert [each.rule.code for each in check_files([tmp_path / "over.newel"], limits=few).findings] == ["NW124"]
