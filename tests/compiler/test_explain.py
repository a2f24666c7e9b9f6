"""The page of a finding."""

from __future__ import annotations

import re

import pytest

from newel.compiler.boards import EXPORT_RULES
from newel.compiler.checks.registry import rules
from newel.compiler.explain import FAMILIES, UnknownCode, explain, list_codes
from newel.compiler.imports import IMPORT_RULES

# Files of bytes that no page can show, or of megabytes.
TOLD_IN_WORDS = {"NW901", "NW903", "NW904", "NW917", "NW953"}
CODES = [*rules(), *(rule.code for rule in (*IMPORT_RULES, *EXPORT_RULES))]


def test_a_page_says_why_and_shows_the_example_with_what_is_said_of_it_and_its_mending() -> None:
    assert (
        explain("NW303")
        == """\
NW303 kind-listed-twice (error)

Who runs a kind on entry is said once, in one place, so that there is one place to change it. The lists may be spread
over several files, so the first place is often in another one.

Wrong:

    use nothing

    action reserve on enter
    action page    on enter

    dispatch { reserve, page, reserve }

This gives:

    example.newel:6:27: error NW303 `reserve` is twice in `dispatch`
      |
    6 | dispatch { reserve, page, reserve }
      |                           ^^^^^^^
    6 | dispatch { reserve, page, reserve }
      |            ------- listed here before
      = help: delete one of the two
      = help: delete this one (mended by --fix)

Right:

    use nothing

    action reserve on enter
    action page    on enter

    dispatch { reserve, page }
"""
    )


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_with_its_own_finding_on_it(code: str) -> None:
    page = explain(code)
    assert page.startswith(f"{code} ")
    if code in TOLD_IN_WORDS:
        assert "\nWrong:\n" not in page
        return
    wrong, right = page.split("\nWrong:\n")[1].split("\nRight:\n")
    assert right.strip()
    shown = wrong.split("\nThis gives:\n")[1]
    assert set(re.findall(r"(?:error|warning|note) (NW\d{3})", shown)) == {code}
    assert re.search(r"^    example\.\w+:\d+:\d+: |^    \w+\.newel:\d+:\d+: ", shown, re.MULTILINE)


def test_further_files_of_an_example_are_shown() -> None:
    assert 'Beside a file newel.toml:\n\n    host-triggers = ["comment", "turn_complete"]\n' in explain("NW703")


def test_of_a_long_example_the_beginning_is_shown() -> None:
    assert "lines more" in explain("NW513")
    assert len(explain("NW513").splitlines()) < 100


def test_a_finding_that_is_off_says_how_to_turn_it_on() -> None:
    assert explain("NW509").splitlines()[0].endswith("(note, shown only when asked for: `--select NW509`)")


@pytest.mark.parametrize("name", ["nw301", "NW301", "kind-in-no-list", "Kind-In-No-List"])
def test_a_page_is_found_by_code_and_by_name_in_any_case(name: str) -> None:
    assert explain(name).startswith("NW301 ")


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("NW3O1", "did you mean `NW301`?"),
        ("nw30l", "did you mean `NW301`?"),
        ("301", "did you mean `NW301`?"),
        ("NW55", "did you mean `NW505`?"),
        ("NW699", "`newel explain NW6` lists those that begin so"),
        ("NW599", "`newel explain NW5` lists those that begin so"),
        ("NWX", "`newel explain --all` lists them"),
        ("NW", "`newel explain --all` lists them"),
        (
            "loop",
            "did you mean `NW508` (idle-loop) or `NW509` (loop-without-a-person) or `NW513` (loops-not-searched)?",
        ),
        ("kind-in-no-lists", "did you mean `NW301` (kind-in-no-list)?"),
        ("?", "`newel explain --all` lists them"),
    ],
)
def test_a_code_that_is_none_gets_a_suggestion(code: str, advice: str) -> None:
    with pytest.raises(UnknownCode, match=re.escape(advice)):
        explain(code)


@pytest.mark.parametrize("family", sorted({code[:3] for code in CODES}))
def test_the_beginning_of_codes_lists_those_that_begin_so(family: str) -> None:
    title, _, listed = explain(family.lower()).partition("\n\n")
    assert title == f"{family} {FAMILIES[family]}"
    assert listed == "".join(line for line in list_codes().splitlines(True) if line.startswith(family))


def test_a_longer_beginning_lists_fewer() -> None:
    listed = explain("NW51").splitlines()[2:]
    assert listed
    assert all(line.startswith("NW51") for line in listed)


def test_the_list_has_every_code_once_with_severity_and_name() -> None:
    lines = list_codes().splitlines()
    assert [line.split()[0] for line in lines] == sorted(CODES)
    assert "NW301  error         kind-in-no-list" in lines
    assert "NW409  note, off     excluded-before-dispatched" in lines
