"""The bodies of steps to steps: settings and blocks, with fragments put where they are included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from newel.compiler.bind import rules
from newel.compiler.bind.budget import Budget
from newel.compiler.bind.calls import Calls
from newel.compiler.bind.fragments import Fragments
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import BAD, Bound, Scope
from newel.compiler.bind.values import Values
from newel.compiler.model import Model, On, Owner, Placed, SettingDef, Step, Type, Value
from newel.dsl import tree
from newel.dsl.findings import Related

FLAG = Type("flag")
OWN_WORDS: Mapping[Owner, Sequence[str]] = {"step": ("start", "end", "on", "include"), "workflow": ("step", "every")}
"""What may begin a line beside the settings that are declared."""


class Steps:
    """Binds the bodies of one compilation's steps, fragments and `every step`."""

    def __init__(self, model: Model, reports: Reports, values: Values, budget: Budget) -> None:
        self.model = model
        self.reports = reports
        self.values = values
        self.calls = Calls(model, reports, values)
        self.fragments = Fragments(model, reports, values, budget)
        self._suggested: dict[str, str | None] = {}

    def body(self, items: list[tree.StepStatement], scope: Scope, step: Step) -> None:
        """Put what a body says into a step. A trigger may have one block in each body; those of pieces are appended."""
        blocks: dict[str, tree.On] = {}
        for item in items:
            if isinstance(item, tree.Setting):
                self._setting(item, scope, step)
            elif isinstance(item, tree.On):
                first = blocks.setdefault(item.trigger.text, item)
                if first is not item:
                    related = (Related("the first one is here", scope.span(first.trigger)), *scope.trace)
                    self.reports.add(
                        rules.REPEATED_BLOCK, scope.span(item.trigger), related=related, trigger=item.trigger.text
                    )
                self._block(item, scope, step)
            elif isinstance(item, tree.Include):
                inner = self.fragments.included(item, scope)
                if inner is None:
                    step.incomplete = True
                else:
                    self.body(inner.body, inner.scope, step)
            else:
                self._broken(scope, step)

    def _broken(self, scope: Scope, step: Step) -> None:
        step.incomplete = True
        if scope.workflow is not None:
            scope.workflow.broken = True

    # ------------------------------------------------------------ settings

    def _setting(self, node: tree.Setting, scope: Scope, step: Step) -> None:
        name = node.name.text
        if name in ("start", "end"):
            self._end_point(node, scope, step)
            return
        value = self.setting(node, "step", scope)
        if value is None:
            step.incomplete = True
            self._meant(node, scope, step)
            return
        first = step.settings.get(name)
        if first is None:
            step.settings[name] = value
        else:
            self._said_twice(name, value, first)

    def setting(self, node: tree.Setting, owner: Owner, scope: Scope) -> Value | None:
        """What a setting is given, or None where that could not be bound."""
        name = node.name.text
        declared = self.model.vocabulary.settings.get((owner, name))
        if declared is None:
            self._unknown(node, owner, scope)
            return None
        value = self._given(node, declared, scope)
        if value is BAD or value is None:
            return None
        return Value(scope.file.source, node.name.start, node.name.end, scope.trace, declared, value)

    def _given(self, node: tree.Setting, declared: SettingDef, scope: Scope) -> Bound:
        value, type_ = node.value, declared.type
        if value is None:
            if type_.name == "flag":
                return True
            self.reports.add(
                rules.SETTING_NEEDS_VALUE,
                scope.span(node.name),
                related=scope.trace,
                name=declared.name,
                type=str(type_),
            )
            return BAD
        if not isinstance(value, tree.Args):
            return self.values.bind(value, type_, scope, declared.name)
        record = self.model.vocabulary.types.get(type_.name)
        if record is not None and record.record:
            return self.values.record(record, value, scope, node.name)
        if type_.name != "?":
            self.reports.add(
                rules.WRONG_TYPE,
                scope.span(value),
                related=scope.trace,
                what=declared.name,
                expected=f"a value of type `{type_}`",
                found="fields in brackets",
            )
        return BAD

    def _meant(self, node: tree.Setting, scope: Scope, step: Step) -> None:
        """Take an unknown setting for what was suggested for it where something is missed without that: a workflow's
        start, a fragment that is included."""
        near = self._suggested.get(node.name.text)
        if near == "start" and step.start is None:
            step.start = Placed(scope.file.source, node.name.start, node.name.end, scope.trace)
        elif near == "end" and step.end is None:
            step.end = Placed(scope.file.source, node.name.start, node.name.end, scope.trace)
        elif near == "include" and isinstance(node.value, tree.Ref):
            self.model.used.setdefault("fragment", set()).add(node.value.path[0].text)

    def _unknown(self, node: tree.Setting, owner: Owner, scope: Scope) -> None:
        from newel.dsl.keywords import stands  # only a mistake needs it

        name, span = node.name.text, scope.span(node.name)
        known = [*OWN_WORDS[owner], *(n for o, n in self.model.vocabulary.settings if o == owner)]
        other = "workflow" if owner == "step" else "step"
        if (other, name) in self.model.vocabulary.settings or (owner == "workflow" and name in ("start", "end")):
            hint = f"`{name}` is a setting of a {other}"
        elif name in self.model.vocabulary.kinds:
            hint = f"`{name}` is a kind of action; it stands in an `on` block"
        elif belongs := stands(name):
            hint = belongs
        else:
            near = self.reports.unknown(rules.UNKNOWN_SETTING, span, name, known, related=scope.trace, owner=owner)
            self._suggested[name] = near
            return
        self.reports.add(rules.UNKNOWN_SETTING, span, related=scope.trace, hint=hint, name=name, owner=owner)

    def _end_point(self, node: tree.Setting, scope: Scope, step: Step) -> None:
        """`start` or `end`."""
        name = node.name.text
        value: Bound = True
        if isinstance(node.value, tree.Args):
            self.reports.add(
                rules.WRONG_TYPE,
                scope.span(node.value),
                related=scope.trace,
                what=name,
                expected="`true` or `false`",
                found="fields in brackets",
            )
        elif node.value is not None:
            value = self.values.bind(node.value, FLAG, scope, name)
        if value is not True:
            return
        place = Placed(scope.file.source, node.name.start, node.name.end, scope.trace)
        first = step.start if name == "start" else step.end
        if first is not None:
            self._said_twice(name, place, first)
        elif name == "start":
            step.start = place
        else:
            step.end = place

    def _said_twice(self, name: str, again: Placed, first: Placed) -> None:
        related = (Related("first said here", first.span), *again.trace)
        self.reports.add(rules.SETTING_TWICE, again.span, related=related, name=name)

    # ------------------------------------------------------------ blocks

    def _block(self, node: tree.On, scope: Scope, step: Step) -> None:
        name = node.trigger.text
        trigger = self.model.vocabulary.triggers.get(name)
        if trigger is None:
            self._unknown_trigger(name, node, scope)
            step.incomplete = True
            return
        statements, complete = self.calls.statements(node, trigger, scope)
        if not complete:
            step.incomplete = True
            if any(isinstance(item, tree.Broken) for item in node.body):
                self._broken(scope, step)
        on = step.on.get(name)
        if on is None:
            at = node.trigger
            step.on[name] = On(scope.file.source, at.start, at.end, scope.trace, trigger, statements)
        else:
            on.statements += statements

    def _unknown_trigger(self, name: str, node: tree.On, scope: Scope) -> None:
        span = scope.span(node.trigger)
        group = self.model.vocabulary.groups.get(name)
        if group is not None:
            hint = f"`{name}` is a group; name one of its triggers: {', '.join(f'`{each}`' for each in group.members)}"
            self.reports.add(rules.UNKNOWN_TRIGGER, span, related=scope.trace, hint=hint, name=name)
        else:
            known = self.model.vocabulary.triggers
            self.reports.unknown(rules.UNKNOWN_TRIGGER, span, name, known, related=scope.trace)
