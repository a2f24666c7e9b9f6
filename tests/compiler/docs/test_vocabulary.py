"""The reference of the vocabulary."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from newel.compiler import compile_files, compile_text
from newel.compiler.bind.marks import MARKS
from newel.compiler.docs.forms import HTML, MARKDOWN, Form
from newel.compiler.docs.render import pages
from newel.compiler.docs.shape import Declaration
from newel.compiler.docs.view import site
from tests.compiler.docs.pages import Page, rendered
from tests.compiler.exports.boards import VOCABULARY, chain, office, program


def declared(group: str) -> dict[str, Declaration]:
    """A group of declarations by name."""
    shown = site(program(office(), chain(3)))["vocabulary"]
    return {each["name"]: each for each in shown[group]}  # type: ignore[literal-required] # the tests' own names


def test_every_declaration_is_on_the_page() -> None:
    """Of the standard vocabulary too, with its documentation."""
    compiled = compile_text('workflow w "W" {\n  step only "Only" { start }\n}\n').require()
    page = rendered(compiled)["vocabulary.html"]
    words = compiled.vocabulary
    for sort, names in (
        ("kind", words.kinds),
        ("trigger", words.triggers),
        ("guard", words.guards),
        ("type", words.types),
    ):
        assert {f"{sort}-{name}" for name in names} <= set(page.ids)
    assert {f"{s.owner}-{s.name}" for s in words.settings} | {f"key-{name}" for name in words.keys} <= set(page.ids)
    for kind in words.kinds.values():
        assert kind.doc
        assert " ".join(kind.doc.replace("`", "").split()) in page.words


def test_a_kind_says_who_runs_it_where_it_may_stand_and_who_uses_it() -> None:
    """Each use is a link to the step."""
    kinds = declared("kinds")
    assert {name: kind["owner"] for name, kind in kinds.items()} == {
        "auto_start_agent": "session",
        "clear_decisions": "dispatched",
        "ensure_participant_seat": "dispatched",
        "queue_run": "dispatched",
        "run_script": "",
    }
    assert [link["text"] for link in kinds["run_script"]["stands"]] == ["turn_complete", "exit"]
    assert [(link["text"], link["href"]) for link in kinds["auto_start_agent"]["used"]] == [
        ("Office: Work", "office.html#step-work"),
        ("Office: Review", "office.html#step-review"),
        ("Office: Approval", "office.html#step-approval"),
    ]


def test_parameters_have_type_and_default() -> None:
    """And whether they must be given."""
    rows = declared("kinds")["queue_run"]["parameters"]
    assert [(row["name"], row["type"], row["required"], row["default"]) for row in rows] == [
        ("target", "target", False, "primary"),
        ("reason", "text?", False, ""),
        ("payload", "map?", False, ""),
    ]


def test_a_guard_may_stand_where_it_says_or_where_guards_are_read() -> None:
    """A guard that names no triggers takes all that take guards."""
    guards = declared("guards")
    assert [link["text"] for link in guards["any_reject"]["stands"]] == ["turn_complete"]
    assert [link["text"] for link in guards["all_approve"]["stands"]] == ["agent_error", "comment", "turn_complete"]
    assert [link["text"] for link in guards["n_approve"]["used"]] == ["Office: Approval"]


def test_a_trigger_says_what_may_stand_under_it_and_its_operation_ids() -> None:
    """The triggers of the language are there too, with what they mean."""
    triggers = declared("triggers")
    assert triggers["agent_error"]["lines"] == ["operation agent_error:{run}", "moves, guarded and with approval"]
    assert triggers["turn_start"]["lines"] == ["moves without guards", "moves are part of the session's own turn"]
    assert triggers["enter"]["doc"] == "A task has arrived here."


@pytest.mark.parametrize("form", [HTML, MARKDOWN], ids=["html", "markdown"])
def test_what_a_mark_means_is_said_in_words(form: Form) -> None:
    """Of a mark of a kind, a guard, a trigger and a setting, with the parameter that holds its role."""
    text = pages(site(compile_text("").require(), form=form), form)[f"vocabulary{form.suffix}"]
    words = " ".join(text.split())
    for said in (
        "it forgets decisions",
        "it asks for approvals",
        "whoever works at the step has finished a turn",
        "a freed place is filled from there",
    ):
        assert said in words
    assert "wakes(role)" in words


def test_the_manual_says_the_same_of_each_mark() -> None:
    """A row of the table for each, in its words."""
    manual = (Path(__file__).parents[3] / "docs" / "reference" / "language.md").read_text("utf-8")
    rows = {
        f"| {bearer} | `{name}` | {known.says} |" for bearer, marks in MARKS.items() for name, known in marks.items()
    }
    assert rows == {
        row for row in manual.splitlines() if re.fullmatch(r"\| (action|guard|trigger|setting|moves) \| .*", row)
    }


def test_a_setting_at_its_default_is_not_said_to_be_unused() -> None:
    """What is listed are the places where it is another: given as it is anyway it cannot be told from not given."""
    page = rendered(program(office()))["vocabulary.html"]
    assert "Other than the default in Office: Approval" in page.part("step-manual_move").words
    assert "Used by" not in page.part("step-manual_move").words


def test_what_is_said_of_an_extension_stands_behind_what_is_said_of_the_type() -> None:
    """Of each, in a paragraph of its own."""
    text = "## Who reads contracts.\nextend type role = counsel\n## Who mends machines.\nextend type role = mechanic\n"
    (role,) = (each for each in site(compile_text(text).require())["vocabulary"]["types"] if each["name"] == "role")
    standard = compile_text("").require().vocabulary.types["role"].doc
    assert role["doc"] == f"{standard}\n\nWho reads contracts.\n\nWho mends machines."


PIECES = '''
## Something has happened outside.
group outside = comment | heartbeat

## The train that leaves.
placeholder train_name

## Said to `everybody`.
text rules """
  Be kind.
  """

## Where one role decides.
fragment gate(role: role) {
  on turn_complete { -> b when all_approve(role) }
}

workflow w "W" {
  step a "A" {
    start
    prompt """
      {{rules}} {{train_name}}
      """
    include gate(reviewer)
  }
  step b "B" {}
}
'''


@pytest.mark.parametrize("form", [HTML, MARKDOWN], ids=["html", "markdown"])
def test_what_is_put_in_where_it_is_used_is_told_too(form: Form) -> None:
    """A fragment with the steps it is in, a shared text, a group of triggers, a placeholder; and a step says what comes
    from a fragment. A program alone knows none of them."""
    compiled = compile_text(PIECES)
    data = site(compiled.require(), form=form, pieces=compiled.pieces)
    (gate,) = data["vocabulary"]["fragments"]
    assert (gate["code"], gate["doc"]) == ("gate(role)", "Where one role decides.")
    assert [link["text"] for link in gate["used"]] == ["W: A"]
    assert [link["text"] for link in data["workflows"][0]["steps"][0]["included"]] == ["gate"]
    assert data["workflows"][0]["steps"][1]["included"] == []
    found = pages(data, form)
    words = found[f"vocabulary{form.suffix}"]
    for said in ("Where one role decides.", "Something has happened outside.", "The train that leaves.", "Said to"):
        assert said in words
    assert f"vocabulary{form.suffix}#fragment-gate" in found[f"w{form.suffix}"]
    assert "Fragments" not in pages(site(compiled.require(), form=form), form)[f"vocabulary{form.suffix}"]


def test_every_link_to_a_piece_leads_somewhere() -> None:
    """From the pages of the Office, whose gates come from a fragment."""
    compiled = compile_files([Path(__file__).parents[3] / "examples" / "office.newel"])
    found = {name: Page(text) for name, text in pages(site(compiled.require(), pieces=compiled.pieces)).items()}
    for name, page in found.items():
        assert len(set(page.ids)) == len(page.ids)
        for link in page.links:
            target, _, anchor = link.partition("#")
            assert not anchor or not target.endswith(".html") or anchor in found[target or name].ids


def test_a_setting_says_who_sets_it() -> None:
    """Only where it is not at its default."""
    settings = {(each["anchor"]): each for each in site(program(office()))["vocabulary"]["settings"]}
    assert [link["text"] for link in settings["step-manual_move"]["used"]] == ["Office: Approval"]
    assert [link["text"] for link in settings["workflow-about"]["used"]] == ["Office"]
    assert settings["step-wip_limit"]["code"] == "step wip_limit: int(0..) = 0"
    assert len(settings) == len(VOCABULARY.settings)
