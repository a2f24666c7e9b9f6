"""The steps of a workflow to what is said of each: what runs, in what order, and the ways in and out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from newel.compiler.docs import addresses, settings
from newel.compiler.docs.shape import ByHand, Entry, Item, Link, Listed, StepView, Way
from newel.compiler.exports import words
from newel.compiler.exports.plain import anchor
from newel.compiler.exports.waiting import waits
from newel.compiler.program import Action, Move, Program, Step, Workflow

_LISTED = 8
"""Up to how many steps are listed; of more it is said in words."""

BUILT_IN = {"enter": "A task has arrived here.", "exit": "The task is about to leave."}
"""What the triggers mean that belong to the language and are declared nowhere."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Describes the steps of one workflow, whose page is given."""

    program: Program
    workflow: Workflow
    page: str

    def views(self) -> list[StepView]:
        """All steps, in the order of the file."""
        into: dict[str, list[Way]] = {name: [] for name in self.workflow.steps}
        out: dict[str, list[Way]] = {name: [] for name in self.workflow.steps}
        for source, trigger, move in self._moves():
            way = self._way(source, trigger, move)
            out[source].append(way)
            into[move.to].append({**way, "step": self.link(source)})
        for source, target in self._pulls():
            out[source].append(self._pull(target))
            into[target].append(self._pull(source))
        flag = self.program.flag
        by_hand = {name: flag(self.workflow.name, name, "manual_entry") for name in self.workflow.steps}
        opened = [name for name, is_open in by_hand.items() if is_open]
        closed = [name for name, is_open in by_hand.items() if not is_open]
        return [
            self._view(
                step, into[step.name], by_hand[step.name], out[step.name], self._by_hand(step.name, opened, closed)
            )
            for step in self.workflow.steps.values()
        ]

    def link(self, name: str) -> Link:
        """A step by its title."""
        return {"text": self.workflow.steps[name].title or name, "href": addresses.step(self.page, name)}

    def _view(self, step: Step, ways_in: list[Way], by_hand: bool, ways_out: list[Way], hand_out: ByHand) -> StepView:
        vocabulary = self.program.vocabulary
        return {
            "name": step.name,
            "title": step.title or step.name,
            "anchor": f"step-{anchor(step.name)}",
            "start": step.start,
            "end": step.end,
            "doc": step.doc or "",
            "about": settings.about(step.settings),
            "entry": self._entry(step),
            "lists": [self._listed(name, step) for name in _as_written(step) if name != "enter"],
            "ways_in": ways_in,
            "by_hand": by_hand,
            "ways_out": ways_out,
            "hand_out": hand_out,
            "settings": settings.rows(step.settings, "step", vocabulary),
            "prompts": settings.prompts(step.settings, "step", vocabulary),
            "changes": [],
            "included": [],
        }

    # ------------------------------------------------------------ lists

    def _entry(self, step: Step) -> Entry:
        name = self.workflow.name
        dispatched = [self._action(at, item) for at, item in self.program.dispatched(name, step.name)]
        session = [self._action(at, item) for at, item in self.program.excluded(name, step.name)]
        return {"dispatched": dispatched, "session": session}

    def _listed(self, trigger: str, step: Step) -> Listed:
        declared = self.program.vocabulary.triggers.get(trigger)
        items = [
            self._action(at, item) if isinstance(item, Action) else self._move(at, item)
            for at, item in enumerate(step.on[trigger])
        ]
        doc = (declared.doc if declared else None) or BUILT_IN.get(trigger, "")
        signal = waits(self.program, self.workflow.name, step.name, trigger)
        return {"trigger": trigger_link(trigger), "doc": doc, "signal": signal, "statements": items}

    def _action(self, position: int, item: Action) -> Item:
        return {
            "position": position,
            "code": words.action(item, self.program.vocabulary),
            "href": addresses.declared("kind", item.kind),
            "doc": self.program.kind(item.kind).doc or "",
            "to": None,
            "when": "",
            "approval": False,
        }

    def _move(self, position: int, move: Move) -> Item:
        link = self.link(move.to)
        return {
            "position": position,
            "code": f"-> {move.to}",
            "href": link["href"],
            "doc": "",
            "to": link,
            "when": self._when(move),
            "approval": move.approval,
        }

    def _when(self, move: Move) -> str:
        return words.guard(move.guard, self.program.vocabulary) if move.guard else ""

    # ------------------------------------------------------------ ways

    def _moves(self) -> Iterator[tuple[str, str, Move]]:
        for step in self.workflow.steps.values():
            for trigger in _as_written(step):
                yield from ((step.name, trigger, move) for move in step.on[trigger] if isinstance(move, Move))

    def _way(self, source: str, trigger: str, move: Move) -> Way:
        return {
            "step": self.link(move.to),
            "trigger": trigger_link(trigger),
            "when": self._when(move),
            "approval": move.approval,
            "signal": waits(self.program, self.workflow.name, source, trigger),
        }

    def _pulls(self) -> Iterator[tuple[str, str]]:
        """Which step feeds which."""
        for setting in self.program.vocabulary.settings_marked("pull"):
            for step in self.workflow.steps.values():
                feeder = step.settings.get(setting.name)
                if isinstance(feeder, str):
                    yield feeder, step.name

    def _by_hand(self, name: str, opened: Sequence[str], closed: Sequence[str]) -> ByHand:
        """Where a person may move a task from a step; `opened` are all steps that may be entered by hand."""
        if opened and closed in ([], [name]):
            return {"to": "any", "steps": []}
        if len(opened) <= _LISTED:
            these = [self.link(other) for other in opened if other != name]
            return {"to": "these" if these else "none", "steps": these}
        if len(closed) <= _LISTED:
            return {"to": "any_but", "steps": [self.link(other) for other in closed if other != name]}
        return {"to": "many", "steps": []}

    def _pull(self, name: str) -> Way:
        return {"step": self.link(name), "trigger": None, "when": "", "approval": False, "signal": False}


def trigger_link(name: str) -> Link:
    """A trigger by its name."""
    return {"text": name, "href": addresses.declared("trigger", name)}


def uses(program: Program, pages: Mapping[str, str]) -> Mapping[tuple[str, str], list[Link]]:
    """The steps that use a kind, trigger or guard, by sort and name."""
    found: dict[tuple[str, str], dict[str, Link]] = {}
    for workflow in program.workflows.values():
        for step in workflow.steps.values():
            href = addresses.step(pages[workflow.name], step.name)
            text = f"{workflow.title or workflow.name}: {step.title or step.name}"
            for what in _used(step):
                found.setdefault(what, {})[href] = {"text": text, "href": href}
    return {what: list(links.values()) for what, links in found.items()}


def _as_written(step: Step) -> list[str]:
    """The triggers of a step that have a list, in the order of the file. A program has them by name, so that it is the
    same program however its file is laid out."""

    def at(trigger: str) -> tuple[str, int, int]:
        place = step.on[trigger][0].place
        return (place.path, place.line, place.column) if place else ("", 0, 0)

    return sorted((name for name in step.on if step.on[name]), key=at)


def _used(step: Step) -> Iterator[tuple[str, str]]:
    for trigger, items in step.on.items():
        yield "trigger", trigger
        for item in items:
            if isinstance(item, Action):
                yield "kind", item.kind
            elif item.guard is not None:
                yield from (("guard", kind) for kind in words.guards_in(item.guard))
