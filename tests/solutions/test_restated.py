"""Classes that are stated again, in more functions, do what the reference does."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.compare import agrees
from autograder.exam.draw import draw_exam
from autograder.exam.reference import observe
from tests.exams import exam_of, source_of

SOLUTIONS = Path(__file__).parents[2] / "solutions"
RESTATED = sorted(path.parent.name for path in SOLUTIONS.glob("*/restated.py"))


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
@pytest.mark.parametrize("name", RESTATED)
def test_what_is_restated_equals_the_reference(name: str, seed: int) -> None:
    source = source_of(name)
    exam = exam_of(name) if seed == 1 else draw_exam(replace(source, mistakes=()), seed)
    reference, restated = source.reference(), source.reference({})
    for check in source.assignment.checks:
        for criterion in check.criteria:
            for question in exam.questions_for(check, criterion):
                for probe in criterion.probes:
                    right = observe(probe, reference, question.inputs)
                    assert agrees(right, observe(probe, restated, question.inputs)), criterion


@pytest.mark.parametrize("name", RESTATED)
def test_each_restated_function_is_there_for_a_mistake(name: str) -> None:
    source = source_of(name)
    steps = {check.name for check in source.assignment.checks}
    replaced = {name for mistake in source.mistakes for name in mistake.replaced}
    used = {cell.id for cell in source.restated} - steps - replaced
    assert used <= {"attended", "made", "three", "weighed"}
