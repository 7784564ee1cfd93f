"""What a student reads, situation by situation: the words after `pytest`, and the entry in `results.json`."""

from __future__ import annotations

import functools
import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam.expected_json import load_release
from autograder.grading.grader import Grader
from autograder.reports.gradescope_json import dump_results
from autograder.reports.pytest_text import full_text
from autograder.results import CheckResult, Outcome, Result, Status
from tests.exams import exam_of, source_of
from tests.golden_files import assert_golden
from tests.graders import check_step, open_session
from tests.truth.variant import Variant, base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam

ROOT = Path(__file__).parents[2]
# These quote torch, whose words for an error differ from version to version.
QUOTE_TORCH = ("scale_caret", "weights_without_dim", "causal_mask_not_cut")
PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
# Of words and numbers below the line with the points, and of the last words, which say what a step lost.
MOST_LINES = 14  # with one of the line where it begins
MOST_LINES_OF_COST = 2

SITUATIONS = {
    "self_attention": [
        "init_seed_before_each_draw",
        "init_plain_tensors",
        "project_values_from_the_key_matrix",
        "project_prints_without_return",
        "score_elementwise",
        "scores_transposed",
        "scores_without_transpose",
        "scale_not_at_all",
        "scale_inline_precedence",
        "scale_caret",
        "scale_torch_sqrt_of_an_int",
        "weights_columns",
        "context_transposed_weights",
        "context_numbers_of_the_book",
        "variance_of_the_sample",
        "v1_unscaled",
        "v1_plain_tensors",
        "v1_returns_tuple",
        "v1_no_super_init",
        "v1_no_self",
        "v1_seed_before_each_draw",
        "v2_bias_left_on",
        "v2_detached_keys",
        "transfer_copy_without_transpose",
        "transfer_wrong_direction",
        "v1_unscaled_columns",
        "v2_unscaled_blend_of_keys",
        "v1_calls_a_wrong_step",
    ],
    "numpy_attention": [
        "numpy_project_returns_tensors",
        "numpy_scores_reshaped_keys",
        "numpy_softmax_not_shifted",
        "numpy_run_never_scaled",
        "words_counted_from_one",
        "mapping_returned_as_it_is",
        "indices_are_floats",
        "unknown_word_is_left_out",
        "embed_off_by_one",
        "project_queries_and_keys_swapped",
        "scaled_scores_half_of_d",
        "weights_without_dim",
        "output_plain_average",
    ],
    "scaled_dot_product": [
        "layers_in_the_order_key_query_value",
        "tokens_not_scaled",
        "projected_by_at_sign",
        "raw_keys_by_queries",
        "scaled_by_root_of_8",
        "variances_biased",
        "variances_under_other_keys",
        "weights_divided_by_sum",
        "output_of_one_row_for_all",
        "attention_returns_output_only",
    ],
    "causal_multihead": [
        "mask_tril",
        "mask_with_the_diagonal",
        "weights_masked_afterwards",
        "weights_filled_with_zero",
        "weights_over_queries",
        "causal_keys_from_the_value_layer",
        "causal_mask_not_cut",
        "causal_mask_on_self",
        "causal_no_dropout",
        "wrapper_along_tokens",
        "split_in_one_view",
        "split_not_transposed",
        "merge_without_transpose",
        "heads_by_d_out",
        "heads_assert",
    ],
}


