"""An SVG can be read: by eyes, by readers, in the dark, and on a phone."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from newel.compiler.errors import LayoutError
from newel.compiler.exports import colors, graph
from newel.compiler.exports.picture import DRAWN
from newel.compiler.program import Workflow
from tests.compiler.exports.boards import chain, office, program, step, workflow

SVG = "{http://www.w3.org/2000/svg}"
STYLE = Path(__file__).parents[3] / "compiler" / "docs" / "templates" / "style.css"


def drawn(board: Workflow) -> ElementTree.Element:
    """The SVG of a board."""
    return ElementTree.fromstring(graph(program(board), board.name, "svg"))  # noqa: S314 - made by ourselves just now


def room(text: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a text: it is set to its width, and its signs stand on the base line."""
    x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
    width = float(text.attrib["textLength"])
    return x - width / 2, y - size * 0.75, x + width / 2, y + size * 0.22


def test_each_step_is_a_link_to_its_section() -> None:
    """With a name that says whether it is the start or an end."""
    links = {a.attrib["href"]: a.attrib["aria-label"] for a in drawn(office()).iter(f"{SVG}a")}
    assert links == {
        "#step-backlog": "Backlog",
        "#step-work": "Work, start",
        "#step-review": "Review",
        "#step-approval": "Approval",
        "#step-done": "Done, end",
    }


def test_a_reader_gets_a_name_and_a_summary() -> None:
    """The element is named and described; it is a group and no image, whose links could not be reached."""
    root = drawn(office())
    title, summary = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert summary is not None
    assert root.attrib["role"] == "group"
    assert (root.attrib["aria-labelledby"], root.attrib["aria-describedby"]) == (title.get("id"), summary.get("id"))
    assert (title.text, (summary.text or "")[:8]) == ("Office: picture of the workflow", "5 steps,")


def test_looks_can_be_told_apart_without_colour() -> None:
    """Approval is dashed and begins with a gate, a pull is dotted, an end has two frames, the start a dot."""
    groups = {g.get("class", ""): g for g in drawn(office()).iter(f"{SVG}g")}
    assert groups["arrow approval"].get("stroke-dasharray") == "6 4"
    assert groups["arrow approval"].find(f"{SVG}polygon[@class='hollow']") is not None
    assert groups["arrow pull"].get("stroke-dasharray") == "1.5 4"
    assert groups["arrow guarded"].get("stroke-dasharray") is None
    assert len(groups["box end"].findall(f"{SVG}rect")) == 2
    assert len(groups["box start"].findall(f"{SVG}rect")) == 1
    assert groups["begin"].find(f"{SVG}circle") is not None


@pytest.mark.parametrize("board", [office(), chain(60)], ids=["office", "chain"])
def test_no_label_overlaps_another_or_leaves_the_picture(board: Workflow) -> None:
    """Measured on every pair of texts, and against the edge."""
    root = drawn(board)
    left, top, width, height = (float(part) for part in root.attrib["viewBox"].split())
    rooms = [(room(text), text.text) for text in root.iter(f"{SVG}text")]
    for (x1, y1, x2, y2), said in rooms:
        assert left <= x1 < x2 <= left + width, said
        assert top <= y1 < y2 <= top + height, said
    for (a, said), (b, other) in combinations(rooms, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (said, other)


def test_text_is_ten_pixels_at_least() -> None:
    """Also where a page has shrunk the picture as far as it may."""
    shrunk = re.search(r"min-width: calc\(var\(--width\) \* ([.\d]+)\)", STYLE.read_text())
    assert shrunk is not None
    sizes = [float(text.attrib["font-size"]) for text in drawn(office()).iter(f"{SVG}text")]
    assert min(sizes) * float(shrunk[1]) > 10


def test_wide_titles_have_room() -> None:
    """The signs of East Asian scripts are wider than a layout program knows."""
    board = workflow("w", "W", [step("a", "\u65e5\u672c\u8a9e\u306e\u30bf\u30a4\u30c8\u30eb", start=True)])
    root = drawn(board)
    rect = root.find(f".//{SVG}a//{SVG}rect")
    assert rect is not None
    assert float(rect.attrib["width"]) > 8 * 14


def luminance(color: str) -> float:
    """Relative luminance as the accessibility guidelines define it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """From 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_and_lines_can_be_seen(dark: bool) -> None:
    """Text has a contrast of 4.5 on every ground it stands on, lines and frames of 3."""
    shade = {name: pair[dark] for name, pair in colors.NAMES.items()}
    for ground in ("paper", "step", "start", "end"):
        assert contrast(shade["ink"], shade[ground]) >= 4.5
        assert contrast(shade["muted"], shade[ground]) >= 4.5
    assert contrast(shade["approval"], shade["paper"]) >= 4.5
    for line in ("automatic", "guarded", "approval", "pull", "step-line", "start-line", "end-line"):
        assert contrast(shade[line], shade["paper"]) >= 3


def test_dark_mode_is_for_screens() -> None:
    """A printed page is light, whatever the screen was."""
    assert "@media screen and (prefers-color-scheme:dark)" in graph(program(office()), "office", "svg")


def test_too_many_steps_are_refused_at_once_with_what_to_do() -> None:
    """The limit is in the message, and the formats that have none."""
    with pytest.raises(LayoutError, match=rf"above {DRAWN}; the formats mermaid and dot have no such limit"):
        graph(program(chain(DRAWN)), "chain", "svg")


def test_a_large_workflow_is_laid_out_with_straight_lines() -> None:
    """Between the two limits the layout spends less effort."""
    assert re.search(r'splines="line"', graph(program(chain(200)), "chain", "dot"))
    assert not re.search(r'splines="line"', graph(program(chain(100)), "chain", "dot"))
    assert len(list(drawn(chain(200)).iter(f"{SVG}a"))) == 200
