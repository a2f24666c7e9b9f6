"""The table kept in the user's cache: never needed, never trusted blindly, quick to load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from newel.dsl import cache

READ = """
import sys
from newel.dsl import parse
file, findings = parse('workflow w "W" { step a "A" { start } }')
print(len(file.items), len(findings), 'lark' in sys.modules)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "newel"


def run(code: str = READ) -> str:
    """What another process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stderr == ""
    return done.stdout.strip()


def test_the_second_process_needs_no_lark(home: Path) -> None:
    assert run() == "1 0 True"
    assert [path.suffix for path in home.iterdir()] == [".json"]
    assert run() == "1 0 False"


def test_a_damaged_table_is_made_anew(home: Path) -> None:
    run()
    (kept,) = home.iterdir()
    whole = kept.read_bytes()
    for broken in (b"", b"\xff\n{}", whole[: len(whole) // 2], whole.replace(b'"start"', b'"stert"'), b"x" + whole):
        kept.write_bytes(broken)
        assert run() == "1 0 True"
        assert kept.read_bytes() == whole


def test_a_table_with_a_right_seal_and_wrong_content_is_made_anew(home: Path) -> None:
    run()
    (kept,) = home.iterdir()
    cache.write(kept.stem, {"actions": "none"})
    assert run() == "1 0 True"


def test_a_cache_that_cannot_be_written_is_done_without(home: Path) -> None:
    """A file stands where the folder should be, so that it holds for every user, root too."""
    home.write_text("not a folder", encoding="utf-8")
    assert run() == "1 0 True"
    assert home.read_text(encoding="utf-8") == "not a folder"


def test_a_home_that_is_unknown_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_path: Path) -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", unknown)
    cache.write("x", {})
    assert cache.read("x") is None


def test_many_processes_at_once_leave_one_whole_table(home: Path) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", READ], stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert {process.communicate()[0].split()[0] for process in processes} == {"1"}
    (kept,) = home.iterdir()
    assert cache.read(kept.stem) is not None


def test_what_is_written_is_read_back(home: Path) -> None:
    cache.write("x", {"a": [1, None]})
    assert cache.read("x") == {"a": [1, None]}
    assert cache.read("y") is None
    cache.write("x", {"b": 2})
    assert cache.read("x") == {"b": 2}
    assert [path.name for path in home.iterdir()] == ["x.json"]


def test_the_folder_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("LOCALAPPDATA", "/home/ada/local")
    seen = {}
    for platform in ("linux", "darwin", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        seen[platform] = cache.folder().as_posix()
    assert seen == {
        "linux": "/home/ada/.cache/newel",
        "darwin": "/home/ada/Library/Caches/newel",
        "win32": "/home/ada/local/newel/cache",
    }


def test_importing_the_room_loads_nothing_heavy() -> None:
    loaded = json.loads(run("import sys, json, newel.dsl; print(json.dumps(sorted(sys.modules)))"))
    assert not {"lark", "pydantic", "json.decoder.x", "newel.dsl.parser", "newel.dsl.table"} & set(loaded)
    with pytest.raises(AttributeError, match="nothing_of_that_name"):
        __import__("newel.dsl").dsl.nothing_of_that_name  # noqa: B018  # asking for it is the test


def test_a_file_without_fault_loads_nothing_of_recovery() -> None:
    text = "workflow w {\\n  a\\n}\\n# end"
    code = f"import sys; from newel.dsl import parse; parse('{text}'); print('newel.dsl.rescue' in sys.modules)"
    assert run(code) == "False"


def test_the_newest_of_a_kind_stay(home: Path) -> None:
    for at in range(cache.KEPT + 3):
        cache.write(f"x-{at}", {"at": at})
        os.utime(home / f"x-{at}.json", (at, at))
    cache.write("y-1", {})
    cache.write("x-new", {})
    assert {path.stem for path in home.iterdir()} == {"x-new", "y-1", *(f"x-{at}" for at in range(4, cache.KEPT + 3))}
