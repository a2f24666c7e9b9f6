"""The compiled program: one immutable model of everything a set of workflow files means.

This module declares its shape; `newel.compiler.kinds` makes the classes of one vocabulary from it - one class for each
declared kind and guard, told apart by `kind` - and `newel.compiler.standard` holds those of the standard vocabulary.
No name in a program is unresolved: every step, trigger, kind, guard, role and type it mentions is in it.
"""

# pyright: reportIncompatibleVariableOverride=false
# The base has `kind: str` and each class one value of it: sound, since nothing of a frozen model can be assigned.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue, PlainSerializer, SerializeAsAny

from newel.compiler.frozen import frozen, frozen_map

FORMAT_VERSION = "1.0"

K = TypeVar("K")
V = TypeVar("V")

FrozenMap: TypeAlias = Annotated[Mapping[K, V], AfterValidator(MappingProxyType), PlainSerializer(dict)]
"""A mapping that cannot be changed and keeps the order it was made in."""

FrozenJson: TypeAlias = Annotated[JsonValue, AfterValidator(frozen)]
"""Any JSON value, nothing in it to be changed."""

JsonMap: TypeAlias = Annotated[Mapping[str, JsonValue], AfterValidator(frozen_map), PlainSerializer(dict)]
"""A mapping to any JSON values, nothing in them to be changed."""


class Model(BaseModel):
    """What all parts of a program share: unknown fields are refused, and nothing can be assigned."""

    # A field may be called `model_dump` in a vocabulary; its attribute is kept apart by `names`.
    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())


class Place(Model):
    """Where something was declared: the file as given, and line and column from 1. Not part of the revision."""

    path: str
    line: int
    column: int


# ---------------------------------------------------------------- vocabulary


class TypeRef(Model):
    """The type of a parameter or setting.

    `name` is a built-in (`text int number flag duration step workflow list map`) or a declared type. `of` is the
    element type of a list or map; None for a bare `map`, whose values are any JSON. Bounds of a duration are seconds.
    """

    name: str
    of: TypeRef | None = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    optional: bool = False


class Parameter(Model):
    """A parameter of a kind, guard or key, or a field of a case, record or trigger payload.

    `required` where it has neither a default nor `?`.
    """

    name: str
    type: TypeRef
    required: bool
    default: FrozenJson = None


class Mark(Model):
    """What the checks and the runtime know of a declaration: `approval(role, count)`."""

    name: str
    parameters: tuple[str, ...] = ()


class Declared(Model):
    """What all declarations share. `doc` and `place` are not part of the revision."""

    name: str
    doc: str | None = None
    place: Place | None = None


class Marked(Declared):
    """A declaration that may carry marks."""

    marks: tuple[Mark, ...] = ()

    def mark(self, name: str) -> Mark | None:
        """The mark of that name, or None."""
        return next((mark for mark in self.marks if mark.name == name), None)


class Case(Model):
    """One case of a type."""

    name: str
    fields: tuple[Parameter, ...] = ()


class TypeDef(Declared):
    """A declared type: `cases`, or for a record `fields` and no cases.

    A value of a type none of whose cases carries fields is the case's name; else it is an object with the
    case's name under `case` beside its fields. A record's value is an object of its fields.
    """

    cases: tuple[Case, ...] = ()
    fields: tuple[Parameter, ...] = ()


class SettingDef(Marked):
    """A setting of a workflow or step."""

    owner: Literal["workflow", "step"]
    type: TypeRef
    default: FrozenJson = None


class OperationShape(Model):
    """One shape of an operation id, as declared: `agent_error:session:{session_id}[:{execution_id}]`."""

    shape: str
    edge: bool = False


class TriggerDef(Marked):
    """A trigger. `moves`: moves may stand under it; `guarded`: with guards and approval; `in_turn`: a move made
    under it is part of the session's own turn."""

    payload: tuple[Parameter, ...] = ()
    operations: tuple[OperationShape, ...] = ()
    moves: bool = False
    guarded: bool = False
    in_turn: bool = False


class KeyDef(Declared):
    """An operation id that no trigger carries."""

    parameters: tuple[Parameter, ...] = ()
    operation: OperationShape


class GuardDef(Marked):
    """A guard; `triggers` are those it may stand under, None where it may stand under all that take guards."""

    parameters: tuple[Parameter, ...] = ()
    triggers: tuple[str, ...] | None = None


class KindDef(Marked):
    """A kind of action, with the triggers that admit it (groups resolved) and, where `enter` is among them, the list it
    stands in."""

    parameters: tuple[Parameter, ...] = ()
    triggers: tuple[str, ...]
    owner: Literal["dispatch", "exclude"] | None = None


