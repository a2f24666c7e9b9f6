"""A document is read with its places; what could hide, repeat or blow up something is a finding."""

from __future__ import annotations

import json

import pytest
import yaml

from newel.compiler.imports import loading
from newel.compiler.imports.document import Document, Mapping, Scalar, Sequence
from newel.compiler.imports.loading import load
from newel.dsl import Finding, Source


def read(text: str) -> tuple[Document | None, list[Finding]]:
    return load(Source("board.yml", text))


def found(text: str) -> list[str]:
    return [finding.rule.code for finding in read(text)[1]]


def value(document: Document | None) -> object:
    match document:
        case Mapping(pairs=pairs):
            return {key.text: value(item) for key, item in pairs}
        case Sequence(items=items):
            return [value(item) for item in items]
        case Scalar():
            return document.value
        case None:
            return None


@pytest.mark.parametrize(
    "data",
    [
        {"a": [1, 2.5, None, True, "x"], "b": {}, "c": [], "d": {"e": {"f": "g"}}},
        {"\ue000": "\\ud83d\\ude00 is an escape, \\\\ two signs", "🎉": "\ue0ff"},
        {"emoji 🎉": "smile 😀 \u2028 é", "quote": 'a "b" \\ /', "tab": "a\tb\nc"},
    ],
)
@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_is_read_as_it_is_however_it_is_laid_out(data: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    document, findings = read(text)
    assert findings == []
    assert value(document) == data


def test_every_value_knows_its_place() -> None:
    text = 'é: "a 🎉"\nlist:\n  - {x: 1}\n  - |\n    long\n    text\n'
    document, _ = read(text)
    assert isinstance(document, Mapping)
    assert [text[key.start : key.end] for key, _ in document.pairs] == ["é", "list"]
    first, second = document.pairs[0][1], document.pairs[1][1]
    assert text[first.start : first.end] == '"a 🎉"'
    assert isinstance(second, Sequence)
    assert text[second.items[0].start : second.items[0].end] == "{x: 1}"
    assert text[second.items[1].start :].startswith("|\n    long")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("a: &x 1\nb: *x\n", ["NW906", "NW906"]),
        ("a: {<<: {b: 1}}\n", ["NW906"]),
        ("a: !!int 1\n", ["NW907"]),
        ("a: !python/object:os.system x\n", ["NW907"]),
        ("a: !x [1]\n", ["NW907"]),
        ("a: 1\nb: 2\na: 3\n", ["NW908"]),
        ('a: 1\n"a": 3\n', ["NW908"]),
        ("1: a\n", ["NW909"]),
        ("null: a\ntrue: b\n? [x]\n: c\n", ["NW909", "NW909", "NW909"]),
        ("a: 1\n---\nb: 2\n", ["NW910"]),
        ("a: 1 # one\nb: 2 # two\n", ["NW911"]),
        ("# first\na: 1\n", ["NW911"]),
        ("a: 1\n# last", ["NW911"]),
        ('a: "# no comment"\nb: x#y\nc: |\n  # text\n', []),
        ("yes: 1\non: 2\noff: 3\n", []),
        ("a: [1\n", ["NW902"]),
        ("a: 'x\n", ["NW902"]),
        ("\ta: 1\n", ["NW902"]),
        ("a: b: c\n", ["NW902"]),
        ("a: \x07\n", ["NW902"]),
        ('a: "\\0"\n', ["NW902"]),
        ('a: "\\ud83d"\n', ["NW902"]),
        ("a: \ud800\n", ["NW902"]),
        ("%YAML 9.9\n---\na: 1\n", ["NW902"]),
        ("", []),
    ],
)
def test_what_a_board_has_no_need_of_is_a_finding(text: str, codes: list[str]) -> None:
    assert found(text) == codes


def test_the_second_of_two_equal_keys_is_shown_with_the_first() -> None:
    (finding,) = read("a: 1\nb: 2\na: 3\n")[1]
    assert finding.span.first.line == 3
    assert finding.related[0].span.first.line == 1


def test_an_alias_bomb_is_refused_before_it_goes_off() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    assert set(found("\n".join(lines))) == {"NW906"}


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_nesting_is_bounded_by_a_finding_and_not_by_the_interpreter(opening: str) -> None:
    assert found(opening * 100_000) == ["NW905"]


@pytest.mark.parametrize(("depth", "codes"), [(loading.DEPTH, []), (loading.DEPTH + 1, ["NW905"])])
def test_nesting_is_read_up_to_its_limit(depth: int, codes: list[str]) -> None:
    assert found("[" * depth + "]" * depth) == codes


@pytest.mark.parametrize(("count", "codes"), [(loading.VALUES - 1, []), (loading.VALUES, ["NW903"])])
def test_values_are_read_up_to_their_limit(count: int, codes: list[str]) -> None:
    """The list itself is a value too."""
    assert found("- 1\n" * count) == codes


@pytest.mark.parametrize(
    ("size", "codes"),
    [
        (loading.CLIENT_BYTES, []),
        (loading.CLIENT_BYTES + 1, ["NW904"]),
        (8 * 1024 * 1024, ["NW904"]),
        (8 * 1024 * 1024 + 1, ["NW903"]),
    ],
)
def test_a_file_is_read_up_to_its_limit_and_reported_where_the_client_cuts_it(size: int, codes: list[str]) -> None:
    text = "a: " + "é" * ((size - 4) // 2) + "x" * ((size - 4) % 2) + "\n"
    assert len(text.encode()) == size
    assert found(text) == codes


WITHOUT_LIBYAML = [
    "a:\n  - b: |\n      long\n      text\n    c: 'q'\n",
    '{\n\t"a": "\\ud83d\\ude00 \u2028",\n\t"b": [1, 2]\n}\n',
    "a: &x 1\nb: *x\n# comment\n",
    "a: [1\n",
    "a: 1\n---\nb: 2\n",
    "[" * 5000,
]


@pytest.mark.parametrize("text", WITHOUT_LIBYAML)
def test_a_document_is_the_same_where_yaml_was_built_without_its_library(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_library = read(text)
    monkeypatch.setattr(loading, "_PARSER", yaml.SafeLoader)
    without, findings = read(text)
    assert value(without) == value(with_library[0])
    assert [finding.rule.code for finding in findings] == [finding.rule.code for finding in with_library[1]]
