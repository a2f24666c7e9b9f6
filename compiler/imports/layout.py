"""A draft to `.newel` text in the layout of `newel fmt`; the same draft gives the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal

from newel.compiler.imports.draft import Call, Draft, Long, Statement, Step, Time, Value, Word, Workflow
from newel.compiler.imports.names import NAME
from newel.dsl.layout import format_source
from newel.dsl.limits import NAME_LENGTH
from newel.dsl.source import Source

INDENT = "  "
_UNITS = (("h", 3600), ("m", 60), ("s", 1))
_FENCES = re.compile(r'"{3,}')
# A line break of another kind or a control character would not come back from between fences as it went in.
_UNFENCED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


def layout(draft: Draft) -> str:
    """The text of a whole file."""
    parts = [[f"placeholder {name}" for name in draft.placeholders]] if draft.placeholders else []
    parts += [list(_workflow(workflow)) for workflow in draft.workflows]
    text = "\n\n".join("\n".join(part) for part in parts) + "\n"
    return format_source(Source("<draft>", text))[0] or text  # as it is where it goes over a limit


def fenced(text: str) -> bool:
    """Whether a text can stand between fences, where its placeholders are filled in."""
    return not _UNFENCED.search(text)


def quoted(text: str) -> str:
    """A text in quotes; what does not print is escaped."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() or ord(c) > 0xFFFF else f"\\u{ord(c):04x}" for c in written)


def written(value: Value) -> str:
    """A value on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return format(Decimal(repr(value)), "f")
        case str() | Long(text=str()):
            return quoted(value if isinstance(value, str) else value.text)
        case Word(text=text):
            return text
        case Time(seconds=seconds):
            unit, size = next((unit, size) for unit, size in _UNITS if seconds % size == 0)
            return f"{seconds // size}{unit}"
        case Call():
            return _call(value)
        case list():
            return f"[{', '.join(map(written, value))}]"
        case dict():
            return "{" + ", ".join(f"{_key(key)}: {written(item)}" for key, item in value.items()) + "}"


def _key(key: str) -> str:
    return key if NAME.fullmatch(key) and len(key) <= NAME_LENGTH else quoted(key)


def _call(call: Call) -> str:
    args = ", ".join(f"{name}={written(value)}" if name else written(value) for name, value in call.args)
    return f"{call.name}({args})" if args else call.name


def _header(word: str, name: str, title: str) -> str:
    return f"{word} {name} {quoted(title)}" if title else f"{word} {name}"


def _workflow(workflow: Workflow) -> Iterator[str]:
    yield _header("workflow", workflow.name, workflow.title) + " {"
    for name, value in workflow.settings:
        yield from _setting(name, value, INDENT)
    for number, step in enumerate(workflow.steps):
        if number or workflow.settings:
            yield ""
        yield from _step(step)
    yield "}"


def _step(step: Step) -> Iterator[str]:
    header = INDENT + _header("step", step.name, step.title)
    if not step.settings and not step.on:
        yield header + " {}"
        return
    settings = [line for name, value in step.settings for line in _setting(name, value, INDENT * 2)]
    if len(settings) == 1 and not step.on:
        yield f"{header} {{ {settings[0].strip()} }}"
        return
    yield header + " {"
    yield from settings
    for trigger, statements in step.on:
        yield from _on(trigger, statements)
    yield INDENT + "}"


def _setting(name: str, value: Value, margin: str) -> Iterator[str]:
    if value is True:
        yield margin + name
    elif isinstance(value, Long) and fenced(value.text):
        yield from _fenced(name, value.text, margin)
    elif isinstance(value, Call) and value.name == "":
        yield margin + _call(Call(name, value.args))
    else:
        yield f"{margin}{name} {written(value)}"


def _fenced(name: str, text: str, margin: str) -> Iterator[str]:
    fence = '"' * max([3, *(len(run) + 1 for run in _FENCES.findall(text))])
    inner = margin + INDENT
    yield f"{margin}{name} {fence}"
    for line in text.split("\n"):
        yield inner + line if line else ""
    yield inner + fence


def _on(trigger: str, statements: list[Statement]) -> Iterator[str]:
    margin = INDENT * 2
    if len(statements) == 1:
        yield f"{margin}on {trigger} {{ {_statement(statements[0])} }}"
        return
    yield f"{margin}on {trigger} {{"
    for statement in statements:
        yield margin + INDENT + _statement(statement)
    yield margin + "}"


def _statement(statement: Statement) -> str:
    if isinstance(statement, Call):
        return _call(statement)
    approval = " requires approval" if statement.approval else ""
    guard = f" when {_call(statement.guard)}" if statement.guard else ""
    return f"-> {statement.to}{approval}{guard}"
