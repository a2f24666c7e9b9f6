"""The manners that no linter holds. Each rule is a function from a tree to its complaints: run on this tree, where
there must be none, and on a small tree with one seeded offence, where there must be that one."""

import ast
import importlib
import io
import re
import statistics
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("dsl", "compiler", "runtime", "grammars")

# Modules above 400 lines, each with the reason it may be: tables only.
TABLES = {
    "dsl/tree.py": "one dataclass for each form of the grammar",
    "compiler/model.py": "one dataclass for each thing a file can mean",
}

NOT_OURS = {"__pycache__", "build", "dist", "demo", "site", "htmlcov"}
HIDDEN_BUT_OURS = {".ci", ".github", ".gitignore"}
DIRECTIVE = re.compile(
    r"#\s*(?:(?:type|pyright):\s*ignore(?:\[[^\]]*\])?"
    r"|noqa(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?|nosec|pragma:\s*no (?:cover|branch))"
)
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b")
MACHINE = re.compile(r"(?<![\w.*}/])/(?:(?:home|Users)/(?!ada\b)\w+|root|work)/")  # ada is the example's


def files(root: Path, *suffixes: str) -> Iterator[Path]:
    for path in sorted(root.iterdir()):
        hidden = path.name.startswith(".") and path.name not in HIDDEN_BUT_OURS
        if hidden or path.name in NOT_OURS or path.is_symlink():
            continue
        if path.is_dir():
            yield from files(path, *suffixes)
        elif not suffixes or path.suffix in suffixes:
            yield path


def modules(root: Path) -> Iterator[Path]:
    for room in ROOMS:
        if (root / room).is_dir():
            yield from files(root / room, ".py")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    data = path.read_bytes()
    if b"\0" not in data and path != Path(__file__):
        yield from enumerate(data.decode("utf-8", "replace").splitlines(), 1)


def too_long(root: Path) -> Iterator[str]:
    """Tests mirror modules, and may need some lines for each line of theirs."""
    for path in [*modules(root), *files(root / "examples", ".py"), *files(root / "tests", ".py")]:
        name, count = path.relative_to(root).as_posix(), len(path.read_text("utf-8").splitlines())
        if count > (900 if name.startswith("tests/") else 400) and name not in TABLES:
            yield f"{name}: {count} lines"


def unfinished(root: Path) -> Iterator[str]:
    for path in files(root):
        for number, line in text_lines(path):
            if UNFINISHED.search(line):
                yield f"{path.relative_to(root)}:{number}: {line.strip()}"


def unreasoned(root: Path) -> Iterator[str]:
    for path in files(root, ".py"):
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
            rest, found = DIRECTIVE.subn("", token.string) if token.type == tokenize.COMMENT else ("", 0)
            if found and len(re.findall(r"[A-Za-z]{2,}", rest)) < 2:
                yield f"{path.relative_to(root)}:{token.start[0]}: {token.string}"


def unreasoned_settings(root: Path) -> Iterator[str]:
    """Each rule that pyproject.toml switches off stands on a line of its own, with the reason behind it."""
    text = (root / "pyproject.toml").read_text("utf-8")
    settings = tomllib.loads(text)["tool"]
    lint = settings.get("ruff", {}).get("lint", {})
    off = [*lint.get("ignore", []), *(code for codes in lint.get("per-file-ignores", {}).values() for code in codes)]
    off += [entry for entry in settings["pytest"]["ini_options"].get("filterwarnings", []) if entry != "error"]
    for entry in off:
        lines = [line for line in text.splitlines() if line.lstrip().startswith((f'"{entry}"', f"'{entry}'"))]
        if not lines or not all(re.search(r"#(?: \S+){3}", line) for line in lines):
            yield f"pyproject.toml: {entry} is switched off without a reason on its line"


def bad_doors(root: Path) -> Iterator[str]:
    """An `__init__.py` is a docstring, imports, a sorted `__all__`, tables, `__getattr__` for lazy names, `main`."""
    for path in (path for path in modules(root) if path.name == "__init__.py"):
        name, body = path.relative_to(root).as_posix(), ast.parse(path.read_text("utf-8")).body
        assigned = {t.id: n for n in body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
        if not (body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)):
            yield f"{name}: no docstring"
        if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in body):
            yield f"{name}: a starred import"
        if any(isinstance(node, ast.ImportFrom) for node in body) and "__all__" not in assigned:
            yield f"{name}: imports, but no __all__"
        for node in body:
            if isinstance(node, ast.ClassDef) or (
                isinstance(node, ast.FunctionDef) and node.name not in {"__getattr__", "__dir__", "main"}
            ):
                yield f"{name}: defines {node.name}; a door only opens"
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield f"{name}:{node.lineno}: does something when imported"
        if "__all__" in assigned and not is_sorted(assigned["__all__"].value):
            yield f"{name}: __all__ is not sorted"


