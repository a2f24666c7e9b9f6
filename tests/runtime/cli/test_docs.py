"""`newel docs`: forms, staleness, an older version, templates of one's own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from newel.runtime.cli.app import run

DESK = """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}
"""
MORE = 'workflow other "Other" {\n  step only "Only" { start }\n}\n'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "desk.newel"
    path.write_text(DESK)
    return path


def test_check_tells_what_is_missing_stale_and_left_over(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And writes nothing; a page of a workflow that is gone is removed by the next run."""
    command = ["docs", "desk.newel", "-o", "out", "--format", "markdown"]
    assert run([*command, "--check"]) == 1
    assert "missing: out/README.md" in capsys.readouterr().err
    assert not Path("out").exists()
    desk.write_text(DESK + MORE)
    assert run(command) == 0
    assert run([*command, "--check"]) == 0
    desk.write_text(DESK.replace('"Work"', '"At work"'))
    capsys.readouterr()
    assert run([*command, "--check"]) == 1
    assert capsys.readouterr().err.splitlines()[:-1] == [
        "stale: out/README.md",
        "stale: out/desk.md",
        "left over: out/other.md",
        "stale: out/vocabulary.md",
    ]
    assert run(command) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["README.md", "desk.md", "vocabulary.md"]


def test_what_changed_since_a_commit_stands_at_its_step(desk: Path) -> None:
    """A file and a ref are the same older version."""
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *command], check=True, cwd=desk.parent)
    Path("old.newel").write_text(DESK)
    desk.write_text(DESK.replace("-> done }", "-> done requires approval }"))
    pages = []
    for number, older in enumerate(("git:HEAD", "git:HEAD:desk.newel", "old.newel")):
        assert run(["docs", "desk.newel", "-o", f"out{number}", "--against", older]) == 0
        pages.append(Path(f"out{number}", "desk.html").read_text())
    assert pages[0] == pages[1] == pages[2]
    work = pages[0].partition('id="step-work"')[2].partition("</article>")[0]
    assert "Changed since the older version" in work


def test_an_older_version_that_does_not_compile_is_told(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("old.newel").write_text("workflow {")
    with pytest.raises(SystemExit, match="1"):
        run(["docs", "desk.newel", "-o", "out", "--against", "old.newel"])
    assert "does not compile" in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_folder_of_templates_must_be_there(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["docs", "desk.newel", "-o", "out", "--templates", "none"]) == 2
    assert run(["docs", "desk.newel", "-o", "out", "--dot", "no-such-dot"]) == 3
    assert not Path("out").exists()


def test_a_file_that_newel_did_not_write_is_not_written_over(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A README of one's own: refused as wrong use, and nothing else is written either; `--force` says so."""
    readme = desk.with_name("README.md")
    readme.write_text("my precious\n")
    command = ["docs", "desk.newel", "-o", ".", "--format", "markdown"]
    assert run(command) == 2
    told = capsys.readouterr().err
    assert "README.md was not written by `newel docs`, or edited since: nothing is written" in told
    assert "--force" in told
    assert sorted(path.name for path in desk.parent.iterdir()) == ["README.md", "desk.newel"]
    assert readme.read_text() == "my precious\n"
    assert run([*command, "--force"]) == 0
    assert run(command) == 0


OWN_WORDS = "use nothing\n\nsetting workflow about: text?\n"
OWN = 'use nothing\nuse "words.newel"\n\nworkflow own "Own" {\n  about "Mine."\n  step one "One" { start }\n}\n'


@pytest.mark.parametrize("command", [["docs", ".", "-o", "out"], ["graph", "."], ["compile"]])
def test_files_that_do_not_go_together_are_told_apart(
    desk: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """Two vocabularies and two workflows of one name in a folder: `check` finds nothing wrong, and one error says which
    files go together instead of what is wrong with a vocabulary."""
    for name in ("again", "other"):
        desk.with_name(f"{name}.newel").write_text(DESK if name == "again" else MORE)
    desk.with_name("words.newel").write_text(OWN_WORDS)
    desk.with_name("own.newel").write_text(OWN)
    assert run(["check", "-q"]) == 0
    capsys.readouterr()
    with pytest.raises(SystemExit, match="1"):
        run(command)
    first, *sets = capsys.readouterr().err.splitlines()
    assert first.startswith("error: nothing is wrong with these files one by one, but they make no program together: ")
    assert sets == ["  again.newel other.newel", "  desk.newel", "  own.newel"]
    for each in sets:
        assert run(["compile", *each.split(), "-o", "program.json"]) == 0


def test_a_file_that_is_wrong_by_itself_is_told_as_ever(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk.with_name("again.newel").write_text(DESK)
    desk.with_name("wrong.newel").write_text(MORE.replace("start", "strat"))
    with pytest.raises(SystemExit, match="1"):
        run(["docs", ".", "-o", "out"])
    assert "wrong.newel:2:22: error" in capsys.readouterr().err
