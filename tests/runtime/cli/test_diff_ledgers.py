"""`newel diff --ledger` on every sort of ledger: SQLite, PostgreSQL, in memory, and one that somebody else has made."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from newel.compiler import compile_text
from newel.runtime import Service, open_ledger
from newel.runtime.cli.diff import diff
from newel.runtime.ledgers.opening import GROUP
from tests.runtime.cli.command import newel

OLD = """\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> check }
  }
  step check "Check" {
    on turn_complete { -> done requires approval }
  }
  step done "Done" { end }
}
"""
NEW = OLD.replace("step work", "step build").replace(" requires approval", "")


@pytest.fixture(autouse=True)
def _pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old.newel").write_text(OLD)
    (tmp_path / "new.newel").write_text(NEW)
    monkeypatch.chdir(tmp_path)


def stand(url: str) -> None:
    """One task at the step that is to be renamed, one whose approval waits, one that has ended."""
    with Service(compile_text(OLD, "old.newel").require(), open_ledger(url)) as service:
        service.create("T-1", workflow="desk")
        service.create("T-2", workflow="desk", step="check")
        assert service.handle("T-2", "turn_complete").kind == "pending_approval"
        service.create("T-3", workflow="desk", step="done")


SAID = """\
shape
  desk
    build
      warning NW804 the step `work` is called `build` now
        move the tasks that stand there: `newel task move TASK build`
flow
  desk
    check
      error NW816 the move from `check` to `done` on `turn_complete` requires no approval any more: what waits for its \
approval cannot be approved
        settle the approvals that wait before you deploy, or keep the move where it stands
tasks
  desk
    check
      breaks: T-2 (entered under REVISION)
        NW816 approval 1 waits for the move to `done`, which is not found any more
    done
      compatible: T-3 (entered under REVISION)
    work
      needs a mapping: T-1 (entered under REVISION)
        NW804 the step `work` is called `build` now: triggers and decisions are refused until it is moved
breaks: 2 changes, 3 tasks: 1 breaks, 1 needs a mapping
"""


def said() -> str:
    """What is to be said of these tasks, whatever holds them."""
    return SAID.replace("REVISION", compile_text(OLD).require().revision[:8])


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_ledger_is_judged_the_same_whatever_it_is(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path}/tasks.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    stand(url)
    done = newel(tmp_path, "diff", "old.newel", "new.newel", "--ledger", url)
    assert done.stdout.decode() == said()
    assert done.returncode == 1
    assert done.stderr == b""


def test_a_postgresql_that_does_not_answer_is_an_error_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://ada:s3cret@127.0.0.1:1/tasks?connect_timeout=2"
    done = newel(tmp_path, "diff", "old.newel", "new.newel", "--ledger", url)
    assert done.returncode == 3
    assert done.stdout == b""
    assert b"s3cret" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_ledger_in_memory_is_refused_since_nothing_stands_in_it(tmp_path: Path) -> None:
    done = newel(tmp_path, "diff", "old.newel", "new.newel", "--ledger", "memory:")
    assert done.returncode == 2
    assert b"a ledger in memory lives in its own process" in done.stderr


def test_a_scheme_that_nobody_registered_is_told_with_those_there_are(tmp_path: Path) -> None:
    done = newel(tmp_path, "diff", "old.newel", "new.newel", "--ledger", "mongo://there")
    assert done.returncode == 3
    assert b"no ledger answers to `mongo:`; there are memory:, postgresql:, sqlite:" in done.stderr


@pytest.fixture
def _plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What installing the package of somebody's ledger leaves behind: a folder that tells its entry points."""
    site = tmp_path_factory.mktemp("site")
    told = site / "plain_ledger-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: plain-ledger\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[{GROUP}]\nplain = tests.runtime.ledgers.plain_ledger:open_plain\n")
    sys.path.insert(0, str(site))
    yield
    sys.path.remove(str(site))


@pytest.mark.usefixtures("_plain")
def test_a_ledger_of_somebody_else_is_judged_like_ours(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It lives in this process, so that the command is run in it too."""
    url = f"plain:{tmp_path}"
    stand(url)
    code = diff.main(["old.newel", "new.newel", "--ledger", url], standalone_mode=False)
    assert capsys.readouterr().out == said()
    assert code == 1


FULL = """\
workflow desk "Desk" {
  step ready "Ready" {
    start
  }
  step work "Work" {
    wip_limit 1
  }
}
"""


@pytest.mark.parametrize(
    ("old", "new", "way"),
    [
        (
            "step work",
            "step build",
            "the step `work` is called `build` now; `newel task move TASK STEP` takes it to another step",
        ),
        (
            "workflow desk",
            "workflow shop",
            "the workflow `desk` is called `shop` now; `switch` takes it to another workflow",
        ),
        ("    wip_limit 1\n", "", "after the deployment `newel task pull desk work` lets in who waits"),
    ],
)
def test_a_task_that_waits_is_told_as_such_and_with_what_helps_it(tmp_path: Path, old: str, new: str, way: str) -> None:
    """It stands at no step, and none is called so; what is said does help."""
    (tmp_path / "old.newel").write_text(FULL)
    (tmp_path / "new.newel").write_text(FULL.replace(old, new))
    with Service(compile_text(FULL, "old.newel").require(), open_ledger("sqlite:///full.db")) as service:
        for task in ("T-1", "T-2"):
            service.create(task, workflow="desk", step="work")
        service.create("T-3", workflow="desk")
        service.detach("T-3")
    said = newel(tmp_path, "diff", "old.newel", "new.newel", "--ledger", "full.db").stdout.decode()
    lines = said.partition("tasks\n")[2].splitlines()
    assert lines[:5] == [
        "  (in no workflow)",
        "    (at no step)",
        "      compatible: T-3",
        "  desk",
        "    (waits for a place)",
    ]
    assert lines[5] == "      needs a mapping: T-2"
    assert lines[6].endswith(way)
    with Service(
        compile_text(FULL.replace(old, new), "new.newel").require(), open_ledger("sqlite:///full.db")
    ) as service:
        if old == "step work":
            assert service.move("T-2", "ready").moved
        elif old == "workflow desk":
            assert service.switch("T-2", "shop").moved
        else:
            assert [outcome.to_step for outcome in service.pull("desk", "work")] == ["work"]
