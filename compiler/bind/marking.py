"""The words after `means` to marks, checked against the closed list."""

from __future__ import annotations

from collections.abc import Mapping

from newel.compiler.bind import rules
from newel.compiler.bind.marks import COUNT, MARKS, Bearer, Known
from newel.compiler.bind.reports import Reports
from newel.compiler.model import Loaded, Mark, Marked, Model, Parameter, SettingDef
from newel.dsl import tree
from newel.dsl.findings import Related
from newel.dsl.source import Span


class Marking:
    """Reads the marks of one compilation's declarations."""

    def __init__(self, model: Model, reports: Reports) -> None:
        self.types = model.vocabulary.types
        self.reports = reports

    def read(
        self,
        nodes: list[tree.Mark],
        bearer: Bearer,
        parameters: Mapping[str, Parameter],
        file: Loaded,
        *,
        owner: Marked | None,
    ) -> dict[str, Mark]:
        """The marks of one declaration by name; those that are wrong are reported and left out."""
        marks: dict[str, Mark] = {}
        for node in nodes:
            name, span = node.name.text, file.tree.span(node.name)
            known = MARKS[bearer].get(name)
            if known is None:
                self._unknown(name, bearer, span)
            elif name in marks:
                related = (Related("first given here", marks[name].span),)
                self.reports.add(rules.DUPLICATE_PART, span, related=related, what="mark", name=name)
            elif self._parameters_fit(node, known, parameters, file) and self._setting_fits(name, known, owner, span):
                marks[name] = Mark(name, tuple(each.text for each in node.parameters), span)
        return marks

    def _unknown(self, name: str, bearer: Bearer, span: Span) -> None:
        bearers = [_PLURALS[each] for each in _PLURALS if name in MARKS[each]]
        if bearers:
            hint = f"`{name}` is a mark of {' and '.join(bearers)}"
            self.reports.add(rules.MISPLACED_MARK, span, hint=hint, name=name, bearer=_PLURALS[bearer])
        else:
            self.reports.unknown(rules.UNKNOWN_MARK, span, name, MARKS[bearer])

    def _parameters_fit(self, node: tree.Mark, known: Known, parameters: Mapping[str, Parameter], file: Loaded) -> bool:
        name = node.name.text
        if not known.least <= len(node.parameters) <= len(known.parameters):
            problem = f"`{name}` names {_amount(known)}"
            self.reports.add(rules.MARK_PARAMETER, file.tree.span(node), problem=problem)
            return False
        good = True
        for given, meaning in zip(node.parameters, known.parameters, strict=False):
            parameter = parameters.get(given.text)
            if parameter is None:
                problem = f"there is no parameter `{given.text}` for `{name}` to name"
                self.reports.unknown(
                    rules.MARK_PARAMETER, file.tree.span(given), given.text, parameters, problem=problem
                )
                good = False
            elif not self._means(parameter, meaning):
                needed = "a whole number" if meaning == COUNT else "of a type whose cases carry no fields"
                problem = f"the {meaning} of `{name}` must be {needed} that has to be given or has a default"
                related = self._fields_of(parameter)
                self.reports.add(rules.MARK_PARAMETER, file.tree.span(given), related=related, problem=problem)
                good = False
        return good

    def _means(self, parameter: Parameter, meaning: str) -> bool:
        """Whether a parameter can hold what a mark says it holds: always, so it may not be left out."""
        type_ = parameter.type
        if type_.name == "?":
            return True
        if type_.optional:
            return False
        if meaning == COUNT:
            return type_.name == "int"
        declared = self.types.get(type_.name)
        return declared is not None and declared.simple

    def _fields_of(self, parameter: Parameter) -> list[Related]:
        """Where a case of a parameter's type carries fields: it may have been added in another file."""
        declared = self.types.get(parameter.type.name)
        cases = declared.cases.values() if declared is not None else ()
        return [Related("this case carries fields", case.span) for case in cases if case.fields]

    def _setting_fits(self, name: str, known: Known, owner: Marked | None, span: Span) -> bool:
        if not isinstance(owner, SettingDef):
            return True
        problem = None
        if owner.owner == "workflow" and not known.workflow:
            problem = "is a mark of step settings"
        elif known.type is not None and owner.type.name not in (known.type, "?"):
            problem = f"needs a setting of type `{known.type}`"
        elif name == "seats" and not self._is_seat(owner):
            problem = "needs a list of a type with the fields `role` and `agent`"
        if problem is not None:
            self.reports.add(rules.MISPLACED_MARK, span, hint=f"`{name}` {problem}", name=name, bearer="this setting")
        return problem is None

    def _is_seat(self, owner: SettingDef) -> bool:
        element = self.types.get(owner.type.of.name) if owner.type.of else None
        return element is not None and element.record and {"role", "agent"} <= element.fields.keys()


_PLURALS: Mapping[Bearer, str] = {
    "action": "kinds",
    "guard": "guards",
    "trigger": "triggers",
    "setting": "settings",
    "moves": "`moves`",
}


def _amount(known: Known) -> str:
    if not known.parameters:
        return "no parameter"
    words = ", ".join(f"the parameter that holds the {each}" for each in known.parameters)
    return words if known.least else f"at most {words}"
