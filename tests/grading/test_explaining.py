"""A failure to explain costs words, never points, and is told once."""

from __future__ import annotations

import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from autograder.grading import budget, tutor
from autograder.grading import explaining as explaining_module
from autograder.grading.budget import Budget, OverBudget
from autograder.grading.explaining import Explaining
from autograder.grading.grade import grade
from autograder.grading.grader import Grader
from autograder.grading.observations import NotAlone
from autograder.reports.pages import write
from autograder.results import Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.sandbox.usage import Use
from autograder.submission.read import Submission
from tests.command_line import invoke
from tests.exams import exam_of
from tests.graders import check_all, check_step, grade_for_real, open_session, result_of
from tests.sandbox.forked import forked_interpreters
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.exam.questions import Asked, Exam

T = TypeVar("T")

WRONG = """
def attention_weights(scores):
    return torch.softmax(scores, dim=0)
def scale_scores(scores, d_k):
    return scores.no_such_method()
class SelfAttention_v1(torch.nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.f = lambda W_query: W_query + 1
    def forward(self, x):
        return x @ self.W_query
"""
EXPLAINERS = (
    "explain_wrong", "explain_error", "explain_unsuitable", "explain_missing", "explain_consequence",
    "file_problems", "defined_again",
)  # fmt: skip


