"""What `newel init` begins, run as a CI system runs it: the commands are those of the files that were written.

In a repository of its own and an environment of its own, into which the commands install newel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml

from newel.compiler.reports import REPORTS
from tests.runtime.cli.command import NEWEL, newel
from tests.runtime.cli.lending import git, lent, tree, wheel

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pipelines")]

SEEDED = ("-> review }", "-> revue }")
FORMATS = [report.name for report in REPORTS]


@dataclass(frozen=True)
class Runner:
    """What runs a job: a shell with a fresh environment first in its path, and what pip installs newel from."""

    environment: Mapping[str, str]

    def run(self, folder: Path, *commands: str) -> subprocess.CompletedProcess[str]:
        """The commands of a job, up to the first that fails."""
        script = "set -eo pipefail\n" + "\n".join(commands)
        return subprocess.run(
            ["bash", "-c", script], cwd=folder, env=self.environment, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """An environment without newel; the libraries are lent, the variable of the job names a wheel of newel."""
    base = tmp_path_factory.mktemp("runner")
    home = base / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    Path(own, "lent.pth").write_text(f"{lent(base / 'lent')}\n")
    newel_from = wheel(tree(base / "tree"), base / "wheels")
    found = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "VIRTUAL_ENV"))
    }
    return Runner(
        {
            **found,
            "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PIP_NO_INDEX": "1",
            "NEWEL": str(newel_from),
            "NO_COLOR": "1",
        }
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository that `newel init` has begun."""
    git(tmp_path, "init", "-q", "project")
    folder = tmp_path / "project"
    done = newel(folder, "init", "--ci", "github", "--ci", "gitlab")
    assert done.returncode == 0, done.stderr.decode()
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "begin")
    return folder


def github(folder: Path) -> list[str]:
    """The commands of the job for GitHub."""
    job = yaml.safe_load((folder / ".github" / "workflows" / "newel.yml").read_text())["jobs"]["check"]
    return [step["run"] for step in job["steps"] if "run" in step]


def gitlab(folder: Path) -> list[str]:
    """The commands of the job for GitLab."""
    job: dict[str, Any] = yaml.safe_load((folder / ".gitlab-ci.yml").read_text())["newel"]
    commands: list[str] = job["script"]
    return commands


def seed(folder: Path, *, mended: bool = False) -> None:
    """Put an error into the board, or take it out, and commit that."""
    board = folder / "boards" / "board.newel"
    old, new = reversed(SEEDED) if mended else SEEDED
    assert old in board.read_text()
    board.write_text(board.read_text().replace(old, new))
    git(folder, "commit", "-qam", "change the board")


@pytest.mark.parametrize("system", ["github", "gitlab"])
def test_the_jobs_of_a_new_project_pass_fail_and_pass_again(system: str, project: Path, runner: Runner) -> None:
    """As begun, with a seeded error, and with that mended."""
    commands = {"github": github, "gitlab": gitlab}[system](project)
    done = runner.run(project, *commands)
    assert done.returncode == 0, done.stdout + done.stderr
    seed(project)
    done = runner.run(project, *commands)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "this workflow has no step `revue`" in done.stdout
    seed(project, mended=True)
    assert runner.run(project, *commands).returncode == 0


def test_the_job_installs_the_newel_that_its_variable_names(project: Path, runner: Runner) -> None:
    install = github(project)[0]
    assert install == gitlab(project)[0]
    done = runner.run(project, install, "command -v newel", "newel --version")
    assert done.returncode == 0, done.stderr
    where, version = done.stdout.splitlines()[-2:]
    assert Path(where) != NEWEL
    assert where.startswith(runner.environment["PATH"].split(os.pathsep)[0])
    assert f"newel-{version.split()[-1]}-" in runner.environment["NEWEL"]


@pytest.mark.parametrize("given", ["", None])
def test_the_job_fails_and_says_why_until_it_is_said_where_newel_comes_from(
    given: str | None, project: Path, runner: Runner
) -> None:
    others = {name: value for name, value in runner.environment.items() if name != "NEWEL"}
    unset = Runner(others if given is None else {**others, "NEWEL": given})
    done = unset.run(project, github(project)[0])
    assert done.returncode != 0
    assert "NEWEL: set this variable to what pip installs newel from" in done.stderr


