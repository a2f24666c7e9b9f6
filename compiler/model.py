"""The bound model: what a set of files means, with every name resolved and every place kept.

Plain values, no pydantic: `newel check` stops here. `bind` makes it, the checks read it, `lower` turns it into the
`Program`. What could not be bound has been reported and is marked: a `Move` without `to`, an `Unreadable` guard, a step
that is `incomplete`, a workflow that is `broken`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from newel.compiler.limits import DEFAULT, Limits
from newel.compiler.scenarios.script import Script
from newel.dsl import tree
from newel.dsl.findings import Finding, Related
from newel.dsl.slotted import slotted
from newel.dsl.source import Source, Span

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A bound value, in the form `program.TypeDef` tells: seconds for a duration, a name for a step."""

Owner = Literal["workflow", "step"]
ListName = Literal["dispatch", "exclude"]
Family = Literal["type", "group", "fragment", "text", "placeholder"]


# ---------------------------------------------------------------- vocabulary


@slotted
class Type:
    """The type of a parameter or setting; see `program.TypeRef`, whose fields these are."""

    name: str
    of: Type | None = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    optional: bool = False

    def __str__(self) -> str:
        inner = f"({self.of})" if self.of else ""
        return f"{self.name}{inner}"


@slotted
class Parameter:
    """A parameter or field, `required` where it has neither a default nor `?`; `weight` about how many characters its
    default takes."""

    name: str
    type: Type
    span: Span
    required: bool = True
    default: Json = None
    weight: int = 0


@slotted
class Mark:
    """One word after `means`, with the parameters it names; `index` finds it under its declaration."""

    name: str
    parameters: tuple[str, ...]
    span: Span


@slotted
class Declared:
    """What all declarations share: `span` is the name's place, `file` the file it stands in."""

    name: str
    span: Span
    file: Loaded
    doc: str | None


@slotted
class Marked(Declared):
    """A declaration that may carry marks."""

    marks: dict[str, Mark] = field(default_factory=dict)


@slotted
class Case:
    """One case of a type."""

    name: str
    span: Span
    fields: dict[str, Parameter] = field(default_factory=dict)


@slotted
class TypeDef(Declared):
    """A declared type: `cases`, those of `extend type` included, or `fields` where it is a record."""

    record: bool = False
    cases: dict[str, Case] = field(default_factory=dict)
    fields: dict[str, Parameter] = field(default_factory=dict)

    @property
    def simple(self) -> bool:
        """Whether a value is just the name of a case, since none carries fields."""
        return not self.record and not any(case.fields for case in self.cases.values())

    def all_fields(self) -> Iterator[Parameter]:
        """Its fields, or those of all its cases."""
        yield from self.fields.values()
        for case in self.cases.values():
            yield from case.fields.values()


@slotted
class SettingDef(Marked):
    """A setting of a workflow or step, `required` where it is written without a default and is no flag: one whose
    default is wrong need not be given on top."""

    owner: Owner = "step"
    type: Type = field(default_factory=lambda: Type("flag"))
    default: Json = None
    required: bool = False


@slotted
class Shape:
    """One shape of an operation id; `fields` are the names in it, in the order of the text."""

    text: str
    edge: bool
    span: Span
    fields: tuple[str, ...] = ()


@slotted
class TriggerDef(Marked):
    """A trigger; `enter` and `exit`, which belong to the language, have an empty `span`."""

    payload: dict[str, Parameter] = field(default_factory=dict)
    operations: list[Shape] = field(default_factory=list)
    moves: bool = False
    guarded: bool = False
    in_turn: bool = False


@slotted
class GroupDef(Declared):
    """Several triggers under one name, groups in it resolved."""

    members: tuple[str, ...] = ()


@slotted
class KeyDef(Declared):
    """An operation id that no trigger carries."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    operation: Shape | None = None


@slotted
class GuardDef(Marked):
    """A guard; `triggers` None where it may stand under all that take guards."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    triggers: tuple[str, ...] | None = None


