"""Lists of any shape against a model in plain Python (EN1, EN2, EN4, EN12): what ran, what stays, where the task is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from newel.compiler.program import Statement
from newel.runtime import Handlers, OutcomeKind, Service, open_ledger
from tests.runtime.handmade import act, move, own, program, step

WORDS = ("db", "db fails", "out", "out fails", "out flips", "out leaves", "-> b if paid", "-> c if stocked", "-> b")
EXITS = ("db", "db fails", "out", "out flips", "out leaves")


class Failed(Exception):
    pass


class _Lost(Exception):
    pass


@dataclass
class Model:
    """One delivery as the contract tells it."""

    guards: dict[str, bool]
    log: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    left: bool = False

    def deliver(self, words: list[str], exits: list[str]) -> tuple[str, str]:
        """What the call ends in, and where the task is."""
        try:
            to = self._list(words, exits)
        except Failed:
            return "failed", "a"
        except _Lost:
            return "abandoned", "a"
        self.kept += self.pending
        return ("moved", to) if to else ("stayed", "a")

    def _list(self, words: list[str], exits: list[str]) -> str | None:
        to, guard, stale = None, None, False
        for position, word in enumerate(words):
            if not word.startswith("->"):
                stale |= self._run(word, f"{position} {word}")
            elif to is None:
                _, target, *condition = word.split()
                if condition:
                    self._begin()
                    self.log.append(f"? {condition[1]}")
                if not condition or self.guards[condition[1]]:
                    to, guard, stale = target, condition[1] if condition else None, False
        if to is None:
            return None
        for outside in (True, False):
            if not outside:
                self._begin()
                if guard and stale:
                    self.log.append(f"? {guard}")
                    if not self.guards[guard]:
                        raise _Lost
            for position, word in enumerate(exits):
                if word.startswith("out") is outside:
                    stale |= self._run(word, f"{position} {word}")
        return to

    def _begin(self) -> None:
        if self.left:
            raise _Lost

    def _run(self, word: str, entry: str) -> bool:
        """Run one action; whether outside code ran."""
        outside = word.startswith("out")
        if outside:
            self.kept += self.pending
            self.pending = []
        else:
            self._begin()
        self.log.append(entry)
        if word.endswith("fails"):
            raise Failed
        if word == "db":
            self.pending.append(entry)
        if word == "out flips":
            self.guards["paid"] = not self.guards["paid"]
        if word == "out leaves":
            self.left = True
        return outside


class Real:
    """The same delivery through a service."""

    def __init__(self, words: list[str], exits: list[str], guards: dict[str, bool]) -> None:
        self.guards, self.log = guards, list[str]()
        handlers = Handlers()
        handlers.action("note_it", database=True)(self._database)
        handlers.action("mail")(self._outside)
        for name in guards:
            handlers.guard(name)(self._answer)
        items, exit_list = list(map(_statement, range(9), words)), list(map(_statement, range(9), exits))
        elsewhere = step("elsewhere"), step("b"), step("c")
        model = program(step("a", comment=items, exit=[]), *elsewhere)
        leaving = program(step("a", comment=items, exit=exit_list), *elsewhere, revision="r2")
        self.service = Service(leaving, open_ledger("memory:"), handlers)
        self.aside = Service(model, self.service.wired().ledger, handlers)  # whose moves run no exit list
        with self.service.wired().ledger.transaction() as tx:
            tx.execute("CREATE TABLE notes(text)")
        self.service.create("T", "w")

    def _database(self, action: Any, context: Any) -> None:
        self.log.append(action.text)
        context.tx.execute("INSERT INTO notes VALUES (?)", (action.text,))
        if action.text.endswith("fails"):
            raise Failed

    def _outside(self, action: Any, context: Any) -> None:
        assert context.tx is None
        self.log.append(action.text)
        if action.text.endswith("fails"):
            raise Failed
        if action.text.endswith("flips"):
            self.guards["paid"] = not self.guards["paid"]
        if action.text.endswith("leaves"):
            self.aside.move("T", "elsewhere")
            self.aside.move("T", "a")

    def _answer(self, guard: Any, context: Any) -> bool:
        self.log.append(f"? {guard.kind}")
        return self.guards[guard.kind]

    def deliver(self) -> tuple[str, str]:
        try:
            kind = self.service.handle("T", "comment", payload={"comment_id": "c"}, operation_id="op").kind.value
        except Failed:
            kind = "failed"
        return kind, str(self.service.task("T").step)

    @property
    def kept(self) -> list[str]:
        with self.service.wired().ledger.read() as view:
            return [text for (text,) in view.execute("SELECT text FROM notes ORDER BY rowid")]


def _statement(position: int, word: str) -> Statement:
    if not word.startswith("->"):
        return act("mail" if word.startswith("out") else "note_it", f"{position} {word}")
    _, to, *condition = word.split()
    return move(to, own(condition[1]) if condition else None)


def _until_unconditional(chosen: Sequence[str]) -> list[str]:
    """No file compiles with a move behind an unconditional one, but with actions there."""
    words = list(chosen)
    if "-> b" not in words:
        return words
    first = words.index("-> b") + 1
    return words[:first] + [word for word in words[first:] if not word.startswith("->")]


LISTS = st.lists(st.sampled_from(WORDS), max_size=7).map(_until_unconditional)


@settings(max_examples=300, deadline=None)
@given(LISTS, st.lists(st.sampled_from(EXITS), max_size=3), st.booleans(), st.booleans())
def test_en1_any_list_ends_as_the_contract_says(words: list[str], exits: list[str], paid: bool, stocked: bool) -> None:
    model = Model({"paid": paid, "stocked": stocked})
    real = Real(words, exits, {"paid": paid, "stocked": stocked})
    expected = model.deliver(words, exits)
    assert real.deliver() == expected
    assert real.log == model.log
    assert real.kept == model.kept
    applied = real.service.operations.is_applied("op")
    assert applied is (expected[0] in (OutcomeKind.MOVED.value, OutcomeKind.STAYED.value))
    real.service.close()
