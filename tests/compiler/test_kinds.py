"""The classes of a vocabulary: one for each kind and guard, told apart by `kind`, the generated ones where they fit."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from newel.compiler import Program, compile_text, standard
from newel.compiler.kinds import classes_of

PLAIN = 'workflow w "W" {\n  step a "A" { start }\n}\n'


def program(text: str = "") -> Program:
    return compile_text(text + PLAIN).require()


def test_the_standard_kinds_have_their_generated_classes() -> None:
    classes = classes_of(program().vocabulary)
    assert classes.kinds == {name: made for name, (made, _) in standard.KINDS.items()}
    assert classes.guards == {name: made for name, (made, _) in standard.GUARDS.items()}


def test_where_a_type_is_extended_the_kinds_that_have_it_get_classes_of_their_own() -> None:
    classes = classes_of(program("extend type role = judge\n").vocabulary)
    changed = {name for name, made in classes.kinds.items() if made is not standard.KINDS[name][0]}
    assert changed == {"ensure_participant_seat", "queue_run", "queue_run_for_each_participant"}
    seat = classes.kinds["ensure_participant_seat"]
    assert seat.__name__ == "EnsureParticipantSeat"
    assert seat.model_validate({"role": "judge"}).kind == "ensure_participant_seat"


def test_the_same_declarations_have_the_same_classes() -> None:
    text = "action page(who: text) on enter\ndispatch { page }\n"
    assert classes_of(program(text).vocabulary) is classes_of(program("\n# again\n" + text).vocabulary)


def test_actions_are_told_apart_by_kind() -> None:
    step = classes_of(program().vocabulary).step
    common = {"name": "a", "title": "A", "settings": {}}
    made = step.model_validate({**common, "on": {"enter": [{"kind": "queue_run", "reason": "x"}]}})
    assert type(made.on["enter"][0]) is standard.QueueRun
    for wrong in ({"kind": "nothing"}, {"kind": "queue_run", "role": "x"}, {"kind": "set_session_mode"}):
        with pytest.raises(ValidationError):
            step.model_validate({**common, "on": {"enter": [wrong]}})


ODD = """
type odd(from: text, json: int = 1, a-b: flag = true)
action class(from: text, import: list(odd)?, model_x: duration(1s..1m) = 5s, copy: map(int)?, self: odd?) on enter
dispatch { class }
guard lambda(yield: int(1..3) = 2)
workflow w "W" {
  step a "A" {
    start
    on enter { class("x", import=[odd("y", a-b=false)], copy={ z: 1 }) }
    on comment { -> b when lambda(yield=3) or not lambda }
  }
  step b "B" { end }
}
"""


def test_fields_may_bear_any_name_and_keep_it_in_json() -> None:
    whole = compile_text(ODD).require()
    action = whole.workflows["w"].steps["a"].on["enter"][0]
    assert action.model_dump(by_alias=True, exclude={"place"}) == {
        "kind": "class",
        "from": "x",
        "import": ({"from": "y", "json": 1, "a-b": False},),
        "model_x": 5,
        "copy": {"z": 1},
        "self": None,
    }
    assert getattr(action, "from_") == "x"  # noqa: B009 - the class is made at run time
    assert Program.from_json(whole.to_json()) == whole
    assert '"a-b":false' in whole.to_json()
