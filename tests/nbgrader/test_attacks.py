"""What earns points in a kernel of stock nbgrader's, or costs them there, and does not here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.course import NAME, Course, code_cell, copy_course

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

STEP = "attention_score"
WRONG = f"def {STEP}(query, key):\n    return query.sum()\n"
RIGHT = f"def {STEP}(query, key):\n    return query @ key\n"
HIDDEN = "the hidden test"
TEST = f"""\
### BEGIN HIDDEN TESTS
import torch  # {HIDDEN}
query, key = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0])
assert torch.allclose({STEP}(query, key), torch.tensor(13.0))
### END HIDDEN TESTS"""

GRADEBOOK = """\
import sqlite3
with sqlite3.connect("../../../gradebook.db") as book:
    book.execute("UPDATE grade SET manual_score = 1")
"""

# What a cell before the step says, and the step.
ATTACKS = {
    "transformer": (
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])",
        WRONG,
    ),
    "display-hook": (
        "import sys",
        f"def {STEP}(query, key):\n    sys.displayhook(1.0)\n    raise ValueError\n",
    ),
    "traceback": ("type(get_ipython()).showtraceback = lambda *a, **k: None", WRONG),
    "gradebook": (
        GRADEBOOK,
        WRONG,
    ),
    "reads-the-test": (
        "",
        f"def {STEP}(query, key):\n    print(get_ipython().user_ns['In'][-1])\n    return query.sum()\n",
    ),
    "noise": ("import warnings", RIGHT.replace("return", "warnings.warn('noise')\n    return")),
    "honest-right": ("", RIGHT),
    "honest-wrong": ("", WRONG),
}
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


def hand_in(course: Course) -> None:
    for student, (before, step) in ATTACKS.items():
        notebook = course.release()
        place = [cell["id"] for cell in notebook["cells"]].index(STEP)
        notebook["cells"][place]["source"] = step
        notebook["cells"].insert(place, code_cell("own", before))
        course.submit(student, notebook)


def earned(course: Course, student: str) -> float:
    """What counts in the end: a manual score goes before the automatic one."""
    grade = course.grades()[student][f"check_{STEP}"]
    return float(grade.auto or 0.0) if grade.manual is None else grade.manual


def test_attacks_on_the_kernel_earn_nothing_and_noise_costs_nothing(
    released: Course, tmp_path: Path
) -> None:
    """Each student alone in stock's gradebook, since one of them changes everybody's marks there."""
    stock = stock_course(tmp_path / "stock")
    ours = copy_course(released, tmp_path / "ours")
    hand_in(stock)
    hand_in(ours)

    others = ",".join(student for student in ATTACKS if student != "gradebook")
    stock.autograde("--CourseDirectory.student_id_exclude=gradebook", ok=True)
    stock_marks = {student: earned(stock, student) for student in others.split(",")}
    stock.autograde("--student=gradebook")
    stock_marks["gradebook"] = earned(stock, "gradebook")
    ours.autograde()

    assert stock_marks == STOCK
    assert {student: earned(ours, student) for student in ATTACKS} == OURS
    assert {student: ours.total(student) for student in ATTACKS} == OURS
    assert HIDDEN in str(stock.autograded("reads-the-test")["cells"][-1]["outputs"])
    # Nothing that a student's code prints gets into the feedback, and no test is there to be read.
    assert all(HIDDEN not in str(ours.autograded(student)) for student in ATTACKS)
    assert all(
        grade.manual is None for grades in ours.grades().values() for grade in grades.values()
    )


def test_no_kernel_is_started(course: Course, right: str) -> None:
    """Where there is none at all, everything is graded all the same."""
    course.submit("alice", module=right)
    course.submit("bob", course.release())
    course.configure(
        "import jupyter_client.manager as manager\n"
        "def start(*a, **k): raise SystemExit('a kernel was started')\n"
        "manager.KernelManager.start_kernel = manager.AsyncKernelManager.start_kernel = start"
    )

    course.autograde()

    assert (course.total("alice"), course.total("bob")) == (20, 0)
