"""Names of the language to names in Python: always identifiers, never two alike, nothing of pydantic's hidden."""

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from newel.compiler import compile_text
from newel.compiler.names import attribute, attributes, class_name, class_names, in_order
from newel.compiler.program import Vocabulary

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*", fullmatch=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("queue_run", "QueueRun"), ("step-2", "Step2"), ("a", "A"), ("iOS", "IOS")),
        *(("_x", "X"), ("_", "Unnamed"), ("none", "None_")),
    ],
)
def test_the_class_of_a_name(name: str, expected: str) -> None:
    assert class_name(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("role", "role"), ("from", "from_"), ("a-b", "a_b"), ("_a", "a"), ("json", "json_")),
        *(("model_x", "model_x_"), ("mro", "mro_"), ("Role", "Role_")),
    ],
)
def test_the_attribute_of_a_name(name: str, expected: str) -> None:
    assert attribute(name) == expected


@given(NAMES)
def test_every_name_gives_an_identifier(name: str) -> None:
    for made in (class_name(name), attribute(name)):
        assert made.isidentifier()
        assert not keyword.iskeyword(made)
    assert not hasattr(BaseModel, attribute(name))
    assert not attribute(name).startswith("_")


@given(st.lists(NAMES, unique=True, max_size=30))
def test_no_two_fields_share_an_attribute(names: list[str]) -> None:
    made = attributes(names)
    assert list(made) == names
    assert len(set(made.values())) == len(names)


def vocabulary(text: str) -> Vocabulary:
    return compile_text("use nothing\n" + text).require().vocabulary


def test_no_two_classes_share_a_name() -> None:
    v = vocabulary(
        "type thing(a: text)\ntype two-words = a | b(c: text)\ntype two_words(d: text)\nguard thing\n"
        "action thing on exit\naction two_words-b on exit\naction action on exit\nguard guard\ntype model(a: text)\n"
    )
    names = class_names(v)
    every = [*names.kinds.values(), *names.guards.values(), *names.types.values(), *names.cases.values()]
    assert len(set(every)) == len(every)
    assert names.kinds["thing"] == "Thing"
    assert names.guards["thing"] == "ThingGuard"
    assert names.types["thing"] == "ThingValue"


def test_types_come_after_those_they_are_made_of() -> None:
    order = in_order(vocabulary("type a(b: list(b))\ntype b = x(c: c?)\ntype c(d: text)\ntype d = one\n"))
    assert order.index("c") < order.index("b") < order.index("a")
    assert sorted(order) == ["a", "b", "c", "d"]
