"""The `on` blocks of a step to its events: each statement in its order, or a finding."""

from __future__ import annotations

from newel.compiler.boards import rules
from newel.compiler.boards.writing import Writing
from newel.compiler.imports.guards import APPROVAL, CONDITION, condition
from newel.compiler.imports.tables import CADENCE, MOVES, TRIGGERS, Param, plain
from newel.compiler.model import Action, GuardCall, Json, Move, On, Statement, Step, Workflow, guard_calls

CADENCE_SETTING = "heartbeat_every"
_HEARTBEAT = "on_heartbeat"
_TO = {word: kind for kind, word in MOVES.items()}


class Events:
    """Writes the lists of one step."""

    def __init__(self, writing: Writing, workflow: Workflow, step: Step) -> None:
        self.writing, self.workflow, self.step = writing, workflow, step
        self._configured = False

    def written(self) -> dict[str, Json]:
        """The events by trigger, in the order of the table; a list in which nothing is left has none."""
        events: dict[str, Json] = {}
        for key, trigger in TRIGGERS.items():
            on = self.step.on.get(trigger)
            if on and on.trigger.file.standard and (actions := self._actions(key, on)):
                events[key] = list(actions)
                if key in self.writing.form.lost:
                    why = "its own import drops this trigger"
                    self.writing.report(rules.NOT_ACTED_ON, on.span, on.trace, what=key, why=why)
        for name, on in self.step.on.items():
            self.writing.foreign(on.trigger, f"the trigger `{name}`", on.span, on.trace)
        self._cadence(events)
        return events

    def _actions(self, key: str, on: On) -> list[dict[str, Json]]:
        written = (self._statement(key, statement) for statement in on.statements)
        return [action for action in written if action is not None]

    def _statement(self, key: str, statement: Statement) -> dict[str, Json] | None:
        action = self._move(statement) if isinstance(statement, Move) else self._action(key, statement)
        if action is None:
            return None
        kind, config = action
        return {"type": kind, "config": config} if config else {"type": kind}

    # ------------------------------------------------------------ actions

    def _action(self, key: str, action: Action) -> tuple[str, dict[str, Json]] | None:
        name = action.kind.name
        if self.writing.foreign(action.kind, f"the action `{name}`", action.span, action.trace):
            return None
        kind = self.writing.form.kinds[name]
        found = len(self.writing.findings)
        config: dict[str, Json] = {
            row.key: value for row in kind.params if (value := self._argument(action, row)) is not None
        }
        if len(self.writing.findings) > found or not self._sayable(action):
            return None
        if kind.disclosed and key == "on_enter":
            why = "it does not run it on entry"
            self.writing.report(rules.NOT_ACTED_ON, action.span, action.trace, what=name, why=why)
        return name, config

    def _argument(self, action: Action, row: Param) -> Json:
        name = row.argument or next(iter(action.kind.parameters))
        given = action.args.get(name)
        if given is None:
            return None
        what = f"`{name}` of `{action.kind.name}`, with its action"
        value = self.writing.said(what, row.codec.write(given), action.given.get(name, action.span), action.trace)
        return None if value == plain(row.default) else value

    def _sayable(self, action: Action) -> bool:
        """A step configures its session once, and not where it has an agent of its own."""
        if action.kind.name != "configure_session":
            return True
        agent = "agent" in self.step.settings and any(row.setting == "agent" for row in self.writing.form.step)
        why = "the step has an agent of its own" if agent else "a step has at most one such action there"
        refused = agent or self._configured
        self._configured = True
        if refused:
            self.writing.lost("`configure_session`", why, action.span, action.trace)
        return not refused

    def _cadence(self, events: dict[str, Json]) -> None:
        """How often a heartbeat comes is said in the first action that waits for one."""
        given = self.step.settings.get(CADENCE_SETTING)
        if given is None or not given.setting.file.standard or given.value == given.setting.default:
            return
        match events.get(_HEARTBEAT):
            case [dict(first), *_]:
                config = first.get("config")
                first["config"] = {**(config if isinstance(config, dict) else {}), CADENCE: given.value}
            case _:
                why = "it is said in an action under `on heartbeat`, and there is none"
                self.writing.lost(f"`{CADENCE_SETTING}`", why, given.span, given.trace)

    # ------------------------------------------------------------ moves

    def _move(self, move: Move) -> tuple[str, dict[str, Json]] | None:
        config: dict[str, Json] = {}
        if not move.relative:
            target = self.workflow.steps[move.to or ""]
            config[self.writing.form.reference] = target.name if self.writing.form.strict else target.index
        if move.approval:
            config[APPROVAL] = True
            why = "it never makes a move that asks for approval"
            self.writing.report(rules.NOT_ACTED_ON, move.span, move.trace, what=APPROVAL, why=why)
        if move.guard is not None:
            guard = self._guard(move)
            if guard is None:
                return None
            config[CONDITION] = guard
        return _TO[move.relative or "step"], config

    def _guard(self, move: Move) -> Json:
        """The one guard of a move. A move whose guard has no words is left out whole, never written without it."""
        guard = move.guard
        if not isinstance(guard, GuardCall):
            first = next(guard_calls(guard), move)
            why = "a move has one guard there, without `and`, `or` and `not`"
            self.writing.lost("this guard, with its move", why, first.span, move.trace)
            return None
        name = guard.guard.name
        what = f"the guard `{name}`, with its move"
        if self.writing.foreign(guard.guard, what, guard.span, guard.trace):
            return None
        return self.writing.said(what, condition(name, guard.args), guard.span, guard.trace)
