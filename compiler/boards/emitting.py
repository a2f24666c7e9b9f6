"""Plain values to YAML that says the same to every reader: block style, long texts as they are, words that could be
taken for something else in quotes."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import yaml

from newel.compiler.imports.document import plain_value
from newel.compiler.model import Json

_WIDTH = 1_000_000  # no line is broken to fit
# A block would lose these, or readers take them for line breaks.
_UNBLOCKED = re.compile("[\x85\u2028\u2029\ufeff]")


def emitted(value: Json) -> str:
    """The document."""
    return yaml.dump(
        value,
        Dumper=_Emitter,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=_WIDTH,
    )


class _Emitter(yaml.SafeDumper):
    """PyYAML's own, but lists are set in under their keys and nothing is written by reference."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's form
        """As PyYAML does it, lists set in."""
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's form
        """Every value is written out where it stands."""
        return True


def _text(emitter: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if "\n" in text and not _UNBLOCKED.search(text):
        style = "|"
    elif _UNBLOCKED.search(text) or plain_value(text) is not text:
        style = '"'
    else:
        style = ""
    return emitter.represent_scalar("tag:yaml.org,2002:str", text, style=style or None)


def _number(emitter: yaml.SafeDumper, number: float) -> yaml.ScalarNode:
    """All its digits: what `1e3` is, readers do not agree on."""
    if not math.isfinite(number):
        return emitter.represent_float(number)
    return emitter.represent_scalar("tag:yaml.org,2002:float", format(Decimal(repr(number)), "f"))


_Emitter.add_representer(str, _text)
_Emitter.add_representer(float, _number)
