from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.reasons import Reason
from autograder.reports.gradescope_json import dump_results, load_results
from autograder.results import Block, CheckResult, Feedback, Outcome, Result, Status, paragraphs
from tests.golden_files import assert_golden

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

CHECKS = (
    CheckResult("init", 1.0, 1.0, Outcome.PASSED),
    CheckResult(
        "scale",
        0.25,
        1.0,
        Outcome.WRONG,
        feedback=Feedback(
            Outcome.WRONG,
            message="The scores came back as they went in.",
            hint="Is there a $\\sqrt{d_k}$?",
            mistakes=("not_scaled",),
            sure=True,
            half_of=("init",),
            reasons=(Reason.KNOWN_MISTAKE,),
        ),
        mistakes=("not_scaled", "too_large"),
        sure=True,
        remarks=("dtype",),
        carried_forward="init",
        printed="never shown",
    ),
    CheckResult("blend", 0.0, 2.0, Outcome.UNGRADED),
)
RESULT = Result(
    assignment="toy",
    student="Zoë <b>",
    status=Status.GRADED,
    checks=CHECKS,
    about=paragraphs("Two files were handed in; `toy.py` was graded."),
    public=True,
    submission_sha256="ab" * 32,
    kit_version="0.1.0",
    run="cd" * 16,
    round=2,
    sandbox=("process",),
    execution_time=1.23456,
)


def test_the_file_is_as_the_contract_has_it_with_a_line_for_each_test() -> None:
    assert_golden("format-gradescope", dump_results(RESULT).decode())
    assert json.loads(dump_results(RESULT))["score"] == RESULT.score == 1.25


@pytest.mark.parametrize(
    "result",
    [
        RESULT,
        replace(RESULT, student="m\udcfcller", checks=(), status=Status.REJECTED),
        replace(RESULT, about=(Block("Stopped:"), Block("x = 1\n    y = 2", is_code=True))),
    ],
)
def test_a_result_comes_back_as_it_was_but_for_what_was_printed(
    tmp_path: Path, result: Result
) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(dump_results(result))
    loaded = load_results(path)
    assert loaded is not None
    assert {check.printed for check in loaded.checks} <= {""}
    assert (loaded.student, loaded.about) == (result.student, result.about)
    assert dump_results(loaded) == dump_results(result)


def test_a_file_that_broke_off_or_another_of_that_name_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    assert load_results(path) is None
    whole = dump_results(RESULT)
    others = ("[]", "7", "{}", "[" * 100_000, '"results"', "\ufffe")
    damaged = [whole[:length] for length in range(0, len(whole) - 2, 7)]
    damaged += [text.encode(encoding) for text in others for encoding in ("utf-8", "utf-16")]
    for data in damaged:
        path.write_bytes(data)
        assert load_results(path) is None


def test_a_file_with_something_else_inside_is_no_result_or_a_whole_one(tmp_path: Path) -> None:
    values: tuple[Any, ...] = (None, 5, "text", [], [1], {"a": 1})
    places = ("tests", "extra_data", "output", "execution_time")
    whole = json.loads(dump_results(RESULT))
    for place, value in itertools.product(places, values):
        path = tmp_path / "results.json"
        path.write_text(json.dumps(whole | {place: value}), encoding="utf-8")
        if (loaded := load_results(path)) is not None:
            dump_results(loaded)
