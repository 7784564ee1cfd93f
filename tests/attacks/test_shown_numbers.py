"""What a student reads of hidden questions is worth nothing later: no stand-in's answers, no exact numbers."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import pytest

from autograder.reports.gradescope_json import dump_results
from tests.exams import exam_of
from tests.graders import grade_in
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.sandbox.sandbox import Sandbox

NAME = "self_attention"
# The softmax of numbers of one's choice, by the stand-in of a step that is not right.
ASKS = """
def attention_weights(scaled_scores):
    return scaled_scores

class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        return attention_weights(torch.tensor([[0.0, 1.0, 2.0], [3.0, 1.0, 2.0]]))
"""
TELLS = """
def attention_weights(scaled_scores):
    return (scaled_scores * {factor}).round(){more}
"""


def told(sandbox: Sandbox, source: str, step: str) -> dict[str, Any]:
    result = grade_in(sandbox, exam_of(NAME), base_of(NAME) + source)
    content = json.loads(dump_results(result))
    found: dict[str, Any] = next(one for one in content["tests"] if one["name"] == step)
    return found


def test_what_a_stand_in_answers_is_not_shown(sandbox: Sandbox) -> None:
    row = [math.exp(one) for one in (0, 1, 2)]
    whole = json.dumps(told(sandbox, ASKS, "SelfAttention_v1"))
    assert "right_calls" in whole
    for number in row:
        assert f"{number / sum(row):.3f}"[1:] not in whole


@pytest.mark.parametrize(("factor", "more"), [("1e6", ""), ("1e6", ".long()"), ("1e12", "")])
def test_large_numbers_are_told_by_their_size(sandbox: Sandbox, factor: str, more: str) -> None:
    found = told(sandbox, TELLS.format(factor=factor, more=more), "attention_weights")
    shown = found["extra_data"]["feedback"]["numbers"]
    numbers = [one for row in shown["rows"] for one in row]
    assert len(numbers) > 3
    large = [abs(one) for one in numbers if abs(one) >= 1e4]
    assert large
    assert all(math.log10(one) == round(math.log10(one)) for one in large)
    assert all(abs(one - round(one, 3)) < 1e-12 for one in numbers)


SAYS = """
def attention_weights(scaled_scores):
    {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError(f'{scaled_scores[0, 0].item():.3f} in row 7')",
        "assert False, f'{scaled_scores[0, 0].item():.3f}'",
        "raise type(f'E{abs(int(1000 * scaled_scores[0, 0]))}', (ValueError,), {})()",
        "return type(f'E{abs(int(1000 * scaled_scores[0, 0]))}', (), {})()",
        "return {}[float(scaled_scores[0, 0])]",
        "return float(f'x{scaled_scores[0, 0].item():.3f}')",
        "print(f'{scaled_scores[0, 0].item():.3f}'); return 1 / 0",
        "f = lambda x: x\n    f.__name__ = f'f{abs(int(1000 * scaled_scores[0, 0]))}'\n    return scaled_scores @ f",
    ],
)
def test_no_number_stands_in_a_text_that_the_students_code_makes(
    sandbox: Sandbox, body: str
) -> None:
    """Neither in a message, nor in what is printed, nor in a name; a number of the source stays."""
    exam = exam_of(NAME)
    check = next(one for one in exam.assignment.checks if one.name == "attention_weights")
    [question, *_] = exam.questions_for(check, check.criterion("value"))
    first = abs(float(question.inputs["scaled_scores"].data[0, 0]))  # type: ignore[union-attr]
    found = json.dumps(told(sandbox, SAYS.format(body=body), "attention_weights"))
    assert f"{first:.3f}"[1:] not in found
    assert str(int(1000 * first)) not in found
    assert ("row 7" in found) is ("row 7" in body)


def test_a_text_of_torch_keeps_its_sizes_unless_a_stand_in_answers(sandbox: Sandbox) -> None:
    found = told(
        sandbox, SAYS.format(body="return scaled_scores @ scaled_scores"), "attention_weights"
    )
    assert re.search(r"cannot be multiplied \(\d+x\d+ and \d+x\d+\)", json.dumps(found))
    body = "return {}[int(1000 * attention_weights(torch.tensor([[0.0, 1.0, 2.0]]))[0, 0])]"
    asks = ASKS.replace(
        "return attention_weights(torch.tensor([[0.0, 1.0, 2.0], [3.0, 1.0, 2.0]]))", body
    )
    assert body in asks
    found = told(sandbox, asks, "SelfAttention_v1")
    assert "KeyError: ?" in json.dumps(found)
