"""The engine that checks a student's work: the same results wherever it is asked, and which call was wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from autograder.errors import Rejected
from autograder.results import CheckResult, Outcome
from autograder.student.debugger import call_again
from autograder.student.practice import Practice
from tests import toy
from tests.commands.released_steps import copied_release
from tests.student.test_pytest_plugin import FILLED, fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.sandbox.sandbox import Sandbox


@pytest.fixture
def practice(tmp_path: Path, sandbox: Sandbox) -> Iterator[Practice]:
    """A released folder in which some steps are right, some wrong and most not started."""
    folder = copied_release(tmp_path)
    (folder / "self_attention.py").write_text(fill(FILLED), encoding="utf-8")
    practice = Practice(folder, sandbox)
    yield practice
    practice.drop()


def without_places(results: list[CheckResult]) -> list[str]:
    """The results, but for how the line of a file or of a cell is named."""
    line = r"[Ll]ine \d+( of cell \[\d+\])?|line=\d+"
    places = rf"{line}|self_attention\.py|cell \[\d+\]"
    return [re.sub(places, "PLACE", repr(one)) for one in results]


def test_a_file_and_its_cells_get_the_same_marks_mistakes_and_sentences(practice: Practice) -> None:
    of_file = list(practice.check_all())
    assert {one.outcome for one in of_file} >= {
        Outcome.PASSED, Outcome.WRONG, Outcome.RAISED, Outcome.EXITED, Outcome.NOT_STARTED
    }  # fmt: skip
    assert practice.file is not None
    cells = practice.file.read_text(encoding="utf-8").split("# %%\n")
    practice.take(tuple((f"cell [{number}]", cell) for number, cell in enumerate(cells)))
    assert without_places(list(practice.check_all())) == without_places(of_file)


def test_a_step_alone_is_judged_as_among_all(practice: Practice) -> None:
    """A result is there before the next step is asked."""
    results = practice.check_all()
    first = next(results)
    assert practice.results == [first]
    of_file = {one.step: one for one in (first, *results)}
    for step in ("attention_scores", "context_vectors", "SelfAttention_v1"):
        practice.drop()
        assert practice.check(step) == of_file[step]


def test_the_worker_is_kept_until_the_file_changes(practice: Practice) -> None:
    assert practice.check("project").outcome is Outcome.WRONG
    grader = practice._grader
    practice.take_file()
    assert practice._grader is grader
    assert practice.file is not None
    text = practice.file.read_text(encoding="utf-8")
    practice.file.write_text(text.replace("x @ W_key, x @ W_key", "x @ W_key, x @ W_value"))
    practice.take_file()
    assert not practice.is_loaded
    assert practice.check("project").outcome is Outcome.PASSED
    assert len(practice.results) == 1


def test_a_file_that_cannot_be_read_is_said_for_each_step(practice: Practice) -> None:
    (practice.folder / "self_attention.py").write_bytes(b"\xff")
    for step in ("project", "scale_scores"):
        with pytest.raises(Rejected, match="is not UTF-8 text"):
            practice.check(step)


TWO_WAYS = """

from autograder import alternative


@alternative(test_shift)
def shift_of_a_list(student, case):
    '''The same for a list.'''
    return student.shift(list(case.x))
"""
RIGHT_FOR_LISTS = """\
import numpy as np

def double(x):
    return x.does_not_exist

def shift(x):
    return np.add(x, 0.5) if isinstance(x, list) else x
"""


@pytest.fixture
def either(tmp_path: Path, sandbox: Sandbox) -> Iterator[Practice]:
    """A practice in which `shift` is right in the second of two ways, but not for the document's numbers."""
    folder = toy.write_toy(tmp_path) / "toy"
    with (folder / "test_toy.py").open("a", encoding="utf-8") as checks:
        checks.write(TWO_WAYS)
    file = tmp_path / "toy.py"
    file.write_text(RIGHT_FOR_LISTS)
    practice = Practice(folder, sandbox, file)
    yield practice
    practice.drop()


def test_the_call_to_debug_is_the_one_that_cost_the_points(either: Practice) -> None:
    """The first probe of the value is wrong too, but the second is right, and one is enough."""
    result = either.check("shift")
    assert result.score == 1.5
    request = either.deciding_request(result)
    assert request is not None
    assert (request.criterion, request.probe) == ("documented", 0)
    call = call_again(either, request)
    assert call is not None
    assert list(call.inputs["x"]) == list(call.returned) == [1.0, 2.0]  # type: ignore[call-overload]
    assert "the inputs are x." in call.words


def test_a_call_that_raises_raises_again_for_the_debugger(either: Practice) -> None:
    request = either.deciding_request(either.check("double"))
    assert request is not None
    with pytest.raises(AttributeError, match="does_not_exist") as caught:
        call_again(either, request)
    assert caught.traceback[-1].path == either.file


@pytest.mark.parametrize(("line", "repeated"), [("os._exit(3)", False), ("raise SystemExit", True)])
def test_a_call_that_would_end_pytest_is_not_repeated(
    either: Practice, line: str, repeated: bool
) -> None:
    either.take((("toy.py", f"import os\ndef double(x):\n    {line}\n"),))
    result = either.check("double")
    assert result.outcome is Outcome.EXITED
    assert (either.deciding_request(result) is not None) == repeated


def test_a_statement_that_does_not_end_is_left_out_for_the_debugger_too(either: Practice) -> None:
    either.take((("toy.py", "while True: pass\ndef double(x):\n    return x\n"),))
    request = either.deciding_request(either.check("double"))
    assert request is not None
    assert call_again(either, request) is not None
