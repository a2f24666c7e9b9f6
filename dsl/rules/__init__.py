"""What can be wrong with the form of a file, one rule a module; SYNTAX_RULES lists them by code."""

from newel.dsl.rules.bad_escape import BAD_ESCAPE
from newel.dsl.rules.bad_name import BAD_NAME
from newel.dsl.rules.bad_number import BAD_NUMBER
from newel.dsl.rules.closes_nothing import CLOSES_NOTHING
from newel.dsl.rules.nested_too_deep import NESTED_TOO_DEEP
from newel.dsl.rules.not_utf8 import NOT_UTF8
from newel.dsl.rules.over_limit import OVER_LIMIT
from newel.dsl.rules.stray_documentation import STRAY_DOCUMENTATION
from newel.dsl.rules.text_form import TEXT_FORM
from newel.dsl.rules.text_margin import TEXT_MARGIN
from newel.dsl.rules.unclosed_block import UNCLOSED_BLOCK
from newel.dsl.rules.unclosed_bracket import UNCLOSED_BRACKET
from newel.dsl.rules.unclosed_text import UNCLOSED_TEXT
from newel.dsl.rules.unexpected import UNEXPECTED

SYNTAX_RULES = (
    NOT_UTF8,
    UNCLOSED_TEXT,
    UNEXPECTED,
    UNCLOSED_BLOCK,
    CLOSES_NOTHING,
    UNCLOSED_BRACKET,
    BAD_ESCAPE,
    BAD_NUMBER,
    TEXT_MARGIN,
    STRAY_DOCUMENTATION,
    OVER_LIMIT,
    NESTED_TOO_DEEP,
    TEXT_FORM,
    BAD_NAME,
)

__all__ = [
    "BAD_ESCAPE",
    "BAD_NAME",
    "BAD_NUMBER",
    "CLOSES_NOTHING",
    "NESTED_TOO_DEEP",
    "NOT_UTF8",
    "OVER_LIMIT",
    "STRAY_DOCUMENTATION",
    "SYNTAX_RULES",
    "TEXT_FORM",
    "TEXT_MARGIN",
    "UNCLOSED_BLOCK",
    "UNCLOSED_BRACKET",
    "UNCLOSED_TEXT",
    "UNEXPECTED",
]
