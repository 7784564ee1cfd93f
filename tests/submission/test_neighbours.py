"""A hand-in for another assignment is rejected with that one's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.errors import Rejected
from autograder.submission.neighbours import refuse_foreign
from autograder.submission.read import Submission
from tests.toy import DOUBLE, RIGHT, write_toy

if TYPE_CHECKING:
    from autograder.assignment.source import Assignment

pytestmark = pytest.mark.unit

CHECKS = {
    "near": "@check(\n    points=1,\n)\ndef test_double(s, c): ...\n\n\n@check()\ndef test_halve(s, c): ...\n",
    "far": "@check()\ndef test_root(s, c): ...\n\n\n@criterion(test_root)\ndef test_shape(s, c): ...\n",
}
HALVE, ROOT = "def halve(x):\n    return x / 2\n", "class root:\n    pass\n"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    """The toy beside two other assignments, one of which has a step of the same name."""
    solutions = write_toy(tmp_path_factory.mktemp("beside"))
    for name, text in CHECKS.items():
        (solutions / name).mkdir()
        (solutions / name / f"test_{name}.py").write_text(text)
        (solutions / name / f"{name}.py").write_text("raise SystemExit('nothing of it is run')")
    return load_source(solutions / "toy").assignment


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        (DOUBLE + HALVE, "near"),  # `double` is a step of both
        (HALVE + ROOT + "def halve(x):\n    return 0\n", "far"),
        (RIGHT + HALVE, ""),
        ("def shift(x):\n    raise NotImplementedError\n" + HALVE, ""),
        ("def shape(): pass\n", ""),  # not a step
        ("halve = 3\nx = 'def root(): pass'\n", ""),
        ("if True:\n    def halve(x):\n        return x\n", ""),
        ("", ""),
    ],
)
def test_steps_of_another_assignment_tell_whose_work_it_is(
    toy: Assignment, source: str, meant: str
) -> None:
    given = Submission("alice", (("renamed.py", source),), "")
    if not meant:
        refuse_foreign(given, toy)
        return
    with pytest.raises(Rejected, match=f"This is work for `{meant}`: it .* only `toy` asks for"):
        refuse_foreign(given, toy)
