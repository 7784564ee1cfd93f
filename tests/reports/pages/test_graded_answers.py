"""What pages show of answers that were graded: no hidden number, and no missing step as a mistake."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.reports.common_mistakes import common_mistakes
from autograder.reports.graded_class import Entry, load_folders
from autograder.reports.pages.report_page import report_page
from autograder.results import Outcome
from autograder.values.values import Array, ListValue
from tests.graders import check_step, open_session, result_of
from tests.reports.pages.classroom import result, write_class
from tests.reports.pages.test_feedback_page import page
from tests.toy import write_toy
from tests.truth.variant import base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

    from autograder.exam.questions import Exam
    from autograder.values.values import Value


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
        shown_of_it = check.feedback.numbers
        rows = (*shown_of_it.rows, shown_of_it.row_sums, shown_of_it.column_sums)
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


def test_a_missing_step_tops_no_list_of_mistakes(tmp_path: Path) -> None:
    """Ten students leave a step out that their other one calls, one gave it another name, one misspells a name."""
    calls = "START = 0.5\n\n\ndef double(x):\n    return shift(x) + shift(x) - 1.0\n"
    files = {f"student{number}": f"{calls}\n\nNUMBER = {number}\n" for number in range(10)}
    files["other"] = f"{calls}\n\ndef shfit(x):\n    return x + START\n"
    files["misspelt"] = f"{calls}\n\ndef shift(x):\n    return x + STRAT\n"
    exam = draw_exam(load_source(write_toy(tmp_path) / "toy"), 1)
    results = [
        replace(result_of(exam, source), student=name, assignment="attention")
        for name, source in files.items()
    ]
    missing = [one.student for one in results if one.checks[1].outcome is Outcome.MISSING]
    assert len(missing) == 11
    [made] = common_mistakes([*map(Entry, results)])
    assert [case.entry.result.student for case in made.cases] == ["misspelt"]
    assert "missing" not in made.name
    folders = load_folders([write_class(tmp_path / "out", results)])
    assert b"name misspelt" in report_page(folders[0])
