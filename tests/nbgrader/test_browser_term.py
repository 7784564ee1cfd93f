"""A term in which half of the class hands in `.py` files, as the instructor sees it in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.nbgrader.browsing import new_page
from tests.nbgrader.course import NAME, Course, cell_of, example, filled
from tests.nbgrader.test_browser import (
    ANSWER,
    QUESTION,
    Formgrader,
    browser,
    open_formgrader,
    page,
    pytestmark,
    shots,
)
from tests.nbgrader.test_course import book

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, expect
else:
    expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

__all__ = ["browser", "page", "pytestmark", "shots"]

DUE = "2030-01-01 12:00:00 UTC"
IN_TIME, LATE = "2030-01-01 11:59:00 UTC", "2030-01-02 12:00:00 UTC"
PLUGIN = """\
from nbgrader.plugins import BasePlugin
class Half(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score / 2
"""


@pytest.fixture
def term(course: Course, right: str) -> Course:
    """Six students, three with notebooks and three with modules, two of them late, graded once."""
    (course.root / "late.py").write_text(PLUGIN)
    course.configure("c.AssignLatePenalties.plugin_class = 'late.Half'")
    course.configure(f"import sys; sys.path.insert(0, {str(course.root)!r})")
    with book(course) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=DUE)
        for student, first, last in (("dave", "Dave", "van der Berg"), ("erin", "Erin", "Wang")):
            gradebook.update_or_create_student(student, first_name=first, last_name=last)
    mistaken = filled(course.release(), example("farid-h"))
    cell_of(mistaken, QUESTION)["source"] = ANSWER
    course.submit("alice", filled(course.release(), right), timestamp=IN_TIME)
    course.submit("bob", mistaken, timestamp=LATE)
    course.submit("carol", filled(course.release(), example("elif-y")), timestamp=IN_TIME)
    folder = course.submit("dave", module=example("farid-h"), timestamp=IN_TIME)
    (folder / f"{QUESTION}.md").write_text(ANSWER, encoding="utf-8")
    course.submit("erin", module=right, timestamp=LATE)
    course.submit("frank", module=example("farid-h"), timestamp=IN_TIME)
    course.autograde()
    return course


@pytest.fixture
def formgrader(term: Course, page: Page, tmp_path: Path) -> Iterator[Formgrader]:
    """Formgrader of this term."""
    with open_formgrader(term, page, tmp_path) as shown:
        yield shown


def test_modules_and_notebooks_are_marked_late_and_graded_again_alike(
    term: Course, right: str, formgrader: Formgrader, browser: Browser, shots: Path
) -> None:
    formgrader.follow("gradebook", f"gradebook/{NAME}", f"gradebook/{NAME}/{NAME}")
    expect(formgrader.row("16.5 / 24")).to_have_count(3)
    formgrader.page.screenshot(path=shots / "term-gradebook.png")
    assert {name: term.total(name) for name in term.grades()} == {
        "alice": 20,
        "bob": 16.5,
        "carol": 19,
        "dave": 16.5,
        "erin": 20,
        "frank": 16.5,
    }
    with book(term) as gradebook:
        penalties = {
            one: gradebook.find_submission_notebook(NAME, NAME, one).late_submission_penalty
            for one in term.grades()
        }
    assert {one: lost for one, lost in penalties.items() if lost} == {"bob": 8.25, "erin": 10}
    formgrader.follow("manage_assignments")
    formgrader.row(NAME).locator(".num-submissions a").click()
    expect(formgrader.row("van der Berg, Dave")).to_have_count(1)
    formgrader.page.screenshot(path=shots / "term-submissions.png")

    term.submit("frank", module=right)
    formgrader.row("frank").locator(".autograde a").click()
    expect(formgrader.frame.locator(".modal-body")).to_contain_text("Successfully autograded")
    assert (term.total("frank"), term.total("dave")) == (20, 16.5)

    term.run("generate_feedback", NAME)
    shown = new_page(browser)
    for student, words in (
        ("bob", "The steps earned 16.5 of 20 points."),
        ("dave", "The steps earned 16.5 of 20 points."),
        ("erin", "The steps earned 20 of 20 points."),
        ("frank", "The steps earned 20 of 20 points."),
    ):
        path = term.root / "course" / "feedback" / student / NAME / f"{NAME}.html"
        shown.goto(path.as_uri())
        head = shown.locator(".panel-heading").first
        expect(head).to_contain_text(words)
        shown.screenshot(path=shots / f"term-feedback-{student}.png")
    shown.close()
