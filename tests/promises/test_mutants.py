"""The mutants of a module are what its reader would expect, and what is listed as equivalent is one of them."""

from __future__ import annotations

import ast

import pytest

from tests.promises.edits import ROOT
from tests.promises.mutants import mutants
from tests.promises.mutation import MUTATED, all_mutants, equivalents


def changes(body: str) -> list[str]:
    """What is changed in a function with this body."""
    text = "def f(a, b):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return [f"{each.before} -> {each.after}" for each in mutants(text)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a == b", ["a == b -> pass", "a == b -> a != b"]),
        ("a < 1", ["a < 1 -> pass", "a < 1 -> a >= 1", "a < 1 -> a <= 1", "1 -> 2"]),
        ("a and b", ["a and b -> pass", "a and b -> a or b", "a and b -> b", "a and b -> a"]),
        ("return not a", ["not a -> a"]),
        ("return a if b else ''", [
            "a if b else '' -> a",
            "a if b else '' -> ''",
            "'' -> 'something'",
        ]),
        ("if a:\n    raise b", ["if a: -> if True:", "if a: -> if False:", "raise b -> pass"]),
        ("for x in a:\n    x.y = True", ["for x in a: -> for x in ():", "x.y = True -> pass", "True -> False"]),
        ("with a:\n    b += f'{a}c'", ["with a: -> if True:", "b += f'{a}c' -> pass", "f'{a}c' -> 'other'"]),
        ("a(1, c=b)", ["a(1, c=b) -> pass", "a(1, c=b) -> a(1)", "1 -> 2"]),
        ("try:\n    pass\nexcept (KeyError, ValueError):\n    pass", [
            "except (KeyError, ValueError): -> except ():",
            "except (KeyError, ValueError): -> except (ValueError,):",
            "except (KeyError, ValueError): -> except (KeyError,):",
        ]),
        ("try:\n    pass\nexcept Exception:\n    pass", [
            "except Exception: -> except ():",
            "except Exception: -> except BaseException:",
        ]),
    ],
)  # fmt: skip
def test_a_body_is_changed_in_each_of_these_ways(body: str, expected: list[str]) -> None:
    assert changes(body) == expected


def test_what_no_run_notices_is_left_as_it_is() -> None:
    text = """\"\"\"A module.\"\"\"
import re
from typing import overload

Names = tuple[int, "A"]

class A:
    \"\"\"A class.\"\"\"
    __slots__ = ("a",)

    @overload
    def f(self, a: int | None) -> "str": ...
    def f(self, a: "int | None", /) -> "str":
        \"\"\"A method.\"\"\"
"""
    assert list(mutants(text)) == []


def test_a_decorator_is_taken_away_and_a_mutant_knows_its_function() -> None:
    text = "@a\n@b\nclass C:\n    def f(self, x=1):\n        x.y()\n"
    found = [(each.function, list(each.span), each.after) for each in mutants(text)]
    assert found == [("", [], "@b class C:"), ("", [], "@a class C:"), ("C.f", [5], "2"), ("C.f", [5], "pass")]


@pytest.mark.parametrize("file", MUTATED)
def test_every_mutant_is_a_module_that_differs(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    found = list(mutants(text))
    assert len(found) > 10
    for mutant in found[:: max(len(found) // 10, 1)]:
        assert ast.dump(ast.parse(mutant.made(text))) != ast.dump(ast.parse(text))


def test_what_cannot_be_noticed_is_a_mutant_and_has_a_reason() -> None:
    known = {(file, mutant.change) for file, mutant in all_mutants()}
    listed = equivalents()
    assert [each for each in listed if (each.file, each.change) not in known] == []
    assert all(len(each.why.split()) > 3 for each in listed)
    assert len({(each.file, each.change) for each in listed}) == len(listed)
