"""NW709: two scenarios of one title."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.dsl.findings import Finding, Related, Rule
from newel.dsl.source import Span

RULE = Rule(
    code="NW709",
    name="scenario-title-taken",
    severity="warning",
    message="another scenario of `{workflow}` is called {title} too",
    hint="say in the title what is different about this one",
    why="""\
A report of `newel test` tells scenarios by their titles: of two with the same one nobody sees which has failed, and
neither can be played alone.""",
    wrong="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}

scenario "a task is done" for desk {
  create
  fire turn_complete
  expect at done
}

scenario "a task is done" for desk {
  create
  move done
  expect at done
}
""",
    right="""\
workflow desk "Desk" {
  step work "Work" {
    start
    on turn_complete { -> done }
  }
  step done "Done" { end }
}

scenario "a task is done by an agent" for desk {
  create
  fire turn_complete
  expect at done
}

scenario "a task is done by hand" for desk {
  create
  move done
  expect at done
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Compares the titles of the scenarios of each workflow, whatever file they stand in."""
    first: dict[tuple[str, str], Span] = {}
    for scenario in facts.model.scenarios:
        script = scenario.script
        if script is None:
            continue
        key = (script.workflow, script.title)
        if key in first:
            fields = {"workflow": script.workflow, "title": f'"{script.title}"'}
            yield Finding(RULE, script.span, fields, (Related("the other one", first[key]),))
        else:
            first[key] = script.span