@pytest.mark.parametrize("job", [github, gitlab])
@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("decide ada approved role=reviewer", "decide ada rejected role=reviewer", "a rejection sends it back"),
        ("  expect at done\n", "    expect at done\n", "1 would change"),
    ],
)
def test_a_scenario_that_fails_and_a_layout_that_is_another_fail_the_job(
    job: Callable[[Path], list[str]], right: str, wrong: str, said: str, project: Path, runner: Runner
) -> None:
    board = project / "boards" / "board.newel"
    begun = board.read_text()
    assert right in begun
    board.write_text(begun.replace(right, wrong))
    done = runner.run(project, *job(project))
    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    board.write_text(begun)
    assert runner.run(project, *job(project)).returncode == 0


def test_the_job_of_a_newel_that_pip_took_from_a_url_needs_no_variable(tmp_path: Path, runner: Runner) -> None:
    """What pip noted of the URL is written into the job; of a file of this machine nothing is."""
    (note,) = Path(runner.environment["PATH"].split(os.pathsep)[0]).parent.rglob("newel-*.dist-info/direct_url.json")
    before = note.read_text()
    try:
        for noted, source in (
            (before, "${NEWEL:?set this variable to what pip installs newel from}"),
            ('{"url": "https://git.example.org/newel", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}',
             "git+https://git.example.org/newel@abc123"),
            ('{"url": "https://git.example.org/newel-1.0-py3-none-any.whl", "archive_info": {}}',
             "https://git.example.org/newel-1.0-py3-none-any.whl"),
            ('{"url": "https://ada:secret@git.example.org/newel.whl", "archive_info": {}}',
             "${NEWEL:?set this variable to what pip installs newel from}"),
        ):  # fmt: skip
            note.write_text(noted)
            folder = tmp_path / str(len(source))
            assert runner.run(tmp_path, f"newel init {folder} --ci github --ci gitlab").returncode == 0
            assert github(folder)[0] == gitlab(folder)[0] == f'python -m pip install "{source}"'
            assert ("NEWEL" in (folder / ".gitlab-ci.yml").read_text()) == source.startswith("$")
            shutil.rmtree(folder)
    finally:
        note.write_text(before)


def test_a_warning_fails_the_job(project: Path, runner: Runner) -> None:
    board = project / "boards" / "board.newel"
    board.write_text(board.read_text().replace("      ensure_participant_seat(reviewer)\n", ""))
    for job in (github, gitlab):
        done = runner.run(project, *job(project))
        assert done.returncode == 1
        assert "NW601" in done.stdout


@pytest.mark.parametrize("name", FORMATS)
def test_the_job_fails_on_an_error_in_each_format_and_passes_when_it_is_mended(
    name: str, project: Path, runner: Runner
) -> None:
    """The command that checks is the job's own, with another format."""
    install, check, *_ = github(project)
    check, replaced = re.subn(r"--format \w+", f"--format {name}", check)
    assert replaced == 1
    assert runner.run(project, install, check).returncode == 0
    seed(project)
    done = runner.run(project, install, check)
    assert done.returncode == 1
    assert "boards/board.newel" in done.stdout
    assert "revue" in done.stdout
    seed(project, mended=True)
    done = runner.run(project, install, check)
    assert done.returncode == 0
    assert "revue" not in done.stdout


def test_the_reports_of_a_failed_job_can_be_read(project: Path, runner: Runner) -> None:
    """GitLab takes them whatever became of the job: both are whole, and name the error."""
    seed(project)
    runner.run(project, *gitlab(project))
    quality = json.loads((project / "newel-code-quality.json").read_text())
    assert "NW103: this workflow has no step `revue`" in {entry["description"].partition(" (")[0] for entry in quality}
    assert JUnitXml.fromfile(str(project / "newel-junit.xml")).failures == 1


def test_the_scenarios_are_in_the_list_of_tests(project: Path, runner: Runner) -> None:
    """Also where one fails, and fails the job."""
    board = project / "boards" / "board.newel"
    board.write_text(board.read_text().replace("decide ada approved", "decide ada rejected"))
    done = runner.run(project, *gitlab(project))
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    report = JUnitXml.fromfile(str(project / "newel-scenarios.xml"))
    assert (report.tests, report.failures) == (1, 1)


