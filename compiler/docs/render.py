"""The data of a site to its pages as text, with jinja2: sandboxed, every text escaped, no unknown name passed over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    Undefined,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from newel.compiler.docs import markdown
from newel.compiler.docs.addresses import finished
from newel.compiler.docs.forms import HTML, MARKDOWN, Form
from newel.compiler.docs.shape import Link, Site
from newel.compiler.errors import DocsError

TEMPLATES = Path(__file__).with_name("templates")
SHIPPED = "newel"
"""The folder under which own templates reach those that came with Newel, also where one of theirs has the same name."""

MORE = "pages"
"""The folder of own templates that are pages of their own."""

_JOINTS = re.compile(r"(?<=[_(,=])(?=\w)")
_SIGNS = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{}]|\s+')
"""A text, a bracket, blanks."""

_OWN = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*)\.(html|md)\.jinja")
_LONGEST = 1_000_000


class _Sandbox(ImmutableSandboxedEnvironment):
    """Besides, no expression makes a text or a number of any size."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Multiply what stays small."""
        numbers = [side for side in (left, right) if isinstance(side, int | float)]
        others = [len(side) for side in (left, right) if isinstance(side, str | list | tuple)]
        size = abs(numbers[0]) * others[0] if numbers and others else max(map(abs, numbers), default=0)
        if size > _LONGEST or (operator == "**" and len(numbers) == 2 and abs(numbers[1]) > 64):
            raise OverflowError("an expression of a template would make something too large")
        return super().call_binop(context, operator, left, right)


class _Folder(FileSystemLoader):
    """The templates of a folder, and nothing that a link in it leads out to."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._root = folder.resolve()

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        source, name, is_current = super().get_source(environment, template)
        if not Path(name).resolve().is_relative_to(self._root):
            raise TemplateError(f"{template} is a link that leads out of the folder of the templates")
        return source, name, is_current


def environment(form: Form = HTML, own: Path | None = None) -> Environment:
    """Where templates are run: they reach their data, the folder of our own and that of the user's, nothing else."""
    return _shipped(form) if own is None else _environment(form, own)


@cache
def _shipped(form: Form) -> Environment:
    return _environment(form, None)


def _environment(form: Form, own: Path | None) -> Environment:
    ours: BaseLoader = _Folder(TEMPLATES)
    loaders = [ours, PrefixLoader({SHIPPED: ours})]
    made = _Sandbox(
        loader=ChoiceLoader(loaders if own is None else [_Folder(own), *loaders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        finalize=_as_markdown if form is MARKDOWN else None,
    )
    made.filters |= _MARKDOWN if form is MARKDOWN else _HTML
    return made


def pages(site: Site, form: Form = HTML, own: Path | None = None) -> Mapping[str, str]:
    """The text of each page, by the name of its file. `own` is a folder of templates that go before ours. Raises
    `DocsError` for a template that fails."""
    made = environment(form, own)
    ending = f"{form.suffix}.jinja"
    wanted: list[tuple[str, str, Mapping[str, Any]]] = [("index", site["index"], {})]
    wanted += [("workflow", each["page"], {"workflow": each}) for each in site["workflows"]]
    wanted.append(("vocabulary", site["vocabulary"]["page"], {"vocabulary": site["vocabulary"]}))
    taken = {page.lower() for _, page, _ in wanted}
    more = [] if own is None else _more(own, form, taken)
    own_pages = [_link(made, site, stem, form) for stem in more]
    site = {**site, "more": own_pages}
    wanted += [(f"{MORE}/{stem}", finished(stem, form.suffix), {}) for stem in more]
    found = {page: _rendered(made, name + ending, {"site": site, "page": page, **data}) for name, page, data in wanted}
    return {page: markdown.tidy(text) for page, text in found.items()} if form is MARKDOWN else found


def _more(own: Path, form: Form, taken: set[str]) -> list[str]:
    """The stems of the pages that the user's own templates add."""
    if not own.is_dir():
        raise DocsError(f"there is no folder {own} of templates")
    stems: list[str] = []
    for path in sorted(own.joinpath(MORE).glob("*.jinja")):
        name = _OWN.fullmatch(path.name)
        if name is None:
            raise DocsError(f"{path.name!r} is no name of a page: write NAME.html.jinja or NAME.md.jinja")
        if f".{name[2]}" != form.suffix:
            continue
        if finished(name[1], form.suffix).lower() in taken:
            raise DocsError(f"{MORE}/{path.name} would be a page that is there already: give it another name")
        stems.append(name[1])
    return stems


def _link(made: Environment, site: Site, stem: str, form: Form) -> Link:
    """A page of the user's own by its title, in words: that of its block `title`, or its file's name."""
    page = finished(stem, form.suffix)
    title = _rendered(made, f"{MORE}/{stem}{form.suffix}.jinja", {"site": site, "page": page}, "title")
    named = stem.replace("-", " ")
    return {"text": " ".join(Markup(title).unescape().split()) or named[:1].upper() + named[1:], "href": page}  # noqa: S704 - what comes out is text again


def _rendered(made: Environment, template: str, data: Mapping[str, Any], block: str = "") -> str:
    """What a template makes of data: all of it, or a block of its own ("" where it has none of that name)."""
    try:
        found = made.get_template(template)
        if not block:
            return found.render(data)
        return "".join(found.blocks[block](found.new_context(dict(data)))) if block in found.blocks else ""
    except TemplateSyntaxError as error:
        raise DocsError(f"template {error.name or template}, line {error.lineno}: {error.message}") from error
    except TemplateNotFound as error:
        raise DocsError(f"template {template}{_line(error)}: there is no template {error.message}") from error
    except (
        TemplateError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ) as error:
        raise DocsError(f"template {template}{_line(error)}: {error}") from error


def _line(error: BaseException) -> str:
    """Where in a template an error came up; jinja2 puts its lines into the trace."""
    line, trace = "", error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.suffix == ".jinja":
            line = f" ({path.name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return line


# ---------------------------------------------------------------- filters


def breakable(text: str) -> Markup:
    """Calls and names: a narrow screen breaks between them, and at its joints what is longer than a line."""
    return Markup(" ").join(map(_whole, _apart(text)))


def _apart(text: str) -> Iterator[str]:
    """What stands between blanks, those inside of brackets and texts aside."""
    depth = begin = 0
    for sign in _SIGNS.finditer(text):
        depth += (sign[0] in "([{") - (sign[0] in ")]}")
        if depth <= 0 and sign[0].isspace():
            yield text[begin : sign.start()]
            begin = sign.end()
    yield text[begin:]


def _whole(part: str) -> Markup:
    names = _JOINTS.split(part)
    return (
        escape(part) if len(names) == 1 else Markup('<span class="whole">{}</span>').format(Markup("<wbr>").join(names))
    )


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


def _as_markdown(value: object) -> object:
    """What an expression of a template of Markdown gives, escaped unless a filter of ours has made it."""
    return value if isinstance(value, Markup | Undefined) else markdown.escaped(str(value))


_HTML: Mapping[str, Callable[..., Any]] = {"breakable": breakable, "prose": prose, "prose_line": _coded}
_MARKDOWN: Mapping[str, Callable[..., Any]] = {
    "address": markdown.address,
    "code": markdown.code,
    "fenced": markdown.fenced,
    "html": markdown.html,
    "prose": markdown.prose,
    "said": markdown.said,
}
