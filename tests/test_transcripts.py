"""What a student reads, situation by situation: the words after `pytest`, and the entry in `results.json`."""

from __future__ import annotations

import functools
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam import draw_exam
from autograder.release import load_release
from autograder.reports.results_json import dump_results
from autograder.reports.transcript import full_text
from tests.golden_files import assert_golden
from tests.grading import check_all, result_of
from tests.truth.test_truth import base_of, source_of
from tests.truth.variant import submission

if TYPE_CHECKING:
    from autograder.exam import Exam
    from tests.truth.variant import Variant

ROOT = Path(__file__).parents[1]

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
        "v2_bias_left_on",
        "v2_detached_keys",
        "transfer_copy_without_transpose",
        "transfer_wrong_direction",
    ],
    "numpy_attention": [
        "numpy_project_returns_tensors",
        "numpy_softmax_not_shifted",
        "numpy_run_never_scaled",
        "words_counted_from_one",
        "indices_are_floats",
        "output_plain_average",
    ],
    "scaled_dot_product": [
        "layers_in_the_order_key_query_value",
        "tokens_not_scaled",
        "variances_biased",
        "variances_under_other_keys",
        "attention_returns_output_only",
    ],
}


@functools.cache
def public_exam(assignment: str) -> Exam:
    return load_release(ROOT / "assignments" / assignment)


@functools.cache
def drawn_exam(assignment: str) -> Exam:
    return draw_exam(source_of(assignment), 1)


def variant_called(assignment: str, name: str) -> Variant:
    module = importlib.import_module(f"tests.truth.{assignment}.wrong")
    variant: Variant = next(variant for variant in module.WRONG if variant.name == name)
    return variant


def in_results(exam: Exam, source: str, step: str) -> dict[str, Any]:
    """The step's entry in `results.json`."""
    content = json.loads(dump_results(result_of(exam, source)))
    entry: dict[str, Any] = next(test for test in content["tests"] if test["name"] == step)
    return entry


@pytest.mark.parametrize(
    ("assignment", "name"),
    [(assignment, name) for assignment, names in SITUATIONS.items() for name in names],
)
def test_what_a_student_reads(assignment: str, name: str) -> None:
    variant = variant_called(assignment, name)
    source = submission(base_of(assignment), variant)
    own = full_text(check_all(public_exam(assignment), source)[variant.step])
    graded = in_results(drawn_exam(assignment), source, variant.step)
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


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "golden").glob("*-*.txt")), ids=lambda path: path.stem
)
def test_a_students_text_is_short(path: Path) -> None:
    own = path.read_text(encoding="utf-8").split("=== pytest ===")[1].split("=== results.json")[0]
    lines = [line for line in own.strip().splitlines() if line.strip()]
    assert len(lines) <= 17
    assert all(len(line) <= 100 for line in lines)
