"""The marks of a class and its feedback pages: what they say, and what hostile texts do there."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.course import NAME, words
from tests.nbgrader.hand_ins import HOSTILE, OTHERWISE_NAMED, UNFIT
from tests.test_examples import MARKS

bs4 = pytest.importorskip("bs4")

if TYPE_CHECKING:
    from pathlib import Path

    from tests.nbgrader.course import Course

pytestmark = pytest.mark.slow


def page_of(course: Course, student: str) -> Path:
    return course.root / "course" / "feedback" / student / NAME / f"{NAME}.html"


def loading(page: Any) -> list[str]:
    """What a page could load: each element and style that names something which is not in it."""
    tags = page.find_all(True)
    kinds = ("script", "iframe", "object", "embed", "link", "video", "audio", "base", "svg", "form")
    found = [
        str(tag)[:200] for tag in tags if tag.name in kinds or {"ping", "srcset"} & {*tag.attrs}
    ]
    found += [
        tag["src"] for tag in tags if not tag.get("src", "data:image/").startswith("data:image/")
    ]
    styles = [str(tag.string) for tag in tags if tag.name == "style"]
    styles += [tag["style"] for tag in tags if tag.get("style")]
    return found + [
        one for style in styles for one in re.findall(r"url\(['\"]?(https?:[^)]*)", style)
    ]


def test_the_feedback_of_a_hostile_notebook_loads_nothing_and_stays_short(graded: Course) -> None:
    """The page is made from nothing but what is kept of the notebook."""
    text = page_of(graded, "page-hostile").read_text(encoding="utf-8")
    page = bs4.BeautifulSoup(text, "html.parser")
    assert loading(page) == []
    assert "default-src 'none'" in page.find("meta")["content"]
    cells = [graded.autograded(student)["cells"] for student in HOSTILE]
    assert len(cells[0]) == len(cells[1])
    sizes = [len(json.dumps(some)) for some in cells]
    assert abs(sizes[1] - sizes[0]) < 1_000
    assert max(sizes) < 1_000_000


def test_a_students_html_is_shown_and_not_run(graded: Course) -> None:
    text = page_of(graded, "page-wrong").read_text(encoding="utf-8")
    for number in (1, 3):
        assert f"alert({number})" in text
    assert "<script>alert" not in text
    assert "<img src=x" not in text


def test_feedback_shows_marks_and_words_and_begins_with_the_first_wrong_step(
    graded: Course,
) -> None:
    text = page_of(graded, "page-wrong").read_text(encoding="utf-8")
    assert graded.marks("page-wrong")["project"] == 0
    parts = (
        f"The steps earned {graded.total('page-wrong'):g} of 20 points.",
        "Begin with <code>project</code>",
        '<a href="#check_project">project</a>: 0 of 1',
        "<code>project</code>: 0 of 1 points",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_markers_see_the_marking_scheme_and_students_do_not(graded: Course) -> None:
    """It is neither in the release nor in the feedback; nbgrader's gradebook keeps it."""
    notebook = graded.autograded("page-wrong")
    cells = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    asked, _, scheme = cells["question-1-text"].partition("=== BEGIN MARK SCHEME ===")
    by_hand = "they come on top of those of the steps"
    feedback = page_of(graded, "page-wrong").read_text(encoding="utf-8")
    assert "One mark" in scheme
    assert by_hand in asked
    assert by_hand in feedback
    for shown in (str(graded.release()), feedback):
        assert "MARK SCHEME" not in shown
        assert "One mark" not in shown


def test_feedback_shows_the_students_own_code_step_by_step(graded: Course) -> None:
    shown = words(page_of(graded, "page-module"))
    parts = (
        "def attention_score(",
        "def scale_scores(scores, d_k): return",
        "def attention_weights(",
        "def my_own_helper():",
    )
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    assert f"# {NAME}.py, line" in shown
    steps = sum(name.startswith("check_") for name in graded.grades()["page-module"])
    stub = words(page_of(graded, "page-stub"))
    assert stub.count("No response.") == steps + 1  # and the question
    assert shown.count("No response.") == steps  # one step is answered


def test_what_cannot_be_graded_is_rejected_in_words(graded: Course, said: str) -> None:
    assert "Traceback" not in said
    for student, (_, why) in UNFIT.items():
        assert f"{student} is rejected: " in said
        assert why in said
        assert why in graded.said(student)
        assert graded.total(student) == 0
    shown = words(page_of(graded, "page-unfit-two"))
    assert shown.index(f"Rejected: It is not clear which file is your {NAME}.py") < shown.index(
        "0 of 11 steps"
    )
    assert UNFIT["page-unfit-two"][1].replace("`", "") in shown
    assert "No response." not in shown


def test_one_file_with_another_name_is_graded_shown_and_told(graded: Course, right: str) -> None:
    last = right.splitlines()[-1].strip()
    for student, name in OTHERWISE_NAMED.items():
        assert graded.total(student) == 20, student
        told = graded.said(student).replace("`", "")
        assert f"There is no {NAME}.py, so {name} was graded." in told, student
        sources = ["".join(cell["source"]) for cell in graded.autograded(student)["cells"]]
        assert any(last in source for source in sources), student
    shown = words(page_of(graded, "page-named-copied"))
    assert f"There is no {NAME}.py, so {OTHERWISE_NAMED['page-named-copied']} was graded." in shown
    assert last in shown


def test_the_examples_earn_the_same_as_notebooks_and_as_modules(graded: Course) -> None:
    assert {student: f"{graded.total(student):g}" for student in MARKS} == MARKS
    modules = [one for one in MARKS if f"{one}-module" in graded.grades()]
    assert len(modules) >= 3
    for student in modules:
        assert graded.marks(f"{student}-module") == graded.marks(student), student
