"""Findings written as text, as one line each, and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from newel.compiler.reports import REPORTS, report
from newel.dsl.findings import Edit, Finding, Fix, Related, Rule, Severity
from newel.dsl.source import Source, Span

BOARD = 'workflow w "W" {\n\tstep wörk "Wörk" {\n\t\tcolour "red"\n\t}\n}\n'


def rule(severity: Severity = "error", hint: str = "write `{good}`") -> Rule:
    return Rule(
        code="NW999",
        name="wrong-word",
        severity=severity,
        message="`{bad}` is no word",
        hint=hint,
        why="",
        wrong="",
        right="",
    )


def span(text: str, part: str, path: str = "w.newel") -> Span:
    start = text.index(part)
    return Span(Source(path, text), start, start + len(part))


def finding(severity: Severity = "error", hint: str = "write `{good}`", bad: str = "colour") -> Finding:
    where = span(BOARD, "colour")
    return Finding(
        rule(severity, hint),
        where,
        {"bad": bad, "good": "color"},
        (Related("in this step", Span(where.source, 18, 27)), Related("declared here", span("x\ny\n", "y", "v.newel"))),
    )


def test_text_shows_the_place_the_line_with_marks_the_other_places_and_what_to_do() -> None:
    assert report("text", [finding()], 2) == (
        "w.newel:3:3: error NW999 `colour` is no word\n"
        "  |\n"
        '3 |         colour "red"\n'
        "  |         ^^^^^^\n"
        '2 |     step wörk "Wörk" {\n'
        "  |     --------- in this step\n"
        "  > v.newel:2:1:\n"
        "2 | y\n"
        "  | - declared here\n"
        "  = help: write `color`\n"
        "\n"
        "1 error in 2 files\n"
    )


def test_text_has_no_help_line_where_there_is_nothing_to_say() -> None:
    assert "help" not in report("text", [finding(hint="")], 1)


def mended(message: str) -> Finding:
    one = finding()
    return replace(one, fix=Fix(message, (Edit(one.span, "color"),)))


def test_text_says_what_can_be_mended() -> None:
    """Beside the advice where that is the mend, else below it."""
    assert "\n  = help: write `color` (mended by --fix)\n" in report("text", [mended("write `color`")], 1)
    below = "\n  = help: write `color`\n  = help: remove it (mended by --fix)\n"
    assert below in report("text", [mended("remove it")], 1)


def test_text_leaves_the_figures_out_where_it_is_to_be_quiet() -> None:
    assert report("text", [], 2, quiet=True) == ""
    assert report("text", [finding()], 2).startswith(report("text", [finding()], 2, quiet=True))


def test_json_holds_the_edits_of_a_fix() -> None:
    (one,) = json.loads(report("json", [mended("write `color`")], 1))["findings"]
    assert one["fix"] == {
        "message": "write `color`",
        "edits": [{"path": one["path"], "range": one["range"], "text": "color"}],
    }


def test_text_is_plain_unless_colour_is_asked_for() -> None:
    assert "\x1b" not in report("text", [finding()], 1)
    colored = report("text", [finding()], 1, color=True)
    assert "\x1b[1;31merror NW999\x1b[0m" in colored
    assert "\x1b[1;31m        ^^^^^^\x1b[0m" in colored


@pytest.mark.parametrize(
    ("severities", "files", "line"),
    [
        ([], 1, "nothing wrong in 1 file"),
        (["note"], 1, "1 note in 1 file"),
        (["warning", "error", "error", "error"], 2, "3 errors, 1 warning in 2 files"),
    ],
)
def test_the_last_line_of_text_counts(severities: list[Severity], files: int, line: str) -> None:
    text = report("text", [finding(severity) for severity in severities], files)
    assert text.splitlines()[-1] == line


def test_concise_is_one_line_per_finding() -> None:
    text = report("concise", [finding(), finding("warning", bad="a\nb")], 1)
    assert text.splitlines() == [
        "w.newel:3:3: error NW999 `colour` is no word",
        "w.newel:3:3: warning NW999 `a\N{SYMBOL FOR LINE FEED}b` is no word",
    ]


def test_concise_says_nothing_of_clean_files() -> None:
    assert report("concise", [], 3) == ""


def test_json_holds_what_the_interface_says_with_columns_in_characters_and_offsets_in_bytes() -> None:
    assert json.loads(report("json", [finding("warning")], 2)) == {
        "format_version": "1.0",
        "findings": [
            {
                "code": "NW999",
                "name": "wrong-word",
                "severity": "warning",
                "message": "`colour` is no word",
                "hint": "write `color`",
                "url": None,
                "path": "w.newel",
                "range": {
                    "start": {"line": 3, "column": 3, "offset": 41},
                    "end": {"line": 3, "column": 9, "offset": 47},
                },
                "related": [
                    {
                        "message": "in this step",
                        "path": "w.newel",
                        "range": {
                            "start": {"line": 2, "column": 2, "offset": 18},
                            "end": {"line": 2, "column": 11, "offset": 28},
                        },
                    },
                    {
                        "message": "declared here",
                        "path": "v.newel",
                        "range": {
                            "start": {"line": 2, "column": 1, "offset": 2},
                            "end": {"line": 2, "column": 2, "offset": 3},
                        },
                    },
                ],
                "fix": None,
            }
        ],
        "summary": {"errors": 0, "warnings": 1, "notes": 0, "files": 2},
    }


ACTIVE = [*map(chr, (*range(0x20), *range(0x7F, 0xA0))), "\u202e", "\u2066", "\u200b", "\ud800", "\U000e0041"]


@pytest.mark.parametrize("name", [format_.name for format_ in REPORTS])
def test_no_format_hands_a_terminal_what_would_act_on_it(name: str) -> None:
    text = f"step {''.join(ACTIVE)} x"
    where = Span(Source(f"a{''.join(ACTIVE)}.newel", text), 0, 4)
    hostile = "".join(ACTIVE)
    one = Finding(rule(), where, {"bad": hostile, "good": hostile}, (Related(hostile, where),))
    out = report(name, [one], 1)
    assert not set(out) & set(ACTIVE) - {"\n"}
    out.encode()


def test_every_format_has_its_own_name() -> None:
    names = [format_.name for format_ in REPORTS]
    assert len(set(names)) == len(names)
    with pytest.raises(KeyError):
        report("nonsense", [], 0)
