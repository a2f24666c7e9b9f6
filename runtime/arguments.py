"""A call's arguments, as they came, to arguments that the runtime and every ledger can work with; else a `BadArgument`.

What a parameter takes is read off its annotation, so a public method is checked by being declared. Of a subclass of a
text or number, what it holds is handed on. Nothing is looked up: a name that nobody has is refused where it is used.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any, TypeVar

from newel.compiler.program import Program
from newel.runtime.causes import known_actor
from newel.runtime.errors import BadArgument
from newel.runtime.handlers import Handlers
from newel.runtime.known import LONGEST_ID, Flaw, flaw, id_flaw
from newel.runtime.ledgers.base import Ledger
from newel.runtime.payloads import say
from newel.runtime.ports import Agents, Observer, Sessions

T = TypeVar("T", bound=type)
Check = Callable[[Any], Any]
"""Gives back what it was given, or the plain value in it. Raises `_Unfit`."""

_LEAST, _MOST = -(2**63), 2**63 - 1
_LONGEST = 1e9
"""Seconds: thirty years, and no database's intervals are shorter."""


class _Unfit(Exception):
    """The value is not one; its text says what is."""

    def __init__(self, wanted: str, advice: str = "") -> None:
        super().__init__(wanted)
        self.advice = advice


# ---------------------------------------------------------------- what is taken


def _text(value: object, flaw: Callable[[str], Flaw | None] = flaw) -> str:
    if not isinstance(value, str):
        raise _Unfit("a text")
    plain = str.__str__(value)
    if found := flaw(plain):
        raise _Unfit(*found)
    return plain


def _filled(value: object) -> str:
    text = _text(value)
    if not text:
        raise _Unfit("a text that is not blank")
    return text


def _id(value: object) -> str:
    return _text(value, id_flaw)


def _filled_id(value: object) -> str:
    return _id(_filled(value))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Unfit("a whole number")
    if not _LEAST <= value <= _MOST:
        raise _Unfit("a whole number of at most 64 bits")
    return int(value)


def _count(value: object) -> int:
    number = _whole(value)
    if number < 0:
        raise _Unfit("a whole number from 0")
    return number


def _seconds(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= _LONGEST:  # NaN is neither
        raise _Unfit(f"a number of seconds from 0 to {_LONGEST:.0f}")
    return float(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Unfit("True or False")
    return value


def _number_or_text(value: object) -> int | str:
    if isinstance(value, str):
        return _text(value)
    try:
        return _whole(value)
    except _Unfit:
        raise _Unfit("a seat's id") from None


def _pairs(value: Any) -> list[tuple[str, str]]:
    wanted = "pairs of a task and a step"
    if isinstance(value, str | bytes | Mapping):
        raise _Unfit(wanted)
    try:
        pairs = [(task, step) for task, step in value]
    except (TypeError, ValueError):
        raise _Unfit(wanted) from None
    try:
        return [(_id(task), _text(step)) for task, step in pairs]
    except _Unfit as error:
        raise _Unfit(f"{wanted}, each {error}", error.advice) from None


def _instance(kind: type, wanted: str) -> Check:
    def check(value: object) -> object:
        if not isinstance(value, kind):
            raise _Unfit(wanted)
        return value

    return check


def _port(protocol: type, wanted: str) -> Check:
    """An object with the methods of a protocol."""
    methods = [name for name, member in vars(protocol).items() if name[0] != "_" and inspect.isfunction(member)]

    def check(value: object) -> object:
        for name in methods:
            if isinstance(value, type) or not callable(getattr(value, name, None)):
                raise _Unfit(f"{wanted}, with a method `{name}`")
        return value

    return check


_CHECKS: dict[str, Check | None] = {
    "str": _text,
    "int": _whole,
    "float": _seconds,
    "bool": _flag,
    "int | str": _number_or_text,
    "Actor": known_actor,
    "Iterable[tuple[str, str]]": _pairs,
    "Mapping[str, Any]": None,  # a payload is held against what its trigger declares
    "Program": _instance(Program, "a compiled program, like `compile_files(...).require()`"),
    "Ledger": _port(Ledger, "an open ledger, like `open_ledger(...)`"),
    "Handlers": _instance(Handlers, "the `Handlers` of a host"),
    "Agents": _port(Agents, "an `Agents` port"),
    "Sessions": _port(Sessions, "a `Sessions` port"),
    "Observer": _port(Observer, "an `Observer`"),
}
"""By annotation; a parameter with another one cannot be declared before it is here."""

_BY_NAME: dict[str, Check] = {
    **dict.fromkeys(("task", "parent"), _id),
    **dict.fromkeys(("agent", "decider"), _filled_id),
    **dict.fromkeys(("verdict", "worker"), _filled),
    "limit": _count,
}
"""Where the name says more. A blank name of a task, step or role is refused as an unknown one, and that of a new task
where it is made."""


# ---------------------------------------------------------------- the door

_PLAIN = "{0}.__class__ is str and {0}.isascii() and '\\0' not in {0}"
_PASSES: Mapping[Check, str] = {
    _text: _PLAIN,
    _filled: f"{_PLAIN} and {{0}}",
    _id: f"{_PLAIN} and len({{0}}) <= {LONGEST_ID}",
    _filled_id: f"{_PLAIN} and 0 < len({{0}}) <= {LONGEST_ID}",
    _flag: "{0} is True or {0} is False",
}
"""By check: what of a value is let through as it is, without a call."""


def checked(cls: T) -> T:
    """A class whose public methods take no argument before it has been looked at."""
    for name, member in list(vars(cls).items()):
        if inspect.isfunction(member) and (name[0] != "_" or name == "__init__"):
            checks = dict(_checks(member))
            if checks:
                setattr(cls, name, _behind(member, checks))
    return cls


def _checks(function: Callable[..., Any]) -> Iterator[tuple[str, Check]]:
    for name, annotation in function.__annotations__.items():
        if name not in ("self", "return"):
            check = _BY_NAME.get(name) or _CHECKS[annotation.removesuffix(" | None")]
            if check is not None:
                yield name, check


def _behind(function: Callable[..., Any], checks: Mapping[str, Check]) -> Callable[..., Any]:
    """The function behind its checks, written out: a loop over names would take four times as long."""
    signature = inspect.signature(function)
    found: dict[str, Any] = {"function": function, "fit": partial(_fit, function.__name__, checks)}
    declared, handed, lines = list[str](), list[str](), list[str]()
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in declared:
            declared.append("*")
        handed.append(f"{name}={name}" if parameter.kind is parameter.KEYWORD_ONLY else name)
        default = parameter.default
        if default is not parameter.empty:
            found[f"default_{name}"] = default
        declared.append(name if default is parameter.empty else f"{name}=default_{name}")
        if name in checks:
            passes = [f"{name} is None"] if str(parameter.annotation).endswith(" | None") else []
            passes += [_PASSES[checks[name]].format(name)] if checks[name] in _PASSES else []
            lines.append(f" if not ({' or '.join(passes)}): {name} = fit({name!r}, {name})")
    body = "\n".join([*lines, f" return function({', '.join(handed)})"])
    exec(f"def call({', '.join(declared)}):\n{body}", found)  # noqa: S102 - only names of parameters
    return wraps(function)(found["call"])


def _fit(function: str, checks: Mapping[str, Check], name: str, value: object) -> Any:
    try:
        return checks[name](value)
    except _Unfit as error:
        advice = f"; {error.advice}" if error.advice else ""
        raise BadArgument(f"{function}: `{name}` takes {error}, not {say(value)}{advice}") from None