class Vocabulary(Model):
    """All declarations a program was compiled with, the standard ones included. Settings are listed in the order of
    the files; everything else is by name. `enter` and `exit` are among the triggers."""

    types: FrozenMap[str, TypeDef]
    settings: tuple[SettingDef, ...]
    triggers: FrozenMap[str, TriggerDef]
    keys: FrozenMap[str, KeyDef]
    guards: FrozenMap[str, GuardDef]
    kinds: FrozenMap[str, KindDef]
    placeholders: tuple[str, ...] = ()

    def settings_marked(self, mark: str, owner: Literal["workflow", "step"] = "step") -> tuple[SettingDef, ...]:
        """The settings of steps (or workflows) that carry a mark."""
        return self._by_mark.get((owner, mark), ())

    @cached_property
    def _by_mark(self) -> Mapping[tuple[str, str], tuple[SettingDef, ...]]:
        """The settings by owner and mark, looked up once: each arrival asks for some."""
        found: dict[tuple[str, str], tuple[SettingDef, ...]] = {}
        for setting in self.settings:
            for key in dict.fromkeys((setting.owner, mark.name) for mark in setting.marks):
                found[key] = (*found.get(key, ()), setting)
        return MappingProxyType(found)


# ---------------------------------------------------------------- workflows


class Action(Model):
    """Base of the classes of kinds: `kind`, the kind's parameters as fields, and where it stands."""

    kind: str
    place: Place | None = None


class Guard(Model):
    """Base of the classes of guards: `kind` and the guard's parameters as fields. `&`, `|` and `!` join guards."""

    kind: str


class Joined(Guard):
    """Guards joined by `and` (kind `&`) or `or` (kind `|`)."""

    kind: Literal["&", "|"]
    parts: tuple[SerializeAsAny[Guard], ...]


class Negated(Guard):
    """A guard that must not hold."""

    kind: Literal["!"] = "!"
    part: SerializeAsAny[Guard]


class Move(Model):
    """`-> to`; unconditional where it has neither guard nor approval."""

    kind: Literal["->"] = "->"
    to: str
    approval: bool = False
    guard: SerializeAsAny[Guard] | None = None
    place: Place | None = None


Statement: TypeAlias = SerializeAsAny[Action] | Move


class Step(Model):
    """A step. `settings` holds every declared step setting that has a value, given or by default; a setting of
    type duration is seconds. `on` has a list for each trigger the step declares, in the order it runs."""

    name: str
    title: str
    start: bool = False
    end: bool = False
    settings: JsonMap
    on: FrozenMap[str, tuple[Statement, ...]]
    doc: str | None = None
    place: Place | None = None


class Workflow(Model):
    """A workflow; `steps` in the order of the file, `start` the name of its start step."""

    name: str
    title: str
    start: str
    settings: JsonMap
    steps: FrozenMap[str, Step]
    doc: str | None = None
    place: Place | None = None


class Program(Model):
    """Everything compiled from a set of files. `revision` is the SHA-256, in hex, of its canonical JSON without
    documentation, places and itself."""

    format_version: str = FORMAT_VERSION
    revision: str
    vocabulary: Vocabulary
    workflows: FrozenMap[str, Workflow]

    def kind(self, name: str) -> KindDef:
        """The declaration of a kind."""
        return self.vocabulary.kinds[name]

    def dispatched(self, workflow: str, step: str) -> Iterator[tuple[int, Action]]:
        """The dispatched actions of a step's entry list with their positions in the whole list."""
        return self._entry(workflow, step, "dispatch")

    def excluded(self, workflow: str, step: str) -> Iterator[tuple[int, Action]]:
        """The excluded actions - the session's half - of a step's entry list with their positions."""
        return self._entry(workflow, step, "exclude")

    def _entry(self, workflow: str, step: str, owner: str) -> Iterator[tuple[int, Action]]:
        for position, item in enumerate(self.workflows[workflow].steps[step].on.get("enter", ())):
            if isinstance(item, Action) and self.vocabulary.kinds[item.kind].owner == owner:
                yield position, item

    def flag(self, workflow: str, step: str, mark: str) -> bool:
        """Whether a flag setting with that mark is on at a step. False where no such setting is declared."""
        settings = self.workflows[workflow].steps[step].settings
        return any(settings.get(s.name) is True for s in self.vocabulary.settings_marked(mark))

    def operation_id(self, trigger_or_key: str, **fields: Any) -> str:
        """The operation id of a trigger's delivery, or of a key: the first declared shape whose fields are all given.

        `fields` are payload fields and `task`, `step`, `workflow`. "" where a trigger declares no shape. Raises
        `BlankOperation` where no shape's fields are all given or a field is blank, and `UnknownTrigger` for a name that
        is neither a trigger nor a key.
        """
        from newel.compiler.operation_ids import operation_id

        vocabulary: Any = self.vocabulary  # by its real path this module is another one to pyright
        return operation_id(vocabulary, trigger_or_key, fields)

    def to_json(self) -> str:
        """Canonical JSON: the same program gives the same bytes; keys sorted but where order means something."""
        from newel.compiler.canonical import canonical_json

        itself: Any = self
        return canonical_json(itself)

    @staticmethod
    def from_json(text: str) -> Program:
        """A program from its canonical JSON, with the classes of the vocabulary it holds. Raises `ValueError` where
        the text is no program or its format is newer than this version reads."""
        from newel.compiler.canonical import read_json

        program: Any = read_json(text)
        return cast("Program", program)
