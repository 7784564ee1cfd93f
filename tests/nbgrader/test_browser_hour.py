"""A student's hour in JupyterLab, with errors, edits and a restart: what `check` says is true of the screen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.nbgrader.test_browser import (
    CHECK,
    CONTRAST,
    PHONE,
    READABLE,
    RIGHT,
    STEP,
    THEMES,
    WRONG,
    browser,
    lab,
    opened,
    page,
    pytestmark,
    release,
    shots,
    students,
)

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page, expect

    from tests.nbgrader.browsing import Server
    from tests.nbgrader.test_browser import Notebook
else:
    expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

__all__ = ["browser", "lab", "page", "pytestmark", "shots", "students"]

BROKEN = RIGHT.replace("(scaled_scores, dim", "((scaled_scores, dim")
MINE = "init_weights"  # a cell in which the student asks how far they are


def says(notebook: Notebook, cell: str, *words: str) -> Locator:
    """What a cell shows, which has these words in it."""
    shown = notebook.cell(cell).locator(".jp-OutputArea")
    for part in words:
        expect(shown).to_contain_text(part)
    return shown


def restart(server: Server) -> None:
    for kernel in json.loads(server._ask("GET", "api/kernels")):
        server._ask("POST", f"api/kernels/{kernel['id']}/restart")


def test_an_hour_of_a_student(page: Page, students: Server, shots: Path) -> None:
    notebook = opened(page, students, release(students, "hour"))
    notebook.run("setup", "given-1", STEP, CHECK)
    says(notebook, CHECK, "not started", "If you have written code, run its cell first.")

    notebook.write(STEP, WRONG)
    notebook.run(CHECK)  # the cell was not run
    says(notebook, CHECK, "not started", "If you have written code, run its cell first.")
    notebook.save()
    notebook.run(CHECK)
    says(
        notebook,
        CHECK,
        f"The cell that defines {STEP} was edited after In [",
        "run it, then check again",
    )
    page.screenshot(path=shots / "edited.png")

    notebook.run(STEP, CHECK)
    beside = (notebook.cell(STEP).locator(".jp-InputPrompt").text_content() or "").rstrip(":")
    says(notebook, CHECK, "wrong", f"Checked: In {beside}, cell {STEP}.")
    notebook.write(STEP, RIGHT)
    notebook.run(STEP, CHECK)
    says(notebook, CHECK, "passed", "Next: context_vectors.")
    page.screenshot(path=shots / "green.png")

    notebook.write(STEP, BROKEN)
    notebook.run(STEP, CHECK)
    says(notebook, CHECK, "missing", "cannot be read: In [")
    page.screenshot(path=shots / "broken.png")

    restart(students)
    notebook.run("given-1", "setup", CHECK)  # in another order, so that each number is new
    says(notebook, CHECK, "has not run a cell that defines")
    notebook.write(STEP, RIGHT)
    notebook.run(STEP, CHECK)  # without the given cell, which grading has all the same
    says(notebook, CHECK, "passed")
    notebook.write(MINE, "check()")
    notebook.run(MINE)
    table = says(
        notebook,
        MINE,
        "2 of 20 points so far in the public checks",
        "Next: init_weights.",
        "What is left:",
    )
    expect(table.locator('th[scope="row"]')).to_have_count(11)
    notebook.save()
    look(page, notebook, shots)


def look(page: Page, notebook: Notebook, shots: Path) -> None:
    """The table and a step's words in light and dark, on a laptop and on a phone."""
    for theme, light in THEMES.items():
        page.set_viewport_size({"width": 1280, "height": 1000})
        page.emulate_media(color_scheme=theme)
        page.reload()  # older versions of JupyterLab ask the browser for its theme only once
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)
        for name in (MINE, CHECK):
            output = notebook.cell(name).locator(".jp-RenderedHTML").first
            output.screenshot(path=shots / f"hour-{name}-{theme}.png")
            assert output.evaluate(CONTRAST) >= READABLE, (name, theme)
    page.keyboard.press("ControlOrMeta+b")  # the list of files takes half of a phone
    page.set_viewport_size({"width": PHONE, "height": 800})
    output = notebook.cell(MINE).locator(".jp-RenderedHTML").first
    output.scroll_into_view_if_needed()
    page.screenshot(path=shots / "hour-phone.png")
    assert output.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
