"""`newel import -o`: what is there already."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.cli.command import newel

OFFICE = """\
version: 1
type: kandev_workflow
workflows:
  - name: Office
    steps:
      - {name: Todo, position: 0, is_start_step: true}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "office.yml").write_text(OFFICE)
    done = newel(tmp_path, "import", "office.yml", "-o", "office.newel")
    assert done.returncode == 0, done.stderr.decode()
    return tmp_path


def test_a_file_that_differs_is_kept_unless_it_is_forced(folder: Path) -> None:
    made = folder / "office.newel"
    imported = made.read_bytes()
    made.write_bytes(b"# mine\n" + imported)
    done = newel(folder, "import", "office.yml", "-o", "office.newel")
    assert done.returncode == 2
    assert b"Error: 'office.newel' is there and differs; --force writes over it" in done.stderr
    assert made.read_bytes() == b"# mine\n" + imported
    assert newel(folder, "import", "office.yml", "-o", "office.newel", "--force").returncode == 0
    assert made.read_bytes() == imported


def test_the_same_import_may_be_made_again(folder: Path) -> None:
    before = (folder / "office.newel").read_bytes()
    assert newel(folder, "import", "office.yml", "-o", "office.newel").returncode == 0
    assert (folder / "office.newel").read_bytes() == before
