"""`import(export(w)) == w`, for workflows made at random and in both forms."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from newel.compiler.boards import export_text
from newel.compiler.imports import import_text
from newel.compiler.imports.names import Names
from tests.compiler.boards.boards import FORMS, compiled, meaning, text_of, workflows

MANY = int(os.environ.get("NEWEL_FUZZ", "1"))
"""So many times the examples of an ordinary run."""
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@pytest.mark.slow
@pytest.mark.parametrize("form", sorted(FORMS))
@settings(max_examples=50 * MANY, deadline=None, suppress_health_check=SLOW)
@given(data=st.data())
def test_what_was_exported_comes_back_as_it_was(form: str, data: st.DataObject) -> None:
    """A form that can say all of a workflow says all of it; none is refused, and nothing is only warned of."""
    boards = [data.draw(workflows(form))]
    if form == "portable":
        names = Names("workflow")
        for board in boards:
            board.name = names.take(board.title.lower())
    text = text_of(*boards)
    program = compiled(text)
    assume(program is not None)
    assert program is not None
    exported = export_text(text, form=form)
    assert exported.text is not None, [finding.message for finding in exported.findings]
    imported = import_text(exported.text)
    assert imported.text is not None, [finding.message for finding in imported.findings]
    again = compiled(imported.text)
    assert again is not None
    assert meaning(again) == meaning(program)
    assert export_text(imported.text, form=form).text == exported.text


def renamed(workflow: Any, names: dict[str, str]) -> Any:
    """A workflow's meaning with its steps called as another's."""
    steps = {}
    for name, step in workflow["steps"].items():
        lists = step["on"].items()
        on = {key: [move | {"to": names[move["to"]]} if "to" in move else move for move in body] for key, body in lists}
        feeder = {key: names[each] for key, each in step["settings"].items() if key == "pull_from"}
        steps[names[name]] = step | {"name": names[name], "on": on, "settings": step["settings"] | feeder}
    return workflow | {"name": "", "start": names[workflow["start"]], "steps": steps}


@pytest.mark.slow
@settings(max_examples=30 * MANY, deadline=None, suppress_health_check=SLOW)
@given(
    first=workflows("template"), second=workflows("portable"), form=st.sampled_from(sorted(FORMS)), lossy=st.booleans()
)
def test_a_workflow_comes_back_as_it_was_or_what_has_no_words_is_named(
    first: Any, second: Any, form: str, lossy: bool
) -> None:
    """Boards of either form's words in either form: equal but for names, or an error; with `lossy` always a file."""
    for number, board in enumerate((first, second)):
        board.name = f"w{number}"
        text = text_of(board)
        program = compiled(text)
        if program is None:
            continue
        exported = export_text(text, form=form, lossy=lossy)
        missing = [finding for finding in exported.findings if finding.rule.code == "NW950"]
        assert (exported.text is None) == bool(missing and not lossy)
        assert all(finding.span.text for finding in missing)
        if exported.text is None:
            continue
        imported = import_text(exported.text)
        assert imported.text is not None, [finding.message for finding in imported.findings]
        again = compiled(imported.text)
        if again is None or missing:
            continue
        (workflow,), (other,) = meaning(program), meaning(again)
        names = dict(zip(other["steps"], workflow["steps"], strict=True))
        assert renamed(other, names) == renamed(workflow, dict(zip(names.values(), names.values(), strict=True)))
