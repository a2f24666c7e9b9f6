"""Lists of triggers and groups to triggers."""

from __future__ import annotations

from newel.compiler.bind import rules
from newel.compiler.bind.reports import Reports
from newel.compiler.model import Loaded, Model
from newel.dsl import tree
from newel.dsl.findings import Related

OWN = ("enter", "exit")
"""The triggers that belong to the language itself."""


class Triggers:
    """Resolves the names after `on` in declarations."""

    def __init__(self, model: Model, reports: Reports) -> None:
        self.model = model
        self.vocabulary = model.vocabulary
        self.reports = reports

    def resolve(self, names: list[tree.Name], file: Loaded, *, moves: bool = False) -> tuple[str, ...]:
        """The triggers that the names mean, groups resolved, each once, in the order of the text."""
        found: dict[str, None] = {}
        for name in self._each_once(names, file):
            group = self.vocabulary.groups.get(name.text)
            if group is not None:
                self.model.used.setdefault("group", set()).add(name.text)
            members = (name.text,) if group is None else group.members
            if group is None and name.text not in self.vocabulary.triggers:
                known = [*self.vocabulary.triggers, *self.vocabulary.groups]
                self.reports.unknown(rules.UNKNOWN_TRIGGER, file.tree.span(name), name.text, known)
                continue
            for member in members:
                if moves and member in OWN:
                    self.reports.add(rules.MOVES_ON_ENTRY, file.tree.span(name), name=member)
                else:
                    found[member] = None
        return tuple(found)

    def members(self, item: tree.GroupDecl, file: Loaded) -> tuple[str, ...]:
        """The triggers of a group."""
        found: list[str] = []
        for name in self._each_once(item.members, file):
            if name.text in self.vocabulary.triggers:
                found.append(name.text)
            elif name.text in self.vocabulary.groups:
                hint = "a group names triggers, no groups; name its triggers"
                self.reports.add(rules.UNKNOWN_TRIGGER, file.tree.span(name), hint=hint, name=name.text)
            else:
                self.reports.unknown(rules.UNKNOWN_TRIGGER, file.tree.span(name), name.text, self.vocabulary.triggers)
        return tuple(found)

    def _each_once(self, names: list[tree.Name], file: Loaded) -> list[tree.Name]:
        first: dict[str, tree.Name] = {}
        for name in names:
            if name.text in first:
                related = (Related("first named here", file.tree.span(first[name.text])),)
                self.reports.add(
                    rules.DUPLICATE_PART, file.tree.span(name), related=related, what="trigger", name=name.text
                )
            first.setdefault(name.text, name)
        return list(first.values())
