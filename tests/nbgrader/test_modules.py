"""Students who hand in a `.py` file, and students who hand in what cannot be graded."""

from __future__ import annotations

import json
import os

import pytest

from tests.nbgrader.course import NAME, ROOT, Course, filled
from tests.nbgrader.test_course import book
from tests.nbgrader.test_whole_course import example, words

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::sqlalchemy.exc.SAWarning"),
]

STUB = (ROOT / "assignments" / NAME / f"{NAME}.py").read_text(encoding="utf-8")
ANSWER = "Because the variance of a dot product grows with d_k."
# What formgrader does when the button beside a student is pressed, and what its page then lists.
BUTTON = """\
from nbgrader.apps import NbGraderAPI, NbGrader
app = NbGrader(); app.initialize([])
api = NbGraderAPI(app.coursedir, parent=app)
for student in {students!r}: print(api.autograde({name!r}, student)["success"])
print({{one["student"]: one["autograded"] for one in api.get_submissions({name!r})}})
"""


def page(course: Course, student: str) -> str:
    return words(course.root / "course" / "feedback" / student / NAME / f"{NAME}.html")


def press(course: Course, *students: str) -> list[str]:
    said = course.python(BUTTON.format(students=students, name=NAME))
    return [line for line in said.splitlines() if line.startswith(("True", "False", "{"))]


def test_a_class_of_modules_is_graded_at_once_and_one_by_one(course: Course, right: str) -> None:
    course.submit("alice", module=right)
    course.submit("bob", module=example("farid-h"))
    course.submit("carol", module=right)

    said = course.autograde("--student=bob")

    assert list(course.grades()) == ["bob"]
    assert "No submitted file" not in said
    course.autograde()
    assert {name: course.total(name) for name in course.grades()} == {
        "alice": 20,
        "bob": 15,
        "carol": 20,
    }
    course.submit("bob", module=right)
    course.autograde("--student=bob", "--force")
    assert course.total("bob") == 20
    course.submit("carol", module=example("farid-h"))
    assert press(course, "alice", "carol") == [
        "True",
        "True",
        str({"alice": True, "bob": True, "carol": True}),
    ]
    assert course.total("carol") == 15
    copied = course.root / "course" / "autograded" / "carol" / NAME / f"{NAME}.py"
    assert copied.read_text(encoding="utf-8") == example("farid-h")


def test_feedback_shows_the_students_own_code_step_by_step(course: Course) -> None:
    wrong = "def scale_scores(scores, d_k):\n    return scores / d_k\n"
    helper = "def my_own_helper():\n    pass\n"
    before, name, after = STUB.partition("def attention_score(")
    course.submit("alice", module=f"{before}{helper}\n\n{name}{after}\n\n{wrong}")
    course.submit("bob", module=STUB)
    course.autograde()
    course.run("generate_feedback", NAME)

    shown = page(course, "alice")
    parts = (
        "def my_own_helper():",
        "def attention_score(",
        "def scale_scores(scores, d_k):",
        "def attention_weights(",
    )
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    assert f"# {NAME}.py, line" in shown
    steps = sum(name.startswith("check_") for name in course.grades()["alice"])
    assert page(course, "bob").count("No response.") == steps + 1  # and the question
    assert shown.count("No response.") == steps  # one step is answered


def test_a_module_is_late_like_a_notebook(course: Course, right: str) -> None:
    course.configure("c.LateSubmissionPlugin.penalty_method = 'zero'")
    with book(course) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2030-01-01 12:00:00 UTC")
    course.submit("alice", module=right, timestamp="2030-01-01 11:59:00 UTC")
    course.submit("bob", module=right, timestamp="2030-01-01 12:01:00 UTC")

    course.autograde()

    with book(course) as gradebook:
        found = [gradebook.find_submission_notebook(NAME, NAME, one) for one in ("alice", "bob")]
        assert [one.late_submission_penalty for one in found] == [None, 20.0]
        submission = gradebook.find_submission(NAME, "bob")
        assert (str(submission.timestamp), submission.total_seconds_late) == (
            "2030-01-01 12:01:00",
            60,
        )
    course.submit("bob", module=STUB)
    (course.root / "course/submitted/bob" / NAME / "timestamp.txt").write_text(
        "2030-01-01 12:02:00 UTC"
    )
    inbound = course.root / "exchange" / "self-attention" / "inbound"
    (inbound / f"bob+{NAME}+2030-01-01 12:02:00 UTC+x").mkdir()
    course.autograde()
    assert [course.total(one) for one in ("alice", "bob")] == [20, 0]


