"""Grammar text to parsing table, by Lark. The only module that imports Lark; it runs when the cache has no table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef, Token
from lark.parsers.lalr_analysis import Shift

from newel.dsl.table import Production, Table

WORD = re.compile(r"[A-Za-z_]+")


class Newlines:
    """Makes `_NL` a token in every state; which of them count is the driver's to say."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens as they come."""
        return stream


def lark(grammar: str) -> Lark:
    """The grammar as Lark reads it; raises lark.exceptions.GrammarError where it has a conflict."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        keep_all_tokens=True,
        maybe_placeholders=True,
        postlex=Newlines(),
    )


def make(grammar: str) -> Table:
    """The table of a grammar."""
    parser = lark(grammar)
    conf: Any = parser.parse_interactive("").parser_state.parse_conf
    rules = sorted(parser.rules, key=lambda rule: (str(rule.origin.name), rule.order))
    number = numbered(conf)
    numbers = {rule: at for at, rule in enumerate(rules)}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in number:
        row = conf.states[state]
        terminals: dict[str, int] = {}
        nonterminals: dict[str, int] = {}
        for symbol, (action, to) in sorted(row.items()):
            target = number[to] if action is Shift else ~numbers[to]
            (terminals if symbol.isupper() else nonterminals)[str(symbol)] = target
        actions.append(terminals)
        gotos.append(nonterminals)
    words = {terminal.name: word for terminal in parser.terminals if (word := keyword(terminal))}
    soft = {terminal.name: word for terminal in parser.terminals if (word := continuation(terminal))}
    return Table(
        actions=actions,
        gotos=gotos,
        productions=[production(rule) for rule in rules],
        start=number[conf.start_state],
        keywords=[{words[name]: name for name in row if name in words} for row in actions],
        continuations=[frozenset(soft[name] for name in row if name in soft) for row in actions],
        patterns=list(patterns(parser, set(words))),
    )


def numbered(conf: Any) -> dict[Any, int]:
    """The states in the order in which they are reached from the first; Lark's own numbers differ at each build."""
    found = {conf.start_state: 0}
    waiting = [conf.start_state]
    for state in waiting:
        for _, (action, to) in sorted(conf.states[state].items()):
            if action is Shift and to not in found:
                found[to] = len(found)
                waiting.append(to)
    return found


def production(rule: Rule) -> Production:
    """A rule of Lark's; the holes are the slots it has for optional symbols that this form of it leaves out."""
    holes = tuple(slot for slot, empty in enumerate(rule.options.empty_indices) if empty)
    return Production(str(rule.origin.name), len(rule.expansion), holes)


def keyword(terminal: TerminalDef) -> str:
    """The word a terminal stands for; empty where it is none. `_ON_` and `_ON` are both `on`."""
    word = terminal.name.strip("_").lower()
    pattern = re.compile(terminal.pattern.to_regexp())
    return word if terminal.name != "NAME" and WORD.fullmatch(word) and pattern.fullmatch(word) else ""


def continuation(terminal: TerminalDef) -> str:
    """What begins a line that goes on with the one before, where a terminal is such a word or sign."""
    pattern = re.compile(terminal.pattern.to_regexp())
    return next((word for word in (keyword(terminal), "|") if word and pattern.fullmatch(f"\n# x\n {word}")), "")


def patterns(parser: Lark, keywords: set[str]) -> Iterator[tuple[str, str]]:
    """Terminals and their patterns in the order they are tried, which is Lark's own. Keywords are read as names."""
    ignored = set(parser.ignore_tokens)
    order = sorted(
        parser.terminals,
        key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name),
    )
    for terminal in order:
        pattern = terminal.pattern.to_regexp()
        if terminal.name == "COMMENT" or terminal.name not in keywords | ignored:
            yield terminal.name, without_break(pattern)


def without_break(pattern: str) -> str:
    """The pattern of a terminal without the line break it may begin with; the driver looks for those itself."""
    lead = r"(?:(?:" + "\r?\n[ \t]*(?:#[^\n]*(?=\n))?)+)?"
    return pattern.removeprefix(lead)
