"""A vocabulary to the JSON Schema of its compiled programs."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from newel.compiler import program
from newel.compiler.kinds import classes_of, tree_of
from newel.compiler.program import Vocabulary

WORD = r"^[A-Za-z_][A-Za-z0-9_-]*$"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class AnyAction(program.Action):
    """An action of whatever kind, with whatever parameters."""

    model_config = ConfigDict(extra="allow")
    kind: str = Field(pattern=WORD)


class AnyGuard(program.Guard):
    """A guard of whatever name, with whatever parameters."""

    model_config = ConfigDict(extra="allow")
    kind: str = Field(pattern=WORD)


def json_schema(vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """The schema of programs compiled with a vocabulary, every kind and guard with its parameters; without one the
    schema of all programs, in which an action and a guard may have any."""
    made = classes_of(vocabulary).program if vocabulary is not None else _any_program()
    schema = made.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": DIALECT, **schema, "title": "A compiled Newel program"}


def _any_program() -> type[program.Program]:
    """The class of programs of whatever vocabulary."""
    return tree_of({"": AnyAction}, {"": AnyGuard}, apart=False).program
