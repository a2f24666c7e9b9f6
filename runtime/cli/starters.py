"""The files that `newel init` writes."""

from __future__ import annotations

BOARD = """\
# Where a task stands, and what moves it on. `newel check` says what is wrong here, `newel docs` draws it.

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
"""

CONFIGURATION = """\
# What `newel` finds when it is run in this folder or below. All keys: `newel config`.
paths = [{paths}]
"""

INSTALL = 'python -m pip install "${NEWEL:?set this variable to what pip installs newel from}"'
"""No source is guessed: of a name in a registry nobody here can say whose package it is."""

GITHUB = f"""\
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
    env:
      # a variable of this repository: what pip installs newel from, pinned. The URL of a wheel, git+https://HOST/PATH@TAG,
      # or name==version of your own index
      NEWEL: ${{{{ vars.NEWEL }}}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: {INSTALL}
      - run: newel check --strict --format github
      - run: newel fmt --check
"""

GITLAB = f"""\
newel:
  image: python:3.12
  script:
    # a CI/CD variable of this project: what pip installs newel from, pinned. The URL of a wheel, git+https://HOST/PATH@TAG,
    # or name==version of your own index
    - {INSTALL}
    # for the widget of the merge request and the list of tests; the last line fails the job
    - newel check --exit-zero --format gitlab > newel-code-quality.json
    - newel check --exit-zero --format junit > newel-junit.xml
    - newel fmt --check
    - newel check --strict
  artifacts:
    when: always
    reports:
      codequality: newel-code-quality.json
      junit: newel-junit.xml
"""
