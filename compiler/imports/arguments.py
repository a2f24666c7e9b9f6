"""Values in the configuration of actions, read and written. The client reads them untyped; what it takes for a default
is an error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from newel.compiler.imports.action_rules import BAD_SESSION_RULES, TAKEN_LITERALLY
from newel.compiler.imports.document import Document, Mapping, Scalar, Sequence
from newel.compiler.imports.draft import Call, Time, Value, Word
from newel.compiler.imports.fields import NO_EMPTY_TEXT, NO_SUCH_VALUE, Unsayable, Whole
from newel.compiler.imports.reading import Reading, quote
from newel.compiler.model import Json as Bound
from newel.dsl.limits import DIGITS

ROLES = ("reviewer", "approver", "watcher", "collaborator", "runner")
_TARGETS = {"primary": "primary", "workspace.ceo_agent": "ceo_agent"}
_ROLE_PREFIX, _ID_PREFIX = "participant_role", "agent_profile_id"
_OPERATIONS = ("set", "keep", "restore_original")
_RULE_KEYS = ("agent_name", "operation", "model", "config_options")


@dataclass(frozen=True, slots=True)
class Text:
    """A text; `blank` where an empty one is carried as it is."""

    blank: bool = True

    def read(self, reading: Reading, key: str, node: Document) -> str | None:
        """The text."""
        value = node.value if isinstance(node, Scalar) else None
        if not isinstance(value, str) or not isinstance(node, Scalar):
            reading.wrong(key, node, "a text", "put it into quotes" if isinstance(node, Scalar) else None)
            return None
        if not self.blank and not value.strip():
            reading.missing(key, node, "the action")
            return None
        return reading.text(key, node, value)

    def write(self, value: Bound) -> Bound | Unsayable:
        """The text."""
        if not isinstance(value, str):
            return NO_SUCH_VALUE
        return value if self.blank or value.strip() else Unsayable("a blank text is refused there")


@dataclass(frozen=True, slots=True)
class Role:
    """The part someone plays at a step."""

    def read(self, reading: Reading, key: str, node: Document) -> Word | None:
        """The role."""
        text = Text(blank=False).read(reading, key, node)
        return None if text is None else known_role(reading, key, node, text)

    def write(self, value: Bound) -> Bound | Unsayable:
        """The role's name."""
        return value if value in ROLES else Unsayable(f"only {quote(ROLES)} are roles there")


def known_role(reading: Reading, key: str, node: Document, text: str) -> Word | None:
    """The role of that name; a finding where there is none."""
    if text in ROLES:
        return Word(text)
    reading.wrong(key, node, f"one of {quote(ROLES)}", reading.nearest(text, ROLES))
    return None


@dataclass(frozen=True, slots=True)
class Target:
    """Who gets a run: a word, or a prefix and what it picks."""

    def read(self, reading: Reading, key: str, node: Document) -> Word | Call | None:
        """The target; None for an empty text, which means the default."""
        text = Text().read(reading, key, node)
        if not text:
            return None
        if text in _TARGETS:
            return Word(_TARGETS[text])
        prefix, _, rest = text.partition(":")
        if prefix == _ROLE_PREFIX and rest:
            role = known_role(reading, key, node, rest)
            return role and Call("participant", (("", role),))
        if prefix == _ID_PREFIX and rest:
            return Call("agent", (("", rest),))
        known = "`primary`, `workspace.ceo_agent`, `participant_role:` with a role, or `agent_profile_id:` with an id"
        reading.wrong(key, node, known)
        return None

    def write(self, value: Bound) -> Bound | Unsayable:
        """The word, or the prefix with what it picks."""
        match value:
            case {"case": "participant", "role": role}:
                known = Role().write(role)
                return known if isinstance(known, Unsayable) else f"{_ROLE_PREFIX}:{role}"
            case {"case": "agent", "id": str(id_)} if id_:
                return f"{_ID_PREFIX}:{id_}"
            case {"case": case}:
                return next((word for word, ours in _TARGETS.items() if ours == case), NO_SUCH_VALUE)
            case _:
                return NO_SUCH_VALUE


@dataclass(frozen=True, slots=True)
class TaskRef:
    """Which task: this one, or one by its id."""

    def read(self, reading: Reading, key: str, node: Document) -> Word | Call | None:
        """The task; None for an empty text, which means the default."""
        text = Text().read(reading, key, node)
        if not text:
            return None
        if text == "this":
            return Word(text)
        if "{" in text:
            why = "Kandev puts nothing in its place, and neither does this import"
            reading.report(TAKEN_LITERALLY, node, value=text, why=why)
        return Call("task", (("", text),))

    def write(self, value: Bound) -> Bound | Unsayable:
        """`this`, or the id."""
        match value:
            case {"case": "this"}:
                return "this"
            case {"case": "task", "id": str(id_)} if id_ not in ("", "this"):
                return id_
            case _:
                return Unsayable("an empty id and `this` are this task there")


@dataclass(frozen=True, slots=True)
class ProfileId:
    """An agent by the id it has in one installation."""

    def read(self, reading: Reading, key: str, node: Document) -> Call | None:
        """The agent; None for an empty text, which means the configured one."""
        text = Text().read(reading, key, node)
        if not text:
            return None
        why = "an id belongs to one installation; here it is the agent's name"
        reading.report(TAKEN_LITERALLY, node, value=text, why=why)
        return Call("agent_profile", (("", text),))

    def write(self, value: Bound) -> Bound | Unsayable:
        """The agent's name, taken for its id."""
        match value:
            case {"name": str(name), **others} if not any(others.values()):
                return name or NO_EMPTY_TEXT
            case _:
                return Unsayable("an agent is named by its id alone, without model and mode")


