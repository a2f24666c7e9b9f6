"""Nothing of a user's acts in a picture, whatever it says (R13)."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from newel.compiler.exports import EXPORTS, graph
from newel.compiler.exports.layout import found, run
from tests.compiler.exports.hostile import TEXTS, board

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
            rf"  step_\w*(?:\({LABEL}\)|\[\[{LABEL}\]\]):::(?:step|start|finish)",
            r"  begin\(\( \)\):::begin --> step_\w*",
            rf"  step_\w* (?:-->|-\.->)\|{LABEL}\| step_\w*",
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
    drawn = graph(board(text), "hostile", format_)
    assert not ACTIVE.search(drawn)
    drawn.encode()


@pytest.mark.parametrize("text", TEXTS)
def test_r13_an_svg_has_only_our_elements(text: str) -> None:
    """It is well-formed, has no element or attribute beside ours, and links to steps of its own page only."""
    root = ElementTree.fromstring(graph(board(text), "hostile", "svg"))  # noqa: S314 - made by ourselves just now
    for element in root.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
        assert re.fullmatch(r"(#step-[\w.-]+)?", element.get("href", ""), re.ASCII)
    assert len(root.findall(f".//{SVG}a")) == 2


@pytest.mark.parametrize("text", TEXTS)
def test_r13_dot_reads_as_our_nodes_and_edges(text: str) -> None:
    """A layout program finds the two steps, the dot, their arrows, and no image or address beside ours."""
    read = json.loads(run(found(None), graph(board(text), "hostile", "dot"), 20))
    assert len(read["objects"]) == 3
    assert len(read["edges"]) == 3
    for part in (*read["objects"], *read["edges"]):
        assert not {"image", "href", "target", "shapefile"} & set(part)
        assert re.fullmatch(r"(#step-[\w.-]+)?", part.get("URL", ""), re.ASCII)
    assert not [o for part in read["objects"] for o in part["_draw_"] if o["op"] == "I"]


@pytest.mark.parametrize("text", TEXTS)
def test_r13_mermaid_has_only_our_statements(text: str) -> None:
    """Each line is a box, an arrow or a colour; in labels stand letters, entities and our line breaks."""
    for row in graph(board(text), "hostile", "mermaid").splitlines():
        assert MERMAID.fullmatch(row), row
