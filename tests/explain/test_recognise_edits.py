"""Wrong answers that the reference gives with a small edit, of which nobody wrote what they mean."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.exam.edit_kinds import CODES
from autograder.exam.mutants import Group, Mutant, Mutants, StepMutants, read_mutants
from autograder.exam.questions import GeneratedAnswer, no_edits
from autograder.exam.sketch import sketched
from autograder.exam.substitution import Substitution
from autograder.explain.edit_words import explain_edits
from autograder.explain.feedback_text import check_markdown
from autograder.explain.recognise import RecognisedEdits
from autograder.explain.words_of_edits import EDITS
from autograder.grading.budget import Budget
from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.values.values import Array
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.graders import check_all, check_step, open_session
from tests.toy import MULTIPLY, RIGHT, edit, write_toy
from tests.truth.variant import base_of, submission, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam, Question
    from autograder.results import CheckResult

TRIPLE = f"{RIGHT}\n\ndef double(x):\n    return x + x + x\n"
TRIPLED = edit("constant-other", MULTIPLY, "2.0", "3")


@dataclass
class Fake:
    """Generated answers: what these functions make of the input of `double`.

    Attributes:
        groups: for each group the codes of its edits, and the function.
    """

    groups: Sequence[tuple[tuple[str, ...], Callable[[Any], Any]]]
    asked: list[tuple[Question, int]] = field(default_factory=list)

    def __call__(self, question: Question, probe: int) -> tuple[GeneratedAnswer, ...]:
        self.asked.append((question, probe))
        if question.step != "double":
            return ()
        x = question.inputs["x"]
        assert isinstance(x, Array)
        return tuple(
            GeneratedAnswer(
                number,
                tuple(("double", code) for code in codes),
                sketched(replace(x, data=function(x.data))).sketch,
            )
            for number, (codes, function) in enumerate(self.groups)
        )


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    folder = tmp_path_factory.mktemp("edits")
    return draw_exam(load_source(write_toy(folder) / "toy"), 1)


def thrice(x: Any) -> Any:
    return 3 * x


def found(toy: Exam, groups: Any, source: str = TRIPLE) -> CheckResult:
    return check_all(replace(toy, generated=Fake(groups)), source)["double"]


def test_one_group_is_sure_and_its_plainest_edit_is_told(toy: Exam) -> None:
    check = found(toy, [(("sign",), np.negative), (("axis-first", "squared"), thrice)])
    assert (check.mistakes, check.sure) == (("generated:axis-first",), True)
    assert check.feedback is not None
    assert check.feedback.message == (
        "Your answer is that of the right computation, but with an operation that runs along the first axis, down each "
        "column."
    )
    assert check.feedback.hint == EDITS["axis-first"][1]


def test_the_answers_are_those_of_the_edited_reference(tmp_path: Path) -> None:
    source = load_source(write_toy(tmp_path) / "toy")
    origins = (("double", "constant-other"),)
    group = Group("value", Mutant("double", TRIPLED), origins)
    mutants = Mutants(source, {"double": StepMutants(groups=(group,))})
    check = check_all(replace(draw_exam(source, 1), generated=mutants), TRIPLE)["double"]
    assert (check.mistakes, check.sure) == (("generated:constant-other",), True)


def test_of_two_groups_only_what_they_share_is_told(toy: Exam) -> None:
    check = found(toy, [(("sign", "one-only"), thrice), (("one-only", "squared"), thrice)])
    assert (check.mistakes, check.sure) == (("generated:one-only",), False)
    assert check.feedback is not None
    assert check.feedback.message.endswith(f" but {EDITS['one-only'][0]}.")


def test_of_two_groups_that_share_nothing_nothing_is_told(toy: Exam) -> None:
    check = found(toy, [(("sign",), thrice), (("squared",), thrice)])
    assert (check.mistakes, check.sure) == ((), False)
    assert "Your answer is that of" not in check_markdown(check)


def test_the_answers_to_all_cases_must_fit(toy: Exam) -> None:
    sizes: list[int] = []

    def only_the_first(x: Any) -> Any:
        sizes.append(x.size)
        return 3 * x if len(sizes) == 1 else 4 * x

    assert found(toy, [(("sign",), only_the_first)]).mistakes == ()
    assert len(sizes) == 2


def test_a_group_that_fits_nothing_is_not_told(toy: Exam) -> None:
    assert found(toy, [(("sign",), np.negative)]).mistakes == ()
    assert found(toy, []).mistakes == ()


def test_an_answer_with_a_written_mistake_asks_for_no_edits(toy: Exam) -> None:
    """The author's words win, also where an edit gives the same answer."""
    fake = Fake([(("operation-left-out",), lambda x: x)])
    source = f"{RIGHT}\n\ndef double(x):\n    return x\n"
    check = check_all(replace(toy, generated=fake), source)["double"]
    assert (check.mistakes, check.sure) == (("unchanged",), True)
    assert check.feedback is not None
    assert check.feedback.message == "That is the input itself."
    assert fake.asked == []


