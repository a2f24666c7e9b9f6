"""`newel check` on real files, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from newel.compiler.reports import REPORTS
from tests.runtime.cli.command import NEWEL, Terminal, environment, newel

CLEAN = 'workflow w "W" {\n  step a "A" {\n    start\n    on turn_complete { -> b }\n  }\n  step b "B" { end }\n}\n'
WARNED = CLEAN.replace("  step b", '  step c "C" { manual_move false }\n  step b')
SLIP = CLEAN.replace("->", "=>")
WRONG = CLEAN.replace("-> b", "-> nowhere")
NOTE = '[severity]\nNW504 = "note"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a clean file."""
    (tmp_path / "a.newel").write_text(CLEAN)
    return tmp_path


# ---------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("text", "configuration", "options", "code"),
    [
        (CLEAN, "", [], 0),
        (CLEAN, "", ["--strict"], 0),
        (WARNED, "", [], 0),
        (WARNED, "", ["--strict"], 1),
        (WARNED, "", ["--strict", "--exit-zero"], 0),
        (WARNED, NOTE, ["--strict"], 0),  # notes never
        (WRONG, "", [], 1),
        (WRONG, "", ["--exit-zero"], 0),
        (WRONG, "", ["--statistics"], 1),
        (WRONG, "", ["--select", "NW9x"], 2),
        (WRONG, "", ["--nonsense"], 2),
        (WRONG, "selct = []\n", [], 2),
        (WRONG, 'select = ["NW9999"]\n', [], 2),
        (WRONG, '[per-path-severity]\n"*" = { NW50x = "note" }\n', [], 2),
        (WRONG, "", ["missing.newel"], 2),
        (WRONG, "", ["empty"], 3),
        (WRONG, "", ["--exit-zero", "empty"], 3),
        (SLIP, "", ["--diff"], 1),
        (SLIP, "", ["--fix"], 0),
    ],
)
@pytest.mark.parametrize("format_", ["text", "sarif"])
def test_the_exit_code_says_what_happened(
    text: str, configuration: str, options: list[str], code: int, format_: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.newel").write_text(text)
    (tmp_path / "newel.toml").write_text(configuration)
    if "--statistics" not in options:
        options = ["--format", format_, *options]
    done = newel(tmp_path, "check", *options)
    assert done.returncode == code, done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("name", [report.name for report in REPORTS])
def test_in_every_format_an_error_fails_and_its_mending_passes(name: str, folder: Path) -> None:
    (folder / "a.newel").write_text(WRONG)
    done = newel(folder, "check", "--format", name)
    assert done.returncode == 1
    assert b"NW103" in done.stdout or b"unknown-step" in done.stdout
    (folder / "a.newel").write_text(CLEAN)
    done = newel(folder, "check", "--format", name)
    assert done.returncode == 0
    assert b"NW103" not in done.stdout


# ---------------------------------------------------------------- what cannot be read or written


def test_what_cannot_be_read_in_a_folder_is_told_and_the_rest_is_checked(folder: Path) -> None:
    """A link that leads nowhere; folders and pipes with the name of a file are none."""
    (folder / "gone.newel").symlink_to("nowhere")
    (folder / "folder.newel").mkdir()
    os.mkfifo(folder / "pipe.newel")
    (folder / "b.newel").write_text(WRONG.replace("workflow w", "workflow v"))
    done = newel(folder, "check", "--format", "concise")
    assert done.returncode == 3
    assert done.stdout.startswith(b"b.newel:4:27: error NW103")
    assert done.stderr == b"error: cannot read gone.newel: there is no such file\n"


def test_a_configuration_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "newel.toml").write_bytes(b"paths = [\xff]\n")
    done = newel(folder, "check")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: newel.toml: cannot be read: ")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="this system has no file that cannot be read by all")
