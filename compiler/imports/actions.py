"""The events of a step to its `on` blocks: each action carried in its order, or reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from newel.compiler.imports import action_rules as rules
from newel.compiler.imports.document import Document, Mapping, Node, Scalar
from newel.compiler.imports.document_rules import KEY_NOT_CARRIED
from newel.compiler.imports.draft import Call, Move, Statement, Time, Value
from newel.compiler.imports.fields import Whole
from newel.compiler.imports.guards import APPROVAL, GATE_KEYS, approval_of, guard_of
from newel.compiler.imports.places import Board
from newel.compiler.imports.reading import Reading
from newel.compiler.imports.tables import CADENCE, GATES_UNDER, MOVES, MOVES_UNDER, TRIGGERS, UNDECLARABLE, Kind, Param
from newel.dsl.limits import DURATION_DIGITS

_IGNORED = "Kandev ignores it there"
_NO_SCRIPT = "the entry of a step runs no scripts here"
_NO_TRIGGER = "Kandev reads it under no trigger"


@dataclass(frozen=True, slots=True)
class Site:
    """Where an action stands: its map, type and configuration, its trigger, and whether any or moves come after it."""

    node: Mapping
    type: Scalar
    kind: str
    config: Mapping
    trigger: str
    others_later: bool
    moves_later: bool

    @property
    def owner(self) -> str:
        """The action as a message names it."""
        return f"`{self.kind}` under `{self.trigger}`"


@dataclass(slots=True)
class Events:
    """Reads the events of one step of a board, the one at `at` in its order."""

    reading: Reading
    board: Board
    at: int
    cadence: Time | None = None

    def read(self, node: Document | None) -> list[tuple[str, list[Statement]]]:
        """The `on` blocks, in the order of the file; a trigger under which nothing was carried has none."""
        blocks: list[tuple[str, list[Statement]]] = []
        for key, value in self.reading.mapping("events", node).pairs:
            if key.text not in TRIGGERS:
                self._unknown_trigger(key)
            elif statements := list(self._statements(key, value)):
                blocks.append((TRIGGERS[key.text], statements))
                if key.text in self.board.form.lost:
                    self.reading.report(rules.TRIGGER_CARRIED, key, trigger=key.text)
        return blocks

    def _unknown_trigger(self, key: Scalar) -> None:
        if self.board.form.strict:
            self.reading.unknown_keys(Mapping(0, 0, ((key, key),)), TRIGGERS, "the events of a step")
            return
        why, hint = "no such trigger is known", self.reading.nearest(key.text, TRIGGERS)
        self.reading.report(KEY_NOT_CARRIED, key, hint=hint, key=key.text, owner="the events of a step", why=why)

    def _statements(self, key: Scalar, node: Document) -> Iterator[Statement]:
        absent = isinstance(node, Scalar) and node.absent
        actions = self.reading.maps(key.text, None if absent else node)
        last_move = max((index for index, action in enumerate(actions) if _type(action) in MOVES), default=-1)
        for index, action in enumerate(actions):
            site = self._site(key.text, action, index < len(actions) - 1, index < last_move)
            statement = site and self._statement(site)
            if statement:
                yield statement

    def _site(self, trigger: str, action: Mapping, others_later: bool, moves_later: bool) -> Site | None:
        if self.board.form.strict:
            self.reading.unknown_keys(action, ("type", "config"), "an action")
        else:
            self._others(action, ("type", "config"), "an action")
        node = action.get("type")
        if not isinstance(node, Scalar) or not node.text:
            self.reading.missing("type", action, "the action")
            return None
        config = self.reading.mapping("config", action.get("config"))
        return Site(action, node, node.text, config, trigger, others_later, moves_later)

    def _statement(self, site: Site) -> Statement | None:
        kind = self.board.form.kinds.get(site.kind)
        if site.trigger in (MOVES_UNDER if site.kind in MOVES else kind.triggers if kind else ()):
            return self._call(site, kind) if kind else self._move(site)
        if kind is None and site.kind not in MOVES and site.kind not in UNDECLARABLE:
            hint = self.reading.nearest(site.kind, [*self.board.form.kinds, *MOVES])
            self.reading.report(rules.UNKNOWN_TYPE, site.type, hint=hint, kind=site.kind)
            return None
        script = site.kind == "run_script" and site.trigger == "on_enter"
        why = _NO_SCRIPT if script else _NO_TRIGGER if site.kind in UNDECLARABLE else _IGNORED
        self.reading.report(rules.KIND_NOT_CARRIED, site.type, kind=site.kind, trigger=site.trigger, why=why)
        return None

    # ------------------------------------------------------------ actions

    def _call(self, site: Site, kind: Kind) -> Call:
        self._ungated(site)
        arguments = [(param.argument, self._argument(site, param)) for param in kind.params]
        self._keys(site, tuple(param.key for param in kind.params))
        if kind.disclosed and site.trigger == "on_enter":
            self.reading.report(rules.RUNS_NOW, site.type, what=site.owner, why="Kandev does not run it on entry")
        return Call(kind.name, tuple((name, value) for name, value in arguments if value is not None))

    def _argument(self, site: Site, param: Param) -> Value | None:
        node = site.config.raw(param.key)
        if node is None:
            if param.required:
                self.reading.missing(param.key, site.type, site.owner)
            return None
        value = param.codec.read(self.reading, param.key, node)
        return None if value == param.default else value

    def _ungated(self, site: Site) -> None:
        for key, node in site.config.pairs:
            says_no = key.text == APPROVAL and isinstance(node, Scalar) and node.value is False
            if key.text in GATE_KEYS and not says_no:
                self.reading.report(rules.GATE_NOT_READ, key, key=key.text, kind=site.kind, trigger=site.trigger)

    def _keys(self, site: Site, known: tuple[str, ...]) -> None:
        beat = site.config.raw(CADENCE)
        if beat is not None and site.trigger == "on_heartbeat":
            self._cadence(beat)
            known = (*known, CADENCE)
        gates = GATE_KEYS if site.kind in MOVES else ()
        self._others(site.config, (*known, *GATE_KEYS), site.owner, gates)

    def _others(self, node: Mapping, known: Collection[str], owner: str, gates: Collection[str] = ()) -> None:
        """Keys that are not known. One that looks like a gate is an error: without it the move is made at once."""
        for key, _ in node.pairs:
            if key.text not in known and (gate := self.reading.nearest(key.text, gates)):
                self.reading.report(rules.BAD_GUARD, key, hint=gate, why=f"`{key.text}` is no key of a move")
            elif key.text not in known:
                why = "Kandev reads no such key there"
                hint = self.reading.nearest(key.text, known)
                self.reading.report(KEY_NOT_CARRIED, key, hint=hint, key=key.text, owner=owner, why=why)

    def _cadence(self, node: Document) -> None:
        most = 10**DURATION_DIGITS - 1
        seconds = Whole(-most, most).read(self.reading, CADENCE, node)
        if seconds is None:
            return
        if seconds > 0 and self.cadence in {None, Time(seconds)}:
            self.cadence = Time(seconds)
            return
        why = "less than a second means the default" if seconds < 1 else "another cadence is given before it"
        self.reading.report(KEY_NOT_CARRIED, node, key=CADENCE, owner="`on_heartbeat`", why=why)

    # ------------------------------------------------------------ moves

    def _move(self, site: Site) -> Move | None:
        gated = site.trigger in GATES_UNDER
        if not gated:
            self._ungated(site)
        approval = gated and approval_of(self.reading, site.config)
        guard = guard_of(self.reading, site.config) if gated else None
        named = MOVES[site.kind] == "step"
        reference = self.board.form.reference
        self._keys(site, (reference,) if named else ())
        to = self._named(site) if named else self._neighbour(site)
        if to is not None and approval:
            why = "Kandev never makes a move that asks for approval; here a person can approve it"
            self.reading.report(rules.RUNS_NOW, site.config.key(APPROVAL), what=site.owner, why=why)
        return None if to is None else Move(to, approval, guard)

    def _named(self, site: Site) -> str | None:
        reference = self.board.form.reference
        node = site.config.get(reference)
        if node is None:
            hint = f"Kandev drops a move without one; here it is named by `{reference}`"
            self.reading.missing(reference, site.type, site.owner, hint)
            return None
        at = self.board.find(self.reading, reference, node)
        if at is None:
            return None
        if at == self.at:
            self._nowhere(site, node, site.moves_later, "it leads to the step it stands at")
            return None
        return self.board.names[at]

    def _neighbour(self, site: Site) -> str | None:
        word = MOVES[site.kind]
        at = self.at + (1 if word == "next" else -1)
        if 0 <= at < len(self.board.names):
            return word
        self._nowhere(site, site.type, site.others_later, f"the step has no {word} one")
        return None

    def _nowhere(self, site: Site, node: Node, blocked: bool, why: str) -> None:
        rule = rules.MOVE_BLOCKS if blocked else rules.MOVE_NOWHERE
        self.reading.report(rule, node, kind=site.kind, why=why)


def _type(action: Mapping) -> str:
    node = action.get("type")
    return node.text if isinstance(node, Scalar) else ""