@pytest.mark.parametrize(
    "body",
    ["return x + x", "return None", "raise ValueError", "return 'a text'", "return x[:1]"],
)
def test_other_answers_are_as_without_edits(toy: Exam, body: str) -> None:
    source = f"{RIGHT}\n\ndef double(x):\n    {body}\n"
    assert found(toy, [(("sign",), thrice)], source) == found(toy, [], source)


def test_an_answer_that_is_too_large_to_explain_fits_no_edit(toy: Exam) -> None:
    source = f"{RIGHT}\n\ndef double(x):\n    return np.zeros((2000, 1000)) * x.size\n"
    fake = Fake([(("sign",), lambda _: np.zeros((2000, 1000)))])
    assert check_all(replace(toy, generated=fake), source)["double"].mistakes == ()


def test_without_generated_mistakes_nothing_is_searched(toy: Exam) -> None:
    check = check_all(replace(toy, generated=no_edits), TRIPLE)["double"]
    assert (check.mistakes, check.score) == ((), 0)


def test_what_edits_answer_is_made_beside_the_budget(toy: Exam) -> None:
    """Each answer of an edit, since it is made once for all submissions."""
    beside: list[object] = []

    class Counting(Budget):
        def beside(self, work: Callable[[], Any]) -> Any:
            beside.append(work)
            return super().beside(work)

    fake = Fake([(("sign",), thrice)])
    exam = replace(toy, generated=fake)
    explaining = Explaining(Counting())
    check = next(check for check in exam.assignment.checks if check.name == "double")
    result = Grader(exam, open_session(exam, TRIPLE), explaining=explaining).check(check)
    assert result.mistakes == ("generated:sign",)
    made = [work for work in beside if isinstance(work, partial) and work.func is fake]
    assert len(made) == len(fake.asked) == 2
    assert explaining.bugs == []


def test_generated_answers_that_fail_cost_words_and_no_points(toy: Exam) -> None:
    class Broken:
        def __call__(self, _: Question, __: int, /) -> tuple[GeneratedAnswer, ...]:
            raise LookupError("broken")

    exam = replace(toy, generated=Broken())
    explaining = Explaining()
    check = next(check for check in exam.assignment.checks if check.name == "double")
    result = Grader(exam, open_session(exam, TRIPLE), explaining=explaining).check(check)
    without = found(toy, [])
    assert (result.score, result.outcome) == (without.score, without.outcome)
    assert len(explaining.bugs) == 1


# Words.


@pytest.mark.unit
def test_each_kind_of_edit_makes_a_sentence() -> None:
    for code in CODES:
        said = explain_edits("weights", RecognisedEdits((("weights", code),), sure=True))
        assert re.fullmatch(
            r"Your answer is that of the right computation, but [^\n]+[^.]\.", said.message
        ), code
        assert said.mistakes == (f"generated:{code}",), code
        assert "  " not in f"{said.message} {said.hint}", code


def bound(source: Source) -> set[str]:
    """The names that the reference's steps give to values, and that no student gets to see."""
    names: set[str] = set()
    for cell in source.script:
        if cell.kind == "step":
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names.add(node.id)
    seen = "".join(cell.source for cell in source.assignment.cells)
    seen += source.assignment.probes.decode()
    return names - set(re.findall(r"\w+", seen))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_words_hold_no_name_of_a_reference(name: str) -> None:
    names = bound(source_of(name))
    for what, look, *_ in EDITS.values():
        code = re.findall(r"\w+", " ".join(re.findall("`([^`]*)`", f"{what} {look}")))
        assert names.isdisjoint(code), (what, look)


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("scaled_dot_product", 16),
        *(pytest.param(name, 8, marks=pytest.mark.slow) for name in ASSIGNMENTS),
    ],
)
def test_generated_mistakes_change_no_point(name: str, every: int) -> None:
    """Nor an outcome, nor an answer with a written mistake: on some wrong rows of the truth tables.

    The written mistakes are left out once, so that the generated ones are what is told.
    """
    source, exam = source_of(name), exam_of(name)
    steps = read_mutants(source)
    assert steps
    rows = [variant for assignment, variant in table("wrong") if assignment == name][::every]
    named = 0
    for known in (exam, without_written(exam, source)):
        with_edits = replace(known, generated=Mutants(source, steps))
        without = replace(with_edits, generated=no_edits)
        known_mistakes = set(with_edits.mistakes)
        for variant in rows:
            code, step = submission(base_of(name), variant), variant.step
            first, second = (
                check_step(one, open_session(one, code), step) for one in (with_edits, without)
            )
            assert (first.score, first.outcome) == (second.score, second.outcome), variant.name
            named += any(one.startswith("generated:") for one in first.mistakes)
            if written := known_mistakes.intersection(second.mistakes):
                assert written.issubset(first.mistakes)
                assert first == second
    assert named > 1


def without_written(exam: Exam, source: Source) -> Exam:
    """The exam whose author has written of no mistake."""
    questions = (
        replace(
            question,
            answers=tuple(replace(answers, make_wrong=tuple) for answers in question.answers),
        )
        for question in exam.questions
    )
    substitution = Substitution(replace(source, mistakes=()))
    return replace(
        exam, questions=tuple(questions), mistakes={}, synonyms={}, substitution=substitution
    )
