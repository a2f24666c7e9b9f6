"""An SVG can be read: by eyes, by readers, in the dark, and on a phone."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree

import pytest

from newel.compiler.exports import colors, graph
from newel.compiler.exports.picture import picture
from newel.compiler.exports.sheet import sheet
from newel.compiler.exports.svg import drawings, svg
from newel.compiler.program import Workflow
from tests.compiler.exports.boards import chain, office, program, step, workflow

SVG = "{http://www.w3.org/2000/svg}"
STYLE = Path(__file__).parents[3] / "compiler" / "docs" / "templates" / "style.css"


def drawn(board: Workflow) -> ElementTree.Element:
    """The SVG of a board."""
    return ElementTree.fromstring(graph(program(board), board.name, "svg"))  # noqa: S314 - made by ourselves just now


Room = tuple[float, float, float, float]


def room(text: ElementTree.Element) -> Room:
    """Left, top, right and bottom of a text: it is set to its width, and its signs stand on the base line."""
    x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
    width = float(text.attrib["textLength"])
    return x - width / 2, y - size * 0.75, x + width / 2, y + size * 0.22


def rooms(root: ElementTree.Element) -> list[tuple[Room, str]]:
    """The rooms of all texts, moved as the groups are that they stand in."""
    found = []

    def walk(element: ElementTree.Element, left: float, top: float) -> None:
        if moved := re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", element.get("transform", "")):
            left, top = left + float(moved[1]), top + float(moved[2])
        if element.tag == f"{SVG}text":
            x1, y1, x2, y2 = room(element)
            found.append(((x1 + left, y1 + top, x2 + left, y2 + top), element.text or ""))
        for inner in element:
            walk(inner, left, top)

    walk(root, 0, 0)
    return found


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


BOARDS = {"office": office(), **{f"{count} steps": chain(count) for count in (60, 200, 1000)}}


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_label_overlaps_another_or_leaves_the_picture(board: Workflow) -> None:
    """Measured on every pair of texts that are near to each other, and against the edge."""
    root = drawn(board)
    left, top, width, height = (float(part) for part in root.attrib["viewBox"].split())
    found = sorted(rooms(root), key=lambda each: each[0][1])
    for (x1, y1, x2, y2), said in found:
        assert left <= x1 < x2 <= left + width, said
        assert top <= y1 < y2 <= top + height, said
    for index, (a, said) in enumerate(found):
        for b, other in takewhile(lambda each: each[0][1] < a[3], found[index + 1 :]):  # noqa: B023 - used at once
            assert a[2] <= b[0] or b[2] <= a[0], (said, other)


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


@pytest.mark.parametrize("count", [200, 1000])
def test_a_large_workflow_is_as_wide_as_a_desk_however_many_steps_it_has(count: int) -> None:
    """Each step is a link once, apart from the boxes that stand for it elsewhere; the stages have ids."""
    root = drawn(chain(count))
    assert float(root.attrib["width"]) < 1400
    boxes = [a for a in root.iter(f"{SVG}a") if a[0].attrib["class"] not in ("box elsewhere",)]
    steps = [a.attrib["href"] for a in boxes if a.attrib["href"].startswith("#step-")]
    assert sorted(steps) == sorted(f"#step-step-{number}" for number in range(count))
    frames = {f"#{rect.get('id')}" for rect in root.iter(f"{SVG}rect") if rect.get("class") == "frame"}
    assert frames == {a.attrib["href"] for a in boxes if a.attrib["href"].startswith("#stage-")}


def test_pictures_that_are_laid_out_together_are_those_laid_out_alone() -> None:
    """In their order, whichever of them have stages."""
    shown = [picture(program(each), each) for each in (chain(3), chain(30), office(), chain(5), chain(70))]
    assert [each.whole() for each in drawings(shown)] == [svg(each) for each in shown]


def test_five_thousand_steps_do_not_hang() -> None:
    """The work grows with the number of steps, since each row is laid out by itself."""
    board = chain(5000)
    shown = picture(program(board), board)
    begun = perf_counter()
    made = sheet(shown)
    assert perf_counter() - begun < 30
    assert max(piece.size for piece in made.pieces) < 60
    assert sum(box.sort == "step" for piece in made.pieces for box in piece.boxes) == 5000