@slotted
class KindDef(Marked):
    """A kind of action with the triggers that admit it, groups resolved."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    triggers: tuple[str, ...] = ()

    @property
    def on_entry(self) -> bool:
        """Whether it may stand under `on enter`, so must be in one of the two lists."""
        return "enter" in self.triggers


@slotted
class Listed:
    """One name in a `dispatch` or `exclude` list, as written: whether such a kind exists is for the check."""

    owner: ListName
    kind: str
    span: Span
    file: Loaded


@slotted
class TextDef(Declared):
    """A shared text: its value, also where it came from a file of its own."""

    value: str = ""


@slotted
class FragmentDef(Declared):
    """A piece of a step, kept as a tree: it is bound where it is included."""

    node: tree.Fragment | None = None
    parameters: dict[str, Parameter] = field(default_factory=dict)


@slotted
class Vocabulary:
    """All declarations by name, in the order of the files; the standard ones first. Settings are by owner and
    name; `lists` has every entry of `dispatch` and `exclude` in order."""

    types: dict[str, TypeDef] = field(default_factory=dict)
    settings: dict[tuple[Owner, str], SettingDef] = field(default_factory=dict)
    triggers: dict[str, TriggerDef] = field(default_factory=dict)
    groups: dict[str, GroupDef] = field(default_factory=dict)
    keys: dict[str, KeyDef] = field(default_factory=dict)
    guards: dict[str, GuardDef] = field(default_factory=dict)
    kinds: dict[str, KindDef] = field(default_factory=dict)
    placeholders: dict[str, Declared] = field(default_factory=dict)
    lists: list[Listed] = field(default_factory=list)

    def settings_marked(self, mark: str, owner: Owner = "step") -> list[SettingDef]:
        """The settings of steps (or workflows) that carry a mark."""
        return [s for s in self.settings.values() if s.owner == owner and mark in s.marks]


# ---------------------------------------------------------------- workflows


@slotted
class Placed:
    """Something that stands in a file; `trace` tells how it came into its step: through which `include` or `every
    step`, outermost first. A finding about it takes `span` as its place and `trace` as related ones."""

    source: Source
    start: int
    end: int
    trace: tuple[Related, ...]

    @property
    def span(self) -> Span:
        """Where it stands: for an action or guard its name, for a move the whole `-> step`."""
        return Span(self.source, self.start, self.end)


@slotted
class Value(Placed):
    """A setting that was given."""

    setting: SettingDef
    value: Json


@slotted
class Call(Placed):
    """What actions and guards share: `args` has every parameter that has a value, defaults filled in; `given` the
    places of those that were written."""

    args: dict[str, Json]
    given: dict[str, Span]


@slotted
class Action(Call):
    """One action of a list."""

    kind: KindDef


@slotted
class GuardCall(Call):
    """One guard that is asked."""

    guard: GuardDef


@slotted
class Joined:
    """Guards joined by `and` (`&`) or `or` (`|`)."""

    operator: Literal["&", "|"]
    parts: list[GuardTree]


@slotted
class Negated:
    """A guard that must not hold."""

    part: GuardTree


@slotted
class Unreadable:
    """A guard that could not be bound and has been reported; it is never "no guard"."""


GuardTree: TypeAlias = "GuardCall | Joined | Negated | Unreadable"


def guard_calls(guard: GuardTree | None) -> Iterator[GuardCall]:
    """All guards asked in a tree, in the order of the text."""
    if isinstance(guard, GuardCall):
        yield guard
    elif isinstance(guard, Negated):
        yield from guard_calls(guard.part)
    elif isinstance(guard, Joined):
        for part in guard.parts:
            yield from guard_calls(part)


def readable(guard: GuardTree | None) -> bool:
    """Whether all of a guard could be bound; what it asks is not known else."""
    if isinstance(guard, Joined):
        return all(readable(part) for part in guard.parts)
    return readable(guard.part) if isinstance(guard, Negated) else not isinstance(guard, Unreadable)


@slotted
class Move(Placed):
    """`-> to`. `to` is None where there is no such step: for `relative` the check says so, else the binder has said it.
    `approval` and `guard` are what was written, also where the trigger does not read them (that is reported)."""

    to: str | None
    relative: Literal["next", "previous"] | None
    approval: bool
    guard: GuardTree | None

    @property
    def unconditional(self) -> bool:
        """Whether what follows it under the same trigger is never taken."""
        return not self.approval and self.guard is None


Statement: TypeAlias = "Action | Move"


@slotted
class On(Placed):
    """The list of one trigger; its place is the trigger's name where it was first written."""

    trigger: TriggerDef
    statements: list[Statement]

    @property
    def actions(self) -> list[Action]:
        """Its actions in order."""
        return [item for item in self.statements if isinstance(item, Action)]

    @property
    def moves(self) -> list[Move]:
        """Its moves in order."""
        return [item for item in self.statements if isinstance(item, Move)]