# Two mistakes at once, of which each is one of a called step, and a call of a wrong step.
MADE_HERE = (
    Variant(
        "v1_unscaled_columns",
        "unlisted",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(SelfAttention_v1):
            def forward(self, x):
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                return torch.softmax(queries @ keys.T, dim=0) @ values
        """,
    ),
    Variant(
        "v2_unscaled_blend_of_keys",
        "unlisted",
        "SelfAttention_v2",
        """
        class SelfAttention_v2(SelfAttention_v2):
            def forward(self, x):
                queries, keys, values = self.W_query(x), self.W_key(x), self.W_key(x)
                return torch.softmax(queries @ keys.T, dim=-1) @ values
        """,
    ),
    Variant(
        "v1_calls_a_wrong_step",
        "unlisted",
        "SelfAttention_v1",
        """
        def scale_scores(scores, d_k):
            return scores / d_k

        class SelfAttention_v1(SelfAttention_v1):
            def forward(self, x):
                queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
                scores = scale_scores(attention_scores(queries, keys), keys.shape[-1])
                return context_vectors(attention_weights(scores), values)
        """,
    ),
)


@functools.cache
def public_exam(assignment: str) -> Exam:
    return load_release(ROOT / "assignments" / assignment)


def variant_called(assignment: str, name: str) -> Variant:
    known = (*MADE_HERE, *rows_of(assignment, "wrong"))
    return next(variant for variant in known if variant.name == name)


def graded_in(exam: Exam, source: str, step: str) -> CheckResult:
    """The result of one step."""
    return check_step(exam, open_session(exam, source), step)


def in_results(exam: Exam, graded: CheckResult) -> dict[str, Any]:
    """The step's entry in `results.json`, among those of steps that were not started."""
    checks = tuple(
        graded
        if check.name == graded.step
        else CheckResult(check.name, 0, check.points, Outcome.NOT_STARTED)
        for check in exam.assignment.checks
    )
    name = exam.assignment.name
    result = Result(name, "student", Status.GRADED, checks, (), False, "0" * 64, "1", "")
    content = json.loads(dump_results(result))
    entry: dict[str, Any] = next(test for test in content["tests"] if test["name"] == graded.step)
    del entry["extra_data"]["feedback"]  # what is made of it is in the text
    return entry


def chosen() -> Iterator[Any]:
    """Yield all situations: `make test` takes the first of each step."""
    for assignment, names in SITUATIONS.items():
        steps = set()
        for name in names:
            step = variant_called(assignment, name).step
            marks = [pytest.mark.slow] if step in steps else []
            yield pytest.param(assignment, name, marks=marks)
            steps.add(step)


@pytest.mark.parametrize(("assignment", "name"), list(chosen()))
def test_what_a_student_reads(assignment: str, name: str) -> None:
    installed = version("torch").partition("+")[0]
    if name in QUOTE_TORCH and f"torch=={installed}\n" not in PINS:
        pytest.skip(f"it quotes torch, and torch {installed} may say it in other words")
    variant = variant_called(assignment, name)
    source = submission(base_of(assignment), variant)
    own = full_text(graded_in(public_exam(assignment), source, variant.step))
    exam = exam_of(assignment)
    graded = in_results(exam, graded_in(exam, source, variant.step))
    words = graded.pop("output")
    rest = json.dumps(graded, indent=1)
    parts = [
        variant.source.strip(),
        "=== pytest ===",
        own,
        "=== results.json ===",
        rest,
        "--- output ---",
        words,
    ]
    assert_golden(f"{assignment}-{name}", "\n\n".join(parts))


@pytest.mark.unit
@pytest.mark.parametrize("assignment", SITUATIONS)
def test_each_step_has_a_transcript(assignment: str) -> None:
    steps = {check.name for check in public_exam(assignment).assignment.checks}
    assert {variant_called(assignment, name).step for name in SITUATIONS[assignment]} == steps


@pytest.mark.unit
def test_a_students_text_is_short() -> None:
    golden = ROOT / "tests" / "golden"
    long = []
    for path in (path for name in SITUATIONS for path in sorted(golden.glob(f"{name}-*.txt"))):
        text = path.read_text(encoding="utf-8")
        own = text.split("=== pytest ===")[1].split("=== results.json")[0]
        if is_long(own) or any(len(line) > 100 for line in own.splitlines()):
            long.append(path.stem)
    assert long == []


def is_long(text: str) -> bool:
    """Whether a student's text has more lines than it may. The table of traced lines has a bound of its own."""
    text = re.sub(r"^ {4}(\S+, in \w+:|[ \d]{4}  .*)\n", "", text, flags=re.MULTILINE)
    words, _, cost = text.partition("\nCosts ")
    lines, last = ([line for line in part.splitlines() if line.strip()] for part in (words, cost))
    return len(lines) > 1 + MOST_LINES or len(last) > MOST_LINES_OF_COST


# Each class of causal_multihead has four criteria beside its value, so that up to 16 lines are said of a mistake.
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["drawn", "public"])
@pytest.mark.parametrize("assignment", [name for name in SITUATIONS if name != "causal_multihead"])
def test_what_is_said_of_a_known_mistake_is_short(assignment: str, kind: str) -> None:
    """In its own step and in all that call it."""
    exam = exam_of(assignment) if kind == "drawn" else public_exam(assignment)
    source = source_of(assignment)
    session = open_session(exam, "")
    long = []
    for mistake in source.mistakes:
        module = source.reference({})
        vars(module).update(mistake.replaced)
        vars(session.module).update(vars(module))
        grader = Grader(exam, session)
        for check in exam.assignment.checks:
            if mistake.step in source.uses[check.name]:
                words = full_text(grader.check(check)).partition("Remark: ")[0]
                long += [(mistake.name, words)] if is_long(words) else []
    assert long == []
