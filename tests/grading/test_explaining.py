"""A failure to explain costs words, never points, and is told once."""

from __future__ import annotations

import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam.draw import draw_exam
from autograder.grading import budget, tutor
from autograder.grading import explaining as explaining_module
from autograder.grading.budget import Budget
from autograder.grading.explaining import Explaining
from autograder.grading.grade import open_session as open_real
from autograder.grading.grader import Grader
from autograder.reports.pages import write
from autograder.results import Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.text import without_numbers
from tests.command_line import invoke
from tests.exam.test_expected_json import plain
from tests.exams import source_of
from tests.graders import check_all, grade_for_real, open_session, result_of
from tests.sandbox.forked import forked_interpreters
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.exam.questions import Exam

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
    "file_problems", "defined_again", "evidence_of", "numbers_on_documents",
)  # fmt: skip


class Lasting(Session):
    """A session that notes how far its deadline was moved."""

    more = 0.0

    def extend(self, seconds: float) -> None:
        self.more += seconds


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

    assert judge.tutor.about_the_file() == ()
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


def test_probes_of_explanations_take_no_time_from_the_steps(exam: Exam) -> None:
    """Each wrong answer takes a while; asked about again and again, it would use up the time of all steps."""
    slow = (
        "\nimport time\ndef attention_weights(scores):\n"
        "    time.sleep(0.4)\n    return scores * 1.7 + 0.3\n"
    )
    pieces = (("self_attention.py", base_of("self_attention") + slow),)
    with (
        forked_interpreters(),
        closing(FreshSandbox(Limits())) as sandbox,
        open_real(exam, pieces, sandbox) as session,
    ):
        session.load()
        exam.make_wrong_answers()
        before = session._clock.deadline
        explaining = Explaining()
        weights = next(one for one in exam.assignment.checks if one.name == "attention_weights")
        Grader(exam, session, explaining=explaining).check(weights)
        assert explaining.waited > 0.4
        assert session._clock.deadline - before == pytest.approx(explaining.waited)


def test_known_wrong_answers_are_made_for_the_first_wrong_one() -> None:
    """They are the same ones then as at once, whatever random numbers were drawn in between."""
    source, right = source_of("scaled_dot_product"), base_of("scaled_dot_product")
    drawn, at_once = draw_exam(source, 5), draw_exam(source, 5)
    at_once.make_wrong_answers()
    check_all(drawn, right)
    assert len(drawn.unmade) == sum(len(question.answers) for question in drawn.questions)

    wrong = "def attention_weights(scores):\n    return torch.softmax(scores, dim=0)\n"
    check_all(drawn, f"{right}\n\n\n{wrong}")
    assert drawn.unmade == []
    assert plain(drawn) == plain(at_once)


def test_making_wrong_answers_costs_a_submission_no_time(
    exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work() -> None:
        started = time.process_time()
        while time.process_time() < started + 0.3:
            pass

    monkeypatch.setattr(budget, "SECONDS", 0.2)
    monkeypatch.setattr(budget, "LEAST_SECONDS", 0.2)
    outer = Budget()
    explaining, session = Explaining(Budget(outer)), Lasting()
    outer.spend(partial(explaining.once, work, session))
    assert session.more > 0.25
    assert min(outer._left, explaining.budget._left) > 0.1  # type: ignore[union-attr]


def test_explaining_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch, exam: Exam) -> None:
    monkeypatch.setattr(explaining_module, "MOST_SECONDS", 0.0)
    explaining = Explaining()
    session = open_session(exam, base_of("self_attention"))
    assert explaining.words(lambda: "words", "plain", ask=session) == "words"
    assert explaining.words(lambda: "words", "plain", ask=session) == "plain"


def test_what_another_budget_pays_is_given_back() -> None:
    outer = Budget()

    def work() -> None:
        started = time.process_time()
        while time.process_time() < started + 0.2:
            pass

    outer.spend(lambda: Budget(outer).spend(work))
    assert outer._left > budget.SECONDS - 0.1


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
    assert done.stderr.count("3 pages show the marks only") == 1
    page = (tmp_path / "out" / "ann" / "feedback.html").read_text(encoding="utf-8")
    assert "<h1>ann</h1>" in page
    assert "scale_scores: 0 of 1 points, raised" in page
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "bob: " in report
    assert "graded" in report


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[[0.1, -2e-05], [nan, 4], [5.]]", "[[...]]"),
        ("tensor([1., 2., 3., 4., 5.])", "tensor([...])"),
        ("1\n2\n3\n4\n5\n", "...\n"),
        ("mat1 and mat2 shapes cannot be multiplied (3x5 and 4x2)", None),
        ("[1, 2, 3, 4]", None),
        ("line 3 of 7: 2 of 5 and 6 of 8", None),
        ("v1.2.3.4.5.6", None),
        ("[1, 2, 3, 4, 5] 7f3a", "[...] 7f3a"),
        ("1 nancy 2 infinite 3 4 5 names", None),
    ],
)
def test_runs_of_numbers(text: str, shown: str | None) -> None:
    assert without_numbers(text) == (text if shown is None else shown)


def test_long_texts_take_linear_time() -> None:
    steps = []
    for size in (20_000, 40_000):
        started = time.process_time()
        for text in ("1" * size, "1 " * size, "1a" * size, "nan" * size, "1" + "-" * size):
            without_numbers(text)
        steps.append(time.process_time() - started)
    assert steps[1] < 20 * steps[0] + 0.5
