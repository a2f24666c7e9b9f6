"""`newel init`: what it begins, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.cli.command import newel

GITHUB = ".github/workflows/newel.yml"


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_new_project_checks_clean_is_in_the_layout_and_compiles(tmp_path: Path) -> None:
    done = newel(tmp_path, "init", "project")
    assert (done.returncode, done.stdout) == (0, b"")
    folder = tmp_path / "project"
    assert files(folder) == {"boards/board.newel", "newel.toml", GITHUB}
    strict = newel(folder, "check", "--strict")
    assert (strict.returncode, strict.stdout) == (0, b"nothing wrong in 1 file\n")
    assert newel(folder, "fmt", "--check").returncode == 0
    assert newel(folder, "compile", "boards").returncode == 0
    assert b"1 scenario: 1 ok, 0 failed" in newel(folder, "test").stdout


def test_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    """A job that cannot be written is printed."""
    (tmp_path / GITHUB).parent.mkdir(parents=True)
    (tmp_path / GITHUB).write_text("mine\n")
    (tmp_path / "newel.toml").write_text("# mine\n")
    done = newel(tmp_path, "init", "--ci", "github")
    assert done.returncode == 0
    assert (tmp_path / GITHUB).read_text() == "mine\n"
    assert (tmp_path / "newel.toml").read_text() == "# mine\n"
    assert b"newel check --strict --format github" in done.stdout
    assert f"kept  {GITHUB}".encode() in done.stderr
    again = files(tmp_path)
    newel(tmp_path, "init", "--ci", "github")
    assert files(tmp_path) == again


def test_a_folder_with_workflows_gets_no_other(tmp_path: Path) -> None:
    (tmp_path / "mine.newel").write_text("use nothing\n")
    assert newel(tmp_path, "init", "--ci", "none").returncode == 0
    assert files(tmp_path) == {"mine.newel", "newel.toml"}
    assert newel(tmp_path, "check").stdout == b"nothing wrong in 1 file\n"


def test_a_configuration_in_pyproject_is_not_put_out_of_force(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.newel]\nignore = ["NW5"]\n')
    newel(tmp_path, "init", "--ci", "none")
    assert files(tmp_path) == {"pyproject.toml", "boards/board.newel"}


@pytest.mark.parametrize(
    ("there", "options", "written"),
    [
        ([], [], {GITHUB}),
        ([".gitlab-ci.yml"], [], {".gitlab-ci.yml"}),
        ([], ["--ci", "gitlab"], {".gitlab-ci.yml"}),
        ([], ["--ci", "gitlab", "--ci", "github"], {".gitlab-ci.yml", GITHUB}),
        ([], ["--ci", "none"], set()),
    ],
)
def test_the_job_is_for_the_system_that_is_asked_for_or_there(
    there: list[str], options: list[str], written: set[str], tmp_path: Path
) -> None:
    for name in there:
        (tmp_path / name).write_text("mine: true\n")
    done = newel(tmp_path, "init", *options)
    assert done.returncode == 0
    assert files(tmp_path) == {"boards/board.newel", "newel.toml", *written}


def test_what_the_job_installs_newel_from_is_taken_as_it_is_said(tmp_path: Path) -> None:
    source = "git+https://git.example.org/newel@v0.1.0"
    done = newel(tmp_path, "init", "--install", source)
    assert done.stderr.decode().splitlines()[-1] == "next: newel check, newel test"
    job = (tmp_path / GITHUB).read_text()
    assert f'- run: python -m pip install "{source}"\n' in job
    assert "NEWEL" not in job


@pytest.mark.parametrize("source", ["", "a b", "$(id)", 'a"b', "a\nb", "`id`"])
def test_what_would_be_more_than_a_source_is_refused(source: str, tmp_path: Path) -> None:
    assert newel(tmp_path, "init", "--install", source).returncode == 2
    assert files(tmp_path) == set()


def test_none_and_another_are_refused(tmp_path: Path) -> None:
    assert newel(tmp_path, "init", "--ci", "none", "--ci", "github").returncode == 2
    assert files(tmp_path) == set()


def test_a_place_where_no_folder_can_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = newel(tmp_path, "init", "file/project")
    assert done.returncode == 3
    assert done.stderr.startswith(b"error: not a directory")