@slotted
class Step:
    """A step with its pieces in it: fragments and `every step` are expanded. `settings` has those that were given;
    `start` and `end` are the places of the flags. `incomplete` where something of it could not be bound (reported)."""

    name: str
    title: str
    span: Span
    index: int
    doc: str | None
    settings: dict[str, Value] = field(default_factory=dict)
    on: dict[str, On] = field(default_factory=dict)
    start: Placed | None = None
    end: Placed | None = None
    incomplete: bool = False

    def actions(self, trigger: str = "enter") -> list[Action]:
        """The actions of one list; empty where there is none."""
        on = self.on.get(trigger)
        return on.actions if on else []

    def moves(self) -> Iterator[tuple[On, Move]]:
        """All its moves with the list they stand in."""
        for on in self.on.values():
            for move in on.moves:
                yield on, move


@slotted
class Workflow:
    """A workflow; `steps` in the order of the file, `order` their names by `Step.index`. `broken` where a
    statement in it could not be read, so that nothing should be said about what is missing from it."""

    name: str
    title: str
    span: Span
    file: Loaded
    doc: str | None
    settings: dict[str, Value] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    broken: bool = False

    @property
    def starts(self) -> list[Step]:
        """The steps marked `start`; a right workflow has one."""
        return [step for step in self.steps.values() if step.start is not None]


@slotted
class Scenario:
    """A scenario: its words as written, the workflow it is for (None where there is no such one), and its lines as far
    as they could be bound."""

    node: tree.Scenario
    file: Loaded
    workflow: Workflow | None
    script: Script | None = None

    def holds(self, finding: Finding) -> bool:
        """Whether something is wrong with its words, and with nothing else. Text that could not be read is not only
        its own: what it was meant to be is not known."""
        span, node = finding.span, self.node
        inside = span.source is self.file.source and node.start <= span.start and span.end <= node.end
        return inside and finding.rule.code >= "NW1"


@slotted
class Loaded:
    """One file that was read. `standard` where it is the shipped vocabulary, `root` where it was asked for by name;
    `texts` what its `text ... file` declarations read, by the place of the declaration."""

    tree: tree.File
    standard: bool = False
    root: bool = False
    texts: dict[int, Source] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """Its text."""
        return self.tree.source

    @property
    def has_workflow(self) -> bool:
        """Whether a workflow stands in it."""
        return any(isinstance(item, tree.Workflow) for item in self.tree.items)


@slotted
class Model:
    """Everything the files mean. `files` in the order they were read, the standard vocabulary first; `used` has, by
    family, the names something refers to; `included` the workflows and steps that a fragment is put into; `suspects`
    are the words of what could not be read: names that may be declared after all. `limits` are the compilation's."""

    vocabulary: Vocabulary
    files: list[Loaded]
    workflows: dict[str, Workflow] = field(default_factory=dict)
    fragments: dict[str, FragmentDef] = field(default_factory=dict)
    texts: dict[str, TextDef] = field(default_factory=dict)
    scenarios: list[Scenario] = field(default_factory=list)
    used: dict[Family, set[str]] = field(default_factory=dict)
    included: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    suspects: frozenset[str] = frozenset()
    limits: Limits = DEFAULT

    def flag(self, step: Step, mark: str) -> bool:
        """Whether a flag setting with that mark is on at a step, given or by default."""
        return any(self.value(step, setting) is True for setting in self.vocabulary.settings_marked(mark))

    def value(self, step: Step, setting: SettingDef) -> Json:
        """What a setting is at a step: as given, else its default."""
        given = step.settings.get(setting.name)
        return given.value if given else setting.default

    def given(self, step: Step, mark: str) -> list[Value]:
        """The settings with that mark that were given at a step."""
        return [value for value in step.settings.values() if mark in value.setting.marks]


def named_by(call: Action | GuardCall, mark: str, index: int = 0) -> Json:
    """What a call gives for the parameter its mark names: `named_by(call, "approval")` is the role asked, with index 1
    the count. None where the declaration lacks the mark, or the mark names no parameter there."""
    declared = call.kind if isinstance(call, Action) else call.guard
    found = declared.marks.get(mark)
    if found is None or index >= len(found.parameters):
        return None
    return call.args.get(found.parameters[index])


def role_of(call: Action | GuardCall, mark: str) -> str | None:
    """The role a marked action or guard is about, or None."""
    role = named_by(call, mark)
    return role if isinstance(role, str) else None
