"""A program to canonical JSON and back, and to its revision.

The same program gives the same bytes: no white space, ASCII, and the keys of every object sorted but those of `steps`,
whose order is their order on the board. Lists keep theirs. The revision is the SHA-256 of that JSON without the
revision itself, without documentation (`doc`) and without places (`place`); the settings and the cases of a type, whose
order is that of the files, are sorted for it, so that the revision does not change with the way files are laid out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from newel.compiler.program import FORMAT_VERSION, Program, Vocabulary

_NOT_MEANING = ("doc", "place")
_BY_NAME = ("types", "triggers", "keys", "guards", "kinds")


def canonical_json(program: Program) -> str:
    """The canonical JSON of a program."""
    return _written(_plain(program))


def revision_of(program: Program) -> str:
    """The revision of a program, worked out from what it means."""
    plain = _plain(program)
    del plain["revision"]
    for declared in _declared(plain):
        for word in _NOT_MEANING:
            declared.pop(word, None)
    vocabulary = plain["vocabulary"]
    vocabulary["settings"].sort(key=lambda setting: (setting["owner"], setting["name"]))
    for declared in vocabulary["types"].values():
        declared["cases"].sort(key=lambda case: case["name"])
    return hashlib.sha256(_written(plain).encode("ascii")).hexdigest()


def read_json(text: str) -> Program:
    """The program of a canonical JSON text, with the classes of the vocabulary it holds. Raises `ValueError` where the
    text is no program, its format is not one this version reads, or its revision is not that of what it holds."""
    from newel.compiler.kinds import classes_of

    plain = json.loads(text)
    if not isinstance(plain, dict) or "vocabulary" not in plain:
        raise ValueError("this is no compiled program")
    version = str(plain.get("format_version"))
    if version.split(".")[0] != FORMAT_VERSION.split(".")[0]:
        raise ValueError(f"the program has format {version}; this version reads {FORMAT_VERSION}")
    classes = classes_of(Vocabulary.model_validate(plain["vocabulary"]))
    program: Program = classes.program.model_validate(plain)
    if program.revision != revision_of(program):
        raise ValueError("the program's revision is not that of what it holds: it was changed after compiling")
    return program


def _plain(program: Program) -> dict[str, Any]:
    return program.model_dump(mode="json", by_alias=True)


def _declared(plain: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every object of a program that may have documentation or a place; the values a user wrote are none of them."""
    vocabulary = plain["vocabulary"]
    yield from vocabulary["settings"]
    for table in _BY_NAME:
        yield from vocabulary[table].values()
    for workflow in plain["workflows"].values():
        yield workflow
        for step in workflow["steps"].values():
            yield step
            for statements in step["on"].values():
                yield from statements


def _written(plain: Mapping[str, Any]) -> str:
    """Plain data as text, the steps of workflows in their order."""
    workflows = {name: _workflow(workflow) for name, workflow in plain["workflows"].items()}
    rest = {name: _sorted(value) for name, value in plain.items() if name != "workflows"}
    rest["workflows"] = _object(sorted(workflows.items()))
    return _object(sorted(rest.items()))


def _workflow(workflow: Mapping[str, Any]) -> str:
    members = {name: _sorted(value) for name, value in workflow.items() if name != "steps"}
    members["steps"] = _object((name, _sorted(step)) for name, step in workflow["steps"].items())
    return _object(sorted(members.items()))


def _object(members: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in members) + "}"


def _sorted(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
