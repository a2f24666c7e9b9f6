"""Raw text to where a broken statement ends: knows brackets, texts and comments, nothing of the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PIECE = re.compile(
    r"""(?P<long>(?P<fence>"{3,})[ \t]*\r?\n(?:[^\n]*\n)*?[ \t]*(?P=fence)(?!"))"""
    r"""|(?P<text>"(?:[^"\\\n]|\\[^\n])*"?)"""
    r"""|(?P<comment>\#[^\n]*)"""
    r"""|(?P<lines>\n(?:[ \t\r]*\n)*)"""
    r"""|(?P<open>[({\[])"""
    r"""|(?P<close>[)}\]])"""
    r"""|(?P<other>[^"\#\n(){}\[\]]+)"""
)
WORD = re.compile(r"[a-z]+(?![\w-])|\|")
CONTINUATIONS = {"file": ("|", "on", "operation", "means"), "on": ("requires", "when", "and", "or")}
CLOSING = (")", "]", "}")
CLOSER = {"(": ")", "[": "]", "{": "}"}
INDENT = re.compile(r"[ \t]*")


def pieces(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The text cut into brackets, texts, comments, line breaks and the rest; the group says which."""
    return PIECE.finditer(text, start, end)


def indent(text: str, at: int) -> int:
    """How far the line of a place is indented."""
    start = text.rfind("\n", 0, at) + 1
    found = INDENT.match(text, start)
    return found.end() - start if found else 0


def line_end(text: str, at: int) -> int:
    """Where the line of a place ends."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


@dataclass(frozen=True, slots=True)
class Statement:
    """What is known of a statement that is skipped: the brackets of values that are open, how far its first line is
    indented, the block it stands in."""

    brackets: tuple[str, ...]
    margin: int
    block: str

    def end(self, text: str, start: int, comments: dict[int, int]) -> int:
        """Where it ends: at the line break outside all brackets, or the `}` of its block. Comments passed are kept.

        A block opened on the way is skipped whole. A round or square bracket left open must not swallow the file, so
        a line indented no deeper than the statement ends it; one less deep ends any bracket.
        """
        stack = list(self.brackets)
        for piece in pieces(text, start, len(text)):
            match piece.lastgroup:
                case "lines":
                    if self._ends_at(text, piece.end(), stack):
                        return piece.start()
                case "open":
                    stack.append(piece[0])
                case "close":
                    if not _close(stack, piece[0]) and piece[0] == "}" and self.block != "file":
                        return piece.start()
                case "comment":
                    comments[piece.start()] = piece.end() - piece[0].endswith("\r")
        return len(text)

    def _ends_at(self, text: str, line: int, stack: list[str]) -> bool:
        """Whether a line begins another statement."""
        width = indent(text, line)
        sign = text[line + width : line + width + 1]
        word = WORD.match(text, line + width)
        if not stack:
            goes_on = word is not None and word[0] in CONTINUATIONS.get(self.block, ())
            in_file = self.block == "file" and (width > self.margin or sign in (")", "]"))
            return not (goes_on or in_file)
        if width < self.margin:
            return True
        return width == self.margin and stack[-1] != "{" and sign not in CLOSING


def _close(stack: list[str], sign: str) -> bool:
    """Take the bracket that a sign closes off the stack, and those left open inside it; False where there is none."""
    for at in range(len(stack) - 1, -1, -1):
        if CLOSER[stack[at]] == sign:
            del stack[at:]
            return True
    return False


def closes(text: str, bracket: int, margin: int) -> bool:
    """Whether a bracket is closed: by its own kind, before a line indented no deeper than `margin` begins otherwise."""
    if text[bracket : bracket + 1] not in CLOSER:
        return True  # one that recovery has put in
    stack: list[str] = []
    for piece in pieces(text, bracket, len(text)):
        match piece.lastgroup:
            case "open":
                stack.append(CLOSER[piece[0]])
            case "close":
                if piece[0] != stack.pop():
                    return False
                if not stack:
                    return True
            case "lines":
                at = piece.end() + indent(text, piece.end())
                if indent(text, piece.end()) <= margin and text[at : at + 1] not in (*CLOSING, "#"):
                    return False
    return False
