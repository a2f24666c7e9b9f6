"""What `--help` and the completion of shells say."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from newel.compiler.reports import REPORTS
from newel.runtime.cli.app import app
from newel.runtime.cli.shells import KINDS
from tests.runtime.cli.command import NEWEL, environment, newel


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*path, name))


ALL = list(commands(app, ()))


def found(path: tuple[str, ...]) -> tuple[click.Command, click.Context]:
    command: click.Command = app
    context = click.Context(app, info_name="newel")
    for name in path:
        assert isinstance(command, click.Group)
        inner = command.get_command(context, name)
        assert inner is not None
        command, context = inner, click.Context(inner, info_name=name, parent=context)
    return command, context


def examples(path: tuple[str, ...]) -> list[str]:
    """The commands of newel in the help of a command, without what a shell or a reader makes of the rest."""
    lines = (found(path)[0].help or "").partition("\b\n")[2].splitlines()
    calls = (re.search(r"\bnewel .*", line) for line in lines)
    return [re.split(r" {2,}| [|>] |\)\"", call[0])[0] for call in calls if call]


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_the_help_of_every_command_has_an_example_that_it_understands(path: tuple[str, ...]) -> None:
    """Each is read as the command line reads it, down to its last option; nothing is run."""
    shown = examples(path)
    assert any(example.startswith(" ".join(("newel", *path))) for example in shown)
    for example in shown:
        rest = shlex.split(example)[1:]
        command: click.Command = app
        context = click.Context(app, info_name="newel")
        while isinstance(command, click.Group) and rest:
            name, inner, rest = command.resolve_command(context, rest)
            assert inner is not None
            command, context = inner, click.Context(inner, info_name=name, parent=context)
        command.make_context("newel", rest, parent=context.parent)


@pytest.mark.parametrize("path", [path for path in ALL if len(path) < 2], ids=" ".join)
def test_the_help_of_every_command_is_printed(path: tuple[str, ...], tmp_path: Path) -> None:
    done = newel(tmp_path, *path, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(b"Usage: newel " + " ".join(path).encode())
    assert done.stdout == newel(tmp_path, *path, "-h").stdout


@pytest.mark.parametrize("shell", KINDS)
def test_a_shell_gets_its_completion(shell: str, tmp_path: Path) -> None:
    done = newel(tmp_path, "completion", shell)
    assert done.returncode == 0
    assert b"_NEWEL_COMPLETE=" + shell.encode() + b"_complete" in done.stdout


def test_another_shell_is_refused(tmp_path: Path) -> None:
    assert newel(tmp_path, "completion", "csh").returncode == 2


BASH = """\
eval "$(newel completion bash)"
COMP_WORDS=({words}) COMP_CWORD={at}
_newel_completion newel
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "at", "offered"),
    [
        ("newel com", 1, {"compile", "completion"}),
        ("newel check --st", 2, {"--strict", "--statistics"}),
        ("newel check --format s", 3, {"sarif"}),
        ("newel task sh", 2, {"show"}),
        ("newel check --format = ju", 4, {"junit"}),
        ("newel check --format =", 3, {report.name for report in REPORTS}),
        ("newel check --select NW7,NW50", 3, {f"NW7,NW50{digit}" for digit in range(1, 10)}),
        ("newel diff --ignore nw81", 3, {f"NW81{digit}" for digit in range(10)}),
        ("newel explain NW30", 2, {f"NW30{digit}" for digit in range(1, 6)}),
        ("newel task create T --workflow ''", 5, {"other", "desk"}),
        ("newel task create T --workflow other --step ''", 7, {"idle"}),
        ("newel task move T w", 4, {"work"}),
        ("newel task fire T turn_c", 4, {"turn_complete"}),
        ("newel graph elsewhere/c.newel --workflow ''", 4, {"third"}),
        ("newel simulate a.newel --workflow d", 4, {"desk"}),
    ],
)
def test_bash_completes_commands_options_and_values(words: str, at: int, offered: set[str], tmp_path: Path) -> None:
    """In a bash that has evaluated what is printed. Names are those of the files, also of one that has errors."""
    board = 'workflow %s "W" {\n  step %s "S" {\n    start\n    on turn_complete { -> gone }\n  }\n}\n'
    (tmp_path / "a.newel").write_text(board % ("desk", "work"))
    (tmp_path / "b.newel").write_text(board % ("other", "idle"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "c.newel").write_text(board % ("third", "rest"))
    (tmp_path / "newel.toml").write_text('paths = ["a.newel", "b.newel"]\n')
    path = f"{NEWEL.parent}:{environment()['PATH']}"
    call = ["bash", "--norc", "-c", BASH.format(words=words, at=at)]
    done = subprocess.run(
        call, cwd=tmp_path, env=environment(PATH=path), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == offered


def test_paths_are_completed_by_the_shell(tmp_path: Path) -> None:
    """Which is told that a file is meant."""
    for words, at in (("newel check of", "2"), ("newel compile -o of", "3"), ("newel task list --program of", "4")):
        done = newel(tmp_path, _NEWEL_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=at)
        assert done.stdout == b"file,of\n"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_where_a_shell_takes_an_option_and_its_value_as_one_word_it_gets_one(shell: str, tmp_path: Path) -> None:
    words = "newel check --format=ju"
    at = "2" if shell == "zsh" else "--format=ju"
    done = newel(tmp_path, _NEWEL_COMPLETE=f"{shell}_complete", COMP_WORDS=words, COMP_CWORD=at)
    assert "--format=junit" in re.split(r"[\n,\t]", done.stdout.decode())


def test_where_nothing_can_be_read_nothing_is_offered_and_nobody_is_told(tmp_path: Path) -> None:
    for text in ('paths = ["gone"]\n', "nonsense\n", ""):
        (tmp_path / "newel.toml").write_text(text)
        words = "newel task create T --workflow x"
        done = newel(tmp_path, _NEWEL_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD="5")
        assert (done.stdout, done.stderr) == (b"\n", b"")


@pytest.mark.parametrize(("shell", "words"), [("zsh", "newel com"), ("fish", "newel com")])
def test_the_other_shells_are_answered_in_their_form(shell: str, words: str, tmp_path: Path) -> None:
    """What their scripts ask, asked by hand: the shells need not be installed."""
    at = "1" if shell == "zsh" else "com"
    done = newel(tmp_path, _NEWEL_COMPLETE=f"{shell}_complete", COMP_WORDS=words, COMP_CWORD=at)
    assert {"compile", "completion"} <= set(re.split(r"[\n,\t]", done.stdout.decode()))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_script_of_another_shell_can_be_read_by_it(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_bytes(newel(tmp_path, "completion", shell).stdout)
    subprocess.run([program, "--no-execute", script], check=True)
