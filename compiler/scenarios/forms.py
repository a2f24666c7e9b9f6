"""The table of the lines of a scenario: every verb, what it may be followed by, and what each word is.

A verb that is given a word of its own - `expect at`, `expect nothing` - is a form for each. Words without a name stand
in the order of the table and must be given; named ones may stand in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Meaning = Literal["step", "workflow", "role", "trigger", "kind", "guard", "name", "flag", "count", "text"]
"""What a word is: the name of something declared; any name or text (`name`); or a value."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a form. `within` names the word that says in which workflow a step is looked for."""

    name: str
    meaning: Meaning
    named: bool = False
    required: bool = True
    within: str | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of line."""

    name: str
    says: str
    words: tuple[Word, ...] = ()

    @property
    def positional(self) -> tuple[Word, ...]:
        """The words that stand without a name."""
        return tuple(word for word in self.words if not word.named)

    @property
    def named(self) -> tuple[Word, ...]:
        """The words that stand with their name."""
        return tuple(word for word in self.words if word.named)

    @property
    def usage(self) -> str:
        """How it is written: `seat AGENT role= [step=]`."""
        parts = [self.name]
        for word in self.words:
            shown = f"{word.name}=" if word.named else word.name.upper()
            shown += "(...)" if word.meaning == "trigger" else ""
            parts.append(shown if word.required else f"[{shown}]")
        return " ".join(parts)


def _named(name: str, meaning: Meaning, *, required: bool = False, within: str | None = None) -> Word:
    return Word(name, meaning, named=True, required=required, within=within)


_TASK = _named("task", "name")
_ROLE = _named("role", "role", required=True)
_STEP = Word("step", "step")
_KIND = Word("kind", "kind")
_N = Word("n", "count")

_TABLE = (
    Form("create", "a task begins, at the start step unless another is named", (_named("step", "step"), _TASK)),
    Form(
        "seat",
        "an agent takes a seat, at the step where the task stands unless another is named",
        (Word("agent", "name"), _ROLE, _named("step", "step"), _named("required", "flag"), _TASK),
    ),
    Form(
        "decide",
        "somebody decides; `person=true` where it is no agent",
        (Word("who", "name"), Word("verdict", "name"), _ROLE, _named("person", "flag"), _named("note", "text"), _TASK),
    ),
    Form(
        "fire",
        "a trigger fires; `signalled=true` where the agent has signalled that it is done, `cancelled=true` where a"
        " person has cancelled the turn",
        (Word("trigger", "trigger"), _named("signalled", "flag"), _named("cancelled", "flag"), _TASK),
    ),
    Form("move", "a person moves the task", (_STEP, _TASK)),
    Form("approve", "a person lets the waiting move through", (_named("to", "step"), _TASK)),
    Form("reject", "a person refuses the waiting move", (_named("to", "step"), _TASK)),
    Form(
        "switch",
        "the task goes to another workflow",
        (Word("workflow", "workflow"), _named("step", "step", within="workflow"), _TASK),
    ),
    Form("redispatch", "the task's entry is dispatched again", (_TASK,)),
    Form("given", "from here on, a guard of your own answers so", (Word("guard", "guard"), Word("answer", "flag"))),
    Form("expect at", "the task stands at that step", (_STEP, _TASK)),
    Form("expect waiting", "the task waits for a place at that step", (_STEP, _TASK)),
    Form("expect dispatched", "its arrival ran the kind", (_KIND, _TASK)),
    Form("expect excluded", "its arrival left the kind to the session", (_KIND, _TASK)),
    Form("expect ran", "the kind ran under the trigger, or on leaving", (_KIND,)),
    Form("expect queued", "so many runs were queued", (_N,)),
    Form("expect pending", "so many approvals wait under the task's entry", (_N, _TASK)),
    Form("expect refused", "the call was refused"),
    Form("expect nothing", "nothing ran, was left to a session, was queued or asked for"),
)

FORMS: Mapping[str, Form] = {form.name: form for form in _TABLE}
"""By name."""

VERBS = tuple(dict.fromkeys(name.partition(" ")[0] for name in FORMS))
"""The words a line begins with."""


def expectations() -> tuple[str, ...]:
    """The words that stand after `expect`."""
    return tuple(name.removeprefix("expect ") for name in FORMS if name.startswith("expect "))
