"""An exception that a docstring promises: what it earns, what a claim of it earns, and where students read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.exam.expected_json import load_release
from autograder.explain.feedback_text import check_markdown
from autograder.explain.wording import describe
from autograder.grading.grader import Grader
from autograder.reports.appeal_text import appeal_text
from autograder.results import Outcome
from autograder.values.values import ListValue
from tests.exams import ROOT, exam_of
from tests.graders import check_step, grade_for_real, open_session
from tests.sandbox.forked import forked_interpreters

if TYPE_CHECKING:
    from autograder.exam.questions import Exam
    from autograder.results import CheckResult

NAME, STEP = "numpy_attention", "token_indices"
RIGHT = "torch.tensor([vocabulary[word] for word in sentence.split()])"
ZEROS = "torch.zeros(len(sentence.split()), dtype=torch.long)"

CLAIMS = {
    "always": ("raise KeyError(sentence)", 0.0),
    "the record of the kit in place of the exception": (
        f"""
    import sys
    Raised = sys.modules["autograder.values.values"].Raised
    try:
        return {RIGHT}
    except KeyError:
        return Raised(('KeyError',))""",
        1.0,  # as good as to raise it, and no better
    ),
    "wherever it is asked for, and zeros elsewhere": (
        f"""
    import sys
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_name == "index_of_an_unknown_word":
            raise KeyError(sentence)
        frame = frame.f_back
    return {ZEROS}""",
        0.0,
    ),
    "a patched probe": (
        f"""
    import sys
    RaisingProbe = sys.modules["autograder.assignment.checks"].RaisingProbe
    Raised = sys.modules["autograder.values.values"].Raised
    RaisingProbe.__call__ = lambda probe, student, case: Raised((probe.kind.__name__,))
    return {ZEROS}""",
        0.0,
    ),
    "a metaclass that is equal to all": (
        f"""
    class Any(type):
        __instancecheck__ = __subclasscheck__ = __eq__ = lambda *_: True
        __hash__ = type.__hash__
    class KeyError(Exception, metaclass=Any):
        pass
    if not set(sentence.split()) <= vocabulary.keys():
        raise KeyError(sentence)
    return {RIGHT}""",
        0.75,
    ),
}


def submission(body: str) -> str:
    return f"import torch\n\n\ndef {STEP}(sentence, vocabulary):\n    {body.strip()}\n"


@pytest.fixture
def drawn() -> Exam:
    return exam_of(NAME)


def here(exam: Exam, body: str) -> CheckResult:
    return check_step(exam, open_session(exam, submission(body)), STEP)


@pytest.mark.parametrize(("body", "points"), CLAIMS.values(), ids=CLAIMS)
def test_a_claim_earns_no_more_than_the_exception(drawn: Exam, body: str, points: float) -> None:
    """What is claimed counts only where the indices are right, which no claim makes."""
    with forked_interpreters():
        result = grade_for_real(drawn, submission(body))
    assert result.score == next(one for one in result.checks if one.step == STEP).score == points


def test_students_learn_by_themselves_what_is_promised() -> None:
    """The public checks ask for the exception too, and know the mistakes."""
    released = load_release(ROOT / "assignments" / NAME)
    assert here(released, f"return {RIGHT}").score == 1
    left_out = RIGHT.replace(".split()", ".split() if word in vocabulary")
    result = here(released, f"return {left_out}")
    assert (result.score, result.mistakes) == (0.75, ("unknown_word_left_out",))
    assert "KeyError must be raised" in check_markdown(result)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ValueError", "KeyError must be raised, not ValueError."),
        ("AssertionError", "KeyError must be raised, not AssertionError."),
        ("KeyError", "Python's own KeyError must be raised; this is another class of that name."),
    ],
)
def test_another_exception_is_named(drawn: Exam, name: str, says: str) -> None:
    own = "class KeyError(Exception):\n        pass\n    " if name == "KeyError" else ""
    unknown = "if not set(sentence.split()) <= vocabulary.keys():"
    result = here(drawn, f"{own}{unknown}\n        raise {name}(sentence)\n    return {RIGHT}")
    words = check_markdown(result)
    assert (result.score, result.outcome) == (0.75, Outcome.RAISED)
    assert says in words
    assert "Expected: KeyError, because the vocabulary does not have one of the words." in words
    criterion = next(check for check in drawn.assignment.checks if check.name == STEP).criteria[-1]
    assert f"Where to look: {criterion.looks['raised']}" in words


def test_an_appeal_shows_the_exception(drawn: Exam) -> None:
    grader = Grader(drawn, open_session(drawn, submission(f"return {RIGHT}")))
    check = next(check for check in drawn.assignment.checks if check.name == STEP)
    text = appeal_text(grader, check, grader.check(check), full=True)
    unknown = text.partition("== unknown_word: 0.25 of 0.25 points")[2]
    assert unknown.count("'the exception KeyError'") >= 4


@pytest.mark.parametrize("items", [(), (1, 2), ("x" * 1_000,), (None, ("a",))])
def test_whatever_a_worker_says_was_raised_can_be_described(items: tuple[object, ...]) -> None:
    assert len(describe(ListValue("raised", items))) < 200  # type: ignore[arg-type]
