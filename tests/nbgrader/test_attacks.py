"""What earns points in a kernel of stock nbgrader's, or costs them there, and does not here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.course import NAME, Course, code_cell
from tests.nbgrader.hand_ins import ATTACKED as STEP
from tests.nbgrader.hand_ins import ATTACKS, hand_in_attacks

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

HIDDEN = "the hidden test"
# Without torch, which each kernel would import.
TEST = f"""\
### BEGIN HIDDEN TESTS
import numpy as np  # {HIDDEN}
assert {STEP}(np.array([1.0, 2.0]), np.array([3.0, 5.0])) == 13.0
### END HIDDEN TESTS"""

# What stock nbgrader gives: full marks for nothing, and nothing for what is right but noisy. 0.9.6 no longer falls
# for silenced tracebacks.
STOCK = {
    "transformer": 1.0,
    "display-hook": 1.0,
    "traceback": 0.0,
    "gradebook": 1.0,
    "reads-the-test": 0.0,
    "noise": 0.0,
    "honest-right": 1.0,
    "honest-wrong": 0.0,
}
OURS = dict.fromkeys(ATTACKS, 0.0) | {"noise": 1.0, "honest-right": 1.0}


def graded_cell(name: str, source: str, **nbgrader: Any) -> dict[str, Any]:
    fixed = {"grade": False, "locked": False, "solution": False, "task": False}
    metadata = fixed | {"schema_version": 3, "grade_id": name} | nbgrader
    return {**code_cell(name, source), "metadata": {"nbgrader": metadata}}


def stock_course(root: Path) -> Course:
    """A course of stock nbgrader's with the one step and its hidden test."""
    course = Course(root)
    root.mkdir()
    layout = ["source", "submitted", "autograded", "feedback"]
    lines = [f"c.CourseDirectory.{step}_directory = 'course/{step}'" for step in layout]
    database = f"sqlite:///{(root / 'course' / 'gradebook.db').as_posix()}"
    lines += ["c.CourseDirectory.release_directory = 'assignments'"]
    lines += ["from autograder.nbgrader.config import find_our_programs as find", "find()"]
    lines += [f"c.CourseDirectory.db_url = {database!r}"]
    (root / "nbgrader_config.py").write_text("c = get_config()\n" + "\n".join(lines) + "\n")
    step = f"def {STEP}(query, key):\n    ### BEGIN SOLUTION\n    return query @ key\n    ### END SOLUTION"
    cells = [
        graded_cell(STEP, step, solution=True),
        graded_cell(f"check_{STEP}", TEST, grade=True, locked=True, points=1),
    ]
    course.write_source(cells)
    course.run("generate_assignment", NAME)
    return course


def earned(course: Course, student: str) -> float:
    """What counts in the end: a manual score goes before the automatic one."""
    grade = course.grades()[student][f"check_{STEP}"]
    return float(grade.auto or 0.0) if grade.manual is None else grade.manual


def test_attacks_on_the_kernel_earn_points_of_stock_nbgrader(tmp_path: Path) -> None:
    """Each student alone in stock's gradebook, since one of them changes everybody's marks there."""
    stock = stock_course(tmp_path / "stock")
    hand_in_attacks(stock)

    others = [student for student in ATTACKS if student != "gradebook"]
    stock.autograde("--CourseDirectory.student_id_exclude=gradebook")
    marks = {student: earned(stock, student) for student in others}
    stock.autograde("--student=gradebook")
    marks["gradebook"] = earned(stock, "gradebook")

    assert marks == STOCK
    assert HIDDEN in str(stock.autograded("reads-the-test")["cells"][-1]["outputs"])


def test_attacks_on_the_kernel_earn_nothing_here_and_noise_costs_nothing(graded: Course) -> None:
    assert {student: earned(graded, student) for student in ATTACKS} == OURS
    assert {student: graded.total(student) for student in ATTACKS} == OURS
    # Nothing that a student's code prints gets into the feedback, and no test is there to be read.
    assert all(HIDDEN not in str(graded.autograded(student)) for student in ATTACKS)
    assert all(
        grade.manual is None for grades in graded.grades().values() for grade in grades.values()
    )
