"""What holds for every seed and for whatever a step returns, over all assignments."""

from __future__ import annotations

import functools
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from autograder.assignment.cases import Draw
from autograder.assignment.source import Source, load_source
from autograder.exam.draw import draw_exam
from autograder.reports.gradescope_json import dump_results
from autograder.results import Outcome, Result, Status
from autograder.values.values import freeze
from autograder.values.wire import encode
from tests.graders import check_all, check_step, open_session
from tests.truth.variant import rows_of, submission

if TYPE_CHECKING:
    from autograder.exam.questions import CaseKind, Exam
    from autograder.results import CheckResult

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = ("self_attention", "numpy_attention", "scaled_dot_product", "causal_multihead")
STEPS = [
    (name, check.name)
    for name in ASSIGNMENTS
    for check in load_source(ROOT / "solutions" / name).assignment.checks
]

# The first example of a session pays for torch, and a program of twelve steps needs many draws. No seed is simpler than
# another, so a failure is not shrunk.
# `make test-all` sets EXAMPLES_TIMES and tries that many times as many.
TIMES = int(os.environ.get("EXAMPLES_TIMES", "1"))


def repeatable(max_examples: int) -> settings:
    return settings(
        max_examples=TIMES * max_examples,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


seeds = st.integers(0, 2**128 - 1)
# To draw an exam takes longer than to grade with it: the quick run draws few.
exam_seeds = seeds if TIMES > 1 else st.sampled_from((0, 2**127 + 1))


@functools.cache
def source_of(assignment: str) -> Source:
    return load_source(ROOT / "solutions" / assignment)


@functools.lru_cache(maxsize=64)
def exam_of(assignment: str, seed: int) -> Exam:
    return draw_exam(source_of(assignment), seed)


@functools.cache
def base_of(assignment: str) -> str:
    """A right submission in which no step calls another."""
    path = Path(__file__).parents[1] / "truth" / assignment / "base.py"
    return path.read_text(encoding="utf-8")


@functools.cache
def reference_of(assignment: str) -> str:
    """The solution without the cells that only show something."""
    cells = source_of(assignment).script
    return "\n\n".join(cell.source for cell in cells if cell.kind in ("given", "step"))


def lost(results: dict[str, CheckResult]) -> list[str]:
    return [name for name, result in results.items() if result.score < result.max_score]


def alone(exam: Exam, step: str) -> float:
    """The points that do not depend on a step's value."""
    check = next(check for check in exam.assignment.checks if check.name == step)
    return sum(criterion.points for criterion in check.criteria if criterion.alone)


origins = st.tuples(
    seeds, st.sampled_from(ASSIGNMENTS), st.text(), st.integers(0, 1), st.integers()
)


@repeatable(max_examples=100)
@given(seeds)
def test_no_size_of_a_draw_can_be_taken_for_another(seed: int) -> None:
    draw = Draw(seed)
    assert len({draw.tokens, draw.other_tokens, draw.d_in, draw.d_k}) == 4
    assert min(draw.tokens, draw.other_tokens) >= 3
    assert draw.d_k not in {1, 2, 4}
    assert draw.d_in > 0


@repeatable(max_examples=100)
@given(seeds)
def test_drawn_numbers_can_be_retyped(seed: int) -> None:
    draw = Draw(seed)
    numbers = draw.normal(draw.tokens, draw.d_k)
    assert numbers.shape == (draw.tokens, draw.d_k)
    assert np.array_equal(numbers, np.round(numbers, 4))
    for array in (draw.tensor(draw.tokens, draw.d_in), draw.weights(draw.d_in, draw.d_k)):
        rounded = np.round(array.data.astype(np.float64), 4)
        assert np.array_equal(array.data, rounded.astype(np.float32))


@repeatable(max_examples=100)
@given(seeds)
def test_drawn_attention_weights_are_positive_and_each_row_sums_to_1(seed: int) -> None:
    draw = Draw(seed)
    weights = draw.rows_that_sum_to_one(draw.tokens, draw.other_tokens).data
    assert (weights > 0).all()
    assert np.allclose(weights.sum(axis=-1), 1, atol=1e-6)


def drawn(origin: tuple[object, ...]) -> list[object]:
    """Something of everything that a draw gives, in its order."""
    draw = Draw(*origin)
    sizes = [draw.tokens, draw.other_tokens, draw.d_in, draw.d_k]
    return [*sizes, draw.normal(4).tolist(), draw.tensor(4).data.tolist(), draw.integer(0, 10**9)]


@repeatable(max_examples=100)
@given(origins)
def test_draws_of_one_origin_are_equal(origin: tuple[object, ...]) -> None:
    assert drawn(origin) == drawn(origin)


@repeatable(max_examples=200)
@given(origins, st.data())
def test_draws_of_origins_that_differ_anywhere_differ(
    origin: tuple[object, ...], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(origin) - 1))
    part = data.draw(origins)[place]
    assume(part != origin[place])
    other = (*origin[:place], part, *origin[place + 1 :])
    assert Draw(*origin).normal(4).tolist() != Draw(*other).normal(4).tolist()


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=3)
@given(seed=seeds)
def test_a_right_module_keeps_full_marks(assignment: str, seed: int) -> None:
    exam = exam_of(assignment, seed)
    assert lost(check_all(exam, reference_of(assignment))) == []
    assert lost(check_all(exam, base_of(assignment))) == []


