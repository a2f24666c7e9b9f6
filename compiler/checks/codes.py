"""What was written for the code of a finding, to what may have been meant by it."""

from __future__ import annotations

from collections.abc import Mapping

from newel.compiler.bind.reports import nearest
from newel.dsl.findings import Rule

_READ = str.maketrans("OIL", "011")


def advice(said: str, known: Mapping[str, Rule]) -> str:
    """A code with its digits misread or one left out, one that is called so, or where to look. A code that is merely
    like it has nothing to do with it."""
    code = "NW" + said.upper().removeprefix("NW").translate(_READ)
    family = [each for each in known if each.startswith(code[:3])] if code[2:].isdigit() else []
    likely = code if code in known else _one_missing(code, family) or _called(said, known)
    if likely:
        return f"did you mean `{likely}`?"
    if family:
        return f"`newel explain {code[:3]}` lists those that begin so"
    named = [rule.name for rule in known.values()]
    words = [name for name in named if said.lower() in name] or [nearest(said.lower(), named) or ""]
    meant = " or ".join(f"`{_called(name, known)}` ({name})" for name in words[:3] if name)
    return f"did you mean {meant}?" if meant else "`newel explain --all` lists them"


def _one_missing(code: str, family: list[str]) -> str | None:
    """The only code of a family that this one is with a digit left out."""
    found = [each for each in family if any(each[:at] + each[at + 1 :] == code for at in range(2, len(each)))]
    return found[0] if len(found) == 1 else None


def _called(name: str, known: Mapping[str, Rule]) -> str | None:
    return next((rule.code for rule in known.values() if rule.name == name.lower()), None)
