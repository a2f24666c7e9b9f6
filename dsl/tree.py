"""The tree of a file: what was written, with its places, before anything is resolved.

Every node has `start` and `end`, character offsets into the file's text (`File.source`). A broken statement leaves one
`Broken` where it stood, so the rest of the tree is whole. Names are what stands in the text; nothing is looked up.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from newel.dsl.slotted import slotted
from newel.dsl.source import Source, Span


@slotted
class Node:
    """A piece of the file from character `start` up to `end`."""

    start: int
    end: int


@slotted
class Name(Node):
    """A word that names something."""

    text: str


# ---------------------------------------------------------------- values


@slotted
class Text(Node):
    """A text in quotes, escapes resolved; or a long one, with its margin taken off. `body` is where its first
    character stands in the file (for a long text: the first character of its first line)."""

    value: str
    long: bool
    body: int


@slotted
class Number(Node):
    """A whole number or a decimal one."""

    value: int | float


@slotted
class Duration(Node):
    """A length of time, in seconds."""

    seconds: int


@slotted
class Ref(Node):
    """A word used as a value - a case, a step, a parameter, `true` - with arguments where it carries fields."""

    path: tuple[Name, ...]
    args: Args | None


@slotted
class ListValue(Node):
    """`[a, b]`."""

    items: list[Value]


@slotted
class Pair(Node):
    """One `key: value` of a map."""

    key: Name | Text
    value: Value


@slotted
class MapValue(Node):
    """`{ key: value }`."""

    pairs: list[Pair]


@slotted
class Named(Node):
    """An argument given by name: `reason="x"`."""

    name: Name
    value: Value


@slotted
class Args(Node):
    """What stands in the round brackets of a call, in the order of the text."""

    items: list[Value | Named]


Value: TypeAlias = "Text | Number | Duration | Ref | ListValue | MapValue"


# ---------------------------------------------------------------- declarations


@slotted
class Range(Node):
    """The bounds of `int(1..)` or `duration(1s..24h)`; `high` is None where it is left open."""

    low: Number | Duration
    high: Number | Duration | None


@slotted
class TypeExpr(Node):
    """A type as written: `list(text)?` is the name `list`, its argument, and `optional`."""

    name: Name
    argument: TypeExpr | Range | None
    optional: bool


@slotted
class Param(Node):
    """A parameter or field: `role: role = reviewer`."""

    name: Name
    type: TypeExpr
    default: Value | None


@slotted
class Mark(Node):
    """One word after `means`, with the parameters it names: `approval(role, count)`."""

    name: Name
    parameters: list[Name]


@slotted
class Use(Node):
    """`use "file.newel"`, or `use nothing` (then `target` is a name)."""

    target: Text | Name
    doc: str | None = None


@slotted
class TextDecl(Node):
    """`text name \"\"\"...\"\"\"`, or with `file` the path the text is read from."""

    name: Name
    value: Text
    file: bool
    doc: str | None = None


@slotted
class Placeholder(Node):
    """`placeholder name`."""

    name: Name
    doc: str | None = None


@slotted
class Case(Node):
    """One case of a type; its fields are empty where it carries none."""

    name: Name
    params: list[Param]


@slotted
class TypeDecl(Node):
    """`type x = a | b(field: text)`; `extends` for `extend type x = c`."""

    name: Name
    cases: list[Case]
    extends: bool
    doc: str | None = None


@slotted
class RecordDecl(Node):
    """`type seat(role: role, agent: text)`."""

    name: Name
    params: list[Param]
    doc: str | None = None


@slotted
class SettingDecl(Node):
    """`setting step wip_limit: int(0..) = 0 means limit`; `owner` is the word after `setting`."""

    owner: Name
    name: Name
    type: TypeExpr
    default: Value | None
    marks: list[Mark]
    doc: str | None = None


@slotted
class Operation(Node):
    """One shape of an operation id; `edge` where a redelivery has another id."""

    edge: bool
    shape: Text


@slotted
class TriggerDecl(Node):
    """`trigger comment(comment_id: text) operation "..." means person`."""

    name: Name
    params: list[Param]
    operations: list[Operation]
    marks: list[Mark]
    doc: str | None = None


@slotted
class KeyDecl(Node):
    """`key decision(task: text) "decision:{task}"`."""

    name: Name
    params: list[Param]
    operation: Operation
    doc: str | None = None


@slotted
class GroupDecl(Node):
    """`group event = comment | heartbeat`."""

    name: Name
    members: list[Name]
    doc: str | None = None


@slotted
class MovesDecl(Node):
    """`moves guarded on turn_complete, event`."""

    guarded: bool
    triggers: list[Name]
    marks: list[Mark]
    doc: str | None = None


@slotted
class GuardDecl(Node):
    """`guard n_approve(role: role) on paid means approval(role)`; `triggers` is empty where none is named."""

    name: Name
    params: list[Param]
    triggers: list[Name]
    marks: list[Mark]
    doc: str | None = None


@slotted
class ActionDecl(Node):
    """`action queue_run(target: target = primary) on enter, event means wakes`."""

    name: Name
    params: list[Param]
    triggers: list[Name]
    marks: list[Mark]
    doc: str | None = None


@slotted
class Ownership(Node):
    """`dispatch { a, b }` or `exclude { c }`."""

    owner: Literal["dispatch", "exclude"]
    names: list[Name]
    doc: str | None = None


# ---------------------------------------------------------------- workflows


@slotted
class Broken(Node):
    """Where a statement could not be read; the text it stood for is between its places."""


@slotted
class Setting(Node):
    """`wip_limit 3`, `start`, `agent("Claude", model="opus")`."""

    name: Name
    value: Value | Args | None


@slotted
class Call(Node):
    """An action or a guard with its arguments: `queue_run(reason="x")`."""

    name: Name
    args: Args | None


@slotted
class Either(Node):
    """`a or b`."""

    parts: list[GuardExpr]


@slotted
class Both(Node):
    """`a and b`."""

    parts: list[GuardExpr]


@slotted
class Negated(Node):
    """`not a`."""

    part: GuardExpr


GuardExpr: TypeAlias = "Either | Both | Negated | Call"


@slotted
class Move(Node):
    """`-> review requires approval when all_approve(reviewer)`; `approval` is the node of `requires approval`."""

    to: Name
    approval: Node | None
    guard: GuardExpr | None


@slotted
class On(Node):
    """`on turn_complete { ... }`."""

    trigger: Name
    body: list[Call | Move | Broken]


@slotted
class Include(Node):
    """`include gate(reviewer, onward=done)`."""

    name: Name
    args: Args | None


StepStatement: TypeAlias = "Setting | On | Include | Broken"


@slotted
class Step(Node):
    """`step review "Review" { ... }`."""

    name: Name
    title: Text | None
    body: list[StepStatement]
    doc: str | None = None


@slotted
class Every(Node):
    """`every step { ... }`."""

    body: list[StepStatement]
    doc: str | None = None


@slotted
class Fragment(Node):
    """`fragment gate(role: role) { ... }`."""

    name: Name
    params: list[Param]
    body: list[StepStatement]
    doc: str | None = None


@slotted
class Workflow(Node):
    """`workflow office "Office" { ... }`."""

    name: Name
    title: Text | None
    body: list[Setting | Step | Every | Broken]
    doc: str | None = None


@slotted
class Line(Node):
    """One line of a scenario: a verb and its words."""

    verb: Name
    words: list[Value | Named]


@slotted
class Scenario(Node):
    """`scenario "title" for workflow { ... }`."""

    title: Text
    workflow: Name
    lines: list[Line | Broken]
    doc: str | None = None


Item: TypeAlias = (
    Use
    | TextDecl
    | Placeholder
    | TypeDecl
    | RecordDecl
    | SettingDecl
    | TriggerDecl
    | KeyDecl
    | GroupDecl
    | MovesDecl
    | GuardDecl
    | ActionDecl
    | Ownership
    | Fragment
    | Workflow
    | Scenario
    | Broken
)


@slotted
class Comment(Node):
    """A comment with its `#` signs, not the line break; `own_line` where nothing else stands before it."""

    text: str
    own_line: bool


@slotted
class File:
    """A whole file: its items in the order of the text, and its comments."""

    source: Source
    items: list[Item]
    comments: list[Comment] = field(default_factory=list)
    broken: bool = False

    def span(self, node: Node) -> Span:
        """The place of a node of this file."""
        return Span(self.source, node.start, node.end)
