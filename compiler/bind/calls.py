"""What stands in an `on` block to actions and moves, guards included."""

from __future__ import annotations

from newel.compiler.bind import rules
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import Relative, Scope, relative_name
from newel.compiler.bind.values import Values
from newel.compiler.model import (
    Action,
    Declared,
    GuardCall,
    GuardTree,
    Joined,
    Model,
    Move,
    Negated,
    Statement,
    TriggerDef,
    Type,
    Unreadable,
)
from newel.dsl import tree
from newel.dsl.findings import Related

STEP = Type("step")


class Calls:
    """Binds the statements under triggers of one compilation."""

    def __init__(self, model: Model, reports: Reports, values: Values) -> None:
        self.kinds = model.vocabulary.kinds
        self.guards = model.vocabulary.guards
        self.reports = reports
        self.values = values
        self._whole = True

    def statements(self, node: tree.On, trigger: TriggerDef, scope: Scope) -> tuple[list[Statement], bool]:
        """The actions and moves of a block, and whether it holds nothing that could not be bound."""
        found: list[Statement] = []
        self._whole = True
        for item in node.body:
            if isinstance(item, tree.Call):
                action = self._action(item, trigger, scope)
                if action is not None:
                    found.append(action)
            elif isinstance(item, tree.Move):
                found.append(self._move(item, trigger, scope))
        return found, self._whole and len(found) == len(node.body)

    def _action(self, node: tree.Call, trigger: TriggerDef, scope: Scope) -> Action | None:
        name = node.name.text
        kind = self.kinds.get(name)
        if kind is None:
            self._unknown_kind(name, node, scope)
            return None
        if trigger.name not in kind.triggers:
            self.reports.add(
                rules.KIND_NOT_ADMITTED,
                scope.span(node.name),
                related=(*scope.trace, *_declared(kind)),
                hint=_admitted(name, kind.triggers),
                name=name,
                trigger=trigger.name,
            )
        args, given, good = self.values.arguments.bind(node.args, kind.parameters, scope, node.name, name)
        if not good:
            return None
        return Action(scope.file.source, node.name.start, node.name.end, scope.trace, args, given, kind)

    def _unknown_kind(self, name: str, node: tree.Call, scope: Scope) -> None:
        if name in self.guards:
            hint = f"`{name}` is a guard; it stands after `when`"
            self.reports.add(rules.UNKNOWN_KIND, scope.span(node.name), related=scope.trace, hint=hint, name=name)
        else:
            self.reports.unknown(rules.UNKNOWN_KIND, scope.span(node.name), name, self.kinds, related=scope.trace)

    # ------------------------------------------------------------ moves

    def _move(self, node: tree.Move, trigger: TriggerDef, scope: Scope) -> Move:
        self._admit_move(node, trigger, scope)
        to, relative = self._destination(node.to, scope)
        guard = None if node.guard is None else self._guard(node.guard, trigger, scope)
        return Move(
            scope.file.source, node.start, node.to.end, scope.trace, to, relative, node.approval is not None, guard
        )

    def _admit_move(self, node: tree.Move, trigger: TriggerDef, scope: Scope) -> None:
        if not trigger.moves:
            at = tree.Node(node.start, node.to.end)
            self.reports.add(rules.MOVE_NOT_ADMITTED, scope.span(at), related=scope.trace, trigger=trigger.name)
        elif not trigger.guarded:
            for what, part in (("`requires approval`", node.approval), ("a guard", node.guard)):
                if part is not None:
                    self.reports.add(
                        rules.CONDITION_NOT_READ,
                        scope.span(part),
                        related=scope.trace,
                        what=what,
                        trigger=trigger.name,
                    )

    def _destination(self, node: tree.Name, scope: Scope) -> tuple[str | None, Relative | None]:
        name = node.text
        argument = scope.arguments.get(name) if scope.arguments else None
        if argument is not None:
            ref = tree.Ref(node.start, node.end, (node,), None)
            if argument.relative is not None:
                return (argument.value if isinstance(argument.value, str) else None), argument.relative
            value = self.values.argument(argument, STEP, scope, ref, "a move")
            return (value if isinstance(value, str) else None), None
        relative = relative_name(name)
        if relative is not None:
            return scope.beside(relative), None if scope.loose else relative
        if scope.loose:
            return None, None
        steps = scope.workflow.steps if scope.workflow else {}
        if name in steps:
            return name, None
        self.reports.unknown(rules.UNKNOWN_STEP, scope.span(node), name, steps, related=scope.trace)
        self._whole = False
        return None, None

    # ------------------------------------------------------------ guards

    def _guard(self, node: tree.GuardExpr, trigger: TriggerDef, scope: Scope) -> GuardTree:
        if isinstance(node, tree.Call):
            return self._asked(node, trigger, scope)
        if isinstance(node, tree.Negated):
            return Negated(self._guard(node.part, trigger, scope))
        parts = [self._guard(part, trigger, scope) for part in node.parts]
        return Joined("|" if isinstance(node, tree.Either) else "&", parts)

    def _asked(self, node: tree.Call, trigger: TriggerDef, scope: Scope) -> GuardTree:
        name = node.name.text
        guard = self.guards.get(name)
        if guard is None:
            if name in self.kinds:
                hint = f"`{name}` is a kind of action; no guard"
                self.reports.add(rules.UNKNOWN_GUARD, scope.span(node.name), related=scope.trace, hint=hint, name=name)
            else:
                self.reports.unknown(rules.UNKNOWN_GUARD, scope.span(node.name), name, self.guards, related=scope.trace)
            return self._unreadable()
        if guard.triggers is not None and trigger.name not in guard.triggers:
            self.reports.add(
                rules.GUARD_NOT_ADMITTED,
                scope.span(node.name),
                related=(*scope.trace, *_declared(guard)),
                hint=_admitted(name, guard.triggers),
                name=name,
                trigger=trigger.name,
            )
        args, given, good = self.values.arguments.bind(node.args, guard.parameters, scope, node.name, name)
        if not good:
            return self._unreadable()
        return GuardCall(scope.file.source, node.name.start, node.name.end, scope.trace, args, given, guard)

    def _unreadable(self) -> GuardTree:
        self._whole = False
        return Unreadable()


def _declared(declared: Declared) -> tuple[Related, ...]:
    """Where something was declared; nothing for the standard vocabulary, which the reader does not have before him."""
    return () if declared.file.standard else (Related("declared here", declared.span),)


def _admitted(name: str, triggers: tuple[str, ...]) -> str:
    return f"`{name}` may stand under {', '.join(f'`{each}`' for each in triggers)}" if triggers else ""
