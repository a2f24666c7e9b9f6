"""What is declared is what is used: no library is imported that pyproject.toml does not name, none named is idle."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("dsl", "compiler", "runtime", "grammars")

# Started as a program, never imported.
PROGRAMS = {"graphviz-pure"}

OWNERS = packages_distributions()


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> tuple[set[str], set[str]]:
    """The dependencies, and those of the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    firm, optional = (
        {plain(re.split(r"[^\w.-]", line)[0]) for line in group} for group in (project["dependencies"], extras)
    )
    return firm, optional


def imported(source: str) -> set[str]:
    """The distributions that a source imports from, at whatever depth it does so."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    tops = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"newel"}
    return {plain(owner) for top in tops for owner in OWNERS.get(top, [top])}


def test_the_product_imports_what_it_declares_and_no_more() -> None:
    sources = [path.read_text("utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    used = set().union(*map(imported, sources))
    firm, optional = declared()
    assert used - firm - optional == set()
    assert firm - used - PROGRAMS == set()


def test_a_program_is_named_where_it_is_started() -> None:
    sources = [path.read_text("utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert all(any(program in source for source in sources) for program in PROGRAMS)


def test_an_import_inside_a_function_counts_too() -> None:
    """And the module's name is led back to the name of what is installed."""
    assert imported("def late():\n    import yaml.nodes\n    from newel.dsl import parse\n    import os") == {"pyyaml"}
