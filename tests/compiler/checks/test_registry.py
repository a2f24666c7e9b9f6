"""The list of checks, and the table of the language's design held against it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from newel.compiler.checks import registry
from newel.compiler.checks.registry import CHECKS, rules
from newel.compiler.diff.registry import DIFFERENCES
from newel.dsl.rules import SYNTAX_RULES

ROOT = Path(__file__).parents[3]
DESIGN = ROOT / "../shared/design/language.md"


def test_checks_stand_in_the_order_of_their_codes() -> None:
    codes = [check.rule.code for check in CHECKS]
    assert codes == sorted(codes)


def test_no_two_rules_share_a_code_or_a_name() -> None:
    all_rules = (*SYNTAX_RULES, *(check.rule for check in CHECKS), *(each.rule for each in DIFFERENCES))
    assert len({rule.code for rule in all_rules}) == len(all_rules)
    assert len({rule.name for rule in all_rules}) == len(all_rules)
    assert list(rules()) == sorted(rule.code for rule in all_rules)


def test_every_rule_file_is_in_the_list() -> None:
    """A rule that is written but not listed would never be looked for, and `explain` would not know it."""
    files = {path.stem for path in (ROOT / "compiler" / "checks").glob("nw*.py")}
    source = ast.parse(Path(registry.__file__).read_text("utf-8"))
    listed = {node.value.id for node in ast.walk(source) if isinstance(node, ast.Attribute) and node.attr == "RULE"
              if isinstance(node.value, ast.Name)}  # fmt: skip
    assert listed == files


def test_a_rule_file_is_called_by_its_code_and_has_its_name_in_it() -> None:
    source = (ROOT / "compiler" / "checks").glob("nw*.py")
    for path in source:
        code = re.search(r'code="(NW\d{3})"', path.read_text("utf-8"))
        assert code is not None
        assert path.stem.startswith(code[1].lower() + "_")


# What each family's line in the table of the design is about, and the codes that are about it.
TABLE = {
    "NW0xx": {
        "encoding": "NW001",
        "unclosed bracket or text": "NW002 NW004 NW005 NW006",
        "what was expected here": "NW003 NW007 NW008 NW009 NW010 NW013 NW014",
        "limits on size and nesting": "NW011 NW012",
    },
    "NW1xx": {
        "unknown or duplicate kind": "NW101 NW115 NW117",
        "trigger": "NW102",
        "step": "NW103 NW116",
        "type": "NW104",
        "setting": "NW105 NW123",
        "guard": "NW106",
        "workflow": "NW107",
        "file": "NW109 NW111 NW124",
        "text": "NW110 NW125",
        "placeholder": "NW110",
        "`use` cycles": "NW112 NW113",
        "the few forbidden names": "NW114",
    },
    "NW2xx": {
        "wrong type": "NW201 NW208 NW209 NW210 NW212 NW213",
        "missing, unknown or repeated argument": "NW202 NW203 NW204 NW207 NW211 NW214",
        "value out of range": "NW205",
        "unknown case": "NW206",
    },
    "NW3xx": {
        "NW301 in no list": "NW301",
        "NW302 in both": "NW302",
        "NW303 twice in one": "NW303",
        "NW304 listed but no entry kind": "NW304",
        "NW305 listed but unknown": "NW305",
    },
    "NW4xx": {
        "kind or guard not admitted under this trigger": "NW401 NW402",
        "move, guard or approval where none is read": "NW403 NW404 NW410",
        "`on` block repeated": "NW405 NW407 NW408",
        "operation shape without a payload field": "NW406",
        "an excluded kind written before a dispatched one (they do not run in that order)": "NW409",
    },
    "NW5xx": {
        "no start, several": "NW501 NW506",
        "no next/previous": "NW502",
        "move to itself": "NW503",
        "unreachable": "NW504",
        "dead end": "NW505",
        "move after an unconditional one": "NW507",
        "loops": "NW508 NW509 NW513",
        "races through": "NW510",
        "pull cycle": "NW511",
        "`pull_from` without a limit": "NW512",
    },
    "NW6xx": {
        "role asked or woken but not seated": "NW601",
        "fan-out role is not the guard's": "NW602",
        "fan-out before the seat": "NW603",
        "never cleared, or cleared after the fan-out": "NW604 NW605",
        "no way back": "NW606",
        "count above the seats the file gives": "NW607",
    },
    "NW7xx": {
        "prompt nobody is started with": "NW701",
        "signal without a finished turn": "NW702",
        "trigger or kind the host does not have": "NW703 NW704",
        "declaration nobody uses": "NW705",
    },
}

# Rules for what the design says outside of its table: fragments, scenarios, marks, operation shapes, allowing comments.
BESIDE = "NW108 NW126 NW127 NW128 NW118 NW119 NW120 NW121 NW122 NW706 NW707 NW708 NW709 NW710 NW711"


def design() -> dict[str, str]:
    if not DESIGN.is_file():
        pytest.skip("the design is not beside this repository")
    return dict(re.findall(r"^\| (NW\dxx) \| (.*) \|$", DESIGN.read_text("utf-8"), re.MULTILINE))


def test_everything_named_in_the_design_has_a_code_and_every_code_is_named_there() -> None:
    table = design()
    assert set(table) - {"NW8xx"} == set(TABLE)  # NW8xx compares two versions and is not a check of one
    for family, subjects in TABLE.items():
        rest = table[family].partition(":")[2]
        for subject in subjects:
            assert subject in rest, f"{family} does not name {subject}"
            rest = rest.replace(subject, "", 1)
        left = re.sub(r"note:|\(.*?\)|[^\w`]+|\band\b|\bor\b", " ", rest).split()
        assert left == [], f"{family} names more: {left}"
    codes = {code for subjects in TABLE.values() for codes in subjects.values() for code in codes.split()}
    assert codes | set(BESIDE.split()) == {code for code in rules() if not code.startswith("NW8")}


def test_severities_are_those_of_the_design() -> None:
    """Errors: NW0xx-NW3xx, NW4xx but its notes and the operation shape, no or several starts, no next/previous, a move
    to itself, pull cycles, idle loops. Notes, off by default: order of excluded kinds, driven and decided loops."""
    errors = {code for code in rules() if code < "NW5"} - {"NW406", "NW409"}
    errors |= {"NW501", "NW506", "NW502", "NW503", "NW511", "NW508"}
    notes = {"NW409", "NW509"}
    for code, rule in rules().items():
        if code.startswith("NW8"):
            continue  # said with each: does it break a task on its way, should somebody look, is it compatible
        assert rule.severity == ("error" if code in errors else "note" if code in notes else "warning"), code
        assert rule.default == (code not in notes)


HEAVY = ("pydantic", "jinja2", "transitions", "sqlite3", "rich", "yaml")


@pytest.mark.parametrize(
    "statement",
    [
        "from newel.compiler.checks import CHECKS, Selection, rules, run, settle",
        "from newel.compiler.reports import report; report('text', [], 0); report('json', [], 0)",
        'from newel.compiler.pipeline import check_text; check_text(\'workflow w "W" { step a "A" { start } }\')',
    ],
)
def test_checking_and_reporting_load_nothing_heavy(statement: str) -> None:
    code = f"import sys; {statement}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    # Measuring coverage would load what it needs itself.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env=alone)
    assert done.stdout.split() == []
