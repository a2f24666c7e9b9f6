"""C4 and C5: one run reports every error, each once, in order; what every workflow must have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from newel.compiler.checks.examples import findings_of
from newel.compiler.checks.registry import rules
from newel.compiler.files import standard
from newel.compiler.pipeline import check_text
from newel.dsl.findings import Rule

VOCABULARY = check_text("").model.vocabulary
TRIGGERS = [trigger.name for trigger in VOCABULARY.triggers.values() if trigger.moves]
GUARDED = [trigger.name for trigger in VOCABULARY.triggers.values() if trigger.guarded]

# What is wrong with what is written; the rules after these ask what a workflow lacks, of whole workflows only.
WRITTEN = [rule for rule in rules().values() if rule.severity == "error" and "NW1" < rule.code < "NW5"]

UNREADABLE = """
workflow unreadable "Unreadable" {
  step first "First" {
    start
    on turn_complete { => qqq }
  }
}
"""


def codes(text: str) -> list[str]:
    return [finding.rule.code for finding in check_text(text).findings]


def board(body: str, more: str = "") -> str:
    return (
        f'workflow board "Board" {{\n  step a "A" {{\n    start\n    {body}\n  }}\n  step b "B" {{ end }}\n{more}}}\n'
    )


# ---------------------------------------------------------------- C4


@pytest.mark.parametrize("rule", WRITTEN, ids=lambda rule: rule.code)
def test_c4_a_syntax_error_hides_no_error_elsewhere(rule: Rule) -> None:
    """Every error about what is written is found beside a step that cannot be read, before it or after it."""
    alone = [finding.message for finding in findings_of(rule, rule.wrong)]
    for text in (rule.wrong + UNREADABLE, _first(UNREADABLE, rule.wrong)):
        found = findings_of(rule, text)
        assert [finding.message for finding in found if finding.rule.code == rule.code] == alone
        assert any(finding.rule.code < "NW1" for finding in found)


def _first(unreadable: str, text: str) -> str:
    """The unreadable workflow before the text, `use` lines kept at the top."""
    uses = re.match(r"(?:use .*\n)*", text)
    assert uses is not None
    return uses[0] + unreadable + text[uses.end() :]


def test_c4_a_syntax_error_in_one_step_does_not_hide_the_errors_of_the_next() -> None:
    text = board("on turn_complete { => b }", '  step c "C" { on enter { auto_start_agnet } }\n')
    assert codes(text) == ["NW003", "NW101"]


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.code)
def test_c4_every_finding_is_told_once_in_the_order_of_the_text(rule: Rule) -> None:
    found = findings_of(rule, rule.wrong)
    places = [(finding.span.source.path, finding.span.start, finding.rule.code, finding.message) for finding in found]
    assert places == sorted(set(places))


def test_c4_one_run_reports_every_error() -> None:
    """The wrong lines of many rules in one file: each of their codes comes out."""
    lines = {
        "NW101": "on exit { no_such_kind }",
        "NW102": "on no_such_trigger { queue_run }",
        "NW103": "on comment { -> no_such_step }",
        "NW105": "no_such_setting 3",
        "NW106": "on budget_alert { -> b when no_such_guard }",
        "NW108": "include no_such_piece",
        "NW201": 'wip_limit "three"',
        "NW203": "on heartbeat { queue_run(no_such=1) }",
        "NW206": "on agent_error { queue_run(target=no_such) }",
        "NW401": 'on enter { run_script("x") }',
        "NW403": "on exit { -> b }",
    }
    steps = "".join(f'  step s{i} "S" {{\n    {line}\n  }}\n' for i, line in enumerate(lines.values()))
    found = codes(board("", steps))
    assert found == list(lines)


# ---------------------------------------------------------------- C5


def test_c5_there_is_exactly_one_start() -> None:
    assert codes(board("")) == []
    assert codes(board("").replace("start", "")) == ["NW501"]
    assert codes(board("", '  step c "C" { start }\n')) == ["NW506"]


def test_c5_step_names_are_unique() -> None:
    assert codes(board("", '  step a "C" {}\n')) == ["NW116"]


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_c5_under_every_trigger_a_move_leads_to_another_step_that_is_there(trigger: str) -> None:
    assert codes(board(f"on {trigger} {{ -> b }}")) == []
    assert codes(board(f"on {trigger} {{ -> next }}")) == []
    assert codes(board(f"on {trigger} {{ -> previous }}")) == ["NW502"]
    assert codes(board("", f'  step c "C" {{ on {trigger} {{ -> next }} }}\n')) == ["NW502"]
    assert codes(board(f"on {trigger} {{ -> a }}")) == ["NW503"]
    assert codes(board(f"on {trigger} {{ -> nowhere }}")) == ["NW103"]


@pytest.mark.parametrize("trigger", GUARDED)
def test_c5_under_every_trigger_each_guard_and_role_is_there(trigger: str) -> None:
    assert codes(board(f"on {trigger} {{ -> b when no_guard(reviewer) }}")) == ["NW106"]
    for guard in VOCABULARY.guards.values():
        count = ", count=1" if "count" in guard.parameters else ""
        assert codes(board(f"on {trigger} {{ -> b when {guard.name}(no_role{count}) }}")) == ["NW206"]


def test_c5_under_every_trigger_that_admits_it_a_kinds_references_are_there() -> None:
    seen = 0
    for kind in VOCABULARY.kinds.values():
        for parameter in kind.parameters.values():
            declared = VOCABULARY.types.get(parameter.type.name)
            if declared is not None and declared.cases:
                for trigger in kind.triggers:
                    needed = [p.name for p in kind.parameters.values() if p.required and p is not parameter]
                    given = "".join(f', {name}="x"' for name in needed)
                    call = f"{kind.name}({parameter.name}=no_such_case{given})"
                    assert codes(board(f"on {trigger} {{ {call} }}")) == ["NW206"], call
                    seen += 1
    assert seen > 10


def test_c5_the_graph_of_pulls_has_no_cycle() -> None:
    step = '  step {name} "S" {{{{\n    wip_limit 1\n    pull_from {source}\n  }}}}\n'
    filled = step.format(name="c", source="{0}") + step.format(name="d", source="c")
    assert codes(board("", filled.format("b"))) == []
    assert codes(board("", filled.format("d"))) == ["NW511"]
    assert codes(board("", filled.format("c"))) == ["NW511"]


def test_c5_limits_are_not_negative() -> None:
    limits = VOCABULARY.settings_marked("limit")
    assert limits
    for setting in limits:
        assert codes(board(f"{setting.name} 0")) == []
        assert codes(board(f"{setting.name} -1")) == ["NW205"]


def test_the_standard_vocabulary_is_clean_by_itself() -> None:
    assert check_text("use nothing\n" + standard().source.text).findings == ()


# ---------------------------------------------------------------- the first client's files

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "kandev"


def said_of(name: str) -> list[str]:
    from newel.compiler.imports import import_file

    path = CORPUS / name
    if not path.is_file():
        pytest.skip("the corpus is not beside this repository")
    text = import_file(path).text
    assert text is not None
    return [f"{f.rule.code} {f.span.text}" for f in check_text(text, name).findings]


@pytest.mark.parametrize("name", ["kanban.yml", "feature-dev.yml", "docs-import-export-7.yaml"])
def test_boards_of_the_first_client_are_clean(name: str) -> None:
    assert said_of(name) == []


def test_the_office_of_the_first_client_has_its_three_known_faults() -> None:
    """Work races through; nobody is seated at Review, and nobody at Approval."""
    assert said_of("office-default.yml") == ["NW510 -> review", "NW601 all_approve", "NW601 all_approve"]


def test_the_test_board_of_the_first_client_races_through() -> None:
    """In Progress starts an agent, and its first finished turn moves the task to a step that starts one as well."""
    assert said_of("e2e-development-0.json") == ["NW510 -> new_context"]
