"""Whatever stands in a file, only findings come out."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newel.dsl import Finding, decode, is_broken, parse
from newel.dsl.loading import load
from newel.dsl.source import Source

MANY = int(os.environ.get("NEWEL_FUZZ", "1"))
"""How many times the CI size."""

WORDS = sorted({word for row in load().keywords for word in row})
SCRAPS = [
    *WORDS,
    *[
        "a",
        "b-c",
        "_x",
        "x1",
        "1",
        "-2.5",
        "15m",
        "5x",
        '"t"',
        '"',
        '"""',
        '"""\n x\n """',
        "\n",
        "\n  ",
        "\n    ",
        "\n\n",
        "\r\n",
    ],
    *[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "=",
        ":",
        ",",
        ".",
        "..",
        "|",
        "?",
        "->",
        "# c\n",
        "## d\n",
        " ",
        "\t",
        ";",
        "'",
        "'x'",
        "&&",
    ],
    *[
        "||",
        "!",
        "//",
        "=>",
        "\\",
        "$",
        "é",
        "\u2192",
        "\ufffd",
        "\ud800",
        "\u201cx\u201d",
        "\x01",
        "\u00a0",
        "\u200b",
        "\ufeff",
    ],
]


def look(text: str | Source) -> None:
    """Parse, and look at everything that comes out."""
    file, findings = parse(text)
    length = len(file.source.text)
    for finding in findings:
        assert finding.message
        assert finding.advice
        assert 0 <= finding.span.start <= finding.span.end <= length
        assert finding.span.first <= finding.span.last
    assert file.broken is is_broken(file)
    assert findings or not file.broken
    assert [finding.span.start for finding in findings] == sorted(finding.span.start for finding in findings)
    assert all(0 <= comment.start < comment.end <= length for comment in file.comments)


@settings(max_examples=1000 * MANY, deadline=2000, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(SCRAPS), max_size=80), st.sampled_from(["", " "]))
def test_scraps_of_the_grammar(scraps: list[str], between: str) -> None:
    look(between.join(scraps))


@settings(max_examples=300 * MANY, deadline=2000)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    look(text)


@settings(max_examples=700 * MANY, deadline=2000)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    source = decode(data, "x.newel")
    if isinstance(source, Finding):
        assert source.rule.code == "NW001"
        assert source.span.first.offset <= len(data)
    else:
        look(source)