def test_a_project_in_a_folder_of_a_repository_is_checked_there(tmp_path: Path, runner: Runner) -> None:
    """Each job goes where it belongs; what it leaves is where its system looks, and names files as that knows them."""
    git(tmp_path, "init", "-q", "repository")
    folder = tmp_path / "repository"
    assert newel(folder, "init", "the office", "--ci", "github", "--ci", "gitlab").returncode == 0
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "begin")
    job = yaml.safe_load((folder / ".github" / "workflows" / "newel-the-office.yml").read_text())["jobs"]["check"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    there = folder / job["defaults"]["run"]["working-directory"]
    (of_gitlab,) = yaml.safe_load((folder / ".gitlab-ci.yml").read_text()).values()
    assert runner.run(there, *commands).returncode == 0
    assert runner.run(folder, *of_gitlab["script"]).returncode == 0
    seed(folder / "the office")
    done = runner.run(there, *commands)
    assert (done.returncode, "file=the office/boards/board.newel," in done.stdout) == (1, True)
    assert runner.run(folder, *of_gitlab["script"]).returncode == 1
    reports = of_gitlab["artifacts"]["reports"]
    (entry, *_) = json.loads((folder / reports["codequality"]).read_text())
    assert entry["location"]["path"] == "the office/boards/board.newel"
    assert all((folder / path).exists() for path in reports["junit"])


@pytest.mark.parametrize(
    ("schema", "file"),
    [("vendor.github-workflows", ".github/workflows/newel.yml"), ("vendor.gitlab-ci", ".gitlab-ci.yml")],
)
def test_a_job_is_what_the_published_schema_of_its_system_says(schema: str, file: str, project: Path) -> None:
    tool = Path(sysconfig.get_path("scripts")) / "check-jsonschema"
    done = subprocess.run(
        [tool, "--builtin-schema", schema, project / file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


# ---------------------------------------------------------------- pre-commit


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A clone of this project as pre-commit takes hooks from, and an environment without a network."""
    base = tmp_path_factory.mktemp("hooks")
    clone = tree(base / "newel")
    git(clone, "init", "-q")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "all of it")
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(base / "home"),
        "PYTHONPATH": str(lent(base / "lent")),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say: none
    }
    return clone, environment


def hooked(
    project: Path, clone: Path, environment: dict[str, str], *which: str
) -> Callable[[], subprocess.CompletedProcess[str]]:
    """A project with the hooks, as the manual has them, and what runs these."""
    entries = "[{id: newel-check, args: [--strict]}, {id: newel-fmt}]"
    revision = git(clone, "rev-parse", "HEAD")
    configuration = f"repos: [{{repo: {clone}, rev: {revision}, hooks: {entries}}}]\n"
    (project / ".pre-commit-config.yaml").write_text(configuration)
    git(project, "add", ".")

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", *which, "--color", "never"]
        return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)

    return run


def test_a_commit_that_only_deletes_what_another_file_uses_is_held_back(
    hooks: tuple[Path, dict[str, str]], project: Path
) -> None:
    (project / "boards" / "second.newel").write_text('use "board.newel"\n')
    run = hooked(project, *hooks)
    git(project, "commit", "-qm", "use it")
    git(project, "rm", "-q", "boards/board.newel")
    done = run()
    assert (done.returncode, "NW109" in done.stdout) == (1, True), done.stdout + done.stderr


def test_a_warning_holds_a_commit_back_as_it_does_the_job(hooks: tuple[Path, dict[str, str]], project: Path) -> None:
    run = hooked(project, *hooks)
    board = project / "boards" / "board.newel"
    board.write_text(board.read_text().replace("      ensure_participant_seat(reviewer)\n", ""))
    git(project, "add", ".")
    done = run()
    assert (done.returncode, "NW601" in done.stdout) == (1, True), done.stdout + done.stderr


def test_the_hooks_of_this_repository_hold_a_commit_back_until_it_is_right(
    hooks: tuple[Path, dict[str, str]], project: Path
) -> None:
    """As pre-commit installs and runs them; the hook for the layout mends, and asks for another look."""
    run = hooked(project, *hooks, "--all-files")
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"newel check\.+Passed\n", done.stdout)
    seed(project)
    done = run()
    assert done.returncode == 1
    assert "this workflow has no step `revue`" in done.stdout
    seed(project, mended=True)
    board = project / "boards" / "board.newel"
    laid = board.read_text()
    board.write_text(laid.replace("  step", "      step"))
    git(project, "add", ".")
    assert "files were modified by this hook" in run().stdout
    assert board.read_text() == laid
    git(project, "add", ".")
    assert run().returncode == 0