def fails(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("a bug")


def test_points_do_not_depend_on_words(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    source = base_of("self_attention") + WRONG
    before = check_all(exam, source)
    for name in EXPLAINERS:
        monkeypatch.setattr(tutor, name, fails)
    explaining = Explaining()
    session = open_session(exam, source)
    judge = Grader(exam, session, explaining=explaining)
    after = {one.name: judge.check(one) for one in exam.assignment.checks}

    assert judge.about_the_file() == ()
    assert {name: (one.score, one.outcome) for name, one in after.items()} == {
        name: (one.score, one.outcome) for name, one in before.items()
    }
    assert all("ZeroDivisionError: a bug" in bug for bug in explaining.bugs)
    weights = after["attention_weights"]
    assert weights.mistakes == before["attention_weights"].mistakes != ()
    assert weights.feedback is not None
    assert weights.feedback.hint
    assert "not the right one" in weights.feedback.seen
    raised = after["scale_scores"].feedback
    assert raised is not None
    assert raised.seen == "`scale_scores` raised an exception."
    assert raised.hint == ""


def test_explaining_has_a_budget_of_its_own(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    def computes(*_: Any, **__: Any) -> Any:
        while True:
            time.process_time()

    monkeypatch.setattr(budget, "SECONDS", 0.5)
    monkeypatch.setattr(budget, "LEAST_SECONDS", 0.25)
    monkeypatch.setattr(tutor, "explain_wrong", computes)
    source = base_of("self_attention") + WRONG
    with forked_interpreters():
        graded = grade_for_real(exam, source)

    monkeypatch.undo()
    by_step = {one.step: one for one in graded.checks}
    assert by_step["attention_weights"].outcome is Outcome.WRONG
    assert by_step["scale_scores"].outcome is Outcome.RAISED
    assert by_step["transfer_weights"].outcome is Outcome.PASSED
    assert graded.score == result_of(exam, source).score


def test_explanations_are_bounded_by_requests(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many, the plain facts are told, and no bug; the points stay."""
    source = base_of("self_attention") + WRONG
    before = check_all(exam, source)
    monkeypatch.setattr(explaining_module, "MOST_REQUESTS", 1)
    explaining = Explaining()
    grader = Grader(exam, open_session(exam, source), explaining=explaining)
    after = {one.name: grader.check(one) for one in exam.assignment.checks}
    assert explaining.bugs == []
    assert {name: (one.score, one.outcome) for name, one in after.items()} == {
        name: (one.score, one.outcome) for name, one in before.items()
    }
    assert explaining.requests > 1
    told = [(before[name].feedback, one.feedback) for name, one in after.items() if one.feedback]
    assert any(first != second for first, second in told)


def test_what_only_a_clock_stopped_is_explained_again_alone() -> None:
    def takes_too_long() -> str:
        raise OverBudget("more computing time", is_time=True)

    with pytest.raises(NotAlone):
        Explaining(alone=False).words(takes_too_long, "plain")
    last = Explaining(alone=True)
    assert last.words(takes_too_long, "plain") == "plain"
    assert last.spent


def test_explanations_may_use_up_all_time(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    """By then the points of all steps are settled."""
    explained = []

    def takes_all(asked: Asked, kept: Any, once: Any) -> Any:
        session = once.__self__.session
        assert isinstance(session, Session)
        session._clock.add(Use(cpu=1e6, awake=1e6, wall=1e6))
        explained.append(asked.check.name)
        raise ZeroDivisionError

    source = base_of("self_attention") + WRONG
    pieces = (("self_attention.py", source),)
    monkeypatch.setattr(tutor, "recognise_mistakes", takes_all)
    with forked_interpreters(), closing(FreshSandbox(Limits())) as sandbox:
        graded = grade(exam, Submission("student", pieces, "0" * 64), sandbox)

    monkeypatch.undo()
    assert explained[0] == "attention_weights"
    wanted = [(one.step, one.score, one.outcome) for one in result_of(exam, source).checks]
    assert [(one.step, one.score, one.outcome) for one in graded.checks] == wanted


def test_making_wrong_answers_costs_a_submission_no_time(exam: Exam) -> None:
    class Noting(Budget):
        def __init__(self) -> None:
            super().__init__()
            self.paid: list[object] = []

        def beside(self, work: Callable[[], T]) -> T:
            made = super().beside(work)
            assert isinstance(work, partial)
            self.paid.append((work.func, *work.args))
            return made

    judging, explaining = Noting(), Noting()
    session = open_session(exam, base_of("self_attention") + WRONG)
    grader = Grader(exam, session, explaining=Explaining(explaining), budget=judging)
    weights = next(one for one in exam.assignment.checks if one.name == "attention_weights")
    grader.settle(weights)
    made = exam.make_wrong_answers, weights.name
    assert judging.paid == [made]
    assert explaining.paid == []
    grader.check(weights)
    assert explaining.paid[0] == made


def test_the_command_tells_a_bug_once_and_goes_on(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("ann", "bob"):
        (tmp_path / "class" / student).mkdir(parents=True)
        file = tmp_path / "class" / student / "self_attention.py"
        file.write_text(base_of("self_attention") + WRONG, encoding="utf-8")
    monkeypatch.setattr(tutor, "explain_error", fails)
    monkeypatch.setattr(write, "feedback_page", fails)
    monkeypatch.setattr(write, "report_page", fails)
    monkeypatch.chdir(root)
    options = ["--assignment", "self_attention", "--out", str(tmp_path / "out"), "--seed", "1"]
    done = invoke(["grade", str(tmp_path / "class"), *options, "--allow-degraded"])

    assert done.exit_code == 0, done.output
    assert done.stderr.count("The kit could not explain a result") == 1
    assert done.stderr.count("3 pages could not be made") == 1
    assert (tmp_path / "out" / "grades.csv").is_file()


LEAKS = """
def attention_weights(scores):
    print(scores.tolist())
    raise type(repr(scores.tolist()) * 3, (ValueError,), {})(repr(scores.tolist()))
"""


def test_hidden_inputs_leave_in_no_text(exam: Exam) -> None:
    found = check_all(exam, base_of("self_attention") + LEAKS)["attention_weights"]
    assert found.feedback is not None
    words = f"{found.feedback.seen} {found.printed}"
    assert "..." in words
    assert not any(character.isdigit() for character in words)


HELPER = """
def soft(x):
    exps = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return exps / exps.sum(dim=-1, keepdim=True)

def scaled_dot_product_attention(q, k, v):
    weights = soft(q @ k.T)
    return weights @ v, weights
"""


@pytest.mark.parametrize(("wrong", "functions"), [("", 1), (" * 2", 2)])
def test_an_own_function_is_a_black_box_if_it_gives_what_a_right_step_gives(
    wrong: str, functions: int
) -> None:
    """Called with scores that are not scaled, it is right: the line that calls it is marked."""
    exam = exam_of("scaled_dot_product")
    source = HELPER.replace("torch.exp(x", f"torch.exp(x{wrong}", 1)
    session = open_session(exam, base_of("scaled_dot_product") + source)
    feedback = check_step(exam, session, "scaled_dot_product_attention").words
    assert len({one.function for one in feedback.traced}) == functions
    [place] = [one for one in feedback.traced if one.mark == "first"]
    assert place.blamed == ("soft(q @ k.T)" if functions == 1 else "x * 2")