# Appended to a program: `_instead(step, answer)` is the step with `answer(what was right, *its arguments)` for its
# result, and for a class the result of `forward`. `_holding` exchanges what a module has under a name, `_times`
# multiplies all numbers of an answer; of a step that returns nothing, those of the argument that it changes.
TOOLS = """
import torch
import numpy as np
from torch import nn


def _instead(step, answer):
    if isinstance(step, type):
        def forward(self, x):
            return answer(step.forward(self, x), x)

        return type(step.__name__, (step,), {"forward": forward})
    return _called_instead(step, answer)


def _called_instead(step, answer):
    def instead(*given, **named):
        return answer(step(*given, **named), *given)

    if isinstance(step, type):
        made = lambda _, *given, **named: instead(*given, **named)
        return type(step.__name__, (step,), {"__new__": made})
    return instead


def _holding(module, name, thing):
    delattr(module, name)
    object.__setattr__(module, name, thing)
    return module


def _times(factor, right, given=()):
    if right is None:
        return _times(factor, given[-1])
    if isinstance(right, nn.Module):
        with torch.no_grad():
            for parameter in right.parameters():
                parameter *= factor
        return right
    if isinstance(right, nn.Parameter):
        return nn.Parameter(right * factor, requires_grad=right.requires_grad)
    if isinstance(right, (tuple, list)):
        return type(right)(_times(factor, part) for part in right)
    if isinstance(right, dict):
        return {name: _times(factor, part) for name, part in right.items()}
    return right * factor
"""


def with_tools(assignment: str, *lines: str) -> str:
    return "\n".join((base_of(assignment), TOOLS, *lines, ""))


# Words and whole numbers: 1.01 times those is nothing.
NOT_FLOAT = {"index_words", "reverse_dict", "token_indices"}
of_float_steps = pytest.mark.parametrize(
    ("assignment", "step"), [row for row in STEPS if row[1] not in NOT_FLOAT]
)


def multiplied(assignment: str, step: str, factor: str) -> str:
    answer = f"lambda right, *given: _times({factor}, right, given)"
    return with_tools(assignment, f"{step} = _instead({step}, {answer})")


@of_float_steps
@repeatable(max_examples=2)
@given(seed=exam_seeds)
def test_an_answer_scaled_by_1_01_loses_in_its_step_only(
    assignment: str, step: str, seed: int
) -> None:
    program = multiplied(assignment, step, "1.01")
    assert lost(check_all(exam_of(assignment, seed), program)) == [step]


@of_float_steps
@repeatable(max_examples=4)
@given(factor=st.sampled_from(("float('nan')", "float('inf')", "0.0", "-1.0")))
def test_the_right_shape_without_the_numbers_earns_only_what_stands_alone(
    assignment: str, step: str, factor: str
) -> None:
    exam = exam_of(assignment, 1)
    session = open_session(exam, multiplied(assignment, step, factor))
    assert check_step(exam, session, step).score <= alone(exam, step)


