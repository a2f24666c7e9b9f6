"""Parse, bind, check and lower in one process, against Lark alone on the same text, and against a tenth of the text."""

from __future__ import annotations

from lark import Lark

from newel.compiler import compile_text
from newel.dsl.collector import paused
from newel.dsl.loading import grammar_text
from newel.dsl.tablemaker import Newlines
from tests.benchmarks.figures import Figure
from tests.benchmarks.texts import SMALL, lines, workflow
from tests.benchmarks.timing import cpu, in_turns, milliseconds, ratio


def to_lark() -> Figure:
    """Everything on 8,000 lines; Lark parses them with its own lexer and driver, the collector paused as ours is."""
    text = lines(8000)
    lark = Lark(grammar_text(), parser="lalr", lexer="contextual", propagate_positions=True, postlex=Newlines())

    def bare() -> None:
        with paused():
            lark.parse(text)

    def ours() -> None:
        compile_text(text).require()

    times = in_turns(9, ours=cpu(ours), lark=cpu(bare))
    beside = {**milliseconds(times, "ours", "lark"), "lines": float(text.count("\n"))}
    return Figure(
        "P2",
        "parse, bind, check and lower 8,000 lines, to Lark's parse",
        ratio(times, "ours", "lark"),
        1.8,
        beside=beside,
    )


def to_a_tenth() -> Figure:
    """Everything on a workflow of 10,000 steps, and on one of 1,000."""
    many, few = workflow(10_000, step=SMALL), workflow(1_000, step=SMALL)
    times = in_turns(5, many=cpu(lambda: compile_text(many).require()), few=cpu(lambda: compile_text(few).require()))
    beside = {**milliseconds(times, "many", "few"), "lines": float(many.count("\n"))}
    return Figure(
        "P3", "the same of a workflow of 10,000 steps, to 1,000", ratio(times, "many", "few"), 12, beside=beside
    )
