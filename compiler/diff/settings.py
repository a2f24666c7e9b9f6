"""The settings of two versions to those that have another value, and to those that a rule of their own is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import StepPair, WorkflowPair
    from newel.compiler.program import Program, SettingDef

Values = Mapping[str, object]

_SHOWN, _BEFORE = 60, 20
"""Signs that are shown of a value, and of them those before where two long ones part."""


@dataclass(frozen=True, slots=True)
class ChangedSetting:
    """A setting and its two values as they could be written, "" where there is none."""

    name: str
    was: str
    now: str

    def told(self, of: str) -> str:
        """Both values, of long ones the part that is another."""
        was, now = self.was, self.now
        if len(was) > _SHOWN or len(now) > _SHOWN:
            parts = next(
                (at for at, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now))
            )
            same = max(0, parts - _BEFORE)
            was, now = _cut(was, same), _cut(now, same)
        return f"`{self.name}` of `{of}` {_is('is', now)}, and {_is('was', was)}"


def _is(verb: str, value: str) -> str:
    plain = value.replace("`", "'")
    return f"{verb} `{plain}`" if value else f"{verb} not given"


def _cut(value: str, start: int) -> str:
    start = start if len(value) > _SHOWN and start < len(value) else 0
    ends = "..." if len(value) > start + _SHOWN else ""
    return f"{'...' if start else ''}{value[start : start + _SHOWN]}{ends}"


def changed_settings(
    workflow: WorkflowPair, owner: Literal["workflow", "step"], old: Values, new: Values
) -> tuple[ChangedSetting, ...]:
    """Those with another value, by name. A step under its new name is the same step; a setting that one version alone
    declares, and that stands at its default there, has changed nothing."""
    before, after = ({each.name: each for each in v.vocabulary.settings if each.owner == owner} for v in workflow.both)
    programs = workflow.both
    found: list[ChangedSetting] = []
    for name in sorted({*old, *new}):
        held = _now(workflow, before.get(name), _given(name, old, before, after))
        if held != _given(name, new, after, before):
            was = _written(old.get(name), before.get(name), programs[0])
            found.append(ChangedSetting(name, was, _written(new.get(name), after.get(name), programs[1])))
    return tuple(found)


def _written(held: object, setting: SettingDef | None, program: Program) -> str:
    from newel.compiler.exports import words  # a check that names a code loads the rules beside this, and no model

    return "" if setting is None or held is None else words.value(held, setting.type, program.vocabulary)


def _given(name: str, values: Values, here: Mapping[str, SettingDef], there: Mapping[str, SettingDef]) -> object:
    held = values.get(name)
    return None if name not in there and name in here and held == here[name].default else held


def _now(workflow: WorkflowPair, setting: SettingDef | None, held: object) -> object:
    return workflow.names.get(held, held) if setting and setting.type.name == "step" and isinstance(held, str) else held


def settings_told(step: StepPair) -> frozenset[str]:
    """The settings of a step whose change is told in the terms of what they do."""
    vocabularies = (version.vocabulary for version in step.workflow.both)
    told = set(_told(step))
    return frozenset(setting.name for v in vocabularies for mark in told for setting in v.settings_marked(mark))


def _told(step: StepPair) -> Iterator[str]:
    """The marks that rules of their own have told about."""
    before, after = step.before, step.after
    if before.limit != after.limit:
        yield "limit"
    if before.feeder != after.feeder:
        yield "pull"
    if before.signal != after.signal:
        yield "signal"
    if before.cancel != after.cancel:
        yield "cancel"
    if before.taken_by_hand != after.taken_by_hand:
        yield "manual_entry"
    was = {(seat.role, seat.agent): seat.required for seat in before.seats}
    now = {(seat.role, seat.agent): seat.required for seat in after.seats}
    changed = any(now[seat] != required for seat, required in was.items() if seat in now)
    if changed or was.keys() - now.keys() or any(now[seat] for seat in now.keys() - was.keys()):
        yield "seats"