@dataclass(frozen=True, slots=True)
class Seconds:
    """A number of seconds."""

    most: int

    def read(self, reading: Reading, key: str, node: Document) -> Time | None:
        """The time."""
        seconds = Whole(1, self.most).read(reading, key, node)
        return None if seconds is None else Time(seconds)

    def write(self, value: Bound) -> Bound | Unsayable:
        """The seconds."""
        return Whole(1, self.most).write(value)


@dataclass(frozen=True, slots=True)
class Json:
    """A map of anything that JSON can hold."""

    def read(self, reading: Reading, key: str, node: Document) -> Value | None:
        """The map; None for an empty one."""
        if not isinstance(node, Mapping):
            reading.wrong(key, node, "a map")
            return None
        return self._value(reading, key, node) or None

    def _value(self, reading: Reading, key: str, node: Document) -> Value:
        match node:
            case Mapping(pairs=pairs):
                return {
                    reading.text(key, name, name.text): self._value(reading, name.text, item) for name, item in pairs
                }
            case Sequence(items=items):
                return [self._value(reading, key, item) for item in items]
            case Scalar():
                return self._scalar(reading, key, node)

    def _scalar(self, reading: Reading, key: str, node: Scalar) -> Value:
        value = node.value
        if value is None:
            return Word("null")
        if isinstance(value, str):
            return reading.text(key, node, value)
        return value if isinstance(value, bool) else self._number(reading, key, node, value)

    def _number(self, reading: Reading, key: str, node: Scalar, value: int | float) -> Value:
        shown = format(Decimal(repr(value)), "f") if math.isfinite(value) else ""
        if 0 < sum(map(str.isdigit, shown)) <= DIGITS:
            return value
        reading.wrong(key, node, f"a number of at most {DIGITS} digits, or a text")
        return 0

    def write(self, value: Bound) -> Bound | Unsayable:
        """The map as it is; None for an empty one."""
        return value or None if isinstance(value, dict) else NO_SUCH_VALUE


@dataclass(frozen=True, slots=True)
class SessionRules:
    """What the arriving session does with its configuration, one rule for each agent."""

    def read(self, reading: Reading, key: str, node: Document) -> list[Value] | None:
        """The rules."""
        rules = reading.maps(key, node)
        if not rules and isinstance(node, Sequence) and not node.items:
            reading.report(BAD_SESSION_RULES, node, why="it has no rule")
        seen: set[str] = set()
        return [call for rule in rules if (call := self._rule(reading, rule, seen))]

    def _rule(self, reading: Reading, rule: Mapping, seen: set[str]) -> Call | None:
        for name, _ in rule.pairs:
            if name.text not in _RULE_KEYS:
                reading.report(BAD_SESSION_RULES, name, why=f"a rule has no key `{name.text}`")
        agent = self._text(reading, rule, "agent_name")
        operation = self._text(reading, rule, "operation")
        if agent is None or operation is None:
            return None
        why = self._fault(rule, agent, operation, seen)
        if why:
            reading.report(BAD_SESSION_RULES, rule, why=why)
            return None
        seen.add(agent)
        args: list[tuple[str, Value]] = [("", agent)]
        if rule.get("model") and (model := self._text(reading, rule, "model")):
            args.append(("model", model))
        if options := self._options(reading, rule.get("config_options")):
            args.append(("options", options))
        return Call(operation, tuple(args))

    def _fault(self, rule: Mapping, agent: str, operation: str, seen: set[str]) -> str | None:
        if operation not in _OPERATIONS:
            return f"`{operation}` is none of {quote(_OPERATIONS)}"
        if agent in seen:
            return f"two rules are for `{agent}`"
        filled = [name for name in _RULE_KEYS[2:] if _filled(rule.get(name))]
        if operation == "set" and not filled:
            return "`set` needs a model or options"
        if operation != "set" and filled:
            return f"`{operation}` takes no {quote(filled)}"
        return None

    def _text(self, reading: Reading, rule: Mapping, key: str) -> str | None:
        node = rule.get(key)
        if node is None:
            reading.missing(key, rule, "the rule")
            return None
        return Text(blank=key == "model").read(reading, key, node)

    def _options(self, reading: Reading, node: Document | None) -> dict[str, Value]:
        key = "config_options"
        options = reading.mapping(key, node).pairs
        read = {reading.text(key, name, name.text): Text().read(reading, name.text, value) for name, value in options}
        return {name: value for name, value in read.items() if value is not None}

    def write(self, value: Bound) -> Bound | Unsayable:
        """One map for each rule."""
        if not isinstance(value, list) or not value:
            return Unsayable("without a rule the action is refused there")
        rules: list[Bound] = []
        seen: set[str] = set()
        for each in value:
            rule = _rule(each)
            if isinstance(rule, Unsayable):
                return rule
            agent = str(rule["agent_name"])
            if agent in seen:
                return Unsayable("two rules for one agent are refused there")
            seen.add(agent)
            rules.append(rule)
        return rules


def _rule(value: Bound) -> dict[str, Bound] | Unsayable:
    match value:
        case {"case": str(operation), "agent": str(agent)} if operation in _OPERATIONS and agent.strip():
            keys = (("model", "model"), ("config_options", "options"))
            parts = {key: part for key, name in keys if isinstance(value, dict) and (part := value.get(name))}
            if operation == "set" and not parts:
                return Unsayable("`set` without a model or options is refused there")
            return {"agent_name": agent, "operation": operation, **parts}
        case _:
            return Unsayable("a rule without the name of an agent is refused there")


def _filled(node: Document | None) -> bool:
    match node:
        case None | Scalar(text="") | Mapping(pairs=()):
            return False
        case _:
            return True
