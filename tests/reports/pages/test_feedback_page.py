"""A student's page: what it shows, in which order, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.reasons import Reason
from autograder.reports.class_record import Member
from autograder.reports.graded_class import Entry
from autograder.reports.pages.feedback_page import (
    LINE_COST,
    MOST_LINES,
    SOURCE_BUDGET,
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
from autograder.submission.step_source import StepLines, StepSource
from autograder.values.values import Array, ListValue
from tests.graders import check_step, open_session
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
from tests.truth.variant import base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from autograder.exam.questions import Exam
    from autograder.results import Result
    from autograder.values.values import Value

FULL = 100_000


def page(made: Result, name: str = "", **steps: StepSource) -> Page:
    return Page(feedback_page(Entry(made, member(made.student, name, steps))))


def member(student: str, name: str, steps: Mapping[str, StepSource]) -> Member:
    """A student whose submission has these steps and nothing else."""
    pieces = {one.piece: "\n" * (one.first - 1) + one.text for one in steps.values()}
    lines = {
        name: StepLines(one.piece, one.first, one.first + one.text.count("\n"), "")
        for name, one in steps.items()
    }
    return Member(student, Person(name), "", "", pieces=tuple(pieces.items()), steps=lines)


@pytest.mark.unit
def test_the_score_comes_first_and_the_steps_follow() -> None:
    shown = page(result("alice", check("weights", 1.5, TRANSPOSED)))
    parts = [
        "alice",
        "7.5 of 8 points",
        "2 of 3 steps are right",
        "Begin with weights",
        "Your steps",
    ]
    places = [shown.text.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.unit
def test_the_first_wrong_step_is_open_and_no_other() -> None:
    made = result(
        "a",
        check("scores", 0, NOT_STARTED),
        check("weights", 0, TRANSPOSED),
        check("context", 0, RAISED),
    )
    details = page(made).all("details")
    assert [one["class"] for one in details] == ["step open", "step wrong", "step wrong"]
    assert ["open" in one for one in details] == [False, True, False]


@pytest.mark.unit
def test_a_step_that_is_not_started_is_open_if_nothing_is_wrong() -> None:
    shown = page(result("a", check("weights", 0, NOT_STARTED), check("context", 0, NOT_STARTED)))
    assert ["open" in one for one in shown.all("details")] == [True, False]
    assert "Continue with weights" in shown.text


@pytest.mark.unit
def test_every_link_of_the_page_leads_to_a_step() -> None:
    shown = page(result("a", check("weights", 0, TRANSPOSED), check("context", 0, NOT_STARTED)))
    names = {one["id"] for _, one in shown.tags if "id" in one}
    links = [one["href"] or "" for one in shown.all("a")]
    assert len(links) == 3
    assert {link.removeprefix("#") for link in links} <= names


@pytest.mark.unit
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


@pytest.mark.unit
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


@pytest.mark.unit
def test_rows_and_columns_are_words_where_they_are_known() -> None:
    numbers = TRANSPOSED.numbers
    assert numbers is not None
    known = replace(numbers, words=("Your", "journey"))
    shown = page(result("a", check("weights", 0, replace(TRANSPOSED, on_documents=known))))
    assert 'Your answer for the documents\' sentence "Your journey", a tensor' in shown.text
    assert "keys Your journey sum Your 0.250 0.625 0.875" in shown.text
    assert "query 1" not in shown.text


@pytest.mark.unit
def test_the_table_of_a_batch_has_the_place_of_its_matrix_as_heading() -> None:
    shown = page(result("a", check("weights", 0, BATCH)))
    first = shown.text.index("Sequence 1, head 2 Your answer")
    assert first < shown.text.index("query 3 0.100 0.200 0.300 0.150 0.150 0.200 1.1")
    assert shown.text.count("sum 0.3 0.6 0.9 0.45 0.45 0.3") == 1
    assert "Rows are queries, columns are keys." in shown.text
    assert "documents' sentence" not in shown.text
    assert [one["aria-label"] for one in shown.all("div", role="region")] == [
        "Your numbers in weights, sequence 1, head 2",
    ]
    assert len(shown.all("th", scope="colgroup")) == len(shown.all("h5")) == 1


@pytest.mark.unit
def test_one_matrix_has_no_heading() -> None:
    assert page(result("a", check("weights", 0, TRANSPOSED))).all("h5") == []


@pytest.mark.unit
def test_a_single_number_is_no_table() -> None:
    feedback = replace(TRANSPOSED, numbers=Numbers("a tensor of shape ()", ((1.5,),), 1))
    shown = page(result("a", check("weights", 0, feedback)))
    assert "1.5" in shown.text
    assert shown.all("table") == []


@pytest.mark.unit
def test_the_students_own_lines_are_shown_with_the_line_of_the_error() -> None:
    source = StepSource("work.py", 2, 3, "def scores(a, d):\n    return a / torch.sqrt(d)")
    shown = page(result("a", check("scores", 0, RAISED)), scores=source)
    assert (
        "Your code, work.py 2 def scores(a, d): 3 return a / torch.sqrt(d) (the error arose here)"
        in shown.text
    )
    assert len(shown.all("span", class_="line marked")) == 1


@pytest.mark.unit
def test_a_line_of_an_error_elsewhere_is_shown_too() -> None:
    frame = Frame("helpers.py", 9, "root", "return torch.sqrt(d)")
    shown = page(result("a", check("scores", 0, replace(RAISED, lines=(frame,)))))
    assert "helpers.py, line 9" in shown.text
    assert "return torch.sqrt(d)" in shown.text


@pytest.mark.unit
def test_the_source_of_a_right_step_is_not_shown() -> None:
    source = StepSource("work.py", 1, 1, "def context(w, v): return w @ v")
    assert "w @ v" not in page(result("a"), context=source).text


@pytest.mark.unit
def test_a_mistake_that_was_made_again_says_what_it_costs() -> None:
    feedback = replace(TRANSPOSED, repeats=Repeats(("weights",)), half_of=("weights",))
    text = page(result("a", check("context", 2.5, feedback, carried_forward="weights"))).text
    words = (
        "This step repeats what is wrong in weights: fix that first. Costs 1.5 of 4 points. "
        "A known mistake about the task of weights, made here in the step's own lines, "
        "costs half of what rests on the answer."
    )
    assert words in text


@pytest.mark.unit
def test_a_wrong_step_that_is_called_costs_nothing() -> None:
    called = Repeats(("weights",), (Outcome.WRONG,))
    feedback = Feedback(Outcome.WRONG, repeats=called, reasons=(Reason.CARRIED_FORWARD,))
    shown = page(result("a", check("context", 4, feedback, carried_forward="weights")))
    words = (
        "This step calls your weights, which is not right yet: fix that first. "
        "With a right one in its place the answer of this step is right, so it costs nothing here."
    )
    assert words in shown.text
    assert "Costs" not in shown.text


@pytest.mark.unit
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


@pytest.mark.unit
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


@pytest.mark.unit
def test_a_question_that_nobody_marked_is_no_step_to_begin_with() -> None:
    question = CheckResult("question-1", 0, 4, Outcome.UNGRADED, is_question=True)
    whole = result("a")
    text = page(replace(whole, checks=(*whole.checks, question))).text
    assert "8 of 12 points 3 of 3 steps are right. Nothing is left to do." in text
    assert "question-1, not graded yet,0/4" in text


@pytest.mark.unit
def test_an_override_is_shown_with_its_reason() -> None:
    change = Override("a", "weights", 2, "The right axis, in an old torch.", "Dr. Berg")
    text = page(result("a", check("weights", 2, override=change, earned=0.0))).text
    assert "weights 2 The right axis, in an old torch. Dr. Berg" in text


@pytest.mark.unit
def test_a_rejected_submission_says_only_why() -> None:
    shown = page(rejected("a", "`a.py` is a link. Hand in the file itself."))
    assert "Nothing in your file could be run. a.py is a link." in shown.text
    assert "0 of 8 points" in shown.text
    assert shown.all("details") == []


@pytest.mark.unit
def test_an_ungraded_submission_shows_no_points() -> None:
    checks = tuple(CheckResult(step, 0, points, Outcome.UNGRADED) for step, points in STEPS)
    made = result(
        "a", status=Status.UNGRADED, checks=checks, about=paragraphs("The grader itself failed.")
    )
    text = page(made).text
    assert "Not graded yet. The grader failed, not you." in text
    assert "of 8 points" not in text
    assert "0/" not in text


@pytest.mark.unit
def test_a_full_score_has_nothing_left_to_do() -> None:
    text = page(result("a")).text
    assert "8 of 8 points 3 of 3 steps are right. Nothing is left to do." in text
    text = page(result("a", about=paragraphs("Python cannot read line 2."))).text
    assert "3 of 3 steps are right. No step is left to do; read the note on your file." in text


@pytest.mark.unit
def test_the_name_comes_from_the_class() -> None:
    assert "Alice Berg" in page(result("204000"), name="Alice Berg").text


def hostile_page(text: str) -> bytes:
    """The page on which every text is this one."""
    feedback = Feedback(
        Outcome.WRONG, text, text, text, text, ((text, text),), (Frame(text, 1, text, text),),
        (TracedLine(text, 1, text, text, text, "right", 1, text, text),), text,
        Numbers(text, ((text, 1.0),), 2, part=text, axes=(text, text), row_sums=(text,)),
        Numbers(text, ((text, 1.0),), 2, part=text, axes=(text, text), words=(text, text)),
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


def hostile(text: str) -> Page:
    return Page(hostile_page(text))


@pytest.mark.unit
@pytest.mark.parametrize(
    "text", [SCRIPT, '"><img src=x onerror=alert(1)>', "`</code><b>`", "{{ 7 * 7 }}"]
)
def test_texts_of_a_student_are_text(text: str) -> None:
    shown = hostile(text)
    plain = hostile("plain")
    assert [tag for tag, _ in shown.tags if tag != "code"] == [
        tag for tag, _ in plain.tags if tag != "code"
    ]
    assert {name for _, found in shown.tags for name in found} == {
        name for _, found in plain.tags for name in found
    }
    assert " ".join(text.replace("`", "").split()) in shown.text
    assert "49" not in shown.text


@pytest.mark.unit
@pytest.mark.parametrize("text", ["\x1b[31mred", "\u202egnp.exe", "zero\u200bwidth"])
def test_what_cannot_be_seen_is_removed(text: str) -> None:
    assert not re.search("[\x1b\u202e\u200b]", hostile_page(text).decode("utf-8"))


@pytest.mark.unit
def test_half_a_surrogate_pair_does_no_harm() -> None:
    feedback = replace(TRANSPOSED, seen="\ud800")
    made = feedback_page(Entry(result("a", check("weights", 0, feedback))))
    assert b"ud800" in made


@pytest.mark.unit
def test_the_page_needs_no_other_file_and_forbids_all() -> None:
    shown = page(result("a", check("weights", 0, TRANSPOSED)))
    rules = shown.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert (rules[0]["content"] or "").startswith("default-src 'none'; style-src 'sha256-")
    outside = ("src", "srcset", "data", "action", "style")
    assert not [found for _, found in shown.tags if any(name in found for name in outside)]
    assert all((found["href"] or "").startswith("#") for found in shown.all("a"))
    assert shown.all("script") == shown.all("link") == []


@pytest.mark.large
@pytest.mark.unit
def test_a_page_stays_small_whatever_was_handed_in() -> None:
    numbers = Numbers("a tensor", ((0.123456,) * 12,) * 12, 4, axes=("queries", "keys"))
    source = StepSource(
        "work.py", 1, 9, "x = 1  # " + "long " * 30 + "\n" * 2 + "y\n" * SOURCE_BUDGET
    )
    names = [f"step_{number}" for number in range(20)]
    checks = tuple(
        CheckResult(name, 0, 1, Outcome.WRONG, replace(TRANSPOSED, numbers=numbers))
        for name in names
    )
    made = result("a", checks=checks, about=paragraphs("word " * 90_000))
    page = feedback_page(Entry(made, member("a", "", dict.fromkeys(names, source))))
    assert len(page) < 150_000


def arrays(value: Value) -> Iterator[npt.NDArray[Any]]:
    if isinstance(value, Array):
        yield value.data
    if isinstance(value, ListValue):
        for item in value.items:
            yield from arrays(item)


def test_no_hidden_expected_number_is_on_the_page(exam: Exam) -> None:
    """Every twelfth wrong submission: of the right answers, only numbers that are the student's own too."""
    hidden: dict[str, set[str]] = {}
    for question in exam.questions:
        if question.kind == "drawn":
            for answers in question.answers:
                for right in answers.right:
                    numbers = [float(one) for data in arrays(right.value) for one in data.flat]
                    texts = {f"{one:.{places}f}" for one in numbers for places in (3, 4)}
                    hidden.setdefault(question.step, set()).update(texts)
    looked_at = 0
    for variant in rows_of("self_attention", "wrong")[::12]:
        session = open_session(exam, submission(base_of("self_attention"), variant))
        check = check_step(exam, session, variant.step)
        if check.feedback is None or check.feedback.numbers is None:
            continue
        rows = check.feedback.numbers.rows
        documents = check.feedback.on_documents
        rows += documents.rows if documents else ()
        own = {
            f"{one:.{places}f}"
            for row in rows
            for one in row
            if isinstance(one, float)
            for places in (3, 4)
        }
        only = replace(result("a"), checks=(check,))
        shown = set(re.findall(r"-?\d+\.\d{3,4}\b", page(only).text))
        assert shown & hidden[variant.step] <= own, variant.name
        looked_at += bool(shown)
    assert looked_at > 5


