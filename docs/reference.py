"""The product's own declarations to the reference pages of this manual: `make reference` writes them anew.

Each page has one source: the rules of the checks, the standard vocabulary, the commands, the configuration, the public
names of the two packages, the lines of the contract. A page that differs from what its source says fails a test.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

import click
from docs.contract import contract
from docs.data import template_data
from docs.names import attributes, python, slug

from newel.compiler import compile_files, compile_text, config
from newel.compiler import limits as together
from newel.compiler.checks.registry import rules
from newel.compiler.docs.shape import Declaration
from newel.compiler.docs.vocabulary import Reference
from newel.compiler.explain import FAMILIES, explain, list_codes
from newel.compiler.exports import graph
from newel.compiler.scenarios import FORMS
from newel.dsl import limits as form
from newel.runtime.cli.app import app
from newel.runtime.known import LONGEST_ID

FOLDER = Path(__file__).parent / "reference"
PICTURE = Path(__file__).parent / "office.svg"
EXAMPLES = Path(__file__).parents[1] / "examples"
HEAD = "<!-- Written by `make reference` from {source}. Change that, not this page. -->\n\n"


# ---------------------------------------------------------------- findings


def findings() -> Iterator[str]:
    """Every code with the page that `newel explain` prints."""
    yield "# Findings\n"
    yield "What Newel says of a file, by code. `newel explain NW301` prints the same offline. How to choose among them,"
    yield "grade them and allow one: [check in CI](../how-to/ci.md).\n"
    known = [re.split(r" {2,}", line) for line in list_codes().splitlines()]
    yield from table(
        ("code", "name", "severity"),
        [(f"[{code}](#{slug(f'{code} {name}')})", name, _said(grade)) for code, grade, name in known],
    )
    for family, title in FAMILIES.items():
        yield f"\n## {title}"
        for code, grade, name in known:
            if code.startswith(family):
                firm = code in rules() and rules()[code].firm
                yield f"\n### {code} {name}\n"
                yield f"*{_said(grade)}{'; it can only be mended' if firm else ''}*\n"
                yield from _fenced(explain(code).splitlines()[2:], "yaml" if family == "NW9" else "newel example")


def _said(grade: str) -> str:
    return grade.replace(", off", ", off unless selected")


def _fenced(lines: Sequence[str], language: str) -> Iterator[str]:
    """A page of `explain` with its indented parts as blocks; what a file gives is no file."""
    indented, info = False, "text"
    for number, line in enumerate(lines):
        starts = line.startswith("    ")
        if starts and not indented:
            yield f"````{info}"
        elif line and not starts and indented:
            yield "````\n"
        indented = starts or (indented and not line and _goes_on(lines, number))
        if line in ("Wrong:", "Right:"):
            info = language
        elif line.startswith(("Beside", "This gives")):
            info = "text"
        if indented or line or (number and lines[number - 1] and not lines[number - 1].startswith("    ")):
            yield line.removeprefix("    ")
        elif not line and number and lines[number - 1].startswith("    "):
            yield "````\n"
    if indented:
        yield "````"


def _goes_on(lines: Sequence[str], number: int) -> bool:
    """Whether the block goes on after the empty lines from here."""
    return next((line.startswith("    ") for line in lines[number:] if line), False)


# ---------------------------------------------------------------- the standard vocabulary


def vocabulary() -> Iterator[str]:
    """Every declaration of the standard vocabulary."""
    view = Reference(compile_text("").require(), {}).view()
    yield "# The standard vocabulary\n"
    yield "The words that every file has unless it says `use nothing`. They are declared in"
    yield "[`grammars/standard.newel`](../../grammars/standard.newel), in the language itself; a"
    yield "[vocabulary of your own](../how-to/own-words.md) can do all that this one does."
    yield "What a mark means: [the language](language.md#marks).\n"
    yield "## Kinds\n\nActions. *Dispatched* kinds are run from the arrival, *session* kinds by the session"
    yield "that works on the task: see [who runs what on entry](../explanation/ownership.md)."
    for each in view["kinds"]:
        yield from _declaration(each, f"`{each['name']}`", "action")
    yield "\n## Triggers\n\nWhat makes Newel look at a step. `enter` and `exit` belong to the language."
    for each in view["triggers"]:
        yield from _declaration(each, f"`{each['name']}`", "trigger")
    yield "\n## Guards\n\nConditions of moves. How they count: [guards](../explanation/guards.md)."
    for each in view["guards"]:
        yield from _declaration(each, f"`{each['name']}`", "guard")
    yield "\n## Settings\n\nData of a workflow or step. The runtime acts on those with a mark;"
    yield "the rest is for your host."
    for each in view["settings"]:
        owner, _, _ = each["code"].partition(" ")
        yield from _declaration(each, f"{owner} `{each['name']}`", "setting")
    yield "\n## Types"
    for each in view["types"]:
        yield from _declaration(each, f"type `{each['name']}`", "type")
    yield "\n## Keys\n\nOperation ids that no trigger carries."
    for each in view["operation_ids"]:
        yield from _declaration(each, f"key `{each['name']}`", "key")
    yield "\n## Placeholders\n\nNames that may stand in a long text as `{{name}}`; your host fills them in.\n"
    yield from (f"- `{name}`" for name in view["placeholders"])


def _declaration(each: Declaration, title: str, keyword: str) -> Iterator[str]:
    yield f"\n### {title}\n"
    yield f"{each['doc']}\n" if each["doc"] else ""
    written = re.sub(r"(?<=flag = )(yes|no)", lambda said: "true" if said[0] == "yes" else "false", each["code"])
    yield f"```text\n{keyword} {written}\n```\n"
    if each["owner"]:
        yield f"- on entry: {each['owner']}"
    if each["stands"]:
        links = ", ".join(f"[`{link['text']}`](#{slug(link['text'])})" for link in each["stands"])
        yield f"- stands under: {links}"
    needed = [f"`{parameter['name']}`" for parameter in each["parameters"] if parameter["required"]]
    if needed:
        yield f"- must be given: {', '.join(needed)}"
    if each["marks"]:
        yield f"- means: {', '.join(f'`{mark}`' for mark in each['marks'])}"
    if each["lines"]:
        yield "\n".join(f"- `{line}`" for line in each["lines"])


# ---------------------------------------------------------------- the command line


def command_line() -> Iterator[str]:
    """Every command with its arguments and options."""
    yield "# The command line\n"
    yield "`newel COMMAND --help` prints the same. PATH is a file, a folder (searched for `*.newel`), or `-` for"
    yield "standard input where a command says so. What was asked for goes to standard output, everything else to"
    yield "standard error. Colour appears only on a terminal, and never where `NO_COLOR` is set.\n"
    yield "## Exit codes\n"
    yield from table(
        ("code", "means"),
        (
            ("0", "nothing is wrong"),
            ("1", "errors were found, in a file or in a ledger; a task had moved on; an entry action failed"),
            ("2", "the command or the configuration is wrong"),
            ("3", "there is nothing to work on, or the work could not go on"),
        ),
    )
    leaves = list(_leaves(app, click.Context(app, info_name="newel")))
    shared = _shared([command for command, context in leaves if context.info_name and _on_ledger(context)])
    for command, context in leaves:
        yield from _command(command, context, shared)
    yield "\n## Options of every command on a ledger\n"
    yield "`newel task ...` and `newel ledger ...` all take these."
    for option in shared.values():
        yield from _option(option, "")


def _leaves(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    if not isinstance(command, click.Group):
        yield command, context
        return
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None  # noqa: S101 - the group lists it
        yield from _leaves(found, click.Context(found, info_name=name, parent=context))


def _on_ledger(context: click.Context) -> bool:
    return context.parent is not None and context.parent.info_name in ("task", "ledger")


def _options(command: click.Command) -> dict[str, click.Option]:
    return {each.opts[0]: each for each in command.params if isinstance(each, click.Option)}


def _shared(commands: Sequence[click.Command]) -> dict[str, click.Option]:
    """The options that all of these take, with the same help."""
    first, *rest = map(_options, commands)
    return {
        name: option
        for name, option in first.items()
        if all(name in other and other[name].help == option.help for other in rest)
    }


def _command(command: click.Command, context: click.Context, shared: Mapping[str, click.Option]) -> Iterator[str]:
    yield f"\n## {context.command_path}\n"
    yield f"```text\n{context.command_path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    yield _plain(command.help or "")
    own = [option for name, option in _options(command).items() if name not in shared]
    for option in own:
        yield from _option(option, f"{context.command_path} ")
    if _on_ledger(context):
        yield "\nAlso [the options of every command on a ledger](#options-of-every-command-on-a-ledger)."


def _option(option: click.Option, before: str) -> Iterator[str]:
    names = ", ".join(option.opts)
    yield f"\n### {before}{option.opts[-1]}\n"
    value = option.metavar or (
        "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else option.type.name.upper()
    )
    yield f"`{names}{'' if option.is_flag else ' ' + value}`{' (required)' if option.required else ''}\n"
    default = f" The default is `{option.default}`." if option.show_default else ""
    yield f"{_plain(option.help or 'The form of the output.')}{default}"


def _plain(text: str) -> str:
    """Help as Markdown: lines that keep their breaks, which click has a sign for, are a block."""
    return re.sub(r"\x08\n((?:.+\n?)+)", lambda kept: f"```text\n{kept[1].rstrip()}\n```\n", inspect.cleandoc(text))


# ---------------------------------------------------------------- the configuration


def configuration() -> Iterator[str]:
    """Every key of a project's configuration."""
    yield "# Configuration\n"
    yield "`newel.toml`, or the table `[tool.newel]` of `pyproject.toml`. The nearest one is taken, from the working"
    yield "folder upwards; in one folder `newel.toml` goes first. An unknown key is an error. The folder of the"
    yield "configuration is the root of the project: no `use` and no `text ... file` reads outside of it."
    yield from _keys(config.Config, "", {"root", "file"})
    for each in fields(config.Config):
        if isinstance(each.default, config.AgentsConfig):
            yield from _keys(type(each.default), f"{each.name.replace('_', '-')}.", set())
    yield from _keys(config.AgentConfig, "agents.candidates.", set())
    yield "\n## An example\n"
    yield f"The configuration of the [examples](../../examples/):\n\n```toml\n{_example()}```"


