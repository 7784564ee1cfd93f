"""What is said of an exception, and when it is sure."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest

from autograder.explain.class_rules import obstacle_words, read_obstacle
from autograder.explain.exceptions import read_error
from autograder.explain.raised import Raised
from autograder.explain.student_code import StudentCode, Submitted
from autograder.explain.syntax_errors import read_syntax_error
from autograder.explain.whole_file import file_problems, problems_blocks
from autograder.reasons import UNSUITABLE, Reason
from autograder.results import Frame, LoadFailure, LoadReport, Obstacle, StudentError, as_markdown
from autograder.sandbox.inside.student import load
from tests.golden_files import assert_golden

if TYPE_CHECKING:
    from autograder.explain.rules import Finding

HEAD = """\
import math
import numpy as np
import torch
from torch import nn

scores, keys = torch.ones(4, 3), torch.ones(5, 3)
trained = nn.Parameter(torch.ones(2, 2))

def prints(thing):
    print(thing)

"""

# What a student writes.
LINES = [
    "nn.Parameter(nn)",
    "[sqrt for sqrt in sqrt.values()]",
    "scores / 3 ^ 0.5",
    "3 ^ 0.5",
    "scores / torch.sqrt(3)",
    "torch.softmax(scores)",
    "scores.softmax()",
    "torch.softmax(scores, dim=2)",
    "scores @ keys",
    "torch.matmul(scores, keys)",
    "np.ones((4, 3)) @ np.ones((5, 3))",
    "torch.dot(scores, keys)",
    "scores * keys",
    "scores / scores.sum(-1)",
    "np.ones((4, 3)) / np.ones((4, 3)).sum(axis=-1)",
    "scores + keys",
    "torch.zeros(2, 3).copy_(keys)",
    "scores @ keys[0][:2]",
    "nn.Linear(2, 2).load_state_dict({'W': trained})",
    "nn.Linear(2, 3, bias=False).load_state_dict({'weight': trained})",
    "nn.Module()(scores)",
    "prints(other=1)",
    "trained.copy_(trained + 1)",
    "np.asarray(trained)",
    "scores @ keys.T()",
    "scores(3)",
    "scores @ prints(keys)",
    "prints(keys).T",
    "scores @ keys.T.double()",
    "torhc.softmax(scores, dim=-1)",
    "torch.sofmax(scores, dim=-1)",
    "something_else + 1",
    "prints()",
    "[a for a, b in [(1, 2, 3)]]",
    "self.W_key = nn.Parameter(torch.rand(2, 2))",
    "super().__init__(); self.w = nn.Linear(2, 2); self.w = scores",
    "super().__init__(); W_key = 1; self.W_key",
]  # fmt: skip


def source_of(line: str) -> str:
    if "self." in line:
        body = line.replace("; ", "\n        ")
        definition = f"class Attention(nn.Module):\n    def __init__(self):\n        {body}\n"
        return f"{HEAD}{definition}\nAttention()\n"
    arguments = "scores=scores, keys=keys, trained=trained"
    return f"{HEAD}def step({arguments}):\n    return {line}\n\nstep()\n"


def raised(source: str) -> StudentError:
    """What this source raises, as the worker describes it."""
    failure: dict[str, Any] = load("student", [("student.py", source)]).failures[0]
    frames = tuple(Frame(**frame) for frame in failure["frames"])
    existing, place = tuple(failure["existing"]), tuple(failure["place"])
    return StudentError(failure["type"], failure["message"], frames, existing, place)


def read_in(error: StudentError, *names: str, source: str = "") -> Finding | None:
    """What is read in an exception of a file with these names and this source."""
    pieces = [("student.py", source)] if source else []
    return read_error(Raised(error, Submitted(StudentCode(pieces), {}, names)))


@functools.cache
def read(line: str) -> Finding:
    source = source_of(line)
    reading = read_in(raised(source), "prints", source=source)
    assert reading is not None
    return reading


def test_an_exception_is_read_and_said_in_plain_words() -> None:
    parts = []
    for line in LINES:
        reading = read(line)
        words = [line, f"  {reading.name}, {'sure' if reading.sure else 'not sure'}"]
        parts.append("\n".join([*words, f"  {reading.says}", f"  {reading.look}"]))
    assert_golden("errors_explained", "\n\n".join(parts))


@pytest.mark.unit
def test_an_assert_of_ones_own_is_no_other_exception() -> None:
    error = line_of("assert d_out % num_heads == 0", "", "AssertionError")
    plain, wanted = (
        read_error(Raised(error, Submitted(StudentCode([]), {}, ()), wanted=kind))
        for kind in ("", "ValueError")
    )
    assert plain is not None
    assert "does it hold for inputs of other sizes" in plain.look
    assert wanted is None  # what must be raised is said already


@pytest.mark.unit
def test_each_reason_has_words_and_some_are_explained() -> None:
    for reason in UNSUITABLE:
        words = obstacle_words(Obstacle(reason, "{name}", "{seen}", (3, 2)))
        assert words.endswith("."), reason
        assert "{article}" not in words, reason
    known = (read_obstacle(Obstacle(reason, "W_key", "Parameter")) for reason in Reason)
    names = {"no_module", "bias_not_passed_on", "not_stored_on_self", "other_sizes"}
    assert {one.name for one in known if one and "W_key" in one.look} == names


def line_of(text: str, message: str, kind: str = "TypeError") -> StudentError:
    return StudentError(kind, message, (Frame("student.py", 3, "step", text),))


@pytest.mark.unit
def test_what_speaks_for_itself_is_left_alone() -> None:
    for message in ("", "anything else", "index 5 is out of bounds", "own words {0} {x}"):
        assert read_in(line_of("return 1", message, "ValueError")) is None


@pytest.mark.unit
def test_what_a_student_wrote_may_be_anything() -> None:
    for text in ("(" * 5000, "\0", "}{", "return x ^ 2" * 1000, "class", "1", "x" * 500, ""):
        read_in(line_of(text, "unsupported operand type(s) for ^: 'int' and 'float'"))
        read_in(line_of(text, f"name '{text[:50]}' is not defined", "NameError"), "x")
        missing = f"'Attention' object has no attribute '{text}'"
        for line in (f"return self.{text}", f"return getattr(self, '{text}')"):
            read_in(line_of(line, missing, "AttributeError"))


@pytest.mark.unit
@pytest.mark.parametrize(
    ("kind", "message", "told"),
    [
        ("PermissionError", "[Errno 13] Permission denied: 'figure.png'", True),
        ("RuntimeError", "open file failed with strerror: Permission denied", True),
        ("RuntimeError", "no", False),
    ],
)
def test_a_file_that_writes_is_told_that_it_may_not(kind: str, message: str, told: bool) -> None:
    failure = LoadFailure(kind, message, (Frame("work.py", 3, "<module>", "x"),))
    problems = file_problems(LoadReport(failures=(failure,)), (), StudentCode(()))
    assert ("writes no file" in as_markdown(problems_blocks(problems))) is told


@pytest.mark.unit
@pytest.mark.parametrize(
    "message",
    [
        "sum() missing 1 required positional argument: 'a'",
        "sum() received an invalid combination of arguments - got (str, axis=int), but expected (Tensor input)",
    ],
)
def test_torch_and_numpy_both_take_axis(message: str) -> None:
    line = "return x.sum(axis=1)"
    found = read_in(line_of(line, message), source=f"\ndef step(x):\n    {line}\n")
    assert found is None or "axis" not in found.says


@pytest.mark.unit
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return torch.softmax((s, dim=-1)", "a `(` has no `)`"),
        ("if x = 3:", "a `=` stands where a value belongs"),
        ("print(x[0] = ')')", "a `=` stands where a value belongs"),
        ("both = torch.stack([x = 3,", "a `=` stands where a value belongs"),
    ],
)
def test_an_open_bracket_is_told_from_a_comparison(line: str, says: str) -> None:
    message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
    error = StudentError("SyntaxError", message, (Frame("work.py", 1, "<module>", line),))

    assert read_syntax_error(error)[0] == says


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("torch.linalg.nrom(scores)", "`torch.linalg.norm`"),
        ("scores.masked_fil(scores > 0, 0)", "`masked_fill`"),
        ("math.hypott(3, 4)", "`math.hypot`"),
        ("np.softmax(scores)", "`torch.softmax`"),
        ("nn.Linear(2, 3, bais=True)", "`bias`"),
        ("np.ones(3).sum(keepdim=True)", "`keepdims`"),
        ("np.sum(np.ones(3), dim=0)", "`axis`"),
        ("torch.softmax(scores, dims=0)", "`dim`"),
        ("nn.parameter(scores)", "`nn.Parameter`"),
    ],
)
def test_the_name_that_was_meant_is_asked_of_the_object(line: str, meant: str) -> None:
    found = read(line)
    assert found.sure
    assert meant in found.says


@pytest.mark.unit
def test_what_has_the_same_remedy_is_said_together_and_not_without_end() -> None:
    names = [f"library_{line}" for line in range(1, 51)]
    kind, where = "ModuleNotFoundError", ("work.py", 1, "<module>")
    failures = tuple(
        LoadFailure(kind, f"No module named '{name}'", (Frame(*where, f"import {name}"),))
        for name in names
    )
    problems = file_problems(LoadReport(("project",), failures), (), StudentCode(()))

    assert len(problems) == 1
    assert "`library_1`" in problems[0].seen
    assert "`library_2`" in problems[0].seen
    assert "`library_50`" not in problems[0].seen
