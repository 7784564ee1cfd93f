"""A student's page: what it shows, in which order, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.reports.class_record import Member
from autograder.reports.graded_class import Entry
from autograder.reports.pages.feedback_page import (
    MOST_COLUMNS,
    MOST_LINES,
    feedback_page,
    lines_elsewhere,
    step_lines,
)
from autograder.results import (
    Block,
    CheckResult,
    Feedback,
    Frame,
    Late,
    Numbers,
    Outcome,
    Override,
    Repeats,
    Status,
    TracedLine,
    paragraphs,
)
from autograder.submission.directory import Person
from autograder.submission.step_source import StepSource
from tests.reports.pages.classroom import (
    BATCH,
    NOT_STARTED,
    RAISED,
    SCRIPT,
    STEPS,
    TRANSPOSED,
    Page,
    check,
    rejected,
    result,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.results import Result

pytestmark = pytest.mark.unit


def page(made: Result, **steps: StepSource) -> Page:
    return Page(feedback_page(Entry(made, member(made.student, "", steps))))


def member(student: str, name: str, steps: Mapping[str, StepSource]) -> Member:
    """A student whose submission has these steps and nothing else."""
    pieces = {one.piece: "\n" * (one.first - 1) + one.text for one in steps.values()}
    return Member(student, Person(name), "", "", pieces=tuple(pieces.items()))


def test_the_score_comes_first_the_first_wrong_step_is_open_and_links_lead_to_steps() -> None:
    steps = (
        check("scores", 0, NOT_STARTED),
        check("weights", 1.5, TRANSPOSED),
        check("context", 0, RAISED),
    )
    shown = page(result("alice", *steps))
    words = ("alice", "1.5 of 8 points", "0 of 3 steps are right", "Begin with", "Your steps")
    places = [shown.text.index(part) for part in words]
    assert places == sorted(places)
    details = shown.all("details")
    assert [one["class"] for one in details] == ["step open", "step partly", "step wrong"]
    assert ["open" in one for one in details] == [False, True, False]
    names = {one["id"] for _, one in shown.tags if "id" in one}
    links = [one["href"] or "" for one in shown.all("a")]
    assert len(links) >= 3
    assert {link.removeprefix("#") for link in links} <= names


def test_all_words_of_the_tutor_are_shown() -> None:
    feedback = replace(
        TRANSPOSED,
        also=(Feedback(Outcome.WRONG, seen="The gradients differ."),),
        remarks=("Python warns here.",),
    )
    text = page(result("a", check("weights", 0, feedback))).text
    for words in (
        feedback.message,
        "Where to look The dim of the softmax.",
        feedback.seen,
        feedback.expected,
        "scaled_scores (2, 2)",
        "Also: The gradients differ.",
        "Remark (costs nothing): Python warns here.",
        "pytest -k weights",
        'check("weights")',
    ):
        assert words in text


def test_the_answer_is_a_table_with_what_its_rows_should_satisfy() -> None:
    shown = page(result("a", check("weights", 0, TRANSPOSED)))
    for words in (
        "keys 1 2 sum",
        "query 1 0.250 0.625 0.875",
        "query 2 0.750 0.375 1.125",
        "Rows are queries, columns are keys.",
        "Each row should sum to 1, and no number should be negative.",
        "2 of your 2 rows do not sum to 1.",
        "Each of your columns sums to 1 instead.",
    ):
        assert words in shown.text
    assert {one.get("class") for one in shown.all("td")} >= {"p3", "p7", "p8", "p4", "total no"}


def test_the_table_of_a_batch_has_the_place_of_its_matrix_as_heading() -> None:
    shown = page(result("a", check("weights", 0, BATCH)))
    first = shown.text.index("Sequence 1, head 2 Your answer")
    assert first < shown.text.index("query 3 0.100 0.200 0.300 0.150 0.150 0.200 1.1")
    assert shown.text.count("sum 0.3 0.6 0.9 0.45 0.45 0.3") == 1
    assert "Rows are queries, columns are keys." in shown.text
    assert [one["aria-label"] for one in shown.all("div", role="region")] == [
        "Your numbers in weights, sequence 1, head 2"
    ]
    assert len(shown.all("th", scope="colgroup")) == len(shown.all("h5")) == 1


def test_the_students_own_lines_are_shown_with_the_line_of_the_error() -> None:
    source = StepSource("work.py", 2, 3, "def scores(a, d):\n    return a / torch.sqrt(d)")
    shown = page(result("a", check("scores", 0, RAISED)), scores=source)
    assert (
        "Your code, work.py 2 def scores(a, d): 3 return a / torch.sqrt(d) (the error arose here)"
        in shown.text
    )
    assert len(shown.all("span", class_="line marked")) == 1


def test_notes_on_the_whole_file_are_shown_once() -> None:
    made = result(
        "a",
        about=(
            Block("Running your file stopped with NameError: x"),
            Block("work.py, line 1\n    x", is_code=True),
        ),
    )
    text = page(made).text
    assert text.count("Running your file stopped") == 1
    assert text.index("Your file as a whole") < text.index("Your steps")


def test_lateness_is_shown_with_what_it_costs() -> None:
    late = Late(2, "2026-05-03 10:00", "2026-05-01 23:59", 20, -1.6)
    text = page(replace(result("a"), late=late)).text
    assert "6.4 of 8 points" in text
    assert (
        "This submission is 2 days late: handed in 2026-05-03 10:00, the deadline was 2026-05-01 23:59. It costs "
        "20 % of the earned points, 1.6 points." in text
    )
    assert "This submission is late." in page(replace(result("a"), late=Late())).text
    given = Override("a", "late", 0, "<b>ill</b>", "Dr. Berg")
    text = page(replace(result("a"), late=replace(late, points=0, override=given))).text
    assert "A person gave 0 points for this (Dr. Berg): <b>ill</b>" in text


def test_a_question_is_no_step_to_begin_with_and_an_override_is_shown_with_its_reason() -> None:
    question = CheckResult("question-1", 0, 4, Outcome.UNGRADED, is_question=True)
    whole = result("a")
    text = page(replace(whole, checks=(*whole.checks, question))).text
    nothing = "No step is left to do; a person will mark question-1."
    assert f"8 of 12 points 3 of 3 steps are right. {nothing}" in text
    assert "question-1, not graded yet,0/4" in text
    change = Override("a", "weights", 2, "The right axis, in an old torch.", "Dr. Berg")
    text = page(result("a", check("weights", 2, override=change, earned=0.0))).text
    assert "weights 2 The right axis, in an old torch. Dr. Berg" in text


def test_a_rejected_or_ungraded_submission_says_only_why() -> None:
    shown = page(rejected("a", "`a.py` is a link. Hand in the file itself."))
    assert "Nothing in your file could be run. a.py is a link." in shown.text
    assert "0 of 8 points" in shown.text
    assert shown.all("details") == []
    checks = tuple(CheckResult(step, 0, points, Outcome.UNGRADED) for step, points in STEPS)
    about = paragraphs("The grader itself failed.")
    text = page(result("a", status=Status.UNGRADED, checks=checks, about=about)).text
    assert "Not graded yet. The grader failed, not you." in text
    assert "of 8 points" not in text
    assert "0/" not in text


def hostile_page(text: str) -> bytes:
    feedback = Feedback(
        Outcome.WRONG, text, text, text, text, ((text, text),), (Frame(text, 1, text, text),),
        (TracedLine(text, 1, text, text, text, "right", 1, text, text),), text,
        Numbers(text, ((text, 1.0),), 2, part=text, axes=(text, text), row_sums=(text,)),
        Repeats((text,)), (text,), (Feedback(Outcome.RAISED, seen=text),), (text,), (text,),
    )  # fmt: skip
    given = Override(text, text, 1, text, text)
    checks = (CheckResult(text, 0, 2, Outcome.WRONG, feedback, override=given),)
    made = result(
        text,
        checks=checks,
        about=(Block(text), Block(text, is_code=True)),
        run=text,
        kit_version=text,
    )
    return feedback_page(Entry(made, member(text, text, {text: StepSource(text, 1, 1, text)})))


@pytest.mark.parametrize(
    "text", [SCRIPT, '"><img src=x onerror=alert(1)>', "`</code><b>`", "{{ 7 * 7 }}"]
)
def test_texts_of_a_student_are_text(text: str) -> None:
    shown, plain = (Page(hostile_page(one)) for one in (text, "plain"))
    tags, plain_tags = ([tag for tag, _ in one.tags if tag != "code"] for one in (shown, plain))
    assert tags == plain_tags
    names, plain_names = ({name for _, one in page.tags for name in one} for page in (shown, plain))
    assert names == plain_names
    assert " ".join(text.replace("`", "").split()) in shown.text
    assert "49" not in shown.text
    assert not re.search("[\x1b\u202e\u200b]", hostile_page("a\x1b\u202e\u200b").decode("utf-8"))


def test_the_page_needs_no_other_file_and_forbids_all() -> None:
    shown = page(result("a", check("weights", 0, TRANSPOSED)))
    rules = shown.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert (rules[0]["content"] or "").startswith("default-src 'none'; style-src 'sha256-")
    outside = ("src", "srcset", "data", "action", "style")
    assert not [found for _, found in shown.tags if any(name in found for name in outside)]
    assert all((found["href"] or "").startswith("#") for found in shown.all("a"))
    assert shown.all("script") == shown.all("link") == []


@pytest.mark.large
def test_a_page_stays_small_whatever_was_handed_in() -> None:
    numbers = Numbers("a tensor", ((0.123456,) * 12,) * 12, 4, axes=("queries", "keys"))
    source = StepSource("work.py", 1, 9, "x = 1  # " + "long " * 300 + "\n" * 2 + "y\n" * 32_000)
    names = [f"step_{number}" for number in range(20)]
    checks = tuple(
        CheckResult(name, 0, 1, Outcome.WRONG, replace(TRANSPOSED, numbers=numbers))
        for name in names
    )
    made = result("a", checks=checks, about=paragraphs("word " * 90_000))
    page = feedback_page(Entry(made, member("a", "", dict.fromkeys(names, source))))
    assert len(page) < 20 * 20_000  # most of it is markup of lines and numbers


def raised(*frames: Frame) -> Feedback:
    return Feedback(Outcome.RAISED, lines=frames)


def lines_of(text: str, *frames: Frame) -> list[tuple[int, str, bool]]:
    found = step_lines(StepSource("work.py", 10, 99, text), raised(*frames))
    return [(line.number, line.text, line.marked) for line in found.lines]


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_docstring_becomes_one_line(quotes: str) -> None:
    text = f"def f(x):\n    {quotes}Words.\n\n    Args:\n    {quotes}\n    return x"
    assert lines_of(text) == [
        (10, "def f(x):", False),
        (11, f"    {quotes}Words. ... {quotes}", False),
        (15, "    return x", False),
    ]
    assert step_lines(StepSource("work.py", 10, 15, text), raised()).more == 0


def test_lines_are_bounded() -> None:
    many = step_lines(StepSource("work.py", 1, 999, "x\n" * 500), raised())
    assert (len(many.lines), many.more) == (MOST_LINES, 401)
    long = step_lines(StepSource("work.py", 1, 1, "x" * 999), raised())
    assert [line.text for line in long.lines] == ["x" * MOST_COLUMNS]


def test_a_line_has_the_shape_and_the_mark_of_what_it_computed() -> None:
    traced = (
        TracedLine("work.py", 11, "f", "y = g(x)", "(6, 2)", "right"),
        TracedLine("work.py", 12, "f", "return y / 2", "(6, 2)", "first"),
        TracedLine("work.py", 30, "g", "return x[i]", "(2,)", "", 0, "i = 0", "i = 1"),
    )
    feedback = Feedback(Outcome.WRONG, traced=traced)
    text = "def f(x):\n    y = g(x)\n    return y / 2"
    lines = step_lines(StepSource("work.py", 10, 12, text), feedback)
    assert [(line.text, line.computed, line.marked) for line in lines.lines] == [
        ("def f(x):", ("", ""), False),
        ("    y = g(x)", ("(6, 2)", "right"), False),
        ("    return y / 2", ("(6, 2)", "first wrong value"), True),
    ]
    [helper] = lines_elsewhere(feedback, lines)
    assert helper.lines[0].computed == ("(2,)", "right until i = 0, wrong from i = 1")
