"""Terminals that could stand at a place, to the words of a message: "a value or the end of the line"."""

from __future__ import annotations

from collections.abc import Collection

WORDS = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "NUMBER": "a number",
    "DURATION": "a duration",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "ARROW": "`->`",
    "DOT": "`.`",
    "OPTIONAL": "`?`",
    "_BAR": "`|`",
    "_DOTS": "`..`",
    "_NL": "the end of the line",
}
UNSAID = frozenset({"ERROR", "LONG_STRING"})
VALUE = frozenset({"STRING", "NUMBER", "DURATION", "LSQB", "NAME"})
GOING_ON = frozenset({"_WHEN", "_REQUIRES", "_AND", "_OR", "_MEANS", "_OPERATION", "_ON_", "_BAR"})
LAST = ("_NL", "RBRACE")


def words(accepts: Collection[str]) -> str:
    """What could stand here. Of what is always possible only the likeliest is said."""
    kinds = set(accepts) - UNSAID
    said = []
    if kinds >= VALUE:
        kinds -= VALUE | {"LBRACE"}
        said.append("a value")
    if "_NL" in kinds:
        kinds -= {"RBRACE", "LPAR", "DOT"} | GOING_ON
    if kinds & {"RPAR", "RSQB"}:
        kinds -= {"DOT", "LPAR", "EQUAL"}
    if "LBRACE" in kinds:
        kinds.discard("_NL")
    for kind in sorted(kinds, key=lambda kind: (kind in LAST, kind)):
        word = WORDS.get(kind, f"`{kind.strip('_').lower()}`")
        if word not in said:
            said.append(word)
    if len(said) < 2:
        return said[0] if said else "nothing more"
    return f"{', '.join(said[:-1])} or {said[-1]}"