def _keys(cls: type, prefix: str, without: set[str]) -> Iterator[str]:
    said = attributes(cls)
    for each in fields(cls):
        if each.name not in without:
            key = f"{prefix}{each.name.replace('_', '-')}"
            yield f"\n## `{key}`\n\n{said[each.name]} {_toml_type(str(each.type))}"


def _toml_type(annotation: str) -> str:
    for start, word in {
        "tuple[str": "A list of texts.",
        "tuple[": "A list of tables.",
        "Mapping[str, tuple": "A table of lists of texts.",
        "Mapping[str, Mapping": "A table of tables of texts.",
        "Mapping": "A table of texts.",
        "int": "A whole number.",
        "bool": "`true` or `false`.",
        "str": "A text.",
        "Limits": "A table of whole numbers: [each of them](limits.md).",
    }.items():
        if annotation.startswith(start):
            return word
    return "A table."


def _example() -> str:
    return (EXAMPLES / "newel.toml").read_text("utf-8")


# ---------------------------------------------------------------- scenarios


def scenarios() -> Iterator[str]:
    """Every line of a scenario."""
    yield "# The lines of a scenario\n"
    yield "What a [scenario](language.md#scenario) may say, a line for each. Words in capitals stand in this order;"
    yield "those with `=` are named and may stand in any order; what is in brackets may be left out.\n"
    yield from table(("line", "says"), [(f"`{form.usage}`", form.says) for form in FORMS.values()])


