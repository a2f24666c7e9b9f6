"""The page of a finding, made from its rule: why, how bad, an example with what is said of it, and the same mended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from newel.compiler.boards import EXPORT_RULES, export_text
from newel.compiler.checks.codes import advice
from newel.compiler.checks.examples import findings_of
from newel.compiler.checks.registry import rules
from newel.compiler.errors import NewelError
from newel.compiler.imports import IMPORT_RULES, import_text
from newel.compiler.reports import report
from newel.dsl.findings import Finding, Rule

_LONGEST = 40  # lines of an example; of a longer one the beginning is shown


FAMILIES = {
    "NW0": "Form: what the text of a file is",
    "NW1": "Names",
    "NW2": "Types and values",
    "NW3": "Ownership: who runs what on entry",
    "NW4": "Placement: what may stand where",
    "NW5": "Flow: the ways of a task",
    "NW6": "Gates: seats, waking and decisions",
    "NW7": "Without effect",
    "NW8": "Compatibility: what changed between two versions",
    "NW9": "Imports and exports",
}
"""What the codes that begin so are about."""


class UnknownCode(NewelError):
    """No finding has that code."""


def explain(code: str) -> str:
    """The page of a code, or of a finding's name; of the beginning of codes the list of those. Raises `UnknownCode`
    with what may have been meant."""
    begin = code.upper()
    family = [rule for rule in _known().values() if rule.code.startswith(begin)] if begin[:3] in FAMILIES else []
    if family and begin not in _known():
        return f"{begin[:3]} {FAMILIES[begin[:3]]}\n\n" + "".join(map(_listed, family))
    return "\n".join(_page(_rule(code))) + "\n"


def list_codes() -> str:
    """Every code with its severity and name, one a line."""
    return "".join(map(_listed, _known().values()))


def _listed(rule: Rule) -> str:
    return f"{rule.code}  {_grade(rule):<12}  {rule.name}\n"


def _known() -> Mapping[str, Rule]:
    """Every rule by its code, those of imports and exports too."""
    others = sorted((*IMPORT_RULES, *EXPORT_RULES), key=lambda rule: rule.code)
    return {**rules(), **{rule.code: rule for rule in others}}


def _rule(code: str) -> Rule:
    known = _known()
    named = {rule.name: rule for rule in known.values()}
    found = known.get(code.upper()) or named.get(code.lower())
    if found is None:
        raise UnknownCode(f"no finding has the code `{code}`: {advice(code, known)}")
    return found


def _said(rule: Rule) -> Sequence[Finding]:
    if rule in IMPORT_RULES:
        return import_text(rule.wrong, "example.yml").findings
    if rule in EXPORT_RULES:
        return export_text(rule.wrong, path="example.newel").findings
    return findings_of(rule, rule.wrong)


def _grade(rule: Rule) -> str:
    return rule.severity if rule.default else f"{rule.severity}, off"


def _page(rule: Rule) -> Iterator[str]:
    off = "" if rule.default else f", shown only when asked for: `--select {rule.code}`"
    yield f"{rule.code} {rule.name} ({rule.severity}{off})"
    yield ""
    yield rule.why.rstrip()
    for path, text in rule.extra.items():
        yield f"\nBeside a file {path}:\n"
        yield _indented(text)
    if not rule.wrong:  # a size or an encoding, which no short text shows
        return
    yield "\nWrong:\n"
    yield _indented(rule.wrong)
    said = [finding for finding in _said(rule) if finding.rule.code == rule.code]
    if said:
        yield "\nThis gives:\n"
        yield _indented("\n\n".join(report("text", said, 1).split("\n\n")[:-1]))
    yield "\nRight:\n"
    yield _indented(rule.right)


def _indented(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    if len(lines) > _LONGEST:
        lines = [*lines[: _LONGEST // 2], f"... and {len(lines) - _LONGEST // 2} lines more"]
    return "\n".join(f"    {line}".rstrip() for line in lines)
