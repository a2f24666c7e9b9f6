"""A project below the root of a git repository: what the services are told, and which configuration holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.runtime.cli.command import newel
from tests.runtime.cli.lending import git

BOARD = 'workflow w "W" {\n  step a "A" {\n    start\n    on turn_complete { -> gone }\n  }\n}\n'
GOOD = BOARD.replace("gone", "b").replace("  }\n}\n", '  }\n  step b "B" { end }\n}\n')
UNREACHED = 'workflow w "W" {\n  step a "A" { start }\n  step b "B" { manual_move false }\n}\n'
IN_REPOSITORY = "sub/boards/board.newel"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With one project in a folder below."""
    git(tmp_path, "init", "-q", "repository")
    folder = tmp_path / "repository"
    (folder / "sub" / "boards").mkdir(parents=True)
    (folder / IN_REPOSITORY).write_text(BOARD)
    (folder / "sub" / "newel.toml").write_text('paths = ["boards"]\n')
    return folder


def told(format_: str, report: str) -> set[str]:
    """The paths that a service reads in a report."""
    if format_ == "github":
        return {line.partition("file=")[2].partition(",")[0] for line in report.splitlines()}
    if format_ == "gitlab":
        return {entry["location"]["path"] for entry in json.loads(report)}
    (run,) = json.loads(report)["runs"]
    return {
        place["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"] for place in each["locations"]
    }


@pytest.mark.parametrize("format_", ["github", "gitlab", "sarif"])
def test_services_are_told_paths_from_the_root_of_the_repository(format_: str, repository: Path) -> None:
    """Wherever the command runs; a project that is no part of one keeps its own."""
    for folder, paths in (("sub", []), ("sub/boards", []), (".", ["sub"]), (".", [IN_REPOSITORY])):
        done = newel(repository / folder, "check", *paths, "--format", format_)
        assert done.returncode == 1
        assert told(format_, done.stdout.decode()) == {IN_REPOSITORY}, (folder, paths)
    (repository / ".git").rename(repository.parent / "elsewhere")
    done = newel(repository / "sub", "check", "--format", format_)
    assert told(format_, done.stdout.decode()) == {"boards/board.newel"}


def test_a_mend_is_told_there_too(repository: Path) -> None:
    (repository / IN_REPOSITORY).write_text(GOOD.replace("start", "start;"))
    (result,) = json.loads(newel(repository / "sub", "check", "--format", "sarif").stdout)["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"]["uri"] == IN_REPOSITORY


def test_two_projects_of_a_repository_have_fingerprints_of_their_own(repository: Path) -> None:
    (repository / "other" / "boards").mkdir(parents=True)
    (repository / "other" / "boards" / "board.newel").write_text(BOARD)
    (repository / "other" / "newel.toml").write_text('paths = ["boards"]\n')
    reports = (newel(repository / name, "check", "--format", "gitlab").stdout for name in ("sub", "other"))
    prints = [entry["fingerprint"] for report in reports for entry in json.loads(report)]
    assert len(prints) == len(set(prints)) == 2


def test_people_are_told_paths_from_the_root_of_the_project(repository: Path) -> None:
    assert newel(repository, "check", "sub", "--format", "concise").stdout.startswith(b"boards/board.newel:4:27: error")


def test_the_configuration_of_what_is_named_holds_where_there_is_none_here(repository: Path) -> None:
    """One that is found from here goes before it."""
    (repository / IN_REPOSITORY).write_text(UNREACHED)
    (repository / "sub" / "newel.toml").write_text('[severity]\nNW504 = "error"\n')
    for name in ("sub", IN_REPOSITORY, "sub/boards"):
        assert newel(repository, "check", name).returncode == 1, name
    assert newel(repository, "compile", "sub").returncode == 0
    (repository / "newel.toml").write_text("")
    assert newel(repository, "check", "sub").returncode == 0


def test_a_link_that_leads_to_itself_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.newel").symlink_to("a.newel")
    done = newel(tmp_path, "check", "a.newel")
    assert (done.returncode, b"no file or folder 'a.newel'" in done.stderr) == (2, True)


def test_a_comparison_is_told_as_one_and_of_the_new_version_alone(repository: Path) -> None:
    """In JUnit by its own name, to the services by paths in the repository, also where they are those of a ref."""
    (repository / IN_REPOSITORY).write_text(GOOD)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a")
    same = newel(repository / "sub", "diff", "git:HEAD", "boards", "--format", "junit").stdout.decode()
    assert '<testsuites name="newel diff" tests="1"' in same
    assert '<testcase classname="boards/board.newel" name="newel diff" time="0"/>' in same
    assert "git:" not in same
    (repository / IN_REPOSITORY).write_text(GOOD.replace("step b", "step c").replace("-> b", "-> c"))
    git(repository, "commit", "-qam", "b")
    for new in ("boards", "git:HEAD:sub/boards"):
        done = newel(repository / "sub", "diff", "git:HEAD~1:sub/boards", new, "--format", "github")
        assert told("github", done.stdout.decode()) == {IN_REPOSITORY}, done.stderr.decode()
