"""Shared texts are put into long texts once; what is left is a placeholder or a finding."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newel.compiler.model import Model

Found = Callable[[str], list[tuple[str, str]]]
Bound = Callable[[str], Model]


def prompt(text: str, *, more: str = "") -> str:
    """A text with a step whose long prompt says something."""
    body = text.replace("\n", "\n      ")
    return f'{more}\nworkflow w "W" {{\n  step a "A" {{\n    prompt """\n      {body}\n      """\n  }}\n}}\n'


def said(model: Model) -> object:
    return model.workflows["w"].steps["a"].settings["prompt"].value


RULES = 'text rules """\n  Small changes.\n  Tests first.\n  """\n'


def test_a_shared_text_stands_where_it_is_named(bound: Bound) -> None:
    model = bound(prompt("Before {{rules}} after.\n{{rules}}", more=RULES))
    assert said(model) == "Before Small changes.\nTests first. after.\nSmall changes.\nTests first."
    assert model.used["text"] == {"rules"}


def test_a_placeholder_is_left_for_the_host(bound: Bound) -> None:
    model = bound(prompt("{{mine}} and {{task_prompt}}", more="placeholder mine"))
    assert said(model) == "{{mine}} and {{task_prompt}}"
    assert model.used["placeholder"] == {"mine", "task_prompt"}


@pytest.mark.parametrize("text", ["{{ spaced }}", "{one}", "{{}}", "{{3}}", "{ {a} }", "${x}", "{{a.b}}"])
def test_other_braces_are_left_alone(bound: Bound, text: str) -> None:
    assert said(bound(prompt(text))) == text


def test_short_texts_are_left_alone(bound: Bound) -> None:
    text = 'workflow w "W" {\n  step a "A" {\n    prompt "{{nobody}}"\n  }\n}\n'
    assert said(bound(text)) == "{{nobody}}"


def test_a_name_that_is_neither_is_found_where_it_stands(found: Found) -> None:
    assert found(prompt("{{rules}} {{one}}\n{{two}} {{one}}", more=RULES)) == [
        ("NW110", "{{one}}"),
        ("NW110", "{{two}}"),
        ("NW110", "{{one}}"),
    ]


def test_a_text_that_is_put_in_is_not_looked_at_again(bound: Bound) -> None:
    """What a shared text says stays as it is, also where two of them meet to look like a name."""
    model = bound(prompt("{{left}}rules}}", more=RULES + 'text left "{{"\n'))
    assert said(model) == "{{rules}}"


def test_a_shared_text_holds_placeholders_and_no_other_text(found: Found) -> None:
    long = 'text outer """\n  {{task_prompt}} {{rules}} {{nobody}}\n  """\n'
    assert found(RULES + long) == [("NW125", "{{rules}}"), ("NW110", "{{nobody}}")]


def test_a_name_in_an_argument_is_replaced_too(bound: Bound) -> None:
    text = RULES + (
        'workflow w "W" {\n  step a "A" {\n    on enter { queue_run(reason="""\n      {{rules}}\n      """) }\n  }\n}\n'
    )
    assert bound(text).workflows["w"].steps["a"].actions()[0].args["reason"] == "Small changes.\nTests first."
