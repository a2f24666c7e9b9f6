"""The data of a site to its pages as text, with jinja2: sandboxed, every text escaped, no unknown name passed over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from newel.compiler.docs.shape import Site

_JOINTS = re.compile(r"(?<=[_(,=])(?=\w)")
TEMPLATES = Path(__file__).with_name("templates")


@cache
def environment() -> ImmutableSandboxedEnvironment:
    """Where templates are run: they reach their data, their own folder, and nothing else."""
    made = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"breakable": breakable, "prose": prose}
    return made


def pages(site: Site) -> Mapping[str, str]:
    """The text of each page, by the name of its file."""
    made = environment()
    workflow = made.get_template("workflow.html.jinja")
    found = {site["index"]: made.get_template("index.html.jinja").render(site=site, page=site["index"])}
    for each in site["workflows"]:
        found[each["page"]] = workflow.render(site=site, page=each["page"], workflow=each)
    reference = made.get_template("vocabulary.html.jinja")
    name = site["vocabulary"]["page"]
    return found | {name: reference.render(site=site, page=name, vocabulary=site["vocabulary"])}


def breakable(text: str) -> Markup:
    """A long name or call that a narrow screen may break behind its joints."""
    return Markup("<wbr>").join(_JOINTS.split(text))


def prose(text: str) -> Markup:
    """A text in paragraphs, what stands between backticks as code."""
    paragraphs = (part for part in text.split("\n\n") if part.strip())
    return Markup("\n").join(Markup('<p dir="auto">{}</p>').format(_coded(part)) for part in paragraphs)


def _coded(text: str) -> Markup:
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )
