"""Workflows to the board files of other programs. What a form has no words for is an error that names it, and never
left out unasked."""

from newel.compiler.boards.exporting import BOARDS, Exported, export_checked, export_text
from newel.compiler.boards.rules import EXPORT_RULES

__all__ = ["BOARDS", "EXPORT_RULES", "Exported", "export_checked", "export_text"]
