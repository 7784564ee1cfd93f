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
# Notes which submissions begin, and in brackets whose marks are written. nbgrader reads its settings thrice.
NOTING = """\
import autograder.nbgrader.preprocessors as preprocessors
import autograder.nbgrader.session as grading
begin_next, write_marks = grading.Grading.begin_next, preprocessors.write_marks
def note(words):
    with open("begun", "a") as notes:
        notes.write(words)
def begin(self, student, folder):
    note(student + " ")
    begin_next(self, student, folder)
def write(book, result, *rest):
    note(f"[{result.student}] ")
    write_marks(book, result, *rest)
if begin_next.__name__ != "begin":
    grading.Grading.begin_next, preprocessors.write_marks = begin, write
"""
# Lets nbgrader's own process grade nothing.
ELSEWHERE = """\
c.GradingExporter.jobs = 2
import autograder.nbgrader.session as session
def grade(*rest, **options):
    raise RuntimeError("this process grades nothing")
session.grade = session.begin = grade
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
    parts = (
        f"The steps earned {course.total('bob'):g} of 20 points.",
        "Begin with <code>project</code>",
        '<a href="#check_project">project</a>: 0 of 1',
        "<code>project</code>: 0 of 1 points",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
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


@pytest.mark.parametrize("trusted", [False, True])
def test_a_students_own_timestamp_is_no_hand_in_time(
    course: Course, right: str, *, trusted: bool
) -> None:
    course.configure("c.LateSubmissionPlugin.penalty_method = 'zero'")
    course.configure(f"c.GradingExporter.trust_timestamps = {trusted}")
    with book(course) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2030-01-01 12:00:00 UTC")
    early, late = "2030-01-01 11:59:00 UTC", "2030-01-01 12:01:00 UTC"
    # The exchange received it late, and now it says something else.
    folder = course.submit("alice", filled(course.release(), right), timestamp=late)
    (folder / "timestamp.txt").write_text(early)
    course.submit("bob", filled(course.release(), right), timestamp=late, exchange=False)

    said = course.autograde()

    assert ("the exchange did not write it" in said) is not trusted
    with book(course) as gradebook:
        found = {one: gradebook.find_submission(NAME, one) for one in ("alice", "bob")}
        times = {one: str(submission.timestamp or "") for one, submission in found.items()}
        late_by = {one: submission.total_seconds_late for one, submission in found.items()}
    expected = {"alice": early, "bob": late} if trusted else {"alice": "", "bob": ""}
    assert times == {one: text.removesuffix(" UTC") for one, text in expected.items()}
    assert late_by == {"alice": 0, "bob": 60 if trusted else 0}
    copies = [course.root / "course" / "autograded" / one / NAME for one in found]
    assert [(copy / "timestamp.txt").exists() for copy in copies] == [trusted, trusted]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_files_beside_the_notebook_leave_nobody_ungraded(course: Course, right: str) -> None:
    """A FIFO would block whoever opens it, and a bad time or a broken link would end the grading of its student."""
    bad = {
        "no-time": b"yesterday",
        "binary": b"\xff\x00",
        "long": b"2" * 10**6,
        "empty": b"",
        "far": b"9" * 99,
    }
    for student, content in bad.items():
        folder = course.submit(student, filled(course.release(), right))
        (folder / "timestamp.txt").write_bytes(content)
    folder = course.submit("fifo-for-time", filled(course.release(), right))
    os.mkfifo(folder / "timestamp.txt")
    folder = course.submit("odd-files", filled(course.release(), right))
    os.mkfifo(folder / "fifo")
    (folder / "link").symlink_to("/nowhere")
    (folder / "folder").symlink_to("/")
    (folder / "timestamp.txt").mkdir()
    for name in ("notes.txt", "\x1b[2Jred.txt", "two\nlines.txt"):
        (folder / name).write_text("mine")

    said = course.autograde()

    students = [*bad, "fifo-for-time", "odd-files"]
    assert {student: course.total(student) for student in students} == dict.fromkeys(students, 20)
    assert said.count("it holds no time") >= len(bad)
    assert "not copied" in said
    assert "\x1b[2J" not in said
    copies = course.root / "course" / "autograded" / "odd-files" / NAME
    assert {path.name for path in copies.iterdir()} >= {"notes.txt", f"{NAME}.ipynb"}
    assert not {path.name for path in copies.iterdir()} & {"fifo", "link", "timestamp.txt"}


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
    assert (course.root / "begun").read_text() == "alice carol [alice] dan [carol] [dan] "
    (course.root / "begun").unlink()
    course.autograde("--force")
    begun = "alice bob [alice] carol [bob] dan [carol] [dan] "
    assert (course.root / "begun").read_text() == begun
    marks = {student: course.total(student) for student in ("alice", "bob", "carol", "dan")}
    assert marks == {"alice": 20, "bob": 20, "carol": 20, "dan": 0}


def test_grading_processes_give_the_same_notebooks_and_marks(
    course: Course, right: str, root: Path
) -> None:
    wrong = (root / "examples/submissions/farid-h/self_attention.py").read_text(encoding="utf-8")
    answers = {
        "alice": right,
        "bob": wrong,
        "carol": f"{right}\n{HANGS}",
        "dan": "import os\nos._exit(3)",
    }
    for student, answer in answers.items():
        course.submit(student, filled(course.release(), answer))
    course.submit("eve", course.release())
    (course.root / "course/submitted/eve" / NAME / f"{NAME}.ipynb").write_text("no notebook")
    students = [*answers, "eve"]
    course.configure("c.GradingExporter.timeout = 1")
    course.autograde()
    here = {student: (course.autograded(student), course.marks(student)) for student in students}

    course.configure(ELSEWHERE)
    course.autograde("--force")

    there = {student: (course.autograded(student), course.marks(student)) for student in students}
    assert there == here
    assert course.total("alice") == 20 > course.total("bob") > course.total("eve") == 0


def test_the_same_seed_gives_the_same_bytes_again(course: Course, root: Path) -> None:
    """In two interpreters, which order sets differently."""
    course = Course(course.root, as_typed=True)
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
    state(course).mkdir(parents=True, exist_ok=True)
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
