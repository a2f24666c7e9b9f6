"""NW705: a declaration that nobody uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.model import Declared, Family
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW705",
    name="never-used",
    severity="warning",
    message="{family} `{name}` is never used",
    hint="use it, or delete it",
    why="""\
Nothing refers to this declaration. It is asked of types, groups, fragments, texts and placeholders, and only in a
file that also holds a workflow: a file of words for others to use is not expected to use them itself.""",
    wrong="""\
text house_rules "Be kind."

workflow desk "Desk" {
  step work "Work" { start }
  step done "Done" { end }
}
""",
    right='''\
text house_rules "Be kind."

workflow desk "Desk" {
  step work "Work" {
    start
    prompt """
      {{house_rules}}
      """
    on enter { auto_start_agent }
  }
  step done "Done" { end }
}
''',
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares what is declared with what the binder has looked up; not where a file has unread statements."""
    if any(file.tree.broken for file in facts.model.files):
        return
    for family, declared in _families(facts):
        used = facts.model.used.get(family, set())
        for item in declared:
            if item.name not in used and item.file.has_workflow:
                yield Finding(RULE, item.span, {"family": family, "name": item.name})


def _families(facts: Facts) -> Iterator[tuple[Family, Iterable[Declared]]]:
    model = facts.model
    yield "type", model.vocabulary.types.values()
    yield "group", model.vocabulary.groups.values()
    yield "fragment", model.fragments.values()
    yield "text", model.texts.values()
    yield "placeholder", model.vocabulary.placeholders.values()