# A student's program is text, so what its steps return is drawn as Python expressions.
DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"),
    *("complex64", "complex128"),
)
NUMBERS = ("0", "1", "-1", "0.5", "3e38", "1e308", "float('nan')", "-float('inf')")
KEYS = ("'q'", "'raw_scores'", "'W_query'", "0", "1.0", "True", "None", "float('nan')", "(1, 2)")
ODD = (
    "nn.Linear(3, 2)",
    "nn.Parameter(torch.ones(3, 3))",
    "nn.Linear",
    "torch",
    "object()",
    "type('Odd', (), {})()",
    "(number for number in range(3))",
    "lambda: 1",
    "range(3)",
    "{1, 2}",
    "...",
    "NotImplemented",
    "ValueError('no')",
    "torch.Size([3])",
    "10**30",
    "np.float32(1)",
    "np.ma.masked_array([1.0], [True])",
    "np.array([(1, 2.0)], dtype='i4,f8')",
    "np.broadcast_to(1.0, (10**5, 10**5))",
    "torch.ones(1).expand(10**9)",
    "torch.ones(2).as_subclass(type('Odd', (torch.Tensor,), {}))",
    "torch.quantize_per_tensor(torch.ones(2), 1.0, 0, torch.quint8)",
    "[0] * 20_000",
    "'x' * 200_000",
    "type('Odd', (list,), {'__iter__': None, '__len__': None})([1])",
    "(lambda loop: (loop.append(loop), loop)[1])([])",
    "[].pop()",
    "exit(0)",
    "(_ for _ in ()).throw(KeyboardInterrupt)",
    "(lambda again: again(again))(lambda again: again(again))",
)
TWISTS = (
    "right",
    "given[0]",
    "(right, {})",
    "[right, right]",
    "(*right, {})",
    "({}, *right[1:])",
    "(right[0], {}, right[-1])",
    "(part for part in right)",
    "right[:-1]",
    "right[None]",
    "right.T",
    "right.tolist()",
    "right.to(torch.float16)",
    "right.to(torch.complex64)",
    "right.bool()",
    "right.to_sparse()",
    "right * float('nan')",
    "right * 1e308",
    "right.astype(object)",
    "{{'q': right}}",
    "{{**right, 'q': {}}}",
    "dict.fromkeys(right, {})",
    "_holding(right, 'W_query', {})",
    "_holding(given[-1], 'W_query', {})",
    "(_holding(right[0], 'weight', {}), *right[1:])",
)

shapes = st.lists(st.integers(0, 6), max_size=4).map(tuple)
tensors = st.builds(
    "torch.full({}, {}, dtype=torch.float64).to(torch.{}){}".format,
    shapes,
    st.sampled_from(NUMBERS),
    st.sampled_from((*DTYPES, "bfloat16", "float8_e5m2", "uint16")),
    st.sampled_from(("", ".mT", ".to_sparse()", ".to('meta')", ".requires_grad_()", ".conj()")),
)
arrays = st.builds(
    "np.full({}, {}).astype('{}'){}".format,
    shapes,
    st.sampled_from(NUMBERS),
    st.sampled_from((*DTYPES, "object", "longdouble", "U5", "S3", "datetime64[s]", ">f8")),
    st.sampled_from(("", ".T", "[::-1]", ".view(np.matrix)", ".tolist()", ".sum()")),
)
plain = st.one_of(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary()).map(ascii),
    st.floats().map("float('{}')".format),
    st.complex_numbers(allow_nan=False, allow_infinity=False).map(ascii),
)


