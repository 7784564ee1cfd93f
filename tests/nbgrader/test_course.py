"""An instructor's course with this project's settings: what nbgrader offers around autograding goes on working."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from tests.commands.test_grade import eventually
from tests.nbgrader.course import NAME, Course, cell_of, example, filled, words
from tests.nbgrader.hand_ins import ANSWER, BAD_TIMES, IN_TIME, LATE, QUESTION, STUB

if TYPE_CHECKING:
    from pathlib import Path

    from nbgrader.api import Gradebook

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::sqlalchemy.exc.SAWarning"),
]

HANGS = "def dot_product_variance(queries, keys):\n    while True:\n        pass\n"
# Fails in the grader itself, on one student, as long as a file is there.
BROKEN = """\
import os
import autograder.grading.task as grading
whole = grading.grade
def grade(exam, submission, *rest, **options):
    if submission.student == "bob" and os.path.exists("broken"):
        raise RuntimeError("the grader is broken")
    return whole(exam, submission, *rest, **options)
grading.grade = grade
"""
# Notes whose marks are written. nbgrader reads its settings thrice.
NOTING = """\
import autograder.nbgrader.preprocessors as preprocessors
write_marks = preprocessors.write_marks
def write(book, result, *rest):
    with open("marked", "a") as notes:
        notes.write(result.student + " ")
    write_marks(book, result, *rest)
if write_marks.__name__ != "write":
    preprocessors.write_marks = write
"""
# Lets nbgrader's own process grade nothing.
ELSEWHERE = """\
import autograder.grading.engines as engines
import autograder.grading.task as grading
engines.FEW = 0
def grade(*rest, **options):
    raise RuntimeError("this process grades nothing")
