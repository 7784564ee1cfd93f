"""An instructor's course with this project's settings: what nbgrader offers around autograding goes on working."""

from __future__ import annotations

import csv
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from nbgrader.api import Gradebook

from tests.nbgrader.course import NAME, Course, cell_of, copy_course, filled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::sqlalchemy.exc.SAWarning"),
]

HANGS = "def dot_product_variance(queries, keys):\n    while True:\n        pass\n"
# Fails in the grader itself, on one student, as long as a file is there.
BROKEN = """\
import os
import autograder.nbgrader.session as grading
whole = grading.grade
def grade(exam, submission, *rest, **options):
    if submission.student == "bob" and os.path.exists("broken"):
        raise RuntimeError("the grader is broken")
    return whole(exam, submission, *rest, **options)
grading.grade = grade
"""
# Notes with which submissions the sandbox begins while another is written down. nbgrader reads its settings thrice.
NOTING = """\
import autograder.nbgrader.session as grading
begin_next = grading.Grading.begin_next
def noting(self, student, folder):
    with open("begun", "a") as notes:
        notes.write(student + " ")
    begin_next(self, student, folder)
if begin_next.__name__ != "noting":
    grading.Grading.begin_next = noting
"""


def book(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course.root / 'course' / 'gradebook.db'}", "self-attention")


def state(course: Course) -> Path:
    """What one command leaves for the next."""
    return course.root / "course" / ".autograder" / NAME


def test_what_a_person_has_graded_survives_grading_again(course: Course, right: str) -> None:
    notebook = filled(course.release(), right)
    cell_of(notebook, "question-1")["source"] = "Because the variance grows with d_k."
    course.submit("alice", notebook)
    course.autograde()
    names = (NAME, NAME, "alice")
    with book(course) as gradebook:
        for cell, score in (("question-1", 2.0), ("check_project", 0.5)):
            grade = gradebook.find_grade(cell, *names)
            grade.manual_score, grade.extra_credit = score, 0.25
            grade.needs_manual_grade = False
        gradebook.find_comment("question-1", *names).manual_comment = "Well said."
        gradebook.db.commit()

    course.autograde("--force")

    with book(course) as gradebook:
        question = gradebook.find_grade("question-1", *names)
        check = gradebook.find_grade("check_project", *names)
        assert (question.manual_score, question.extra_credit) == (2.0, 0.25)
        assert (check.manual_score, check.auto_score, check.score) == (0.5, 1.0, 0.75)
        assert not check.needs_manual_grade
        assert gradebook.find_comment("question-1", *names).comment == "Well said."


def test_a_question_waits_for_a_person_only_if_it_was_answered(course: Course) -> None:
    answered = course.release()
    cell_of(answered, "question-1")["source"] = "Because."
    course.submit("answered", answered)
    course.submit("silent", course.release())

    course.autograde()

    grades = course.grades()
    assert grades["answered"]["question-1"].needs_manual
    assert grades["answered"]["question-1"].auto is None
    assert grades["silent"]["question-1"].auto == 0
    assert not grades["silent"]["question-1"].needs_manual
    with book(course) as gradebook:
        comment = gradebook.find_comment("question-1", NAME, NAME, "silent")
        assert comment.auto_comment == "No response."


def test_feedback_and_export_show_marks_and_words(course: Course, right: str) -> None:
    course.submit("alice", filled(course.release(), right))
    course.submit("bob", filled(course.release(), right + "\ndef project(*a):\n    return 1\n"))
    course.autograde()

    course.run("generate_feedback", NAME)
    course.run("export", "--CsvExportPlugin.to=grades.csv")

    page = course.root / "course" / "feedback" / "bob" / NAME / f"{NAME}.html"
    text = page.read_text(encoding="utf-8")
    assert "How this was graded" in text
    assert "<code>project</code>: 0 of 1 points" in text
    with (course.root / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: course.total(student) for student in ("alice", "bob")}