# ---------------------------------------------------------------- limits


def limits() -> Iterator[str]:
    """How large everything may be."""
    yield "# Limits\n"
    yield "Every size is bounded, so that any file is read in bounded time. What is larger is a finding:"
    yield "[NW011](findings.md#nw011-over-limit), [NW012](findings.md#nw012-nested-too-deep) or"
    yield "[NW124](findings.md#nw124-too-large).\n"
    yield "Each can be lowered, and none raised: in the table `limits` of the [configuration](configuration.md#limits),"
    yield "or from Python by `newel.compiler.limits.Limits`, which `check_files` and the others take.\n"
    said = {**attributes(form.Limits), **attributes(together.Limits)}
    rows = (
        (f"`{each.name.replace('_', '-')}`", f"{each.default:,}", said[each.name]) for each in fields(together.Limits)
    )
    yield from table(("key", "at most", "of"), rows)
    yield "\n## Of calls\n"
    yield f"The id of a task, an agent or a decider has at most {LONGEST_ID:,} bytes in UTF-8, on every ledger."
    yield "Operation ids, notes, payloads and all other texts may be of any length. No text may hold a NUL character,"
    yield "which PostgreSQL cannot keep, or half of one that takes two in UTF-16 (`\\ud800`), which no database can."
    yield "What does not fit is a `BadArgument`, in a payload a `PayloadError`, before anything runs; an agent that"
    yield "the `Agents` port names so is the failure of the action that asked for it."


# ---------------------------------------------------------------- pages


def table(head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


PAGES: Mapping[str, tuple[Callable[[], Iterator[str]], str]] = {
    "findings.md": (findings, "the rules of the checks, imports and exports"),
    "vocabulary.md": (vocabulary, "`grammars/standard.newel`"),
    "command-line.md": (command_line, "the commands"),
    "configuration.md": (configuration, "`compiler/config.py`"),
    "scenarios.md": (scenarios, "`compiler/scenarios/forms.py`"),
    "limits.md": (limits, "`dsl/limits.py`, `compiler/limits.py` and `runtime/known.py`"),
    "template-data.md": (template_data, "`compiler/docs/shape.py`"),
    "python.md": (python, "the public names and their docstrings"),
    "contract.md": (contract, "`tests/promises/lines.toml`, `tests/promises/broken.toml` and the names of the tests"),
}


def rendered(name: str) -> str:
    """A generated page, by its file name."""
    lines, source = PAGES[name]
    text = HEAD.format(source=source) + "\n".join(lines()) + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


def picture() -> str:
    """The picture that the README shows."""
    return graph(compile_files([EXAMPLES / "office.newel"]).require(), "office", "svg")


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
    for page in PAGES:
        (FOLDER / page).write_text(rendered(page), "utf-8")