def two_lists(root: Path) -> Iterator[str]:
    """A lazy door tells its names twice, to the type checker and to Python; both tell the same."""
    for path in (path for path in modules(root) if path.name == "__init__.py"):
        tree = ast.parse(path.read_text("utf-8"))
        tables = [node.value for node in tree.body if isinstance(node, ast.Assign) and "_HOMES" in ast.unparse(node)]
        lazy = next((ast.literal_eval(table) for table in tables if isinstance(table, ast.Dict)), None)
        if lazy is not None:
            blocks = [node for node in tree.body if isinstance(node, ast.If)]
            imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
            typed = {alias.name: node.module for node in imports for alias in node.names}
            package = ".".join(("newel", *path.parent.relative_to(root).parts))
            homes = {name: home if "." in home else f"{package}.{home}" for name, home in lazy.items()}
            for name in sorted(set(typed.items()) ^ set(homes.items())):
                yield f"{path.relative_to(root)}: {name} is told to one of the two"


def is_sorted(value: ast.expr) -> bool:
    """A literal in ruff's order (constants, classes, the rest) or plain order, or something that sorts by itself."""
    calls = [node.func.id for node in ast.walk(value) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    if not isinstance(value, ast.List | ast.Tuple) or any(isinstance(item, ast.Starred) for item in value.elts):
        return "sorted" in calls
    names = [ast.literal_eval(item) for item in value.elts]
    return names in (sorted(names), sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)))


def machine_paths(root: Path) -> Iterator[str]:
    for path in files(root):
        for number, line in text_lines(path):
            if MACHINE.search(line) or (len(ROOT.parts) > 3 and str(ROOT) in line):
                yield f"{path.relative_to(root)}:{number}: {line.strip()}"


def bad_records(root: Path) -> Iterator[str]:
    """Decision records are named by number and title, no number twice, and are half a page long."""
    taken: dict[str, str] = {}
    for path in files(root / "docs" / "decisions"):
        lines = path.read_text("utf-8").splitlines()
        name = re.fullmatch(r"(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md", path.name)
        if not name:
            yield f"{path.name}: not NNNN-title.md"
        elif taken.setdefault(name[1], path.name) != path.name:
            yield f"{path.name}: the number of {taken[name[1]]}"
        elif not lines or not re.fullmatch(rf"# {int(name[1])}\. \S.*", lines[0]):
            yield f"{path.name}: the first line is not '# {int(name[1])}. Title'"
        if not any(line.startswith("Status: ") for line in lines[:4]):
            yield f"{path.name}: no status under the title"
        if len(lines) > 60:
            yield f"{path.name}: {len(lines)} lines is no half page"


def dead_links(root: Path) -> Iterator[str]:
    for path in files(root, ".md"):
        for target in re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", path.read_text("utf-8")):
            if not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: {target}"


