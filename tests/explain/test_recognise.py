"""One mistake, or several that look the same; and small edits of which nobody wrote what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.exam.edit_kinds import CODES
from autograder.exam.questions import GeneratedAnswer
from autograder.exam.sketch import sketched
from autograder.explain.edit_words import explain_edits
from autograder.explain.feedback_text import check_markdown
from autograder.explain.recognise import RecognisedEdits, effect, named
from autograder.explain.student_code import StudentCode
from autograder.explain.words_of_edits import EDITS
from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.values.values import Array
from tests.graders import check_all, check_step, open_session
from tests.toy import RIGHT, write_toy
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.exam.questions import Exam, Question
    from autograder.results import CheckResult

CLASS = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return {result}
"""


def in_a_class(exam: Exam, result: str) -> tuple[set[str], bool, str]:
    code = CLASS.format(result=result)
    session = open_session(exam, f"{base_of('self_attention')}\n\n{code}")
    check = check_step(exam, session, "SelfAttention_v1")
    return set(check.mistakes), check.sure, check_markdown(check)


def test_one_mistake_is_named_and_no_combination_of_two(exam: Exam) -> None:
    """Of two, the trace shows the first: after its repair, the other one is named."""
    for result in ("(queries @ keys.T, dim=0)", "((queries @ keys.T) ** 2, dim=-1)"):
        names, sure, text = in_a_class(exam, f"torch.softmax{result} @ values")
        assert (names, sure) == (set(), False)
        assert "Costs 3 of 4 points." in text
    repaired = "torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=0) @ values"
    names, sure, _ = in_a_class(exam, repaired)
    assert (names, sure) == ({"softmax_over_the_queries"}, True)


def test_two_words_for_the_same_are_both_said(exam: Exam) -> None:
    names, sure, text = in_a_class(
        exam, "torch.softmax(keys @ queries.T / keys.shape[1] ** 0.5, -1) @ values"
    )
    assert names == {"queries_and_keys_swapped", "scores_transposed"}
    assert sure
    assert "Queries and keys are swapped" in text
    assert "Or, with the same effect: The scores are transposed" in text


def test_alternatives_with_several_effects_are_not_said(exam: Exam) -> None:
    sample = named(exam, ["not_scaled", "softmax_twice"])
    assert (sample.sure, sample.names) == (False, ("not_scaled", "softmax_twice"))
    names, sure, text = in_a_class(
        exam, "torch.softmax(queries @ queries.T / keys.shape[1] ** 0.5, 0) @ values"
    )
    assert (names, sure) == (set(), False)
    assert "`queries @ queries.T`" in text


def test_mistakes_that_are_the_same_in_effect_are_sure(exam: Exam) -> None:
    known = replace(exam, synonyms={"divided_by_sqrt_2": "not_scaled", "a": "b", "b": "a"})
    sample = named(known, ["not_scaled", "divided_by_sqrt_2"])
    assert (sample.sure, sample.names) == (True, ("not_scaled", "divided_by_sqrt_2"))
    assert effect(known, "a") in {"a", "b"}


# Small edits of the reference.

TRIPLE = f"{RIGHT}\n\ndef double(x):\n    return x + x + x\n"


@dataclass
class Fake:
    """Generated answers: for each group the codes of its edits, and a function of the input of `double`."""

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
    assert check.feedback.message.endswith(f" but {EDITS['axis-first'][0]}.")
    assert check.feedback.hint == EDITS["axis-first"][1]


def test_of_two_groups_only_what_they_share_is_told(toy: Exam) -> None:
    check = found(toy, [(("sign", "one-only"), thrice), (("one-only", "squared"), thrice)])
    assert (check.mistakes, check.sure) == (("generated:one-only",), False)
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
    "body", ["return x + x", "return None", "raise ValueError", "return 'a text'", "return x[:1]"]
)
def test_other_answers_are_as_without_edits(toy: Exam, body: str) -> None:
    source = f"{RIGHT}\n\ndef double(x):\n    {body}\n"
    assert found(toy, [(("sign",), thrice)], source) == found(toy, [], source)


def test_an_answer_that_is_too_large_to_explain_fits_no_edit(toy: Exam) -> None:
    source = f"{RIGHT}\n\ndef double(x):\n    return np.zeros((2000, 1000)) * x.size\n"
    fake = Fake([(("sign",), lambda _: np.zeros((2000, 1000)))])
    assert check_all(replace(toy, generated=fake), source)["double"].mistakes == ()


def graded(exam: Exam, explaining: Explaining) -> CheckResult:
    check = next(check for check in exam.assignment.checks if check.name == "double")
    return Grader(exam, open_session(exam, TRIPLE), explaining=explaining).check(check)


def test_generated_answers_that_fail_cost_words_and_no_points(toy: Exam) -> None:
    def broken(_: Question, __: int, /) -> tuple[GeneratedAnswer, ...]:
        raise LookupError("broken")

    explaining = Explaining()
    result, without = graded(replace(toy, generated=broken), explaining), found(toy, [])
    assert (result.score, result.outcome) == (without.score, without.outcome)
    assert len(explaining.bugs) == 1


# Words.


@pytest.mark.unit
def test_each_kind_of_edit_makes_a_sentence() -> None:
    assert set(EDITS) == set(CODES)
    for code in CODES:
        edits = RecognisedEdits((("weights", code), ("weights", "sign")), sure=True)
        said = explain_edits("weights", edits)
        assert re.fullmatch(
            r"Your answer is that of the right computation, but [^\n]+[^.]\.", said.message
        ), code
        assert (said.mistakes, said.sure) == ((f"generated:{code}",), True)
        assert said.hint.endswith((".", "?", ":")) or not said.hint, code
        assert "  " not in f"{said.message} {said.hint}", code


@pytest.mark.unit
@pytest.mark.parametrize(
    ("steps", "named"), [(["other"], True), (["step"], False), (["other", "third"], False)]
)
def test_an_earlier_step_is_named_if_the_edit_can_only_be_there(
    steps: list[str], named: bool
) -> None:
    edits = RecognisedEdits(tuple((name, "call-left-out") for name in steps))
    assert ("in its step `other`" in explain_edits("step", edits).message) is named


@pytest.mark.unit
@pytest.mark.parametrize(
    ("body", "said"),
    [("k @ q.T", "generated:transpose-added"), ("turn(k)", "generated:reshaped"), ("k @ q", "")],
)
def test_an_edit_is_said_only_if_the_source_has_what_it_names(body: str, said: str) -> None:
    source = f"def turn(k):\n    return k.view(2, 3)\n\n\ndef step(q, k):\n    return {body}\n"
    edits = RecognisedEdits((("step", "transpose-added"), ("step", "reshaped")), sure=True)
    found = explain_edits("step", edits, StudentCode([("", source)]).definition("step"))
    assert (found.mistakes, bool(found.message)) == (((said,), True) if said else ((), False))