def test_the_answer_of_a_module_waits_for_a_person_and_keeps_its_mark(
    course: Course, right: str
) -> None:
    folder = course.submit("alice", module=right)
    (folder / "question-1.md").write_text(ANSWER, encoding="utf-8")
    course.submit("bob", module=right)
    course.autograde()
    grades = {one: course.grades()[one]["question-1"] for one in ("alice", "bob")}
    assert (grades["alice"].auto, grades["alice"].needs_manual) == (None, True)
    assert (grades["bob"].auto, grades["bob"].needs_manual) == (0, False)
    with book(course) as gradebook:
        grade = gradebook.find_grade("question-1", NAME, NAME, "alice")
        grade.manual_score, grade.needs_manual_grade = 3.0, False
        gradebook.db.commit()

    course.autograde("--force")
    course.run("generate_feedback", NAME)

    question = course.grades()["alice"]["question-1"]
    assert (question.manual, question.needs_manual) == (3.0, True)
    assert ANSWER in page(course, "alice")
    with book(course) as gradebook:
        assert gradebook.find_submission(NAME, "alice").score == 23


# What lies in a folder without a fitting file, and what is said of it.
UNFIT = {
    "pdf": (["homework.pdf"], "found `homework.pdf` (a PDF file"),
    "two": (["first.py", "second.py"], "found `first.py`, `second.py`"),
    "nothing": ([], "found nothing"),
}
# One file with another name: it is graded as `autograder grade` does, and the name is told.
OTHERWISE_NAMED = {
    "untitled": "Untitled.ipynb",
    "copied": f"{NAME} (1).ipynb",
    "capital": "Self_Attention.ipynb",
    "text": f"{NAME}.py.txt",
}


def test_what_cannot_be_graded_is_rejected_in_words_and_stops_nobody(
    course: Course, right: str
) -> None:
    for student, (names, _) in UNFIT.items():
        folder = course.submit(student)
        for name in names:
            (folder / name).write_bytes(b"%PDF-1.4")
    course.submit("zoe", filled(course.release(), right))

    said = course.autograde()
    course.run("generate_feedback", NAME)

    assert "Traceback" not in said
    assert course.total("zoe") == 20
    for student, (_, why) in UNFIT.items():
        assert f"{student} is rejected: There is no `{NAME}.py` or" in said
        assert why in said
        shown = page(course, student)
        assert shown.index(f"Rejected: There is no {NAME}.py") < shown.index("0 of 11 steps")
        assert why.replace("`", "") in shown
        assert "No response." not in shown
        assert course.total(student) == 0
    assert press(course, "pdf")[0] == "True"


def test_one_file_with_another_name_is_graded_shown_and_told(course: Course, right: str) -> None:
    notebook = json.dumps(filled(course.release(), right))
    for student, name in OTHERWISE_NAMED.items():
        (course.submit(student) / name).write_text(notebook if "ipynb" in name else right)

    said = course.autograde()
    course.run("generate_feedback", NAME)

    assert "Traceback" not in said
    for student, name in OTHERWISE_NAMED.items():
        assert course.total(student) == 20
        shown = page(course, student)
        assert f"There is no {NAME}.py, so {name} was graded." in shown
        assert right.splitlines()[-1].strip() in shown


def test_a_copy_beside_the_untouched_release_is_graded(course: Course, right: str) -> None:
    folder = course.submit("alice", course.release(), module=STUB)
    notebook = json.dumps(filled(course.release(), right))
    (folder / f"{NAME} (1).ipynb").write_text(notebook)
    course.autograde()
    assert course.total("alice") == 20
    assert f"`{NAME} (1).ipynb` was graded: it is the one you worked in" in course.said("alice")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_formgrader_lists_whatever_lies_beside_a_notebook(course: Course, right: str) -> None:
    """It reads the time of each hand-in: a FIFO would block it, and a bad time would end its page."""
    for student, content in {"bad": b"yesterday", "own": b"2030-01-01 11:59:00 UTC"}.items():
        folder = course.submit(student, module=right)
        (folder / "timestamp.txt").write_bytes(content)
    os.mkfifo(course.submit("fifo", module=right) / "timestamp.txt")

    listed = str(dict.fromkeys(("bad", "fifo", "own"), True))
    assert press(course, "bad", "fifo", "own") == ["True", "True", "True", listed]
    assert [course.total(one) for one in ("bad", "fifo", "own")] == [20, 20, 20]