LONG = "x = 1\n" * 401
OFFENCES: list[tuple[Callable[[Path], Iterator[str]], str, str]] = [
    (too_long, "dsl/long.py", LONG),
    (too_long, "examples/long.py", LONG),
    (too_long, "tests/dsl/test_long.py", LONG * 3),
    (unfinished, "docs/plan.md", "TODO: the rest"),
    (unfinished, "dsl/part.py", "raise NotImplementedError\n"),
    (unreasoned, "dsl/a.py", "x = y()  # type: ignore[attr-defined]\n"),
    (unreasoned, "dsl/a.py", "x = y()  # noqa: S101\n"),
    (unreasoned, "tests/a.py", "x = y()  # pyright: ignore[reportUnknown] - why\n"),
    (unreasoned, "dsl/a.py", "if x:  # pragma: no cover\n    pass\n"),
    (unreasoned_settings, "pyproject.toml", '[tool.pytest.ini_options]\n[tool.ruff.lint]\nignore = ["E501"]\n'),
    (unreasoned_settings, "pyproject.toml", '[tool.pytest.ini_options]\nfilterwarnings = [\n  "ignore::Warning",\n]\n'),
    (bad_doors, "dsl/__init__.py", "x = 1\n"),
    (bad_doors, "dsl/__init__.py", '"""A door."""\nfrom newel.dsl.a import b\n'),
    (bad_doors, "dsl/__init__.py", '"""A door."""\n__all__ = ["b", "a"]\n'),
    (bad_doors, "dsl/__init__.py", '"""A door."""\n__all__ = [*TABLE]\n'),
    (bad_doors, "dsl/__init__.py", '"""A door."""\nfrom newel.dsl.a import *\n__all__ = []\n'),
    (bad_doors, "dsl/__init__.py", '"""A door."""\ndef work() -> None: ...\n'),
    (bad_doors, "dsl/__init__.py", '"""A door."""\nprint("hello")\n'),
    (two_lists, "dsl/__init__.py", '"""A door."""\nif TYPE_CHECKING:\n    from a import b as b\n_HOMES = {}\n'),
    (two_lists, "dsl/__init__.py", '"""A door."""\n_HOMES = {"b": "newel.dsl.b"}\n'),
    (machine_paths, "docs/a.md", "open /home/builder/newel"),
    (machine_paths, "tests/golden.json", '{"path": "/root/newel/a.newel"}'),
    (bad_records, "docs/decisions/0002-first.md", "# 1. First\nStatus: accepted\n"),
    (bad_records, "docs/decisions/1-first.md", "# 1. First\nStatus: accepted\n"),
    (bad_records, "docs/decisions/0001-first.md", "# First\nStatus: accepted\n"),
    (bad_records, "docs/decisions/0001-first.md", "# 1. First\n"),
    (bad_records, "docs/decisions/0001-first.md", "# 1. First\nStatus: accepted\n" + "and so on\n" * 60),
    (dead_links, "README.md", "See [the words](docs/words.md#step) and [the site](https://example.org/a.md).\n"),
]
RULES = list(dict.fromkeys(rule for rule, _, _ in OFFENCES))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_this_tree_keeps_the_rule(rule: Callable[[Path], Iterator[str]]) -> None:
    assert list(rule(ROOT)) == []


@pytest.mark.parametrize(("rule", "file", "text"), OFFENCES)
def test_the_rule_sees_an_offence(rule: Callable[[Path], Iterator[str]], file: str, text: str, tmp_path: Path) -> None:
    for folder in ("dsl", "tests", "examples", "docs/decisions"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    assert len(list(rule(tmp_path))) == 1


def test_a_number_of_a_record_is_given_once(tmp_path: Path) -> None:
    (tmp_path / "docs" / "decisions").mkdir(parents=True)
    for title in ("first", "second"):
        (tmp_path / "docs" / "decisions" / f"0001-{title}.md").write_text(f"# 1. {title.title()}\nStatus: accepted\n")
    assert list(bad_records(tmp_path)) == ["0001-second.md: the number of 0001-first.md"]


@pytest.mark.parametrize("line", ["x = y()  # type: ignore[misc]  # lark gives no types for this", "x = 1  # ordinary"])
def test_a_reason_on_the_line_is_enough(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(line + "\n")
    assert list(unreasoned(tmp_path)) == []


def test_every_table_that_may_be_long_is_long() -> None:
    """An exception that is no longer needed is taken off the list."""
    lengths = {name: len((ROOT / name).read_text("utf-8").splitlines()) for name in TABLES}
    assert {name: count for name, count in lengths.items() if count <= 400} == {}


def test_the_median_module_is_short() -> None:
    lengths = [len(path.read_text("utf-8").splitlines()) for path in modules(ROOT) if path.name != "__init__.py"]
    assert statistics.median(lengths) < 200


def test_functions_are_short_and_rarely_longer_than_a_screen() -> None:
    trees = [ast.parse(path.read_text("utf-8")) for path in modules(ROOT)]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    lengths = [(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions]
    assert statistics.median(lengths) <= 10
    assert sum(length > 30 for length in lengths) / len(lengths) < 0.01
    assert max(lengths) <= 50


PACKAGES = [path.parent.relative_to(ROOT) for path in modules(ROOT) if path.name == "__init__.py"]


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_every_name_of_a_door_leads_somewhere(package: Path) -> None:
    door = importlib.import_module(".".join(("newel", *package.parts)))
    names = list(getattr(door, "__all__", []))
    assert len(set(names)) == len(names)
    for name in names:
        assert getattr(door, name) is not None
