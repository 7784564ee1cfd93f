"""The instructor's page: what it answers, what it links to, and what the anonymous one leaves out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.reports.common_mistakes import without_names
from autograder.reports.graded_class import load_folders, merged
from autograder.reports.pages.report_page import report_page
from autograder.results import Outcome
from tests.reports.pages.classroom import (
    RAISED,
    SCRIPT,
    TRANSPOSED,
    Page,
    check,
    of_each_kind,
    rejected,
    result,
    student,
    write_class,
)

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result

pytestmark = pytest.mark.unit

CODE = "def weights(s):\n    # alice's idea\n    return torch.softmax(s, dim=0)"
RESULTS, STUDENTS = of_each_kind(CODE)
ABSENT = [{"name": "Zoe Quispe", "ids": {}, "email": ""}]


def report(folders: list[GradedClass], keep: str = "best", **options: Any) -> bytes:
    return report_page(merged(folders, folders[0].folder, keep), **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("class") / "results"
    return write_class(place, [*RESULTS, result("heidi")], STUDENTS, absent=ABSENT)


@pytest.fixture(scope="module")
def made(folder: Path) -> bytes:
    return report(load_folders([folder]))


@pytest.fixture(scope="module")
def shown(made: bytes) -> Page:
    return Page(made)


def test_it_answers_the_three_questions_first(shown: Page) -> None:
    answers = (
        "What to repeat softmax over the queries 2 of 5 Who needs help",
        "Who needs help 1 of 5 has less than half of the points: dave 0 points, 3 steps not started",
        "1 submission could not be run: see why.",
        "Which step to look at The hardest is weights, with 20% of its points earned.",
        "The most common mistakes",
    )
    places = [shown.text.index(words) for words in answers]
    assert places == sorted(places)


def test_every_row_links_to_the_feedback(shown: Page) -> None:
    links = {one["href"] for one in shown.all("a") if not (one["href"] or "").startswith("#")}
    assert links == {
        f"{name}/feedback.html"
        for name in ("alice", "bob", "carol", "dave", "erin", "frank%20%E6%97%A5%E6%9C%AC", "grace")
    }


@pytest.mark.parametrize(
    "words",
    [
        # A mistake, its words and its students.
        "softmax over the queries in weights context 2 of 5, 40%",
        TRANSPOSED.message,
        "Alice Berg Bob Ito E-mail addresses alice@example.org, bob@example.org",
        # What went wrong, and with whom.
        "1 rejected: nothing in it could be run Who frank 日本: frank.pdf is not a Python file.",
        "1 not graded: the grader failed Who grace: grade again",
        "1 stopped: a step took too long, ended the program or crashed Who carol: weights (took too long)",
        "1 not started: no step has any work in it Who dave",
        "1 with a wrong step and no known mistake Who erin: weights",
        "1 with results under a name that is no longer used: not in this report Who heidi",
        "1 on the roster, but nothing was handed in Who Zoe Quispe",
        # A row for each student.
        "Alice Berg alice 204001 6 2 0 4 softmax over the queries",
        "carol 4 0 0 4 sqrt of an int",
        "dave 0 - - -",
        "frank 日本 rejected",
        "grace ungraded",
    ],
)
def test_mistakes_problems_and_students_are_listed(shown: Page, words: str) -> None:
    assert words in shown.text
    assert "torch.softmax" not in shown.text


def test_all_answers_of_a_question_stand_below_each_other(tmp_path: Path) -> None:
    """With marks that were given, and apart from them who gave none."""
    people = {
        "ann": student("Ann", answers={"question-1": f"Because.\n{SCRIPT}"}),
        "bob": student("Bob", answers={"question-1": "Rows."}),
        "cid": student("Cid"),
    }
    place = write_class(tmp_path / "out", map(result, people), people, questions={"question-1": 4})
    lines = "student,step,points\nbob,question-1,3\n"
    (place / "overrides.csv").write_text(lines, encoding="utf-8")
    folders = load_folders([place])
    text = Page(report(folders)).text
    assert f"Ann Because. {SCRIPT} Bob 3 of 4 points Rows. 1 without an answer Cid" in text
    assert "Rows." not in Page(report(folders, anonymous=True)).text


def test_the_anonymous_report_names_nobody(folder: Path) -> None:
    anonymous = report(load_folders([folder]), anonymous=True)
    page = Page(anonymous)
    secrets = [
        "204001",
        "example.org",
        "heidi",
        "Zoe",
        "Quispe",
        "Berg",
        "Ito",
        "日本",
        "regrade",
        "feedback.html",
    ]
    secrets += [name for one in RESULTS for name in one.student.split()]
    text = anonymous.decode("utf-8").casefold()
    assert [one for one in secrets if one.casefold() in text] == []
    assert all((one["href"] or "").startswith("#") for one in page.all("a"))
    assert "softmax over the queries in weights context 2 of 5, 40%" in page.text
    assert "1 of 5 has less than half of the points." in page.text


def test_the_anonymous_report_compares_no_code(tmp_path: Path) -> None:
    both = f"{CODE}\n\ndef scores(q, k):\n    return q @ k.T"
    students = {name: student(name, both) for name in ("alice", "bob")}
    results = [result(name, check("weights", 0, TRANSPOSED)) for name in students]
    place = write_class(tmp_path / "results", results, students)
    assert "Same code" in Page(report(load_folders([place]))).text
    anonymous = report(load_folders([place]), anonymous=True).decode("utf-8")
    assert not [words for words in ("Same code", "alice", "bob") if words in anonymous]


def test_a_name_that_is_quoted_is_hidden_from_the_lecture(tmp_path: Path) -> None:
    quoted = replace(TRANSPOSED, message="`alice = 'Berg, 204001'` is a text.")
    students = {"alice": student("Alice Berg", ids={"moodle": "204001"})}
    results = [result("alice", check("weights", 0, quoted))]
    place = write_class(tmp_path / "results", results, students)
    text = report(load_folders([place]), anonymous=True).decode("utf-8")
    assert "is a text." in text
    assert not [one for one in ("alice", "Berg", "204001") if one in text]


def test_texts_of_students_are_text(tmp_path: Path) -> None:
    feedback = replace(
        RAISED, message=SCRIPT, hint=SCRIPT, seen=SCRIPT, mistakes=(SCRIPT,), outcome=Outcome.WRONG
    )
    results = [result("a", check("weights", 0, feedback)), rejected("b", SCRIPT)]
    code = f"def weights(s):\n    return {SCRIPT!r}"
    students = {
        "a": student(SCRIPT, code, ids={SCRIPT: SCRIPT}, email=SCRIPT, given=SCRIPT),
        "b": student('"><img src=x onerror=alert(1)>', email="</textarea><b>"),
    }
    place = write_class(tmp_path / "results", results, students)
    page = Page(report(load_folders([place])))
    assert len(page.all("script")) == 1
    assert page.all("img") == page.all("b") == []
    assert not [found for _, found in page.tags if any(name.startswith("on") for name in found)]
    assert SCRIPT in page.text


def test_the_script_is_the_pages_own_and_the_seed_stays_secret(made: bytes, shown: Page) -> None:
    assert b"424242" not in made
    (rules,) = shown.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert "default-src 'none'" in (rules["content"] or "")
    assert "unsafe" not in (rules["content"] or "")
    assert not [found for _, found in shown.tags if "style" in found or "src" in found]


def test_a_class_in_which_nothing_could_be_graded_has_a_page(tmp_path: Path) -> None:
    place = write_class(tmp_path / "results", [rejected("a", "No file.")])
    text = Page(report(load_folders([place]))).text
    assert "1 rejected: nothing in it could be run Who a: No file." in text
    assert "submission 1 graded 0" in text


def page_of(place: Path, *results: Result, **students: dict[str, Any]) -> str:
    people = {one.student: student() for one in results} | students
    return Page(report(load_folders([write_class(place, results, people)]))).text


def test_the_words_are_those_that_most_students_read(tmp_path: Path) -> None:
    other = replace(TRANSPOSED, message="In `blend` the rows were mixed.")
    often = [result(name, check("context", 0, other)) for name in ("b", "c")]
    first = result("a", check("weights", 0, TRANSPOSED))

    text = page_of(tmp_path, first, *often)

    start = text.index("The words differ from student to student.")
    card = text[start : text.index("Who", start)]
    assert "To one of them, in context: In blend the rows were mixed." in card
    assert TRANSPOSED.message not in card


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("Ana", "... in_... banana"), ("in", "Ana in_ana banana"), ("ANA", "... in_... banana")],
)
def test_only_whole_words_are_hidden_in_a_lecture(name: str, hidden: str) -> None:
    assert without_names("Ana in_ana banana", [name]) == hidden
    assert without_names("a.b abb", ["a.b"]) == "... abb"