def test_a_configuration_that_the_system_does_not_give_is_told(folder: Path) -> None:
    (folder / "newel.toml").symlink_to("/proc/self/mem")
    for command in ("check", "config", "fmt"):
        done = newel(folder, command)
        assert (done.returncode, done.stdout) == (3, b"")
        assert re.fullmatch(rb"error: newel\.toml: cannot be read: .*\n", done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("command", [["check"], ["config"], ["compile", "a.newel"], ["explain", "NW301"]])
def test_a_full_disk_is_told(command: list[str], folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [NEWEL, *command],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=60,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == b"error: no space left on device\n"


@pytest.mark.parametrize(
    "command",
    [
        ["compile", "a.newel", "-o", "missing/x.json"],
        ["graph", "a.newel", "-o", "missing/x.svg"],
        ["docs", "a.newel", "-o", "a.newel/site"],
        ["task", "list", "--program", "a.newel", "--ledger", "missing/x.db"],
    ],
)
def test_a_place_that_cannot_be_written_is_told(command: list[str], folder: Path) -> None:
    done = newel(folder, *command)
    assert done.returncode == 3, done.stderr.decode()
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_ctrl_c_is_told_and_leaves_nothing(folder: Path) -> None:
    """While a pipe is waited for."""
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(
        [NEWEL, "check", "pipe"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")
    assert said.strip() == b"interrupted; nothing was left half-written"


def test_ctrl_c_ends_all_processes_of_a_large_run(folder: Path) -> None:
    """The whole group gets it, as from a terminal."""
    steps = "".join(f'  step s{each} "S" {{ on turn_complete {{ -> a }} }}\n' for each in range(400))
    for number in range(200):
        text = CLEAN.replace("workflow w", f"workflow w{number}").replace("  step b", f"{steps}  step b")
        (folder / f"f{number}.newel").write_text(text)
    with subprocess.Popen(
        [NEWEL, "check", "--jobs", "3"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as process:
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert said.strip() == b"interrupted; nothing was left half-written"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


# ---------------------------------------------------------------- mending


def test_a_mended_file_keeps_its_mode_its_mark_and_its_line_ends(folder: Path) -> None:
    file = folder / "a.newel"
    file.write_bytes(b"\xef\xbb\xbf" + SLIP.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    done = newel(folder, "check", "--fix")
    assert (done.returncode, done.stdout) == (0, b"nothing wrong in 1 file\n")
    assert done.stderr == b"mended a.newel\nmade 1 mend in 1 file\n"
    assert file.read_bytes() == b"\xef\xbb\xbf" + CLEAN.replace("\n", "\r\n").encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in folder.iterdir()] == ["a.newel"]


def test_a_file_with_nothing_to_mend_is_not_touched(folder: Path) -> None:
    before = (folder / "a.newel").stat()
    newel(folder, "check", "--fix")
    after = (folder / "a.newel").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_diff_shows_and_writes_nothing(folder: Path) -> None:
    (folder / "a.newel").write_text(SLIP)
    done = newel(folder, "check", "--fix", "--diff")
    assert done.stdout.decode().splitlines()[:10] == [
        "--- a.newel",
        "+++ a.newel",
        "@@ -1,7 +1,7 @@",
        ' workflow w "W" {',
        '   step a "A" {',
        "     start",
        "-    on turn_complete { => b }",
        "+    on turn_complete { -> b }",
        "   }",
        '   step b "B" { end }',
    ]
    assert done.stderr == b"would make 1 mend in 1 file\n"
    assert (folder / "a.newel").read_text() == SLIP


def test_a_patch_can_be_applied(folder: Path) -> None:
    (folder / "a.newel").write_text(SLIP.rstrip("\n"))
    patch = newel(folder, "check", "--diff").stdout
    subprocess.run(["git", "apply", "-p0", "-"], cwd=folder, input=patch, check=True)
    assert (folder / "a.newel").read_text() == CLEAN.rstrip("\n")


def test_standard_input_is_mended_to_standard_output(folder: Path) -> None:
    done = newel(folder, "check", "--fix", "-", given=SLIP.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, CLEAN.encode(), b"nothing wrong in 1 file\n")
    unread = newel(folder, "check", "--fix", "-", given=b"\xff")
    assert (unread.returncode, unread.stdout) == (1, b"\xff")


def test_a_file_that_may_not_be_written_is_told(folder: Path) -> None:
    (folder / "sealed").mkdir()
    (folder / "sealed" / "a.newel").write_text(SLIP)
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (folder / "sealed").chmod(0o500)
    done = newel(folder, "check", "--fix", "sealed")
    assert done.returncode == 3
    assert done.stderr.startswith(b"error: ")


# ---------------------------------------------------------------- statistics, quiet


def test_statistics_count_by_code_the_most_frequent_first(folder: Path) -> None:
    (folder / "b.newel").write_text("a\nb\n")
    (folder / "c.newel").write_text(SLIP.replace("workflow w", "workflow x") + "\nuse 5\n")
    done = newel(folder, "check", "--statistics")
    first, *_, last = done.stdout.decode().splitlines()
    assert first.endswith(" NW003 error unexpected (1 mended by --fix)")
    assert last.endswith("in 3 files")
    whole = json.loads(newel(folder, "check", "--statistics", "--format", "json").stdout)
    counts = [row["count"] for row in whole["statistics"]]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == whole["summary"]["errors"]


def test_quiet_leaves_the_figures_out(folder: Path) -> None:
    done = newel(folder, "check", "--quiet")
    assert (done.stdout, done.stderr) == (b"", b"")
    (folder / "a.newel").write_text(SLIP)
    done = newel(folder, "check", "-q", "--fix")
    assert (done.stdout, done.stderr) == (b"", b"")


# ---------------------------------------------------------------- on a terminal


def test_colour_is_for_terminals_that_want_it(folder: Path) -> None:
    (folder / "a.newel").write_text(WRONG)
    assert "\x1b[1;31m" in Terminal(folder, "check").rest()
    assert "\x1b" not in Terminal(folder, "check", NO_COLOR="1").rest()
    assert "\x1b" not in Terminal(folder, "check", "--format", "concise").rest()
    assert b"\x1b" not in newel(folder, "check").stdout


def test_a_long_run_shows_a_bar_that_is_gone_in_the_end(folder: Path) -> None:
    """Several seconds: long enough for a bar, which comes after one, on a machine that is quick."""
    for number in range(120):
        steps = "".join(f'  step s{each} "S" {{ on turn_complete {{ -> a }} }}\n' for each in range(700))
        text = CLEAN.replace("workflow w", f"workflow w{number}").replace("  step b", f"{steps}  step b")
        (folder / f"f{number}.newel").write_text(text)
    said = Terminal(folder, "check", "--jobs", "1", "--format", "concise").rest()
    assert "checking" in said
    assert " 121/121" in said
    assert said.rfind("\x1b[2K") > said.rfind("checking")
    assert "checking" not in Terminal(folder, "check", "--quiet").rest()


# ---------------------------------------------------------------- watch


def test_watch_checks_again_when_a_file_changes(folder: Path) -> None:
    """And when the configuration is mended; Ctrl-C ends it."""
    terminal = Terminal(folder, "check", "--watch", "--format", "concise")
    assert "error" not in terminal.until("waiting for a change")
    (folder / "a.newel").write_text(WRONG)
    assert "NW103" in terminal.until("waiting for a change")
    (folder / "newel.toml").write_text("nonsense = 1\n")
    assert "unknown key `nonsense`" in terminal.until("waiting for a change")
    (folder / "newel.toml").unlink()
    (folder / "a.newel").write_text(CLEAN)
    terminal.until("waiting for a change")
    (folder / "more").mkdir()
    (folder / "more" / "b.newel").write_text(WRONG.replace("workflow w", "workflow v"))
    assert "more/b.newel:4:27: error NW103" in terminal.until("NW103")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert "interrupted" not in terminal.rest()
    assert terminal.process.returncode == 130


def test_watch_without_its_package_says_what_to_install(folder: Path) -> None:
    (folder / "watchfiles.py").write_text("raise ImportError\n")
    done = newel(folder, "check", "--watch", PYTHONPATH=str(folder))
    assert done.returncode == 3
    assert done.stderr == b"error: --watch needs the package `watchfiles`: pip install 'newel[watch]'\n"


@pytest.mark.parametrize("options", [["--fix"], ["--diff"], ["-"]])
def test_watch_leaves_files_as_they_are(options: list[str], folder: Path) -> None:
    assert newel(folder, "check", "--watch", *options).returncode == 2


# ---------------------------------------------------------------- many files


def test_many_files_in_several_processes_give_the_same_bytes(folder: Path) -> None:
    for number in range(120):
        text = (WRONG, CLEAN, WARNED)[number % 3].replace("workflow w", f"workflow w{number}")
        (folder / f"f{number:03}.newel").write_text(text)
    one = newel(folder, "check", "--jobs", "1", "--format", "sarif")
    four = newel(folder, "check", "--jobs", "4", "--format", "sarif")
    assert one.returncode == four.returncode == 1
    assert one.stdout == four.stdout
    assert one.stdout.count(b'"ruleId": "NW103"') == 40


@pytest.mark.parametrize(
    "moment", ["newel.runtime.cli.app", "click", "newel.runtime.cli.check", "newel.compiler.checks"]
)
def test_ctrl_c_while_a_command_is_still_being_loaded_is_told_alike(folder: Path, moment: str) -> None:
    """The signal comes at the very import of a module, as it may in the first moments of each command."""
    code = f"""
import os, signal, sys

class Now:
    def find_spec(self, name, path=None, target=None):
        if name == {moment!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Now())
sys.argv = ["newel", "check", "a.newel"]
from newel.runtime.cli import main
main()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert said.strip() == b"interrupted; nothing was left half-written"


def test_a_code_that_is_none_is_told_in_one_line(tmp_path: Path) -> None:
    done = newel(tmp_path, "explain", "NW3O1")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"error: no finding has the code `NW3O1`: did you mean `NW301`?\n"


def test_a_family_of_codes_is_listed(tmp_path: Path) -> None:
    done = newel(tmp_path, "explain", "NW3")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[0] == "NW3 Ownership: who runs what on entry"