def test_markers_see_the_marking_scheme_and_students_do_not(course: Course) -> None:
    """It is neither in the release nor in the feedback; nbgrader's gradebook keeps it."""
    course.submit("alice", course.release())
    course.autograde()
    course.run("generate_feedback", NAME)

    cells = {cell["id"]: "".join(cell["source"]) for cell in course.autograded("alice")["cells"]}
    asked, _, scheme = cells["question-1-text"].partition("=== BEGIN MARK SCHEME ===")
    by_hand = "they come on top of those of the steps"
    page = course.root / "course" / "feedback" / "alice" / NAME / f"{NAME}.html"
    feedback = page.read_text(encoding="utf-8")
    assert "One mark" in scheme
    assert by_hand in asked
    assert by_hand in feedback
    for shown in (str(course.release()), feedback):
        assert "MARK SCHEME" not in shown
        assert "One mark" not in shown


def test_a_late_submission_pays_its_penalty_out_of_our_marks(course: Course, right: str) -> None:
    course.configure("c.LateSubmissionPlugin.penalty_method = 'zero'")
    with book(course) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2030-01-01 12:00:00 UTC")
    course.submit("alice", filled(course.release(), right), timestamp="2030-01-01 11:59:00 UTC")
    course.submit("bob", filled(course.release(), right), timestamp="2030-01-01 12:01:00 UTC")

    course.autograde()

    with book(course) as gradebook:
        found = [gradebook.find_submission_notebook(NAME, NAME, one) for one in ("alice", "bob")]
        assert [one.late_submission_penalty for one in found] == [None, 20.0]


def test_only_force_and_newer_submissions_are_graded_again(course: Course, right: str) -> None:
    course.submit("alice", course.release(), timestamp="2030-01-01 10:00:00 UTC")
    course.autograde()
    course.submit("alice", filled(course.release(), right))

    course.autograde()
    assert course.total("alice") == 0
    course.autograde("--force")
    assert course.total("alice") == 20
    course.submit("alice", course.release(), timestamp="2030-01-01 11:00:00 UTC")
    course.autograde()
    assert course.total("alice") == 0


def test_the_sandbox_begins_with_the_next_submission_that_is_not_skipped(
    course: Course, right: str
) -> None:
    for student in ("alice", "bob", "carol"):
        course.submit(student, filled(course.release(), right))
    course.submit("dan", course.release())
    course.autograde("--student=bob")
    course.configure(NOTING)

    course.autograde()
    assert (course.root / "begun").read_text() == "dan "
    course.autograde("--force")
    assert (course.root / "begun").read_text() == "dan bob carol dan "
    marks = {student: course.total(student) for student in ("alice", "bob", "carol", "dan")}
    assert marks == {"alice": 20, "bob": 20, "carol": 20, "dan": 0}


def test_the_same_seed_gives_the_same_bytes_again(course: Course, root: Path) -> None:
    wrong = (root / "examples/submissions/farid-h/self_attention.py").read_text(encoding="utf-8")
    course.submit("alice", filled(course.release(), wrong))
    course.autograde()
    first, run = course.autograded("alice"), (state(course) / "run.json").read_bytes()

    course.autograde("--force")

    assert course.autograded("alice") == first
    assert (state(course) / "run.json").read_bytes() == run


def test_the_exam_is_another_in_each_course(released: Course, tmp_path: Path) -> None:
    seeds = set()
    for name in ("one", "two"):
        course = copy_course(released, tmp_path / name)
        course.submit("alice", course.release())
        course.autograde()
        seeds.add((state(course) / "run.json").read_bytes())
    assert len(seeds) == 2


@pytest.mark.parametrize("force", [False, True])
def test_after_a_kill_the_next_command_completes_what_is_unfinished(
    course: Course, right: str, *, force: bool
) -> None:
    course.configure("c.GradingExporter.timeout = 3")
    students = ["a", "b", "c", "d"]
    for student in students:
        hangs = HANGS if student == "c" else ""
        course.submit(student, filled(course.release(), f"{right}\n{hangs}"))
    course.autograde()
    whole = {student: course.autograded(student) for student in students}
    marks = {student: course.marks(student) for student in students}
    forget(course, [] if force else students)

    running = course.start("autograde", NAME, *(["--force"] if force else []))
    wait_for(lambda: graded_now(course) == "c")
    time.sleep(0.5)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    assert graded_now(course) == "c"
    said = course.autograde()

    assert "c was being graded when the last command ended" in said
    assert {student: course.autograded(student) for student in students} == whole
    assert {student: course.marks(student) for student in students} == marks
    assert graded_now(course) == ""
    if not force:
        assert "Skipping existing assignment" in said
        assert said.count("Autograding ") == 2


