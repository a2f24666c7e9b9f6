"""The grammar file, as Lark reads it by itself, against the parser that uses its table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from newel.dsl import parse
from newel.dsl.build import BUILD
from newel.dsl.loading import grammar_text, load
from newel.dsl.source import Source
from newel.dsl.table import Table, as_data, from_data
from newel.dsl.tablemaker import keyword, lark, make
from newel.dsl.tree import Name
from tests.dsl.damage import damaged, files
from tests.dsl.test_parser import nodes

SAME = {"NW002", "NW003", "NW004", "NW005", "NW006", "NW008", "NW014"}


class Lines:
    """Drops the line breaks between brackets, as the driver does, by looking at tokens alone."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens without those line breaks."""
        flat: list[bool] = []
        first, before = True, ""
        for token in stream:
            kind = token.type
            if kind == "_NL":
                if not (flat and flat[-1]):
                    first, before = True, ""
                    yield token
                continue
            if kind in ("LPAR", "LSQB"):
                flat.append(True)
            elif kind == "LBRACE":
                inside = bool(flat and flat[-1])
                flat.append(inside or before in ("EQUAL", "COLON", "DISPATCH", "EXCLUDE", "first"))
            elif kind in ("RPAR", "RSQB", "RBRACE") and flat:
                flat.pop()
            if kind == "LBRACE" and not flat[-1]:
                first, before = True, ""
            else:
                first, before = False, "first" if first and kind == "NAME" else kind
            yield token


@pytest.fixture(scope="module")
def plain() -> Lark:
    return Lark(grammar_text(), parser="lalr", lexer="contextual", postlex=Lines(), maybe_placeholders=False)


def test_the_grammar_has_no_conflict(caplog: pytest.LogCaptureFixture) -> None:
    """Lark raises for two reductions; that it also had to choose between shift and reduce it only logs."""
    with caplog.at_level(logging.DEBUG, logger="lark"):
        Lark(grammar_text(), parser="lalr", lexer="contextual", postlex=Lines(), debug=True)
    assert [record.message for record in caplog.records if "conflict" in record.message.lower()] == []


@pytest.mark.parametrize("text", files(), ids=range(len(files())))
def test_lark_alone_reads_the_same_names(plain: Lark, text: str) -> None:
    """The driver reads tokens by one pattern and looks keywords up; Lark's contextual lexer must see the same."""
    tree = plain.parse(text)
    theirs = {
        (token.start_pos, token.end_pos)
        for token in tree.scan_values(lambda each: isinstance(each, Token) and each.type == "NAME")
    }
    file, findings = parse(text)
    assert findings == []
    assert {(node.start, node.end) for top in file.items for node in nodes(top) if isinstance(node, Name)} == theirs


def test_lark_alone_accepts_what_the_parser_accepts(plain: Lark) -> None:
    """Of 500 damaged files Lark refuses those in which the parser finds something, apart from what no grammar says."""
    for kind, text in damaged(seed=11, count=100):
        _, findings = parse(Source(kind, text))
        if {finding.rule.code for finding in findings} <= SAME:
            assert accepts(plain, text) is not bool(findings), (kind, text)


def accepts(plain: Lark, text: str) -> bool:
    try:
        plain.parse(text)
    except UnexpectedInput:
        return False
    return True


def test_every_production_of_several_symbols_makes_something() -> None:
    lacking = {each.origin for each in load().productions if each.size != 1 and each.origin not in BUILD}
    assert lacking == set()
    assert set(BUILD) <= {each.origin for each in load().productions}


def test_every_keyword_is_the_name_of_its_terminal() -> None:
    """`_ON_` and `_ON` are both `on`; a terminal that is a word must not be read as a name."""
    words = {terminal.name: keyword(terminal) for terminal in lark(grammar_text()).terminals}
    assert words["_ON_"] == words["_ON"] == "on"
    assert words["NAME"] == words["_NL"] == words["ARROW"] == ""
    assert sum(map(bool, words.values())) == 34


def test_a_table_is_the_same_after_a_way_through_the_cache() -> None:
    table = make(grammar_text())
    again = from_data(as_data(table))
    assert isinstance(again, Table)
    assert as_data(again) == as_data(table)


def test_only_one_module_imports_lark() -> None:
    folder = Path(__file__).parents[2] / "dsl"
    importing = [path.name for path in folder.rglob("*.py") if "from lark" in path.read_text(encoding="utf-8")]
    assert importing == ["tablemaker.py"]