@pytest.mark.unit
def test_a_step_without_work_is_to_be_written_first() -> None:
    open_one = page(result("a", check("scores", 0, NOT_STARTED))).text
    wrong = page(result("a", check("scores", 0, TRANSPOSED))).text

    assert "When you have written it, check it: pytest -k scores" in open_one
    assert "Then check it again: pytest -k scores" in wrong


@pytest.mark.unit
@pytest.mark.parametrize("numbers", [(1.7e308, -1.7e308), (5e-324, 0.0), (float("nan"), 1.7e308)])
def test_extreme_numbers_have_a_picture(numbers: tuple[float, ...]) -> None:
    shown = replace(TRANSPOSED, numbers=Numbers("a tensor of shape (2,)", (numbers,), 3))
    assert (
        f"{numbers[1]:.3g}".removesuffix(".0") in page(result("a", check("weights", 0, shown))).text
    )


def raised(*frames: Frame) -> Feedback:
    return Feedback(Outcome.RAISED, lines=frames)


def lines_of(text: str, *frames: Frame, budget: int = FULL) -> list[tuple[int, str, bool]]:
    found = step_lines(StepSource("work.py", 10, 99, text), raised(*frames), budget)
    return [(line.number, line.text, line.marked) for line in found.lines]


@pytest.mark.unit
@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_docstring_becomes_one_line(quotes: str) -> None:
    text = f"def f(x):\n    {quotes}Words.\n\n    Args:\n    {quotes}\n    return x"
    assert lines_of(text) == [
        (10, "def f(x):", False),
        (11, f"    {quotes}Words. ... {quotes}", False),
        (15, "    return x", False),
    ]
    assert step_lines(StepSource("work.py", 10, 15, text), raised(), FULL).more == 0


