"""`newel check` with a host: what the configuration says that it fires, and limits of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from newel.runtime.cli.app import app

BOARD = """\
workflow desk "Desk" {
  step work "Work" {
    start
    on comment { queue_run }
    on heartbeat { queue_run }
  }
  step done "Done" { end }
}
"""


def checked(folder: Path, configuration: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the command says of the board with this configuration, a line for each finding."""
    (folder / "newel.toml").write_text(configuration, "utf-8")
    (folder / "desk.newel").write_text(BOARD, "utf-8")
    monkeypatch.chdir(folder)
    lines = CliRunner().invoke(app, ["check", "--format", "concise"]).stdout.splitlines()
    return [line for line in lines if line]


def test_host_triggers_say_what_is_never_fired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "desk.newel:5:8: warning NW703 this host never fires `heartbeat`, so what stands under it never runs"
    assert checked(tmp_path, 'host-triggers = ["comment"]\n', monkeypatch) == [told]
    assert checked(tmp_path, 'host-triggers = ["comment", "heartbeat"]\n', monkeypatch) == []
    assert checked(tmp_path, "", monkeypatch) == []


def test_limits_of_the_configuration_hold_in_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "desk.newel:7:8: error NW124 the steps of one workflow are too much: the limit is 1"
    assert checked(tmp_path, "[limits]\nsteps = 1\n", monkeypatch) == [told]
    read = CliRunner().invoke(app, ["check", "-", "--format", "concise"], input=BOARD)
    assert told.replace("desk.newel", "<stdin>") in read.stdout
    for command in (["compile", "desk.newel"], ["graph", "desk.newel"], ["export", "desk.newel", "--to", "kandev"]):
        refused = CliRunner().invoke(app, command)
        assert "NW124" in refused.stderr, command


@pytest.mark.parametrize("text", ["[limits]\nsteps = 0\n", "[limits]\nstep = 1\n"])
def test_a_limit_that_cannot_be_is_a_wrong_configuration(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "newel.toml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    from newel.runtime.cli.app import run

    assert run(["check"]) == 2
