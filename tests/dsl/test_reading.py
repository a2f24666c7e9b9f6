"""Bytes to text: UTF-8 and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from newel.dsl import Finding, Limits, Source, decode, parse, read_source


def test_a_file_is_read_under_the_path_it_is_shown_by(tmp_path: Path) -> None:
    path = tmp_path / "a.newel"
    path.write_bytes("# é\r\nuse nothing\r\n".encode())
    source = read_source(path, "boards/a.newel")
    assert isinstance(source, Source)
    assert (source.path, source.text, source.bom) == ("boards/a.newel", "# é\r\nuse nothing\r\n", 0)


def test_a_byte_order_mark_is_skipped_and_counted() -> None:
    source = decode(b"\xef\xbb\xbf?", "a")
    assert isinstance(source, Source)
    (finding,) = parse(source)[1]
    assert finding.span.first == (1, 1, 3)


@pytest.mark.parametrize(
    ("data", "place", "said"),
    [
        ("workflow".encode("utf-16"), (1, 1, 0), "UTF-16"),
        ("workflow".encode("utf-32"), (1, 1, 0), "UTF-32"),
        (b"# a\n# caf\xe9\n", (2, 6, 9), "0xE9"),
        (b"\xef\xbb\xbf# \xff", (1, 3, 5), "0xFF"),
        ("# é\n".encode() + b"\xc3", (2, 1, 5), "0xC3"),
        ("é\n# \0".encode(), (2, 3, 5), "NUL"),
        (b"\xed\xa0\x80", (1, 1, 0), "0xED"),
    ],
)
def test_another_encoding_is_found_at_its_first_wrong_byte(data: bytes, place: tuple[int, int, int], said: str) -> None:
    finding = decode(data, "a")
    assert isinstance(finding, Finding)
    assert finding.rule.code == "NW001"
    assert finding.span.first == place
    assert said in finding.message


def test_nul_in_a_text_given_as_such_is_found_where_it_stands() -> None:
    file, (finding,) = parse("# a\n \0 ?\n")
    assert (finding.rule.code, finding.span.first) == ("NW001", (2, 2, 5))
    assert file.broken


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path) -> None:
    limits = Limits(bytes=10)
    path = tmp_path / "a.newel"
    path.write_bytes(b"#" * 10)
    assert isinstance(read_source(path, "a", limits), Source)
    path.write_bytes(b"#" * 11)
    finding = read_source(path, "a", limits)
    assert isinstance(finding, Finding)
    assert finding.message == "this file has more than 10 bytes"
