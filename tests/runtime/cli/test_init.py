"""`newel init`: what it begins, and what it leaves alone."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
import yaml

from newel.runtime.cli.origin import installed_from
from tests.runtime.cli.command import newel
from tests.runtime.cli.lending import git

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
        ([".gitlab-ci.yml", GITHUB], [], {".gitlab-ci.yml", GITHUB}),
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
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine: true\n")
    done = newel(tmp_path, "init", *options)
    assert done.returncode == 0
    assert files(tmp_path) == {"boards/board.newel", "newel.toml", *written}
    assert done.stdout.decode().count("newel fmt --check") == len(there)


@pytest.mark.parametrize("options", [[], ["--ci", "github", "--ci", "gitlab"]])
def test_what_was_begun_before_is_kept_without_more_words(options: list[str], tmp_path: Path) -> None:
    newel(tmp_path, "init", *options)
    done = newel(tmp_path, "init", *options)
    assert (done.returncode, done.stdout) == (0, b"")
    told = [line.partition(" ")[0] for line in done.stderr.decode().splitlines()]
    assert told == ["kept"] * (2 if not options else 3) + ["next:"]


@pytest.mark.parametrize("name", ["boards", "a b's"])
def test_the_job_stands_where_the_systems_read_it_and_works_in_the_project(name: str, tmp_path: Path) -> None:
    """At the root of the repository; wherever one stands in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep").mkdir()
    done = newel(tmp_path / "deep", "init", f"../{name}", "--ci", "github", "--ci", "gitlab")
    own = f".github/workflows/newel-{'boards' if name == 'boards' else 'a-b-s'}.yml"
    assert files(tmp_path) == {own, ".gitlab-ci.yml", f"{name}/boards/board.newel", f"{name}/newel.toml"}
    assert f"wrote ../{own}\n" in done.stderr.decode()
    job = yaml.safe_load((tmp_path / own).read_text())["jobs"]["check"]
    assert job["defaults"]["run"]["working-directory"] == f"./{name}"
    (job,) = yaml.safe_load((tmp_path / ".gitlab-ci.yml").read_text()).values()
    first, *_ = job["script"]
    assert shlex.split(first) == ["cd", name]
    reports = job["artifacts"]["reports"]
    assert {reports["codequality"], *reports["junit"]} == {
        f"{name}/newel-{each}" for each in ("code-quality.json", "junit.xml", "scenarios.xml")
    }


def test_projects_of_one_repository_have_a_job_each(tmp_path: Path) -> None:
    """GitHub runs each file of the folder; GitLab reads one, and the second job is printed."""
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    for name in ("one", "two", "two"):
        done = newel(tmp_path, "init", name, "--ci", "github", "--ci", "gitlab")
    workflows = tmp_path / ".github" / "workflows"
    assert {path.name for path in workflows.iterdir()} == {"newel-one.yml", "newel-two.yml"}
    assert list(yaml.safe_load((tmp_path / ".gitlab-ci.yml").read_text())) == ["newel-one"]
    assert list(yaml.safe_load(done.stdout)) == ["newel-two"]


def test_a_job_is_green_in_a_project_without_scenarios(tmp_path: Path) -> None:
    """What would fail is a comment until there is something to play; what the layout wants is said."""
    (tmp_path / "flow.newel").write_text('workflow w "W" {\n   step a "A" { start end }\n}\n')
    done = newel(tmp_path, "init", "--ci", "github", "--ci", "gitlab", "--install", "newel==1")
    assert done.stderr.decode().splitlines()[-3:] == [
        "next: newel fmt, newel check",
        "note: the job fails as long as 1 file is not in the layout: newel fmt",
        "note: there is no scenario yet, so newel test stands in the job as a comment",
    ]
    for path in (GITHUB, ".gitlab-ci.yml"):
        text = (tmp_path / path).read_text()
        assert "newel test" in text
        assert "newel test" not in json.dumps(yaml.safe_load(text))
    gitlab = yaml.safe_load((tmp_path / ".gitlab-ci.yml").read_text())["newel"]
    assert gitlab["artifacts"]["reports"]["junit"] == ["newel-junit.xml"]
    newel(tmp_path, "fmt")
    assert newel(tmp_path, "fmt", "--check").returncode == 0
    again = newel(tmp_path, "init", "--ci", "none").stderr.decode().splitlines()
    assert again[-1] == "next: newel check"


def test_the_job_runs_for_every_branch(tmp_path: Path) -> None:
    """Nobody knows here which of them is the main one."""
    newel(tmp_path, "init")
    began = yaml.safe_load((tmp_path / GITHUB).read_text())[True]  # YAML 1.1 takes `on` for a truth value
    assert began == {"push": None, "pull_request": None}


def clone(folder: Path, url: str) -> Path:
    """A repository with a commit that its remote is known to have."""
    git(folder.parent, "init", "-q", folder.name)
    (folder / "a").write_text("a\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a")
    git(folder, "remote", "add", "origin", url)
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    return folder


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where pip notes what it took newel from; it goes before what it has noted of the one that runs."""
    folder = tmp_path / "installed" / "newel-9.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: newel\nVersion: 9\n")
    monkeypatch.syspath_prepend(folder.parent)
    return folder / "direct_url.json"


def source(installed: Path, folder: Path, *, editable: bool = False) -> str | None:
    """What the job would install where pip has installed a folder."""
    installed.write_text(json.dumps({"url": folder.as_uri(), "dir_info": {"editable": True} if editable else {}}))
    return installed_from()


def test_of_a_clone_that_was_installed_from_the_place_it_comes_from_is_known(tmp_path: Path, installed: Path) -> None:
    """Where that is public, has the commit, and nothing was changed; not of what is worked on."""
    url = "https://git.example.org/newel"
    folder = clone(tmp_path / "a clone", url)
    assert source(installed, folder) == f"git+{url}@{git(folder, 'rev-parse', 'HEAD')}"
    assert source(installed, folder, editable=True) is None
    (folder / "a").write_text("b\n")
    assert source(installed, folder) is None
    git(folder, "commit", "-qam", "b")
    assert source(installed, folder) is None, "this commit has not been pushed"
    for number, other in enumerate(("git@git.example.org:newel", "https://ada:secret@git.example.org/newel", "../x")):
        assert source(installed, clone(tmp_path / str(number), other)) is None
    assert source(installed, tmp_path) is None


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
