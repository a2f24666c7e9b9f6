"""What stands in files and in no program - it is put in where it is used - to what the documentation tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from newel.compiler.model import Declared, Model

Sort = Literal["fragment", "text", "group", "placeholder"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A declaration of one of these sorts. `parts` are the parameters of a fragment, or the triggers of a group;
    `places` the workflows and steps a fragment is included in."""

    sort: Sort
    name: str
    doc: str
    parts: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()


def pieces(model: Model) -> tuple[Piece, ...]:
    """All of them, by sort and name."""
    return tuple(sorted(_pieces(model), key=lambda each: (each.sort, each.name)))


def _pieces(model: Model) -> Iterator[Piece]:
    for fragment in model.fragments.values():
        yield _piece("fragment", fragment, tuple(fragment.parameters), tuple(model.included.get(fragment.name, ())))
    for group in model.vocabulary.groups.values():
        yield _piece("group", group, group.members)
    for text in model.texts.values():
        yield _piece("text", text)
    for placeholder in model.vocabulary.placeholders.values():
        yield _piece("placeholder", placeholder)


def _piece(sort: Sort, of: Declared, parts: tuple[str, ...] = (), places: tuple[tuple[str, str], ...] = ()) -> Piece:
    return Piece(sort, of.name, of.doc or "", parts, places)