def forget(course: Course, students: list[str]) -> None:
    """Undo the grading of these students."""
    for student in students:
        with book(course) as gradebook:
            gradebook.remove_submission(NAME, student)
        folder = course.root / "course" / "autograded" / student
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()


def graded_now(course: Course) -> str:
    path = state(course) / "unfinished"
    return path.read_text() if path.exists() else ""


def wait_for(happens: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_what_the_grader_fails_on_is_left_blank_and_named_and_graded_next_time(
    course: Course, right: str
) -> None:
    for student in ("alice", "bob", "carol"):
        course.submit(student, filled(course.release(), right))
    course.autograde()
    course.configure(BROKEN)
    (course.root / "broken").touch()

    said = course.autograde("--force", ok=False)

    assert "bob is ungraded: the grader itself failed" in said
    assert f"There was an error processing assignment '{NAME}' for student 'bob'" in said
    checks = [grade for cell, grade in course.grades()["bob"].items() if cell.startswith("check")]
    assert {(grade.auto, grade.needs_manual) for grade in checks} == {(None, True)}
    assert [course.total(student) for student in ("alice", "bob", "carol")] == [20, 0, 20]
    assert not (course.root / "course" / "autograded" / "bob" / NAME).exists()
    (course.root / "broken").unlink()
    course.autograde()
    assert course.total("bob") == 20
    assert not course.grades()["bob"]["check_project"].needs_manual


def test_a_second_command_at_the_same_time_is_refused(course: Course) -> None:
    course.submit("alice", course.release())
    state(course).mkdir(parents=True)
    with FileLock(state(course) / "lock"):
        assert "is being autograded already" in course.autograde(ok=False)
    course.autograde()


def test_a_machine_that_is_too_open_is_refused_unless_somebody_decided_so(course: Course) -> None:
    course.submit("alice", course.release())
    course.configure(
        "import autograder.sandbox.policy as policy\n"
        "policy.missing_layers = lambda status: ['no seccomp']"
    )

    said = course.autograde(ok=False)

    assert "no seccomp" in said
    assert "With c.GradingExporter.allow_degraded = True the grading goes on" in said
    assert "Traceback" not in said
    assert course.grades() == {}
    course.autograde("--GradingExporter.allow_degraded=True")
    assert course.total("alice") == 0


def test_an_assignment_of_somebody_elses_is_refused_with_a_hint(course: Course) -> None:
    course.submit("alice", course.release(), name="self_atention")
    said = course.autograde(ok=False, name="self_atention")
    assert "There is no assignment 'self_atention'" in said
    assert "Did you mean 'self_attention'?" in said


def test_a_gradebook_that_does_not_know_the_assignment_is_told(course: Course, right: str) -> None:
    """As after `autograder build` alone, or with a new database."""
    (course.root / "course" / "gradebook.db").unlink()
    course.submit("alice", filled(course.release(), right))
    course.autograde()
    assert course.total("alice") == 20


def test_formgraders_button_does_the_same(course: Course, right: str) -> None:
    """It calls nbgrader's API, in the server's own process."""
    course.submit("alice", filled(course.release(), right))
    script = (
        "from nbgrader.apps import NbGraderAPI, NbGrader\n"
        "app = NbGrader(); app.initialize([])\n"
        "api = NbGraderAPI(app.coursedir, parent=app)\n"
        f"for _ in range(2): print(api.autograde({NAME!r}, 'alice')['success'])\n"
        f"print([one['autograded'] for one in api.get_submissions({NAME!r})])\n"
    )
    assert course.python(script).split("\n")[-4:-1] == ["True", "True", "[True]"]
    assert course.total("alice") == 20
