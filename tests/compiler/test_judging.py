"""Many files judged together: each with what it uses, each finding once, however the work is dealt out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from newel.compiler import judging
from newel.compiler.checks import Selection
from newel.compiler.files import Project
from newel.compiler.judging import Judged, check_each
from newel.compiler.store import Store
from newel.compiler.units import Task
from newel.dsl.source import Source

WORDS = "use nothing\n\naction go on enter\n\ndispatch { go }\n"
BOARD = (
    'workflow {name} "W" {{\n  step a "A" {{ start\n    on turn_complete {{ -> b }} }}\n  step b "B" {{ end }}\n}}\n'
)


def judged(folder: Path, *names: str, jobs: int = 1, **options: object) -> Judged:
    paths = [folder / name for name in names] or sorted(folder.rglob("*.newel"))
    task = Task(Project(folder.resolve()), **options)  # type: ignore[arg-type]  # a test's shorthand
    return check_each(paths, task, jobs=jobs, tick=lambda _: None)


def said(result: Judged) -> list[tuple[str, int, str]]:
    return [(f.span.source.path, f.span.first.line, f.rule.code) for f in result.findings]


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.newel").write_text(text, "utf-8")


def test_a_file_that_another_uses_is_judged_with_that(tmp_path: Path) -> None:
    """The kind is put into a list by the file that uses it: alone it would be in none."""
    write(tmp_path, words="use nothing\n\naction go on enter\n", board='use "words.newel"\n\ndispatch { go }\n')
    assert said(judged(tmp_path, "words.newel")) == [("words.newel", 3, "NW301")]
    assert said(judged(tmp_path)) == []
    assert judged(tmp_path).paths == ("board.newel", "words.newel")


def test_files_that_use_one_another_in_a_circle_are_judged(tmp_path: Path) -> None:
    """Neither stands alone; the first is taken for the root."""
    write(tmp_path, a='use "b.newel"\n', b='use "a.newel"\n')
    assert [code for _, _, code in said(judged(tmp_path))] == ["NW112"]


def test_a_finding_in_a_shared_file_is_told_once(tmp_path: Path) -> None:
    write(tmp_path, words="use nothing\n\naction go on enter\n")
    for name in ("one", "two"):
        (tmp_path / f"{name}.newel").write_text('use "words.newel"\n')
    assert said(judged(tmp_path)) == [("words.newel", 3, "NW301")]


SHARED = """\
fragment one(onward: step) {
  on turn_complete { -> onward }
}

fragment two(onward: step) {
  on turn_complete { -> onward }
}

workflow shared "S" {
  step a "A" { start
    manual_move true }
}
"""
USER = """\
use "shared.newel"

workflow {name} "W" {{
  step a "A" {{
    start
    include {piece}(onward=b)
  }}
  step b "B" {{ end }}
}}
"""


def test_what_one_file_uses_of_a_shared_one_is_used(tmp_path: Path) -> None:
    """Each of the two uses one piece; only what neither uses would be never used."""
    write(tmp_path, shared=SHARED, x=USER.format(name="x", piece="one"), y=USER.format(name="y", piece="two"))
    assert "NW705" not in {code for _, _, code in said(judged(tmp_path))}
    (tmp_path / "y.newel").write_text(USER.format(name="y", piece="one"))
    assert [code for _, line, code in said(judged(tmp_path)) if line == 5] == ["NW705"]


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_judged(tmp_path: Path) -> None:
    write(tmp_path, good=BOARD.format(name="x"), bad="nonsense\n")
    (tmp_path / "gone.newel").symlink_to("nowhere")
    result = judged(tmp_path)
    assert [path for path, _, _ in said(result)] == ["bad.newel"]
    (reason,) = result.unread
    assert reason.endswith("gone.newel: there is no such file")


def test_each_file_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from newel.compiler import store
    from newel.dsl import parse

    parsed: list[str] = []
    real = parse

    def counted(source: Source, limits: object) -> object:
        parsed.append(source.path)
        return real(source, limits)  # type: ignore[arg-type]  # handed on

    monkeypatch.setattr(store, "parse", counted)
    write(tmp_path, words=WORDS)
    for number in range(5):
        (tmp_path / f"board{number}.newel").write_text('use "words.newel"\n')
    judged(tmp_path)
    assert sorted(parsed) == sorted(set(parsed))
    assert len(parsed) == 6


def many(folder: Path, count: int) -> None:
    """A project in which files use others, some in a circle, some with faults."""
    random = Random(7)  # noqa: S311 - the same project each time
    for number in range(count):
        uses = {random.randrange(count) for _ in range(random.choice((0, 0, 1, 2)))} - {number}
        text = "".join(f'use "f{each}.newel"\n' for each in sorted(uses))
        fault = random.choice(("", "", "  step c C {}\n", "  colour 1\n"))
        (folder / f"f{number}.newel").write_text(f"{text}\n{BOARD.format(name=f'w{number}')}{fault}")


@pytest.mark.parametrize("jobs", [2, 3])
def test_many_files_give_the_same_in_several_processes(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "ENOUGH", 10)
    many(tmp_path, 60)
    ticks: list[int] = []
    paths = sorted(tmp_path.rglob("*.newel"))
    task = Task(Project(tmp_path.resolve()), Selection(severity={"NW505": "note"}))
    alone = check_each(paths, task, tick=lambda _: None)
    together = check_each(paths, task, jobs=jobs, tick=ticks.append)
    assert len(alone.findings) > 20
    assert said(together) == said(alone)
    assert (together.paths, together.unread) == (alone.paths, alone.unread)
    assert [f.message for f in together.findings] == [f.message for f in alone.findings]
    assert sum(ticks) == len(paths)


def test_texts_of_a_store_stand_for_what_is_on_the_disk(tmp_path: Path) -> None:
    write(tmp_path, a="nonsense\n")
    path = (tmp_path / "a.newel").resolve()
    task = Task(Project(tmp_path.resolve()))
    store = Store({path: Source("a.newel", "use nothing\n")})
    assert check_each([path], task, store=store, tick=lambda _: None).findings == ()


DEAD = """\
workflow desk "Desk" {
  every step { manual_move false }
  step open "Open" {
    start
    on turn_complete { -> refused }
    on comment       { -> done }
  }
  step refused "Refused" {}
  step done "Done" { end }
}
"""


def test_another_severity_or_none_in_some_paths(tmp_path: Path) -> None:
    """Of two patterns that fit the later counts; what fits none is as before."""
    (tmp_path / "old" / "deep").mkdir(parents=True)
    for name in ("new.newel", "old/a.newel", "old/deep/a.newel"):
        (tmp_path / name).write_text(DEAD)
    both = Selection(path_severity={"old/*": {"NW505": "note"}, "old/deep/*": {"NW5": "error"}})
    found = {f.span.source.path: f.rule.severity for f in judged(tmp_path, selection=both).findings}
    assert found == {"new.newel": "warning", "old/a.newel": "note", "old/deep/a.newel": "error"}
    left = judged(tmp_path, selection=Selection(path_ignore={"old/*": ("NW5",)}))
    assert {f.span.source.path for f in left.findings} == {"new.newel"}
