"""A whole course by nbgrader's own commands, through an exchange folder."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.assignment import EXPECTED
from autograder.exam.expected_json import same_expected
from tests.nbgrader.course import (
    NAME,
    ROOT,
    Course,
    Student,
    cell_of,
    code_cell,
    example,
    filled,
    words,
)
from tests.nbgrader.hand_ins import ANSWER
from tests.nbgrader.test_course import book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows"),
]

# Found from the settings' own place: the tests copy all of this.
INSTRUCTOR = """\
c.Exchange.root = str(ROOT.parent / "exchange")
c.ExchangeCollect.check_owner = False  # all of them have one account here
"""
STUDENT = """\
from pathlib import Path
c = get_config()
c.CourseDirectory.course_id = "self-attention"
c.CourseDirectory.student_id = {name!r}
c.Exchange.root = str(Path(__file__).resolve().parents[3] / "exchange")
"""

# What the steps of each of them earn, of 20.
TOTALS = {
    "bob": 16.5,  # took the softmax along the wrong axis, and answered the question
    "carol": 20,  # worked in the module and left the notebook alone
    "dave": 20,  # has cells of his own, which his steps need
}
SCORE, PRAISE = 3.5, "Now say what that does to the softmax."


@dataclass(frozen=True)
class Term:
    root: Path

    @property
    def course(self) -> Course:
        return Course(self.root / "project")

    def student(self, name: str) -> Student:
        return Student(name, self.root / "homes" / name)

    @property
    def students(self) -> list[Student]:
        return [self.student(name) for name in TOTALS]


def work(term: Term, right: str) -> None:
    release = term.course.release()
    mistaken = filled(release, example("farid-h"))
    cell_of(mistaken, "question-1")["source"] = ANSWER
    term.student("bob").hand_in(mistaken)
    term.student("carol").hand_in(module=right)
    own = filled(release, right)
    step = cell_of(own, "scale_scores")
    step["source"] = "def scale_scores(scores, d_k):\n    return scores / root(d_k)\n"
    helper = code_cell("mine", "def root(number):\n    return number**0.5\n")
    own["cells"].insert(own["cells"].index(step), helper)
    own["cells"].append(code_cell("last", "1 / 0"))
    term.student("dave").hand_in(own)


def mark_by_hand(term: Term) -> None:
    names = (NAME, NAME, "bob")
    with book(term.course) as gradebook:
        grade = gradebook.find_grade("question-1", *names)
        assert grade.needs_manual_grade
        grade.manual_score, grade.needs_manual_grade = SCORE, False
        gradebook.find_comment("question-1", *names).manual_comment = PRAISE
        gradebook.db.commit()


@pytest.fixture(scope="module")
def term(
    released: Course, right: str, once: Callable[[str, Callable[[Path], object]], Path]
) -> Term:
    return Term(once("term", lambda folder: teach(Term(folder), released, right)))


def teach(term: Term, released: Course, right: str) -> None:
    shutil.copytree(released.root, term.course.root)
    term.course.configure(INSTRUCTOR)
    term.course.run("release_assignment", NAME)
    for student in term.students:
        settings = student.home / ".jupyter" / "nbgrader_config.py"
        settings.parent.mkdir(parents=True)
        settings.write_text(STUDENT.format(name=student.name), encoding="utf-8")
        student.run("fetch_assignment")
    shutil.copytree(term.students[0].folder, term.root / "fetched")
    work(term, right)
    term.course.run("collect", NAME)
    term.course.autograde()
    mark_by_hand(term)
    term.course.run("generate_feedback", NAME)
    term.course.run("release_feedback", NAME)
    for student in term.students:
        student.run("fetch_feedback")


def test_students_fetch_the_released_folder_and_nothing_else(term: Term) -> None:
    fetched = {path.name: path.read_bytes() for path in (term.root / "fetched").iterdir()}
    released = (ROOT / "assignments" / NAME).iterdir()
    expected = {path.name: path.read_bytes() for path in released if path.is_file()}
    assert same_expected(fetched.pop(EXPECTED), expected.pop(EXPECTED))
    assert fetched == expected


def test_marks_are_those_of_what_was_done(term: Term) -> None:
    assert {name: term.course.total(name) for name in term.course.grades()} == TOTALS


def test_students_fetch_their_own_feedback(term: Term) -> None:
    said = {
        "bob": ["The steps earned 16.5 of 20 points.", ANSWER, PRAISE],
        "carol": [f"{NAME}.py was graded: it is the one you worked in"],
        "dave": ["The steps earned 20 of 20 points.", "def root(number):", "No response."],
    }
    for name, parts in said.items():
        *_, last = sorted(term.student(name).folder.glob(f"feedback/*/{NAME}.html"))
        page = words(last)
        for part in parts:
            assert part in page
        assert (PRAISE in page) is (name == "bob")
