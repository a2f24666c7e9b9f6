"""Verdicts on tasks to lines for a person, and to JSON: those of one step that are judged alike together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from newel.compiler.counting import counted
from newel.compiler.reports.safe import safe
from newel.dsl.findings import Finding
from newel.runtime.judging import Judged, Reason, Verdict

SHOWN = 10
"""How many tasks of one group are named to a person."""

LISTED = 1000
"""How many are named in JSON."""

_WORDS = {Verdict.BREAKS: "breaks", Verdict.NEEDS_MAPPING: "needs a mapping", Verdict.COMPATIBLE: "compatible"}

Key = tuple[str, str, int, str, tuple[Reason, ...]]


def _groups(judged: Sequence[Judged]) -> list[tuple[Key, list[Judged]]]:
    """By workflow and step, the worst first."""
    order = (Verdict.BREAKS, Verdict.NEEDS_MAPPING, Verdict.COMPATIBLE)
    found: dict[Key, list[Judged]] = {}
    for each in judged:
        telling = tuple(reason for reason in each.reasons if reason.verdict is not Verdict.COMPATIBLE)
        key = (each.workflow or "", each.step or "", order.index(each.verdict), each.revision or "", telling)
        found.setdefault(key, []).append(each)
    return sorted(found.items(), key=lambda item: (*item[0][:4], item[1][0].task))


def task_lines(judged: Sequence[Judged]) -> Iterator[str]:
    """The tasks where they stand."""
    yield "tasks" if judged else "tasks: none"
    shown: tuple[str, ...] = ()
    for (workflow, step, _, revision, reasons), those in _groups(judged):
        place = (workflow or "(in no workflow)", step or ("(waits for a place)" if workflow else "(at no step)"))
        if place[:1] != shown[:1]:
            yield f"  {safe(place[0])}"
        if place != shown:
            yield f"    {safe(place[1])}"
        shown = place
        under = f" (entered under {revision[:8]})" if revision else ""
        yield f"      {_WORDS[those[0].verdict]}: {_names(those)}{under}"
        for reason in reasons:
            yield f"        {reason.code} {safe(reason.text)}"


def _names(those: Sequence[Judged]) -> str:
    named = ", ".join(safe(each.task) for each in those[:SHOWN])
    return named if len(those) <= SHOWN else f"{named} and {len(those) - SHOWN} more"


def as_data(judged: Sequence[Judged] | None) -> dict[str, Any] | None:
    """The same for a program; None where no ledger was asked."""
    if judged is None:
        return None
    counts = {verdict.value: sum(each.verdict is verdict for each in judged) for verdict in Verdict}
    return {"counts": counts, "groups": [_group(key, those) for key, those in _groups(judged)]}


def _group(key: Key, those: Sequence[Judged]) -> dict[str, Any]:
    return {
        "workflow": key[0] or None,
        "step": key[1] or None,
        "revision": key[3] or None,
        "verdict": those[0].verdict.value,
        "reasons": [{"code": r.code, "verdict": r.verdict.value, "message": r.text} for r in key[4]],
        "count": len(those),
        "tasks": [each.task for each in those[:LISTED]],
    }


def summary(worst: int, findings: Sequence[Finding], judged: Sequence[Judged] | None) -> str:
    """One line: the verdict, and the figures it comes from."""
    verdict = tuple(_WORDS[each] for each in Verdict)[worst]
    if not findings and judged is None:
        return "nothing changed"
    changes = counted(len(findings), "change")
    if judged is None:
        return f"{verdict}: {changes}"
    counts = {each: sum(one.verdict is each for one in judged) for each in Verdict}
    tasks = counted(len(judged), "task")
    breaks, needs = counts[Verdict.BREAKS], counts[Verdict.NEEDS_MAPPING]
    of = f"{breaks} {'breaks' if breaks == 1 else 'break'}, {needs} {'needs' if needs == 1 else 'need'} a mapping"
    return f"{verdict}: {changes}, {tasks}: {of}"