def nested(things: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    entries = st.builds("{}: {}".format, st.sampled_from(KEYS), things)
    return st.one_of(
        st.lists(things, max_size=4).map(lambda parts: f"[{', '.join(parts)}]"),
        st.lists(things, min_size=1, max_size=4).map(lambda parts: f"({', '.join(parts)},)"),
        st.lists(entries, max_size=4).map(lambda parts: f"{{{', '.join(parts)}}}"),
    )


anything = st.recursive(
    st.one_of(plain, tensors, arrays, st.sampled_from(ODD)), nested, max_leaves=6
)
anything_or_twisted = st.one_of(anything, st.builds(str.format, st.sampled_from(TWISTS), anything))
wrappers = st.sampled_from(("_instead", "_called_instead"))


def steps_of(assignment: str) -> list[str]:
    return [step for name, step in STEPS if name == assignment]


@functools.cache
def programs(assignment: str, answers: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A program in which each step gives one of these answers."""
    lines = [
        st.builds(f"{step} = {{}}({step}, lambda right, *given: {{}})".format, wrappers, answers)
        for step in steps_of(assignment)
    ]
    return st.tuples(*lines).map(lambda drawn_lines: with_tools(assignment, *drawn_lines))


def result(exam: Exam, program: str) -> Result:
    """The record of a submission, as the grader makes it."""
    checks = tuple(check_all(exam, program).values())
    return Result(
        exam.assignment.name, "student", Status.GRADED, checks, (), False, "0" * 64, "1", "run"
    )


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=15)
@given(data=st.data())
def test_marks_stay_between_0_and_the_maximum_whatever_comes_back(
    assignment: str, data: st.DataObject
) -> None:
    program = data.draw(programs(assignment, anything_or_twisted))
    graded = result(exam_of(assignment, 1), program)
    for check in graded.checks:
        assert 0 <= check.score <= check.max_score
        assert check.outcome is not Outcome.UNGRADED
    content = json.loads(dump_results(graded))
    assert 0 <= content["score"] <= content["extra_data"]["max_score"] == graded.max_score


# What it returns is not looked at; it changes its argument.
RETURNS_NOTHING = "transfer_weights"


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=10)
@given(data=st.data())
def test_what_ignores_its_inputs_earns_nothing_but_what_stands_alone(
    assignment: str, data: st.DataObject
) -> None:
    exam = exam_of(assignment, 1)
    results = check_all(exam, data.draw(programs(assignment, anything)))
    for step in steps_of(assignment):
        if step != RETURNS_NOTHING:
            assert results[step].score <= alone(exam, step)


@functools.cache
def drawn_anew(assignment: str, number: int) -> Exam:
    """The exam of seed 0, for each `number` drawn from an assignment that was loaded for itself."""
    return draw_exam(load_source(ROOT / "solutions" / assignment), 0)


def wrong_programs(assignment: str) -> st.SearchStrategy[str]:
    base = base_of(assignment)
    return st.sampled_from(rows_of(assignment, "wrong")).map(
        lambda variant: submission(base, variant)
    )


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=5)
@given(data=st.data())
def test_two_runs_with_one_seed_give_the_same_bytes(assignment: str, data: st.DataObject) -> None:
    some = st.one_of(wrong_programs(assignment), programs(assignment, anything_or_twisted))
    program, other = data.draw(some), data.draw(some)
    first = dump_results(result(drawn_anew(assignment, 1), program))
    check_all(drawn_anew(assignment, 2), other)
    assert dump_results(result(drawn_anew(assignment, 2), program)) == first


RANDOM = "torch.randn(2, 3) + np.random.normal() + __import__('random').random()"


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_step_that_draws_numbers_gives_the_same_after_others_and_alone(assignment: str) -> None:
    exam, steps = exam_of(assignment, 1), steps_of(assignment)
    lines = (f"{step} = _instead({step}, lambda *_: {RANDOM})" for step in steps)
    program = with_tools(assignment, *lines)
    by_itself = {step: check_step(exam, open_session(exam, program), step) for step in steps}
    assert check_all(exam, program) == by_itself


def asked(exam: Exam, kind: CaseKind) -> list[bytes]:
    """The questions of this kind, each with what is right."""
    questions = [question for question in exam.questions if question.kind == kind]
    right = [[answers.right[0].value for answers in question.answers] for question in questions]
    return [
        encode(freeze((question.inputs, values)))
        for question, values in zip(questions, right, strict=True)
    ]


@pytest.mark.parametrize("kind", ["drawn", "documented"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_one_seed_asks_the_same_questions_again(assignment: str, kind: CaseKind) -> None:
    assert asked(drawn_anew(assignment, 1), kind) == asked(drawn_anew(assignment, 2), kind)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_another_seed_asks_nothing_again(assignment: str) -> None:
    """But for steps that get only whole numbers, of which there are few."""
    first, other = (asked(with_numbers(exam_of(assignment, seed)), "drawn") for seed in (0, 1))
    assert first
    assert not set(first) & set(other)


def with_numbers(exam: Exam) -> Exam:
    """The exam without the questions whose inputs are whole numbers alone."""
    kept = (one for one in exam.questions if {*map(type, one.inputs.values())} != {int})
    return replace(exam, questions=tuple(kept))
