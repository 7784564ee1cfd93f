from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.reasons import Reason
from autograder.reports.gradescope_json import dump_results, load_results
from autograder.results import Block, CheckResult, Feedback, Outcome, Result, Status, paragraphs

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

TEXT = """\
{
 "score": 1.25,
 "execution_time": 1.235,
 "output": "Two files were handed in; `toy.py` was graded.",
 "tests": [
  {
   "name": "scale",
   "number": "2",
   "score": 0.25,
   "max_score": 1,
   "status": "failed",
   "output": "The scores came back as they went in.\\n\\nWhere to look: Is there a $\\\\sqrt{d_k}$?\\n\\nCOST",
   "output_format": "md",
   "extra_data": {
    "check": "scale",
    "outcome": "wrong",
    "mistakes": [
     "not_scaled",
     "too_large"
    ],
    "sure": true,
    "remarks": [
     "dtype"
    ],
    "carried_forward": "init",
    "feedback": {
     "outcome": "wrong",
     "message": "The scores came back as they went in.",
     "hint": "Is there a $\\\\sqrt{d_k}$?",
     "half_of": [
      "init"
     ],
     "mistakes": [
      "not_scaled"
     ],
     "sure": true,
     "reasons": [
      "known_mistake"
     ]
    }
   }
  }
 ],
 "extra_data": {
  "assignment": "toy",
  "student": "Zoë <b>",
  "max_score": 4,
  "status": "graded",
  "public": true,
  "submission_sha256": "abababababababababababababababababababababababababababababababab",
  "kit_version": "0.1.0",
  "run": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
  "round": 2,
  "sandbox": [
   "process"
  ],
  "about": [
   {
    "text": "Two files were handed in; `toy.py` was graded."
   }
  ]
 }
}
""".replace(
    "COST",
    "Costs 0.75 of 1 points. A known mistake about the task of `init`, made here in the step's own lines, "
    "costs half of what rests on the answer.",
)


def test_the_file_is_as_the_contract_has_it() -> None:
    """The first and the last test have no feedback."""
    written = json.loads(dump_results(RESULT))
    init, _, blend = written["tests"]
    written["tests"] = written["tests"][1:2]
    assert json.dumps(written, indent=1, ensure_ascii=False) + "\n" == TEXT
    for test, status, outcome in ((init, "passed", "passed"), (blend, "failed", "ungraded")):
        assert (test["status"], test["output"]) == (status, "")
        assert test["extra_data"] == {
            "check": test["name"],
            "outcome": outcome,
            "mistakes": [],
            "sure": False,
            "remarks": [],
            "carried_forward": None,
            "feedback": None,
        }


def test_each_test_has_a_line_of_its_own() -> None:
    lines = dump_results(RESULT).decode().splitlines()
    tests = [json.loads(line.rstrip(",")) for line in lines if line.startswith("  {")]
    assert [test["name"] for test in tests] == ["init", "scale", "blend"]


def test_a_result_comes_back_as_it_was_but_for_what_was_printed(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(dump_results(RESULT))
    loaded = load_results(path)
    assert loaded is not None
    assert [check.printed for check in loaded.checks] == ["", "", ""]
    assert dump_results(loaded) == dump_results(RESULT)


def test_a_name_that_is_no_utf8_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(
        dump_results(Result("toy", "m\udcfcller", Status.REJECTED, (), (), False, "", "0.1.0", "r"))
    )
    loaded = load_results(path)
    assert loaded is not None
    assert loaded.student == "m\udcfcller"


def test_a_file_that_broke_off_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    assert load_results(path) is None
    whole = dump_results(RESULT)
    for length in range(0, len(whole) - 2, 7):
        path.write_bytes(whole[:length])
        assert load_results(path) is None


@pytest.mark.parametrize("text", ["[]", "7", "{}", "[" * 100_000, '"results"', "\ufffe"])
def test_another_file_of_that_name_is_no_result(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text, encoding="utf-16")
    assert load_results(path) is None
    path.write_text(text, encoding="utf-8")
    assert load_results(path) is None


def test_what_is_said_about_the_whole_comes_back_as_blocks(tmp_path: Path) -> None:
    about = (Block("It stopped:"), Block("x = 1\n    y = 2", is_code=True))
    path = tmp_path / "results.json"
    path.write_bytes(dump_results(replace(RESULT, about=about)))
    loaded = load_results(path)
    assert loaded is not None
    assert loaded.about == about
    assert json.loads(path.read_bytes())["output"] == "It stopped:\n\n    x = 1\n        y = 2"


def test_a_file_with_something_else_inside_is_no_result_or_a_whole_one(tmp_path: Path) -> None:
    values: tuple[Any, ...] = (None, 5, "text", [], [1], {"a": 1})
    places = ("tests", "extra_data", "output", "execution_time")
    for place, value in itertools.product(places, values):
        path = tmp_path / "results.json"
        path.write_text(json.dumps(json.loads(TEXT) | {place: value}), encoding="utf-8")
        if (loaded := load_results(path)) is not None:
            dump_results(loaded)
