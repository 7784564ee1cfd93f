"""Grade each submission of the table of slips as `autograder grade` does."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.explain.feedback_text import check_markdown
from autograder.grading.grade import grade
from autograder.reports.gradescope_json import dump_results
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.submission.find import find_submissions
from autograder.submission.read import read_submission
from tests.sandbox.conftest import PERMISSIVE
from tests.truth import slips
from tests.truth.slips.slip import FILE, FORMS, Form, Slip
from tests.truth.test_truth import exam_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.results import Result
    from autograder.sandbox.sandbox import Sandbox


def table() -> list[Slip]:
    """Return the rows of all modules with SLIPS in this folder."""
    names = [module.name for module in pkgutil.iter_modules(slips.__path__)]
    modules = [
        importlib.import_module(f"{slips.__name__}.{name}") for name in names if "test" not in name
    ]
    return [slip for module in modules for slip in getattr(module, "SLIPS", ())]


def rows() -> pytest.MarkDecorator:
    """Make one test for each row and form. The forms after the first are slow tests."""
    entries = [
        pytest.param(slip, form, id=f"{slip.name}-{form}", marks=[pytest.mark.slow] * (number > 0))
        for slip in table()
        for number, form in enumerate(slip.forms)
    ]
    return pytest.mark.parametrize(("slip", "form"), entries)


def each_row_once() -> pytest.MarkDecorator:
    """Make one test for each row, in its forms by turns."""
    entries = [
        pytest.param(slip, slip.forms[number % len(slip.forms)], id=slip.name)
        for number, slip in enumerate(table())
    ]
    return pytest.mark.parametrize(("slip", "form"), entries)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = best_sandbox(Limits(), layers=PERMISSIVE)
    yield opened
    opened.close()


def graded(slip: Slip, form: Form, folder: Path, sandbox: Sandbox) -> Result:
    exam = exam_of(slip.assignment)
    [found] = find_submissions([slip.write(folder, form)], slip.assignment)
    result = grade(exam, read_submission(found, exam.assignment), sandbox)
    return replace(result, execution_time=0.0, student="student")


def texts(result: Result) -> dict[str, str]:
    """Return the texts for the student, each in one line: the note about the file, and one for each step."""
    found = {FILE: result.output} | {check.step: check_markdown(check) for check in result.checks}
    return {name: " ".join(text.split()) for name, text in found.items()}


def test_names_are_unique() -> None:
    names = [slip.name for slip in table()]
    assert sorted(set(names)) == sorted(names)


def test_all_forms_and_assignments_are_tried() -> None:
    assert {form for slip in table() for form in slip.forms} == {*FORMS}


@rows()
def test_a_slip_costs_what_it_costs_and_is_told_well(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    result = graded(slip, form, tmp_path, sandbox)
    said = texts(result)
    lost = {check.step: check.max_score - check.score for check in result.checks}
    assert result.score == pytest.approx(slip.points), {k: v for k, v in lost.items() if v}
    for words in slip.wanted:
        assert words in said[slip.where]
    if slip.line:
        assert f"line {slip.line_number(form)}" in said[slip.where]
    for words in slip.misleading:
        assert not [name for name, text in said.items() if words in text]


@pytest.mark.slow
@each_row_once()
def test_the_same_submission_gives_the_same_bytes(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    first, second = (dump_results(graded(slip, form, tmp_path, sandbox)) for _ in range(2))
    assert first == second
