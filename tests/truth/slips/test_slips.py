"""Grade each submission of the table of slips as `autograder grade` does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from autograder.explain.feedback_text import check_markdown
from autograder.explain.rules import WORDS
from tests.truth.graded import slip_graded, steps_about
from tests.truth.slips.slip import FILE, Form, Slip, all_slips
from tests.truth.stored import Row, assert_as_stored, report

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from autograder.results import Result
    from autograder.sandbox.sandbox import Sandbox


def graded_rows(first: int = 0) -> list[tuple[Slip, Form]]:
    every = enumerate(all_slips(), start=first)
    return [(slip, slip.forms[number % len(slip.forms)]) for number, slip in every]


def rows(entries: Iterable[tuple[Slip, Form]]) -> pytest.MarkDecorator:
    listed = [pytest.param(slip, form, id=f"{slip.name}-{form}") for slip, form in entries]
    return pytest.mark.parametrize(("slip", "form"), listed)


def texts(result: Result) -> dict[str, str]:
    """Return the texts for the student, each in one line: the note about the file, and one for each step."""
    found = {FILE: result.output} | {check.step: check_markdown(check) for check in result.checks}
    return {name: " ".join(text.split()) for name, text in found.items()}


def marked_lines(result: Result, step: str) -> set[int]:
    """Return the lines of a step's feedback that are marked as the place, or stand in a traceback."""
    told = [one for check in result.checks if check.step == step for one in check.explained]
    marked = {line.line for one in told for line in one.traced if line.mark not in ("", "right")}
    return marked | {line.line for one in told for line in one.lines}


def assert_told_well(slip: Slip, form: Form, result: Result) -> None:
    """Assert that the steps that were asked got what is stored, and that the texts say what the row wants."""
    row, said = Row("slip", slip.assignment, slip), texts(result)
    assert_as_stored(row, result.checks)
    about = report(row, result.checks)
    text = said[slip.where].replace("`", "")  # code stands between backticks or in a table of lines
    for words in slip.wanted:
        assert words.replace("`", "") in text, about
    if slip.line:
        number = slip.line_number(form)
        named = re.search(rf"(?i:\bline) {number}\b", text)
        assert named or number in marked_lines(result, slip.where), about
    for words in slip.misleading:
        assert not [name for name, text in said.items() if words in text], about


@rows(graded_rows())
def test_a_slip_costs_what_it_costs_and_is_told_well(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    steps = steps_about(slip, Row("slip", slip.assignment, slip))
    assert_told_well(slip, form, slip_graded(slip, form, tmp_path, sandbox, steps))


@pytest.mark.slow
@rows(graded_rows(1))
def test_the_same_in_all_steps_and_forms(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    assert_told_well(slip, form, slip_graded(slip, form, tmp_path, sandbox))


@pytest.mark.slow
@rows((slip, slip.forms[0]) for slip in all_slips() if slip.fix)
def test_the_advice_repairs_the_step(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    steps = frozenset() if slip.where == FILE else frozenset({slip.where})
    result = slip_graded(slip.repaired(), form, tmp_path, sandbox, steps)
    row = Row("slip", slip.assignment, slip)
    assert all(check.is_full for check in result.checks), report(row, result.checks, wanted={})


# What makes a sentence advice that names code.
ADVICE = re.compile(
    r"[Ww]rite[^.]*`|[Rr]ename `|[Aa]dd the line|makes one of them|starts with zeros|stores it|[Dd]id you mean"
    r"|It is called `|It is `\{meant|written `|writes decimal|keeps the axis|leave it out"
)
# Advice of these is followed by more than an edit, or needs what a worker does not have.
NOT_AN_EDIT = {
    "device_not_there",
    "missing.aside",
    "name_not_defined.made_from",
    "unwritten_memory.by_sizes",
}


@pytest.mark.slow
def test_all_advice_that_names_code_is_followed_in_a_row(tmp_path: Path, sandbox: Sandbox) -> None:
    """Each sentence of the table of words that is such advice stands in the text of a row with `# fix:`."""
    read = []
    for number, slip in enumerate(slip for slip in all_slips() if slip.fix):
        folder = tmp_path / str(number)
        folder.mkdir()
        steps = steps_about(slip, Row("slip", slip.assignment, slip))
        read.append(texts(slip_graded(slip, slip.forms[0], folder, sandbox, steps))[slip.where])
    untried = {
        key
        for key, both in WORDS.items()
        for words in both
        if ADVICE.search(words) and key not in NOT_AN_EDIT
        if not any(_pattern(words).search(text) for text in read)
    }
    assert untried == set()


def _pattern(words: str) -> re.Pattern[str]:
    """Return a pattern of a sentence of the table, with anything in place of its facts."""
    parts = re.split(r"\{\w+(?::[^}]*)?\}", words)
    return re.compile(".{1,200}?".join(map(re.escape, parts)))
