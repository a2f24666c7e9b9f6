"""The colours of a picture, by what they are for, dark ones beside the light ones. Text has a contrast above 4.5."""

from __future__ import annotations

PAPER, INK, MUTED = "#ffffff", "#1f2328", "#57606a"

BOXES = {
    "step": ("#f6f8fa", "#6e7781"),
    "start": ("#ddf4ff", "#0969da"),
    "end": ("#dafbe1", "#1a7f37"),
    "elsewhere": (PAPER, "#6e7781"),
}
"""Fill and border of a box."""

ARROWS = {"automatic": "#57606a", "guarded": "#0550ae", "approval": "#8a4600", "pull": "#6639ba", "between": "#57606a"}

STAGE = "#afb8c1"
"""The frame of a stage, which is named besides."""

NAMES = {
    "paper": (PAPER, "#0d1117"),
    "ink": (INK, "#e6edf3"),
    "muted": (MUTED, "#9da7b3"),
    "step": (BOXES["step"][0], "#161b22"),
    "step-line": (BOXES["step"][1], "#7d8590"),
    "start": (BOXES["start"][0], "#0c2744"),
    "start-line": (BOXES["start"][1], "#58a6ff"),
    "end": (BOXES["end"][0], "#10281a"),
    "end-line": (BOXES["end"][1], "#3fb950"),
    "elsewhere": (PAPER, "#0d1117"),
    "elsewhere-line": (BOXES["elsewhere"][1], "#7d8590"),
    "stage-line": (STAGE, "#484f58"),
    "automatic": (ARROWS["automatic"], "#9da7b3"),
    "guarded": (ARROWS["guarded"], "#79c0ff"),
    "approval": (ARROWS["approval"], "#e3b341"),
    "pull": (ARROWS["pull"], "#d2a8ff"),
    "between": (ARROWS["between"], "#9da7b3"),
}
"""The custom properties of an SVG: name, light, dark."""
