"""The page of a finding, made from its rule: why, how bad, an example with what is said of it, and the same mended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from newel.compiler.bind.reports import nearest
from newel.compiler.boards import EXPORT_RULES, export_text
from newel.compiler.checks.examples import findings_of
from newel.compiler.checks.registry import rules
from newel.compiler.errors import NewelError
from newel.compiler.imports import IMPORT_RULES, import_text
from newel.compiler.reports import report
from newel.dsl.findings import Finding, Rule

_LONGEST = 40  # lines of an example; of a longer one the beginning is shown


class UnknownCode(NewelError):
    """No finding has that code."""


def explain(code: str) -> str:
    """The page of a code, or of a finding's name. Raises `UnknownCode` with the nearest one."""
    return "\n".join(_page(_rule(code))) + "\n"


def list_codes() -> str:
    """Every code with its severity and name, one a line."""
    return "".join(f"{rule.code}  {_grade(rule):<12}  {rule.name}\n" for rule in _known().values())


def _known() -> Mapping[str, Rule]:
    """Every rule by its code, those of imports and exports too."""
    others = sorted((*IMPORT_RULES, *EXPORT_RULES), key=lambda rule: rule.code)
    return {**rules(), **{rule.code: rule for rule in others}}


def _rule(code: str) -> Rule:
    known = _known()
    named = {rule.name: rule for rule in known.values()}
    found = known.get(code.upper()) or named.get(code.lower())
    if found is None:
        near = nearest(code.upper().replace("O", "0"), known) or nearest(code.lower(), named)
        advice = f"did you mean `{near}`?" if near else "`newel explain --all` lists them"
        raise UnknownCode(f"no finding has the code `{code}`: {advice}")
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