grading.grade = grade
"""
# What formgrader does when the button beside a student is pressed, and what its page then lists.
BUTTON = """\
from nbgrader.apps import NbGraderAPI, NbGrader
app = NbGrader(); app.initialize([])
api = NbGraderAPI(app.coursedir, parent=app)
for student in {students!r}: print(api.autograde({name!r}, student)["success"])
print({{one["student"]: one["autograded"] for one in api.get_submissions({name!r})}})
"""


def book(course: Course) -> Gradebook:
    from nbgrader.api import Gradebook  # noqa: PLC0415 - it takes seconds, and not all tests need it

    return Gradebook(f"sqlite:///{course.root / 'course' / 'gradebook.db'}", "self-attention")


def state(course: Course) -> Path:
    return course.root / "course" / ".autograder" / NAME


def press(course: Course, *students: str) -> list[str]:
    """Press the button beside each of these students; return what came of it, and then the list."""
    said = course.python(BUTTON.format(students=students, name=NAME))
    return [line for line in said.splitlines() if line.startswith(("True", "False", "{"))]


# What one command made of a large class.


def test_a_question_waits_for_a_person_only_if_it_was_answered(graded: Course) -> None:
    grades = graded.grades()
    for answered in ("answered", "module-answered"):
        question = grades[answered][QUESTION]
        assert (question.auto, question.needs_manual) == (None, True), answered
    for silent in ("untouched", "only-module", "page-stub"):
        question = grades[silent][QUESTION]
        assert (question.auto, question.needs_manual) == (0, False), silent
    with book(graded) as gradebook:
        comment = gradebook.find_comment(QUESTION, NAME, NAME, "untouched")
        assert comment.auto_comment == "No response."


def test_a_late_submission_pays_its_penalty_out_of_our_marks(graded: Course) -> None:
    with book(graded) as gradebook:
        for kind in ("", "module-"):
            on_time, late = (
                gradebook.find_submission_notebook(NAME, NAME, f"{kind}{one}")
                for one in ("in-time", "late")
            )
            assert (on_time.late_submission_penalty, late.late_submission_penalty) == (None, 20.0)
            submission = gradebook.find_submission(NAME, f"{kind}late")
            assert f"{submission.timestamp} UTC" == LATE
            assert submission.total_seconds_late == 60


TIMES = ("time-changed", "time-of-their-own")


def times_of(course: Course) -> dict[str, tuple[str, float]]:
    """When each of these students handed in, and by how many seconds too late."""
    with book(course) as gradebook:
        found = {one: gradebook.find_submission(NAME, one) for one in TIMES}
        return {
            one: (str(submission.timestamp or ""), submission.total_seconds_late)
            for one, submission in found.items()
        }


def has_time_files(course: Course) -> list[bool]:
    copies = [course.root / "course" / "autograded" / one / NAME for one in TIMES]
    return [(copy / "timestamp.txt").exists() for copy in copies]


def test_a_students_own_timestamp_is_no_hand_in_time(graded: Course, said: str) -> None:
    assert "the exchange did not write it" in said
    assert times_of(graded) == dict.fromkeys(TIMES, ("", 0))
    assert has_time_files(graded) == [False, False]


def test_files_beside_the_notebook_leave_nobody_ungraded(graded: Course, said: str) -> None:
    """A FIFO would block whoever opens it, and a bad time or a broken link would end the grading of its student."""
    students = [*BAD_TIMES, "fifo-for-time", "odd-files"]
    assert {student: graded.total(student) for student in students} == dict.fromkeys(students, 20)
    assert said.count("it holds no time") >= len(BAD_TIMES)
    assert "not copied" in said
    assert "\x1b[2J" not in said
    copies = graded.root / "course" / "autograded" / "odd-files" / NAME
    assert {path.name for path in copies.iterdir()} >= {"notes.txt", f"{NAME}.ipynb"}
    assert not {path.name for path in copies.iterdir()} & {"fifo", "link", "timestamp.txt"}


# What several commands make of a small one.


def test_a_class_is_graded_bit_by_bit_and_again(course: Course, right: str) -> None:
    """One student, all, newer hand-ins, all again with a failure, the rest, and single ones from formgrader."""
    wrong = example("farid-h")
    answered = filled(course.release(), right)
    cell_of(answered, QUESTION)["source"] = ANSWER
    course.submit("alice", answered)
    course.submit("bob", module=wrong)
    module = course.submit("carol", module=right)
    (module / f"{QUESTION}.md").write_text(ANSWER, encoding="utf-8")
    course.submit("dan", course.release(), timestamp="2030-01-01 10:00:00 UTC")
    course.configure("c.GradingExporter.trust_timestamps = True")
    (course.root / "course" / "gradebook.db").unlink()  # as after `autograder build` alone

    course.autograde("--student=bob")
    assert list(course.grades()) == ["bob"]

    course.configure(NOTING)
    course.autograde()
    assert marked(course) == "alice carol dan "
    assert totals(course) == {"alice": 20, "bob": 16.5, "carol": 20, "dan": 0}

    mark_by_hand(course)
    course.submit("bob", module=right)  # the time is as it was
    course.submit("dan", filled(course.release(), right), timestamp="2030-01-01 11:00:00 UTC")
    course.autograde()
    assert marked(course) == "dan "
    assert totals(course) == {"alice": 20, "bob": 16.5, "carol": 20, "dan": 20}

    course.configure(BROKEN)
    (course.root / "broken").touch()
    said = course.autograde("--force", ok=False)
    assert marked(course) == "alice bob carol dan "
    assert_bob_is_left_blank(course, said)
    assert_what_a_person_graded_is_there(course)

    (course.root / "broken").unlink()
    course.autograde()
    assert marked(course) == "bob "
    assert totals(course) == {"alice": 20, "bob": 20, "carol": 20, "dan": 20}
    assert not course.grades()["bob"]["check_project"].needs_manual

    course.submit("alice", module=wrong)
    (course.root / "course" / "submitted" / "alice" / NAME / f"{NAME}.ipynb").unlink()
    course.submit("dan", "no notebook")
    listed = str(dict.fromkeys(("alice", "bob", "carol", "dan"), True))
    assert press(course, "alice", "bob", "dan") == ["True", "True", "True", listed]
    assert totals(course) == {"alice": 16.5, "bob": 20, "carol": 20, "dan": 0}
    copied = course.root / "course" / "autograded" / "alice" / NAME / f"{NAME}.py"
    assert copied.read_text(encoding="utf-8") == wrong
    course.run("generate_feedback", NAME, "--student=carol")
    page = course.root / "course" / "feedback" / "carol" / NAME / f"{NAME}.html"
    assert ANSWER in words(page)


def totals(course: Course) -> dict[str, float]:
    return {student: course.total(student) for student in sorted(course.grades())}


def marked(course: Course) -> str:
    path = course.root / "marked"
    text = path.read_text()
    path.unlink()
    return text


def mark_by_hand(course: Course) -> None:
    with book(course) as gradebook:
        for student, cell, score, extra in (
            ("alice", QUESTION, 2.0, 0.25),
            ("alice", "check_project", 0.5, 0.25),
            ("carol", QUESTION, 3.0, None),
        ):
            grade = gradebook.find_grade(cell, NAME, NAME, student)
            grade.manual_score, grade.extra_credit = score, extra
            grade.needs_manual_grade = False
        gradebook.find_comment(QUESTION, NAME, NAME, "alice").manual_comment = "Well said."
        gradebook.db.commit()


def assert_what_a_person_graded_is_there(course: Course) -> None:
    with book(course) as gradebook:
        question = gradebook.find_grade(QUESTION, NAME, NAME, "alice")
        check = gradebook.find_grade("check_project", NAME, NAME, "alice")
        assert (question.manual_score, question.extra_credit) == (2.0, 0.25)
        assert (check.manual_score, check.auto_score, check.score) == (0.5, 1.0, 0.75)
        assert not check.needs_manual_grade
        assert gradebook.find_comment(QUESTION, NAME, NAME, "alice").comment == "Well said."
        assert gradebook.find_submission(NAME, "carol").score == 23
    answer = course.grades()["carol"][QUESTION]
    assert (answer.manual, answer.needs_manual) == (3.0, True)


def assert_bob_is_left_blank(course: Course, said: str) -> None:
    assert "bob is ungraded: the grader itself failed" in said
    assert f"There was an error processing assignment '{NAME}' for student 'bob'" in said
    checks = [grade for cell, grade in course.grades()["bob"].items() if cell.startswith("check")]
    assert {(grade.auto, grade.needs_manual) for grade in checks} == {(None, True)}
    assert totals(course) == {"alice": 20, "bob": 0, "carol": 20, "dan": 20}
    assert not (course.root / "course" / "autograded" / "bob" / NAME).exists()


def test_other_settings_and_processes_give_the_same_notebooks_and_marks(
    course: Course, right: str
) -> None:
    """Timestamps that are trusted, grading processes, and the button where times cannot be read."""
    answers = {
        "bob": example("farid-h"),
        "carol": f"{right}\n{HANGS}",
        "dan": "import os\nos._exit(3)",
    }
    for student, answer in answers.items():
        course.submit(student, filled(course.release(), answer))
    course.submit("eve", "no notebook")
    students = [*answers, "eve"]
    course.configure("c.GradingExporter.timeout = 1")
    course.autograde()
    here = {student: (course.autograded(student), course.marks(student)) for student in students}
    course.configure(ELSEWHERE)
    course.configure("c.GradingExporter.trust_timestamps = True")
    with book(course) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2030-01-01 12:00:00 UTC")
    folder = course.submit("time-changed", course.release(), timestamp=LATE)
    (folder / "timestamp.txt").write_text(IN_TIME)
    course.submit("time-of-their-own", course.release(), timestamp=LATE, exchange=False)

    said = course.autograde("--force")

    there = {student: (course.autograded(student), course.marks(student)) for student in students}
    assert there == here
    assert course.total("bob") == 16.5 > course.total("eve") == 0
    assert "the exchange did not write it" not in said
    trusted = [(IN_TIME.removesuffix(" UTC"), 0), (LATE.removesuffix(" UTC"), 60)]
    assert list(times_of(course).values()) == trusted
    assert has_time_files(course) == [True, True]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_formgrader_lists_whatever_lies_beside_a_notebook(course: Course) -> None:
    """It reads the time of each hand-in: a FIFO would block it, and a bad time would end its page."""
    for student, content in {"bad": b"yesterday", "own": IN_TIME.encode()}.items():
        folder = course.submit(student, module=STUB)
        (folder / "timestamp.txt").write_bytes(content)
    os.mkfifo(course.submit("fifo", module=STUB) / "timestamp.txt")
    (course.submit("pdf") / "homework.pdf").write_bytes(b"%PDF-1.4")
    listed = str(dict.fromkeys(("bad", "fifo", "own", "pdf"), True))
    assert press(course, "bad", "fifo", "own", "pdf") == [*["True"] * 4, listed]


def test_another_interpreter_gives_the_same_bytes(course: Course) -> None:
    """Started as an instructor starts it: it orders sets in another way."""
    course.submit("alice", filled(course.release(), example("farid-h")))
    course.autograde()
    first, run = course.autograded("alice"), (state(course) / "run.json").read_bytes()

    Course(course.root, as_typed=True).autograde("--force")

    assert course.autograded("alice") == first
    assert (state(course) / "run.json").read_bytes() == run


def test_after_a_kill_the_next_command_completes_what_is_unfinished(
    course: Course, right: str
) -> None:
    """Of the submissions that were never graded, and of those that were being graded again."""
    course.configure("c.GradingExporter.timeout = 2")
    students = ["a", "b", "c", "d"]
    for student in students:
        hangs = HANGS if student == "c" else ""
        course.submit(student, filled(course.release(), f"{right}\n{hangs}"))
    said = kill_at_c(course)
    assert "Skipping existing assignment" in said
    assert said.count("Autograding ") == 2
    whole = {student: course.autograded(student) for student in students}
    marks = {student: course.marks(student) for student in students}
    assert {student: course.total(student) for student in students} == {
        "a": 20,
        "b": 20,
        "c": 19,
        "d": 20,
    }
    course.autograde("--force", "--student=c")
    assert course.autograded("c") == whole["c"]

    kill_at_c(course, "--force")

    assert {student: course.autograded(student) for student in students} == whole
    assert {student: course.marks(student) for student in students} == marks


def kill_at_c(course: Course, *options: str) -> str:
    """Kill a command while it grades `c`; return what the next one says."""
    running = course.start("autograde", NAME, *options)
    copied = course.root / "course" / "autograded" / "c" / NAME
    eventually(lambda: graded_now(course) == "c" and copied.is_dir())
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    assert graded_now(course) == "c"
    said = course.autograde()
    assert "c was being graded when the last command ended" in said
    assert graded_now(course) == ""
    return said


def graded_now(course: Course) -> str:
    path = state(course) / "unfinished"
    return path.read_text() if path.exists() else ""


def test_what_cannot_be_graded_now_is_refused_in_words(course: Course) -> None:
    """A second command at the same time, a machine that is too open, and an assignment of somebody else's."""
    course.submit("alice", course.release())
    course.submit("alice", course.release(), name="self_atention")
    with FileLock(state(course) / "lock"):
        assert "is being autograded already" in course.autograde(ok=False)
    said = course.autograde(ok=False, name="self_atention")
    assert "There is no assignment 'self_atention'" in said
    assert "Did you mean 'self_attention'?" in said
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
