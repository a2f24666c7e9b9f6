"""Findings with their fixes to mended texts, looked at again until there is nothing left to mend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from newel.compiler.judging import Judged, check_each
from newel.compiler.store import Store
from newel.compiler.units import Task, Tick
from newel.dsl.findings import Edit, Finding
from newel.dsl.source import Source

ROUNDS = 10
"""A mend may bring another to light; so many times it is looked again."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What is left after mending, the texts that changed - before and after, by their files - and how many mends."""

    judged: Judged
    changed: Mapping[Path, tuple[Source, Source]]
    count: int


def mended(source: Source, findings: Iterable[Finding]) -> tuple[Source, int]:
    """A text with the fixes of its findings made, and how many were: of two that overlap the first."""
    edits: list[Edit] = []
    count = 0
    for finding in findings:
        fix = finding.fix
        if fix is not None and fix.edits[0].span.source is source and not _overlap(edits, fix.edits):
            edits += fix.edits
            count += 1
    text = source.text
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return Source(source.path, text, source.bom), count


def _overlap(taken: Sequence[Edit], edits: Sequence[Edit]) -> bool:
    """Whether an edit touches another: two that meet may both want the blank between them."""
    return any(
        edit.span.start <= other.span.end and other.span.start <= edit.span.end for edit in edits for other in taken
    )


def mend_text(text: Source, look: Callable[[Source], Sequence[Finding]]) -> tuple[Source, Sequence[Finding], int]:
    """A text with all of its mends made, what is left, and how many mends there were."""
    findings = look(text)
    total = 0
    for _ in range(ROUNDS):
        after, count = mended(text, findings)
        if not count:
            break
        text, total = after, total + count
        findings = look(text)
    return text, findings, total


def mend_files(paths: Sequence[Path], task: Task, *, tick: Tick) -> Mended:
    """The given files with all of their mends made; nothing is written. Files that they use stay as they are."""
    shown = {task.project.shown(path.resolve()): path.resolve() for path in paths}
    before: dict[Path, Source] = {}
    after: dict[Path, Source] = {}
    total = 0
    judged = check_each(paths, task, store=Store(after), tick=tick)
    for _ in range(ROUNDS):
        sources = {f.span.source.path: f.fix.edits[0].span.source for f in judged.findings if f.fix is not None}
        made = 0
        for path, source in sorted(sources.items()):
            if path in shown:
                text, count = mended(source, judged.findings)
                made += count
                before.setdefault(shown[path], source)
                after[shown[path]] = text
        total += made
        if not made:
            break
        judged = check_each(paths, task, store=Store(dict(after)), tick=lambda _: None)
    changed = {path: (source, after[path]) for path, source in before.items() if source.text != after[path].text}
    return Mended(judged, dict(sorted(changed.items())), total)
