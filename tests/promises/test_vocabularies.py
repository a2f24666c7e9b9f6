"""O4: a vocabulary of one's own may say whatever the standard one says, and the compiler treats both alike."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from newel.compiler import Program, compile_files, compile_text
from newel.compiler.files import standard

ROOT = Path(__file__).parents[2]
STANDARD = standard().source.text
BOARD = """
workflow board "Board" {
  step work "Work" {
    start
    requires_signal
    on enter {
      queue_run(agent("ada"), reason="go")
      auto_start_agent
    }
    on turn_complete { -> review }
  }
  step review "Review" {
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
      queue_run_for_each_participant(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> work when any_reject(reviewer)
    }
  }
  step done "Done" { end }
}
"""


def plain(program: Program) -> dict[str, object]:
    """A program without the places, which differ where the vocabulary stands in another file."""
    text = re.sub(r'"place":\{[^}]*\}', '"place":null', program.to_json())
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_o4_the_standard_vocabulary_written_out_gives_the_same_program() -> None:
    """Its text in a user's file, without the shipped one: the same JSON, the same revision, the same classes."""
    shipped = compile_text(BOARD).require()
    own = compile_text(f"use nothing\n{STANDARD}\n{BOARD}").require()
    assert plain(own) == plain(shipped)
    assert own.revision == shipped.revision
    entry = ("board", "review")
    assert [type(each) for _, each in own.dispatched(*entry)] == [type(each) for _, each in shipped.dispatched(*entry)]


@pytest.mark.parametrize("name", ["turn_complete", "reviewer", "queue_run", "all_approve", "wip_limit", "target"])
def test_o4_no_word_of_it_is_known_to_the_compiler(name: str) -> None:
    """Renamed throughout, the vocabulary works as before: nothing hangs on a name, all on what is declared."""
    word = re.compile(rf"(?<![\w-]){name}(?![\w-])")
    renamed = compile_text(word.sub("renamed-word", f"use nothing\n{STANDARD}\n{BOARD}"))
    assert not [each for each in renamed.findings if each.rule.severity == "error"]
    assert renamed.require().workflows["board"].start == "work"


def test_o4_a_vocabulary_adds_kinds_with_typed_parameters() -> None:
    text = """
type urgency = low | high(reason: text)
action page(who: text, urgency: urgency = low, after: duration(1s..1h) = 5m, tags: list(text)?) on enter
dispatch { page }
workflow w "W" {
  step a "A" {
    start
    on enter { page("ops", urgency=high(reason="down"), tags=["night"]) }
  }
}
"""
    program = compile_text(text).require()
    ((_, page),) = program.dispatched("w", "a")
    assert page.model_dump(exclude={"place"}) == {
        "kind": "page",
        "who": "ops",
        "urgency": {"case": "high", "reason": "down"},
        "after": 300,
        "tags": ("night",),
    }
    assert program.kind("page").owner == "dispatch"


def test_o4_an_entry_kind_of_ones_own_must_be_placed() -> None:
    text = 'action page on enter\nworkflow w "W" {\n  step a "A" { start }\n}\n'
    assert [finding.rule.code for finding in compile_text(text).findings] == ["NW301"]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*-words.newel")), ids=lambda path: path.name)
def test_o4_vocabularies_of_other_trades_compile(path: Path) -> None:
    program = compile_files([path]).require()
    assert all(kind.owner for kind in program.vocabulary.kinds.values() if "enter" in kind.triggers)
