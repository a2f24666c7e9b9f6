"""The files that `newel init` writes."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass

BOARD = """\
# Where a task stands, and what moves it on. `newel check` says what is wrong here, `newel docs` draws it, and
# `newel test` plays the scenario at the end.

workflow board "Board" {
  ## Where ideas wait until somebody starts them.
  step inbox "Inbox" {
    start
    on turn_start { -> work }
  }

  ## An agent works on it, and signals that it is done.
  step work "Work" {
    requires_signal
    on enter         { auto_start_agent }
    on turn_complete { -> review }
  }

  ## Whoever has a seat as reviewer decides whether it goes on.
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer, reason="please_review")
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }

  step done "Done" { end }
}

# What a task goes through. `newel test` plays it.
scenario "a rejection sends it back, an approval lets it go" for board {
  create
  fire turn_start
  expect at work
  fire turn_complete signalled=true
  seat ada role=reviewer
  decide ada rejected role=reviewer
  expect at work
  fire turn_complete signalled=true
  decide ada approved role=reviewer
  expect at done
}
"""

CONFIGURATION = """\
# What `newel` finds when it is run in this folder or below. All keys: `newel config`.
paths = [{paths}]
"""

UNKNOWN = "${NEWEL:?set this variable to what pip installs newel from}"
"""What a job installs newel from where that is not known. No source is guessed: of a name in a registry nobody here can
say whose package it is."""

GITHUB = """\
name: {name}

on:
  push:
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
{variable}{folder}    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: {install}
      - run: newel check --strict --format github
      {play}- run: newel test
      - run: newel fmt --check
"""

GITLAB = """\
{name}:
  image: python:3.12
  script:
{folder}{variable}    - {install}
    # for the widget of the merge request and the list of tests
    - newel check --exit-zero --format gitlab > newel-code-quality.json
    - newel check --exit-zero --format junit > newel-junit.xml
    {play}- newel test --format junit > newel-scenarios.xml || true
    # the first of these that fails ends the job
    - newel check --strict
    {play}- newel test
    - newel fmt --check
  artifacts:
    when: always
    reports:
      codequality: {quality}
      junit:
        - {checks}
        {play}- {scenarios}
"""

_NO_SCENARIO = "# when there is a scenario: "

_OF_GITHUB = """\
    env:
      # a variable of this repository: what pip installs newel from, pinned. The URL of a wheel, git+https://HOST/PATH@COMMIT,
      # or name==version of your own index
      NEWEL: ${{ vars.NEWEL }}
"""
_OF_GITLAB = """\
    # a CI/CD variable of this project: what pip installs newel from, pinned. The URL of a wheel, git+https://HOST/PATH@COMMIT,
    # or name==version of your own index
"""

_IN_GITHUB = """\
    defaults:
      run:
        working-directory: {}
"""
_IN_GITLAB = "    - {}\n"

JOBS = {
    "github": (".github/workflows/{name}.yml", GITHUB, _OF_GITHUB, _IN_GITHUB),
    "gitlab": (".gitlab-ci.yml", GITLAB, _OF_GITLAB, _IN_GITLAB),
}
"""By system: the file of its job, what is in it, what is said there of the variable, and how it goes to a folder."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that checks, plays and holds the layout of the project in a folder of a repository, `below` its root with
    `/` at the end. `source` is what newel is installed from, None where a variable of the project says that; without
    scenarios there is nothing to play, and the job would fail at once."""

    system: str
    source: str | None
    below: str = ""
    scenarios: bool = True

    @property
    def path(self) -> str:
        """Its file, from the root of the repository, where it is read. Of several projects each has its own."""
        return JOBS[self.system][0].format(name=self._name)

    @property
    def text(self) -> str:
        """What is in the file."""
        _, text, variable, folder = JOBS[self.system]
        return text.format(
            name=self._name,
            install=f'python -m pip install "{self.source or UNKNOWN}"',
            variable="" if self.source else variable,
            folder=folder.format(self._into) if self.below else "",
            quality=_yaml(f"{self.below}newel-code-quality.json"),
            checks=_yaml(f"{self.below}newel-junit.xml"),
            scenarios=_yaml(f"{self.below}newel-scenarios.xml"),
            play="" if self.scenarios else _NO_SCENARIO,
        )

    @property
    def _name(self) -> str:
        return "-".join(["newel", *re.findall(r"[\w.-]+", self.below, re.ASCII)])

    @property
    def _into(self) -> str:
        """The folder, or for GitLab the command that goes there."""
        folder = self.below.rstrip("/")
        return _yaml(f"cd {shlex.quote(folder)}" if self.system == "gitlab" else f"./{folder}")


def _yaml(text: str) -> str:
    """A text as YAML has it."""
    return text if re.fullmatch(r"[\w./][\w./ -]*", text, re.ASCII) else json.dumps(text)
