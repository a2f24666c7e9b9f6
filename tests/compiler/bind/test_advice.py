"""What is advised where a name means nothing or something is missing: the names there are, and what to write."""

from __future__ import annotations

import pytest

from newel.compiler.bind.reports import LISTED
from newel.compiler.pipeline import check_text

BOARD = """\
workflow w "W" {
  step a "A" {
    start
    on enter {
      clear_decisions
      ensure_participant_seat(reviewer)
    }
    on turn_complete { -> b when all_approve(reviewer) }
    include gate(reviewer)
  }
  step b "B" { end }
}

fragment gate(role: role, onward: text = "x") {
  on comment { queue_run(reason="x") }
}

trigger paid(order: text, part: text) operation "paid:{order}:{part}"

scenario "through" for w {
  create
}
"""

ROLES = "there are `reviewer`, `approver`, `watcher`, `collaborator`, `runner`"
GUARDS = "there are `all_approve`, `all_decide`, `majority_approve`, `any_reject`, `n_approve`"

ADVICE = [
    ("when all_approve(reviewer)", "when all_approve", "write `all_approve(role=...)`"),
    ("seat(reviewer)", "seat", "write `ensure_participant_seat(role=...)`"),
    ("gate(reviewer)", "gate", "write `gate(role=...)`"),
    ("all_approve(reviewer)", "all_approve()", "give it: `role=...`"),
    ("  create\n", "  create\n  fire paid\n", "write `paid(order=..., part=...)`"),
    ("all_approve(reviewer)", "all_approve(x)", f"{ROLES}; name one of its cases, or add one with `extend"),
    ("  create\n", "  create\n  decide ada approved role=x\n", f"{ROLES}; name one of its cases, or add one with"),
    ("all_approve(reviewer)", "quorum", f"{GUARDS}; declare it with `guard quorum`, or correct the name"),
    ("-> b", "-> xyz", "there are `a`, `b`; add the step, or name one that is there"),
    ("gate(reviewer)", "xyz(reviewer)", "there is `gate`; declare it with `fragment xyz`, or correct the name"),
    ("for w", "for board", "there is `w`; name a workflow of these files"),
    ("all_approve(reviewer)", "all_aprove(reviewer)", "did you mean `all_approve`?"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "advice"), ADVICE, ids=[wrong for _, wrong, _ in ADVICE])
def test_what_may_be_written_instead_is_said(right: str, wrong: str, advice: str) -> None:
    assert check_text(BOARD).good
    errors = [each for each in check_text(BOARD.replace(right, wrong, 1)).findings if each.rule.severity == "error"]
    assert {each.advice[: len(advice)] for each in errors} == {advice}


@pytest.mark.parametrize(("count", "said"), [(LISTED, True), (LISTED + 1, False)])
def test_more_names_than_one_reads_are_not_listed(count: int, said: bool) -> None:
    steps = "\n".join(f'  step s{number} "S" {{}}' for number in range(count - 1))
    faulty = f'workflow w "W" {{\n  step a "A" {{\n    start\n    on turn_complete {{ -> xyz }}\n  }}\n{steps}\n}}\n'
    (finding,) = (each for each in check_text(faulty).findings if each.rule.code == "NW103")
    assert finding.advice.startswith("there are `a`, `s0`") is said
    assert finding.advice.endswith("add the step, or name one that is there")
