"""Grade each submission of the table of slips as `autograder grade` does."""

from __future__ import annotations

import ast
import functools
import re
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.explain.feedback_text import check_markdown
from autograder.explain.rules import WORDS
from autograder.python_source import Statement, parsed, statements
from autograder.reports.gradescope_json import dump_results
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from tests.exams import source_of
from tests.sandbox.conftest import PERMISSIVE
from tests.truth.graded import slip_graded, steps_about
from tests.truth.slips.slip import FILE, Form, Slip, all_slips
from tests.truth.stored import SAMPLE, Row, assert_as_stored, report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from autograder.results import Result
    from autograder.sandbox.sandbox import Sandbox


def rule(slip: Slip) -> tuple[str, bool, bool, bool]:
    """Return by which rule a line of the row is named: of the file or of a step, read by Python or not."""
    unreadable = not all(map(parsed, (source for _, source in slip.cells())))
    return slip.assignment, slip.where == FILE, bool(slip.line), unreadable


@functools.cache
def graded_rows() -> list[tuple[Slip, Form]]:
    """Return each row in its first form, and one row for each further form and each rule."""
    further: dict[tuple[object, ...], tuple[Slip, Form]] = {}
    for slip in all_slips():
        for form in slip.forms[1:]:
            further.setdefault((form, *rule(slip)), (slip, form))
    return [(slip, slip.forms[0]) for slip in all_slips()] + [*further.values()]


def rows(entries: Iterable[tuple[Slip, Form]]) -> pytest.MarkDecorator:
    """Make one test for each row and form."""
    listed = [pytest.param(slip, form, id=f"{slip.name}-{form}") for slip, form in entries]
    return pytest.mark.parametrize(("slip", "form"), listed)


# One in ten of the rows that have several forms.
SAMPLED = [slip for slip in all_slips() if len(slip.forms) > 1][::SAMPLE]


@dataclass(frozen=True)
class Runs:
    """A statement that is run, or lines that cannot be read.

    Attributes:
        text: its syntax tree, or the lines.
        first: the text in its first line of the file or cell as it was written, by the number that students are told.
        names: the names that it defines.
    """

    text: str
    first: str
    names: tuple[str, ...]
    error: str


def what_runs(slip: Slip, form: Form) -> list[Runs]:
    """Return the statements of the student's that are run, in order, without those of the release's given cells.

    In a notebook the release's own given cells run, and `pass` stands in place of the student's copy.
    """
    assignment = source_of(slip.assignment).assignment
    given = (ast.parse(cell.source).body for cell in assignment.cells if cell.kind == "given")
    released = {ast.dump(node) for nodes in given for node in nodes} | {ast.dump(ast.Pass())}
    with tempfile.TemporaryDirectory() as folder:
        path = slip.write(Path(folder), form)
        written = [path.read_text(encoding="utf-8")]
        [found] = find_hand_ins([path], slip.assignment)
        pieces = read_submission(found, assignment).pieces
    if form == "notebook":  # the release's own cells stand before the student's
        pieces = pieces[sum(cell.kind == "given" for cell in assignment.cells) :]
        written = [source for _, source in slip.cells()]
    runs = []
    for (_, source), text in zip(pieces, written, strict=True):
        lines, as_written = source.split("\n"), text.split("\n")
        for one in statements(source):
            first, tree = as_written[one.first - 1].strip(), text_of(one, lines)
            if tree not in released:
                runs.append(Runs(tree, first, one.names, type(one.error).__name__))
    return runs


def text_of(one: Statement, lines: list[str]) -> str:
    """Return a statement's syntax tree, or the lines that cannot be read, without comments and blank lines."""
    if one.tree is not None:
        return ast.dump(one.tree)
    own = (line for line in lines[one.first - 1 : one.last] if line.strip())
    return "\n".join(line for line in own if not line.startswith("# "))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(best_sandbox(Limits(), layers=PERMISSIVE)) as opened:
        yield opened


def texts(result: Result) -> dict[str, str]:
    """Return the texts for the student, each in one line: the note about the file, and one for each step."""
    found = {FILE: result.output} | {check.step: check_markdown(check) for check in result.checks}
    return {name: " ".join(text.split()) for name, text in found.items()}


@pytest.mark.parametrize("slip", SAMPLED, ids=lambda slip: slip.name)
def test_every_form_runs_the_same_statements_under_the_same_lines(slip: Slip) -> None:
    first, *others = slip.forms
    expected = what_runs(slip, first)
    assert expected
    for form in others:
        assert what_runs(slip, form) == expected, form


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


@rows((slip, slip.forms[0]) for slip in all_slips())
def test_a_slip_costs_what_it_costs_and_is_told_well(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    steps = steps_about(slip, Row("slip", slip.assignment, slip))
    assert_told_well(slip, form, slip_graded(slip, form, tmp_path, sandbox, steps))


@pytest.mark.slow
@rows(graded_rows())
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


@pytest.mark.slow
@rows((slip, slip.forms[number % len(slip.forms)]) for number, slip in enumerate(SAMPLED))
def test_the_same_submission_gives_the_same_bytes(
    slip: Slip, form: Form, tmp_path: Path, sandbox: Sandbox
) -> None:
    first, second = (dump_results(slip_graded(slip, form, tmp_path, sandbox)) for _ in range(2))
    assert first == second
