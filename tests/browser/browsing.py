"""An installed Chromium, and what is asked of a page in it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE, DESK = (390, 844), (1280, 900)


@cache
def chromium() -> str | None:
    """Where one is installed that answers: on some systems a command of this name only says where to get it."""
    there = filter(None, map(shutil.which, NAMES))
    return next((path for path in there if not subprocess.call([path, "--version"], **_SILENT)), None)


_SILENT: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}


@contextmanager
def started() -> Iterator[Browser]:
    """One that runs without a window."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=[*QUIET])
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page that is looked at, and what went wrong or was asked for meanwhile."""

    page: Page
    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda said: self.wrong.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.asked.append(request.url))

    def _dialog(self, shown: Dialog) -> None:
        self.wrong.append(f"dialog {shown.message}")
        shown.dismiss()

    def open(self, path: Path, place: str = "") -> Page:
        """Go to a file."""
        self.page.goto(path.as_uri() + place)
        return self.page

    def violations(self, *within: str) -> list[str]:
        """What axe-core has to say against the page, or against parts of it."""
        self.page.evaluate(_axe())
        run = "(parts) => axe.run(parts.length ? { include: parts.map((part) => [part]) } : document)"
        found: Any = self.page.evaluate(run, [*within])["violations"]
        return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


@cache
def _axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


@contextmanager
def visit(
    browser: Browser, size: tuple[int, int] = DESK, *, dark: bool = False, scripts: bool = True
) -> Iterator[Visit]:
    """A new window. At its end nothing must have gone wrong, and nothing have been asked of the network."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
        reduced_motion="reduce",
    )
    shown = Visit(context.new_page())
    yield shown
    context.close()
    assert shown.wrong == []
    assert [url for url in shown.asked if not url.startswith(("file:", "data:"))] == []


LABELS = """() => [...document.querySelectorAll("svg.newel-picture")].map((picture) => {
  const place = (element) => {
    const box = element.getBoundingClientRect();
    return { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
  };
  const texts = (group) => group.matches("text") ? [group] : [...group.querySelectorAll("text")];
  const measured = (text, number) => {
    const box = place(text), height = box.bottom - box.top;
    const size = parseFloat(text.getAttribute("font-size")) * text.getScreenCTM().a;
    const inside = { top: box.top + height * 0.12, bottom: box.bottom - height * 0.12 };
    return { said: text.textContent, group: number, size, ...box, ...inside };
  };
  const groups = [...picture.querySelectorAll("g.label, g.box, text.heading")];
  return {
    texts: groups.flatMap((group, number) => texts(group).map((text) => measured(text, number))),
    outlines: [...picture.querySelectorAll("g.box")].map((box, number) => ({ group: number, ...place(box) })),
    frame: place(picture),
  };
})"""
"""The texts of each picture with the box or arrow they belong to, and their places on the screen."""


def crossing(found: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The rectangles of different groups that share more than an edge."""
    sorted_, crossed = sorted(found, key=lambda each: each["top"]), []
    for index, a in enumerate(sorted_):
        for b in sorted_[index + 1 :]:
            if b["top"] >= a["bottom"] - 0.5:
                break
            wide = min(a["right"], b["right"]) - max(a["left"], b["left"])
            high = min(a["bottom"], b["bottom"]) - b["top"]
            if wide > 0.5 and high > 0.5 and a["group"] != b["group"]:
                crossed.append((a, b))
    return crossed