@pytest.mark.unit
@pytest.mark.parametrize(
    "text",
    [
        'def f(x):\n    """Words."""\n    return x',
        'def f(x):\n    y = """\n    text"""\n    return x',
        'def f(x):\n    """never closed\n    return x',
        'def f(x):\n    """closed""" ; y = """\n    """\n    return x',
        'x = [\n    """a\n    b""",\n]',
        '"""',
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert [line for _, line, _ in lines_of(text)] == text.split("\n")


@pytest.mark.unit
def test_the_line_of_an_error_is_marked_in_its_file_only() -> None:
    text = "def f(x):\n    return g(x)"
    assert [marked for *_, marked in lines_of(text, Frame("work.py", 11, "f", ""))] == [False, True]
    assert [marked for *_, marked in lines_of(text, Frame("other.py", 11, "f", ""))] == [
        False,
        False,
    ]


@pytest.mark.unit
def test_lines_are_bounded() -> None:
    many = step_lines(StepSource("work.py", 1, 999, "x\n" * 500), raised(), FULL)
    assert (len(many.lines), many.more) == (MOST_LINES, 401)
    few = step_lines(StepSource("work.py", 1, 999, "x\n" * 500), raised(), 3 * (LINE_COST + 1))
    assert (len(few.lines), few.more) == (3, 498)
    assert few.size == 3 * (LINE_COST + 1)


@pytest.mark.unit
def test_a_line_that_is_shown_already_is_not_shown_again() -> None:
    lines = step_lines(StepSource("work.py", 10, 11, "def f(x):\n    return g(x)"), raised(), FULL)
    feedback = raised(Frame("work.py", 11, "f", "return g(x)"), Frame("work.py", 3, "g", "raise E"))
    [elsewhere] = lines_elsewhere(feedback, lines)
    assert (elsewhere.piece, [line.number for line in elsewhere.lines]) == ("work.py", [3])


@pytest.mark.unit
def test_a_line_has_the_shape_and_the_mark_of_what_it_computed() -> None:
    traced = (
        TracedLine("work.py", 11, "f", "y = g(x)", "(6, 2)", "right"),
        TracedLine("work.py", 12, "f", "return y / 2", "(6, 2)", "first"),
        TracedLine("work.py", 30, "g", "return x[i]", "(2,)", "", 0, "i = 0", "i = 1"),
    )
    feedback = Feedback(Outcome.WRONG, traced=traced)
    text = "def f(x):\n    y = g(x)\n    return y / 2"
    lines = step_lines(StepSource("work.py", 10, 12, text), feedback, FULL)
    assert [(line.text, line.computed, line.marked) for line in lines.lines] == [
        ("def f(x):", ("", ""), False),
        ("    y = g(x)", ("(6, 2)", "right"), False),
        ("    return y / 2", ("(6, 2)", "first wrong value"), True),
    ]
    [helper] = lines_elsewhere(feedback, lines)
    assert helper.lines[0].computed == ("(2,)", "right until i = 0, wrong from i = 1")
