"""NW711: a verdict that looks like one that is told apart, and is none."""

from __future__ import annotations

from collections.abc import Iterator

from newel.compiler.checks.facts import Facts
from newel.compiler.model import Model, Scenario
from newel.compiler.verdicts import TOLD_APART, meant
from newel.dsl import tree
from newel.dsl.findings import Finding, Rule

RULE = Rule(
    code="NW711",
    name="verdict-misspelt",
    severity="warning",
    message="the verdict `{verdict}` neither approves nor rejects",
    hint="did you mean `{meant}`? Told apart are {told_apart}",
    why="""\
Guards count the verdict `approved` as an approval, `rejected` and `changes_requested` as rejections. Any other word
is allowed and only says that somebody has decided, so that one with a letter wrong holds up the task without a
reason that could be seen.""",
    wrong="""\
workflow desk "Desk" {
  step review "Review" {
    start
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> review_again when any_reject(reviewer)
    }
  }
  step review_again "Again" { on turn_complete { -> review } }
  step done "Done" { end }
}

scenario "an approval lets it go" for desk {
  create
  decide ada aproved role=reviewer
}
""",
    right="""\
workflow desk "Desk" {
  step review "Review" {
    start
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
    }
    on turn_complete {
      -> done when all_approve(reviewer)
      -> review_again when any_reject(reviewer)
    }
  }
  step review_again "Again" { on turn_complete { -> review } }
  step done "Done" { end }
}

scenario "an approval lets it go" for desk {
  create
  decide ada approved role=reviewer
  expect at done
}
""",
)


def check(facts: Facts) -> Iterator[Finding]:
    """Looks at the verdicts of scenarios, where the vocabulary has a guard that tells some apart."""
    for scenario in facts.model.scenarios if _told_apart(facts.model) else ():
        for word, verdict in _verdicts(scenario):
            near = meant(verdict)
            if near is not None:
                fields = {"verdict": verdict, "meant": near, "told_apart": ", ".join(f"`{v}`" for v in TOLD_APART)}
                yield Finding(RULE, scenario.file.tree.span(word), fields)


def _told_apart(model: Model) -> bool:
    return any(
        not guard.marks.keys().isdisjoint({"approval", "rejection"}) for guard in model.vocabulary.guards.values()
    )


def _verdicts(scenario: Scenario) -> Iterator[tuple[tree.Node, str]]:
    """The second word of each `decide`."""
    for line in scenario.node.lines:
        if isinstance(line, tree.Line) and line.verb.text == "decide":
            placed = [word for word in line.words if not isinstance(word, tree.Named)][1:2]
            for word in placed:
                if isinstance(word, tree.Text):
                    yield word, word.value
                elif isinstance(word, tree.Ref):
                    yield word, word.path[0].text
