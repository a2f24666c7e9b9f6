"""Trees as plain data: what is packed comes back equal, and what is no such data is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from newel.dsl import parse
from newel.dsl.packing import packed, unpacked

CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.newel"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_tree_comes_back_equal_from_json(path: Path) -> None:
    file, _ = parse(path.read_text(encoding="utf-8"))
    assert unpacked(json.loads(json.dumps(packed(file.items)))) == file.items
    assert unpacked(json.loads(json.dumps(packed(file.comments)))) == file.comments


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"classes": [], "items": [[0]]},
        {"classes": ["Name"], "items": [[0, 1]]},
        {"classes": ["Path"], "items": [[0, "/"]]},
        {"classes": ["Source"], "items": [[0, "path", "text"]]},
        {"classes": ["Name"], "items": [["x"]]},
        {"classes": ["Name"], "items": [[]]},
        {"classes": ["Name"], "items": None},
    ],
)
def test_what_is_no_tree_is_refused(data: dict[str, object]) -> None:
    """Nor is a class made that is none of the tree's, whatever the data names."""
    with pytest.raises((IndexError, KeyError, TypeError, ValueError)):
        unpacked(data)
