"""What is shipped: the wheel of the tree and the wheel of the source distribution are one, whole, and run alone."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("dsl", "compiler", "runtime", "grammars")

# One process builds once: the tests of this module share what was built.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]


@dataclass(frozen=True)
class Built:
    sdist: Path
    wheel: Path
    wheel_of_sdist: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Built in a copy: what a build may leave behind stays out of the tree."""
    base = tmp_path_factory.mktemp("packaging")
    tree = base / "tree"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=leftovers)
    build(tree, base / "direct", "--wheel")
    build(tree, base / "chain")
    return Built(only(base / "chain", "*.tar.gz"), only(base / "direct", "*.whl"), only(base / "chain", "*.whl"))


def leftovers(folder: str, names: list[str]) -> list[str]:
    kept_hidden = {".namespace", ".gitignore", ".ci"}
    return [n for n in names if (n.startswith(".") and n not in kept_hidden) or n in {"__pycache__", "build", "dist"}]


def build(tree: Path, out: Path, *options: str) -> None:
    run(sys.executable, "-m", "build", "--no-isolation", *options, "--outdir", out, tree)


def run(*command: str | Path, cwd: Path | None = None) -> str:
    result = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def product(wheel: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(wheel).items() if name.startswith("newel/")}


def tree_files() -> dict[str, bytes]:
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file()]
    return {
        f"newel/{path.relative_to(ROOT).as_posix()}": path.read_bytes()
        for path in paths
        if "__pycache__" not in path.parts
    }


def test_both_wheels_hold_the_same_bytes(built: Built) -> None:
    assert contents(built.wheel) == contents(built.wheel_of_sdist)


def test_the_wheel_holds_every_file_of_the_four_rooms_and_no_other(built: Built) -> None:
    assert sorted(product(built.wheel)) == sorted(tree_files())


def test_the_wheel_holds_what_is_not_python_too(built: Built) -> None:
    names = set(product(built.wheel))
    assert {f"newel/{room}/py.typed" for room in ROOMS} <= names
    assert {"newel/grammars/newel.lark", "newel/grammars/standard.newel"} <= names
    assert any(name.endswith((".jinja", ".j2")) or "/templates/" in name for name in names)


def test_newel_stays_a_namespace_that_others_can_share(built: Built) -> None:
    assert "newel/__init__.py" not in contents(built.wheel)


def test_the_wheel_brings_its_licence_and_nothing_of_tests_or_examples(built: Built) -> None:
    names = list(contents(built.wheel))
    tops = {name.split("/")[0] for name in names}
    assert sorted(top for top in tops if not top.endswith(".dist-info")) == ["newel"]
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_source_distribution_holds_what_a_packager_needs_to_build_and_test(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    expected = {"pyproject.toml", "Makefile", "LICENSE", "README.md", "CHANGELOG.md", "tests/house/test_packaging.py"}
    assert expected <= names
    assert not [name for name in names if name.startswith((".venv", ".namespace"))]


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it. The libraries are lent by ours, through a path entry; newel itself is
    not, since an editable installation is found by a .pth file, and those are read in an environment's own folder."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-qq", "--no-deps", "--no-index", built.wheel)
    own = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(own, "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home


def test_the_installed_wheel_imports_from_its_own_environment(installed: Path, tmp_path: Path) -> None:
    rooms = ", ".join(f"newel.{room}" for room in ROOMS)
    files = run(
        installed / "bin" / "python",
        "-c",
        f"import {rooms}\nfor room in ({rooms}): print(room.__file__)",
        cwd=tmp_path,
    )
    assert [Path(line).is_relative_to(installed) for line in files.splitlines()] == [True] * 4


def test_the_installed_command_checks_and_documents_a_file(built: Built, installed: Path, tmp_path: Path) -> None:
    newel = installed / "bin" / "newel"
    assert run(newel, "--version", cwd=tmp_path).split()[-1] == built.wheel.name.split("-")[1]
    boards = tmp_path / "boards"
    shutil.copytree(ROOT / "examples", boards)
    run(newel, "check", "office.newel", cwd=boards)
    run(newel, "docs", "office.newel", "-o", "out", cwd=boards)
    assert list((boards / "out").rglob("*.html"))
