"""Scenarios to bound scripts, by the table of forms: each word is found to name something, or is reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from newel.compiler.bind import rules
from newel.compiler.bind.described import described
from newel.compiler.bind.reports import Reports
from newel.compiler.bind.scope import BAD, Bound, Scope
from newel.compiler.bind.values import Values
from newel.compiler.model import Case, GuardDef, Json, KindDef, Model, Scenario, Type, Workflow
from newel.compiler.scenarios.forms import FORMS, VERBS, Form, Word, expectations
from newel.compiler.scenarios.script import TASK, Line, Script
from newel.dsl import tree
from newel.dsl.findings import Rule

Standing = dict[str, Workflow]
"""The workflow that each task is in, as far as the lines tell."""

_TYPES = {"flag": Type("flag"), "count": Type("int", minimum=0), "text": Type("text"), "step": Type("step")}


class Scenarios:
    """Binds the scenarios of one compilation."""

    def __init__(self, model: Model, reports: Reports, values: Values) -> None:
        self.model = model
        self.reports = reports
        self.values = values
        self._binders: Mapping[str, Callable[[tree.Value, Word, Scope], Bound]] = {
            "name": self._name,
            "role": self._role,
            "kind": self._kind,
            "guard": self._guard,
            "workflow": lambda node, word, scope: values.bind(node, Type("workflow"), scope, word.name),
        }

    def scenario(self, node: tree.Scenario, scope: Scope) -> Scenario:
        """A scenario with the workflow it is for. Where there is none, its lines could mean anything."""
        name = node.workflow.text
        workflow = self.model.workflows.get(name)
        if workflow is None:
            self.reports.unknown(rules.UNKNOWN_WORKFLOW, scope.span(node.workflow), name, self.model.workflows)
            return Scenario(node, scope.file, None)
        script = Script(node.title.value, name, scope.span(node.title))
        script.lines = self.lines(node, Scope(scope.file, workflow))
        return Scenario(node, scope.file, workflow, script)

    def lines(self, node: tree.Scenario, scope: Scope, standing: Standing | None = None) -> tuple[Line, ...]:
        """The lines that could be bound. `standing` tells in which workflow each task is already, and is kept up."""
        known: Standing = {} if standing is None else standing
        whole = not any(isinstance(line, tree.Broken) for line in node.lines)
        found: list[Line] = []
        for item in node.lines:
            form = self._form(item, scope) if isinstance(item, tree.Line) else None
            if isinstance(item, tree.Line) and form is not None:
                task = _task(item)
                if whole and task is not None:
                    self._there(item, form, task, scope, known)
                here = Scope(scope.file, known.get(task or TASK) or scope.workflow)
                line = self._line(item, form, here)
                if line is not None:
                    found.append(line)
                    if form.name == "switch":
                        known[line.task] = self.model.workflows[str(line.words["workflow"])]
        return tuple(found)

    def _there(self, item: tree.Line, form: Form, task: str, scope: Scope, standing: Standing) -> None:
        """Report what is said of a task before there is one: once."""
        if form.name == "given" or (task in standing and form.name != "create"):
            return
        if form.name != "create":
            create = "create" if task == TASK else f"create task={task}"
            self.reports.add(rules.NO_TASK_YET, scope.span(item.verb), name=form.name, create=create)
        if scope.workflow is not None:
            standing.setdefault(task, scope.workflow)

    # ------------------------------------------------------------ lines

    def _form(self, node: tree.Line, scope: Scope) -> Form | None:
        verb = node.verb.text
        if verb in FORMS:
            return FORMS[verb]
        if verb != "expect":
            self._unknown(rules.UNKNOWN_VERB, node.verb, verb, VERBS, scope)
            return None
        first = node.words[0] if node.words else None
        name = None if first is None or isinstance(first, tree.Named) else _word(first)
        if name is None:
            at = node.verb if first is None else first
            shown = ", ".join(f"`{each}`" for each in expectations())
            hint = f"it is followed by one of {shown}"
            self.reports.add(rules.MISSING_ARGUMENT, scope.span(at), hint=hint, owner="expect", name="what")
        elif f"expect {name}" in FORMS:
            return FORMS[f"expect {name}"]
        else:
            self._unknown(rules.UNKNOWN_EXPECTATION, node.words[0], name, expectations(), scope)
        return None

    def _unknown(self, rule: Rule, node: tree.Node, name: str, known: tuple[str, ...], scope: Scope) -> None:
        hint = f"there are {', '.join(f'`{each}`' for each in known)}"
        self.reports.unknown(rule, scope.span(node), name, known, hint=hint)

    def _line(self, node: tree.Line, form: Form, scope: Scope) -> Line | None:
        given = self._placed(node, form, scope)
        words: dict[str, Json] = {}
        good = given is not None
        for word in form.words:
            value = (given or {}).get(word.name)
            if value is None:
                continue
            bound = self._bind(value, word, self._within(word, words, scope), words)
            if bound is BAD:
                good = False
            else:
                words[word.name] = bound
        return Line(form.name, words, scope.span(node)) if good else None

    def _placed(self, node: tree.Line, form: Form, scope: Scope) -> dict[str, tree.Value] | None:
        """The written words by their names in the table; None where one is for nothing or one is missing."""
        given: dict[str, tree.Value] = {}
        positional = list(form.positional)
        good = True
        for item in node.words[1:] if form.name.startswith("expect ") else node.words:
            if isinstance(item, tree.Named):
                good = self._by_name(item, form, given, scope) and good
            elif positional:
                given[positional.pop(0).name] = item
            else:
                hint = f"write `{form.usage}`"
                self.reports.add(
                    rules.ARGUMENT_BY_POSITION, scope.span(item), hint=hint, owner=form.name, found=described(item)
                )
                good = False
        for word in form.words:
            if good and word.required and word.name not in given:
                hint = f"write `{form.usage}`"
                self.reports.add(
                    rules.MISSING_ARGUMENT, scope.span(node.verb), hint=hint, owner=form.name, name=word.name
                )
                good = False
        return given if good else None

    def _by_name(self, item: tree.Named, form: Form, given: dict[str, tree.Value], scope: Scope) -> bool:
        name = item.name.text
        if name in given:
            self.values.repeated(rules.REPEATED_ARGUMENT, scope, item.name, given[name], name)
        elif all(word.name != name for word in form.named):
            known = [word.name for word in form.named]
            hint = f"write `{form.usage}`"
            self.reports.unknown(rules.UNKNOWN_ARGUMENT, scope.span(item.name), name, known, hint=hint, owner=form.name)
        else:
            given[name] = item.value
            return True
        return False

    # ------------------------------------------------------------ words

    def _within(self, word: Word, words: Mapping[str, Json], scope: Scope) -> Scope:
        """Where a word is looked up: a step of another workflow in that one."""
        if word.within is None:
            return scope
        other: Workflow | None = self.model.workflows.get(str(words.get(word.within)))
        return Scope(scope.file, other, loose=other is None)

    def _bind(self, node: tree.Value, word: Word, scope: Scope, words: dict[str, Json]) -> Bound:
        if word.meaning == "trigger":
            return self._trigger(node, scope, words)
        if word.meaning in _TYPES:
            return self.values.bind(node, _TYPES[word.meaning], scope, word.name)
        return self._binders[word.meaning](node, word, scope)

    def _name(self, node: tree.Value, word: Word, scope: Scope) -> Bound:
        return _named(node) or self._wrong(node, word.name, "a name", scope)

    def _role(self, node: tree.Value, word: Word, scope: Scope) -> Bound:
        name = _word(node)
        if name is None:
            return self._wrong(node, word.name, "the name of a role", scope)
        types = self._role_types()
        known = [case for cases in types.values() for case in cases]
        if types and name not in known:
            self.reports.unknown(rules.UNKNOWN_CASE, scope.span(node), name, known, type=next(iter(types)))
            return BAD
        return name

    def _role_types(self) -> dict[str, Mapping[str, Case]]:
        """The types whose cases are roles: those of what the marks of guards and kinds name as the role."""
        vocabulary = self.model.vocabulary
        found: dict[str, Mapping[str, Case]] = {}
        declared: list[GuardDef | KindDef] = [*vocabulary.guards.values(), *vocabulary.kinds.values()]
        for each in declared:
            for mark in each.marks.values():
                parameter = each.parameters.get(mark.parameters[0]) if mark.parameters else None
                type_ = vocabulary.types.get(parameter.type.name) if parameter else None
                if type_ is not None:
                    found[type_.name] = type_.cases
        return found

    def _kind(self, node: tree.Value, word: Word, scope: Scope) -> Bound:
        return self._declared(node, word, rules.UNKNOWN_KIND, self.model.vocabulary.kinds, "a kind of action", scope)

    def _guard(self, node: tree.Value, word: Word, scope: Scope) -> Bound:
        guards = self.model.vocabulary.guards
        name = self._declared(node, word, rules.UNKNOWN_GUARD, guards, "the name of a guard", scope)
        if isinstance(name, str) and guards[name].file.standard:
            hint = "it counts seats and decisions: give it those, with `seat` and `decide`"
            return self._wrong(node, "given", "a guard of your own", scope, hint)
        return name

    def _declared(
        self, node: tree.Value, word: Word, rule: Rule, known: Mapping[str, object], expected: str, scope: Scope
    ) -> Bound:
        name = _word(node)
        if name is None:
            return self._wrong(node, word.name, expected, scope)
        if name not in known:
            self.reports.unknown(rule, scope.span(node), name, known)
            return BAD
        return name

    def _trigger(self, node: tree.Value, scope: Scope, words: dict[str, Json]) -> Bound:
        """A trigger's name; what stands in its brackets becomes the line's payload."""
        if not isinstance(node, tree.Ref) or len(node.path) != 1:
            return self._wrong(node, "fire", "the name of a trigger", scope)
        name = node.path[0].text
        trigger = self.model.vocabulary.triggers.get(name)
        if trigger is None:
            self.reports.unknown(rules.UNKNOWN_TRIGGER, scope.span(node.path[0]), name, self.model.vocabulary.triggers)
            return BAD
        if not trigger.span.source.text:
            hint = "it runs by itself when a task arrives or leaves"
            return self._wrong(node, "fire", "a trigger that can be fired", scope, hint)
        payload, _, good = self.values.arguments.bind(node.args, trigger.payload, scope, node.path[0], name)
        if not good:
            return BAD
        words["payload"] = dict(payload)
        return name

    def _wrong(self, node: tree.Value, what: str, expected: str, scope: Scope, hint: str | None = None) -> Bound:
        self.reports.add(
            rules.WRONG_TYPE, scope.span(node), hint=hint, what=what, expected=expected, found=described(node)
        )
        return BAD


def _task(item: tree.Line) -> str | None:
    """The task a line is about; None where what stands for it is no name."""
    written = next((w.value for w in item.words if isinstance(w, tree.Named) and w.name.text == "task"), None)
    return TASK if written is None else _named(written)


def _word(node: tree.Value) -> str | None:
    """The name a value is, where it is nothing but a name."""
    return node.path[0].text if isinstance(node, tree.Ref) and node.args is None and len(node.path) == 1 else None


def _named(node: tree.Value) -> str | None:
    """A name, or a text in its place."""
    return node.value or None if isinstance(node, tree.Text) else _word(node)
