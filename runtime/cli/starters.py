"""The files that `newel init` writes."""

from __future__ import annotations

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
name: newel

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
{variable}    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: {install}
      - run: newel check --strict --format github
      - run: newel test
      - run: newel fmt --check
"""

GITLAB = """\
newel:
  image: python:3.12
  script:
{variable}    - {install}
    # for the widget of the merge request and the list of tests
    - newel check --exit-zero --format gitlab > newel-code-quality.json
    - newel check --exit-zero --format junit > newel-junit.xml
    # the first of these that fails ends the job
    - newel check --strict
    - newel test
    - newel fmt --check
  artifacts:
    when: always
    reports:
      codequality: newel-code-quality.json
      junit: newel-junit.xml
"""

_OF_GITHUB = """\
    env:
      # a variable of this repository: what pip installs newel from, pinned. The URL of a wheel, git+https://HOST/PATH@TAG,
      # or name==version of your own index
      NEWEL: ${{ vars.NEWEL }}
"""
_OF_GITLAB = """\
    # a CI/CD variable of this project: what pip installs newel from, pinned. The URL of a wheel, git+https://HOST/PATH@TAG,
    # or name==version of your own index
"""

JOBS = {
    "github": (".github/workflows/newel.yml", GITHUB, _OF_GITHUB),
    "gitlab": (".gitlab-ci.yml", GITLAB, _OF_GITLAB),
}
"""By system: the file of its job, what is in it, and what is said there of the variable."""


def job(system: str, source: str | None) -> str:
    """What is in the file of a job that installs newel from a source, or from what a variable of the project says."""
    _, text, variable = JOBS[system]
    install = f'python -m pip install "{source or UNKNOWN}"'
    return text.format(install=install, variable="" if source else variable)
