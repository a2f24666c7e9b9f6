"""Nothing of a user's acts in a picture, whatever it says (R13)."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from newel.compiler.exports import EXPORTS, graph
from newel.compiler.exports.layout import found, run
from tests.compiler.exports.hostile import TEXTS, board, large

SVG = "{http://www.w3.org/2000/svg}"
# fmt: off
ELEMENTS = {
    SVG + name
    for name in ("svg", "title", "desc", "style", "rect", "g", "a", "path", "polygon", "circle", "text")
}
ATTRIBUTES = {
    "class", "role", "width", "height", "viewBox", "font-family", "aria-labelledby", "aria-describedby", "id", "x", "y",
    "fill", "stroke", "cx", "cy", "r", "d", "points", "stroke-dasharray", "href", "aria-label", "rx", "text-anchor",
    "font-size", "font-weight", "textLength", "lengthAdjust", "paint-order", "stroke-width", "stroke-linejoin",
    "transform",
}
# fmt: on
ACTIVE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
LABEL = r'"(?:[\w .,=()!?+\'/-]|#\d+;|<br/>)*"'
MERMAID = re.compile(
    "|".join(
        [
            "flowchart LR",
            rf"  (?:  )?step_\w*(?:\({LABEL}\)|\[\[{LABEL}\]\]):::(?:step|start|finish)",
            r"  begin\(\( \)\):::begin --> step_\w*",
            rf"  step_\w* (?:-->|-\.->)\|{LABEL}\| step_\w*",
            rf"  subgraph stage_\d+\[{LABEL}\]",
            r"  end",
            r"  classDef \w+ [\w:#,-]+",
            r"  linkStyle [\d,]+ stroke:#\w+",
        ]
    ),
    re.ASCII,
)


def test_r13_the_corpus_is_fifty_texts() -> None:
    """Fifty, and each once."""
    assert len(set(TEXTS)) == len(TEXTS) == 50


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("format_", [export.name for export in EXPORTS])
def test_r13_no_sign_that_acts_is_in_any_picture(format_: str, text: str) -> None:
    """Neither escapes, nor what turns or hides text, nor what a file cannot hold."""
    for compiled in (board(text), large(text)):
        drawn = graph(compiled, "hostile", format_)
        assert not ACTIVE.search(drawn)
        drawn.encode()


@pytest.mark.parametrize("text", TEXTS)
def test_r13_an_svg_has_only_our_elements(text: str) -> None:
    """It is well-formed, has no element or attribute beside ours, and links to steps of its own page only."""
    for compiled, links in ((board(text), 2), (large(text), 30)):
        root = ElementTree.fromstring(graph(compiled, "hostile", "svg"))  # noqa: S314 - made by ourselves just now
        for element in root.iter():
            assert element.tag in ELEMENTS
            assert set(element.attrib) <= ATTRIBUTES
            assert re.fullmatch(r"(#step-[\w.-]+|#stage-\d)?", element.get("href", ""), re.ASCII)
        boxes = [g.get("class") for a in root.iter(f"{SVG}a") if a.get("href", "").startswith("#step") for g in a]
        assert len([each for each in boxes if each != "box elsewhere"]) == links


@pytest.mark.parametrize("text", TEXTS)
def test_r13_stages_are_named_by_what_their_steps_say(text: str) -> None:
    """Three of ten steps, in each format: the name is cut to a line, and nothing in it acts."""
    svg = ElementTree.fromstring(graph(large(text), "hostile", "svg"))  # noqa: S314 - made by ourselves just now
    headings = [each.text or "" for each in svg.iter(f"{SVG}text") if each.get("class") == "ink heading"]
    assert [each[:3] for each in headings] == ["1. ", "2. ", "3. "]
    assert len(re.findall(r"^  subgraph stage_\d\[", graph(large(text), "hostile", "mermaid"), re.MULTILINE)) == 3


@pytest.mark.parametrize("text", TEXTS)
def test_r13_dot_reads_as_our_nodes_and_edges(text: str) -> None:
    """A layout program finds the two steps, the dot, their arrows, and no image or address beside ours."""
    read = json.loads(run(found(None), graph(board(text), "hostile", "dot"), 20))
    assert len(read["objects"]) == 3
    assert len(read["edges"]) == 3
    large_one = json.loads(run(found(None), graph(large(text), "hostile", "dot"), 20))
    assert [part["name"] for part in large_one["objects"] if "nodes" in part] == ["cluster_1", "cluster_2", "cluster_3"]
    assert (len(large_one["objects"]), len(large_one["edges"])) == (34, 31)
    for part in (*read["objects"], *read["edges"], *large_one["objects"], *large_one["edges"]):
        assert not {"image", "href", "target", "shapefile"} & set(part)
        assert re.fullmatch(r"(#step-[\w.-]+)?", part.get("URL", ""), re.ASCII)
    assert not [o for part in (*read["objects"], *large_one["objects"]) for o in part["_draw_"] if o["op"] == "I"]


@pytest.mark.parametrize("text", TEXTS)
def test_r13_mermaid_has_only_our_statements(text: str) -> None:
    """Each line is a box, an arrow or a colour; in labels stand letters, entities and our line breaks."""
    for compiled in (board(text), large(text)):
        for row in graph(compiled, "hostile", "mermaid").splitlines():
            assert MERMAID.fullmatch(row), row
