"""Settings of a step or workflow to the rows of a table, the longer texts apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import JsonValue

from newel.compiler.docs import addresses
from newel.compiler.docs.shape import Prompt, Setting
from newel.compiler.exports import words
from newel.compiler.program import SettingDef, Vocabulary

Owner = Literal["workflow", "step"]

ABOUT = "about"
"""The setting of this name, in any vocabulary, is what stands first in a description; it is not in the table."""

_LONG = 100


def about(held: Mapping[str, JsonValue]) -> str:
    """The text that says what something is for."""
    text = held.get(ABOUT)
    return text if isinstance(text, str) else ""


def rows(held: Mapping[str, JsonValue], owner: Owner, vocabulary: Vocabulary) -> list[Setting]:
    """The settings that have a value, in the order of the vocabulary."""
    return [
        {
            "name": each.name,
            "href": addresses.declared(owner, each.name),
            "doc": each.doc or "",
            "value": words.value(held[each.name], each.type, vocabulary),
            "given": held[each.name] != each.default,
        }
        for each in _of(held, owner, vocabulary)
        if not _is_long(each, held[each.name]) and not (each.name == ABOUT and about(held))
    ]


def prompts(held: Mapping[str, JsonValue], owner: Owner, vocabulary: Vocabulary) -> list[Prompt]:
    """What is marked `prompt`, and other texts too long for a table."""
    return [
        {"name": each.name, "href": addresses.declared(owner, each.name), "text": text}
        for each in _of(held, owner, vocabulary)
        if isinstance(text := held[each.name], str) and _is_long(each, text) and each.name != ABOUT
    ]


def _of(held: Mapping[str, JsonValue], owner: Owner, vocabulary: Vocabulary) -> Iterator[SettingDef]:
    return (s for s in vocabulary.settings if s.owner == owner and held.get(s.name) is not None)


def _is_long(setting: SettingDef, held: JsonValue) -> bool:
    if setting.type.name != "text" or not isinstance(held, str):
        return False
    return setting.mark("prompt") is not None or "\n" in held or len(held) > _LONG
