"""The settings of two versions to those that have another value, and to those that a rule of their own is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from newel.compiler.diff.pairing import StepPair, WorkflowPair
    from newel.compiler.program import SettingDef

Values = Mapping[str, object]


def changed_settings(
    workflow: WorkflowPair, owner: Literal["workflow", "step"], old: Values, new: Values
) -> tuple[str, ...]:
    """Those with another value, by name. A step under its new name is the same step; a setting that one version alone
    declares, and that stands at its default there, has changed nothing."""
    before, after = ({each.name: each for each in v.vocabulary.settings if each.owner == owner} for v in workflow.both)
    found: list[str] = []
    for name in sorted({*old, *new}):
        held = _now(workflow, before.get(name), _given(name, old, before, after))
        if held != _given(name, new, after, before):
            found.append(name)
    return tuple(found)


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
