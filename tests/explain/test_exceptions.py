"""What is said of an exception, and when it is sure."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

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

# What a student writes, the name of what is read in the exception, and whether that is sure.
LINES = [
    ("nn.Parameter(nn)", "name_not_defined", False),
    ("[sqrt for sqrt in sqrt.values()]", "name_not_defined", False),
    ("scores / 3 ^ 0.5", "caret_for_power", True),
    ("3 ^ 0.5", "caret_for_power", True),
    ("scores / torch.sqrt(3)", "function_of_tensors_on_a_number", True),
    ("torch.softmax(scores)", "softmax_without_dim", True),
    ("scores.softmax()", "softmax_without_dim", True),
    ("torch.softmax(scores, dim=2)", "no_such_axis", True),
    ("scores @ keys", "inner_sizes_differ", True),
    ("torch.matmul(scores, keys)", "inner_sizes_differ", True),
    ("np.ones((4, 3)) @ np.ones((5, 3))", "inner_sizes_differ", True),
    ("torch.dot(scores, keys)", "inner_sizes_differ", True),
    ("scores * keys", "product_by_numbers", True),
    ("scores / scores.sum(-1)", "shapes_differ", True),
    ("np.ones((4, 3)) / np.ones((4, 3)).sum(axis=-1)", "shapes_differ", True),
    ("scores + keys", "shapes_differ", True),
    ("torch.zeros(2, 3).copy_(keys)", "shapes_differ", True),
    ("scores @ keys[0][:2]", "inner_sizes_differ", True),
    ("nn.Linear(2, 2).load_state_dict({'W': trained})", "names_of_parameters_differ", True),
    ("nn.Linear(2, 3, bias=False).load_state_dict({'weight': trained})", "shapes_differ", True),
    ("nn.Module()(scores)", "module_without_forward", True),
    ("prints(other=1)", "arguments_do_not_fit", True),
    ("trained.copy_(trained + 1)", "overwritten_while_recorded", True),
    ("np.asarray(trained)", "numpy_of_a_trained_tensor", True),
    ("scores @ keys.T()", "tensor_called", True),
    ("scores(3)", "tensor_called", True),
    ("scores @ prints(keys)", "none_used", True),
    ("prints(keys).T", "none_used", True),
    ("scores @ keys.T.double()", "dtypes_differ", True),
    ("torhc.softmax(scores, dim=-1)", "name_misspelt", True),
    ("torch.sofmax(scores, dim=-1)", "name_misspelt", True),
    ("something_else + 1", "name_not_defined", False),
    ("prints()", "arguments_do_not_fit", True),
    ("[a for a, b in [(1, 2, 3)]]", "parts_do_not_fit", True),
]  # fmt: skip

CLASSES = [
    ("self.W_key = nn.Parameter(torch.rand(2, 2))", "no_super_init", True),
    ("super().__init__(); self.w = nn.Linear(2, 2); self.w = scores", "tensor_for_a_parameter", True),
    ("super().__init__(); W_key = 1; self.W_key", "not_stored_on_self", True),
]  # fmt: skip


SOURCES: dict[str, str] = {}


def raised(line: str) -> StudentError:
    """What this line raises, as the worker describes it."""
    indented = (
        f"def step(scores=scores, keys=keys, trained=trained):\n    return {line}\n\nstep()\n"
    )
    if "self." in line:
        body = line.replace("; ", "\n        ")
        indented = (
            f"class Attention(nn.Module):\n    def __init__(self):\n        {body}\n\nAttention()\n"
        )
    failure = load("student", [("student.py", HEAD + indented)]).failures[0]
    frames = [Frame(**frame) for frame in failure["frames"]]  # type: ignore[attr-defined]
    SOURCES[line] = HEAD + indented
    existing = tuple(map(str, failure["existing"]))  # type: ignore[call-overload]
    place = tuple(map(int, failure["place"]))  # type: ignore[call-overload]
    kind, message = str(failure["type"]), str(failure["message"])
    return StudentError(kind, message, tuple(frames), existing, place)


def read_in(error: StudentError, *names: str, source: str = "") -> Finding | None:
    """What is read in an exception of a file with these names and this source."""
    pieces = [("student.py", source)] if source else []
    return read_error(Raised(error, Submitted(StudentCode(pieces), {}, names)))


@functools.cache
def read(line: str) -> Finding:
    """What is read in the exception of this line."""
    error = raised(line)
    reading = read_in(error, "prints", source=SOURCES[line])
    assert reading is not None
    return reading


def test_an_exception_is_read() -> None:
    found = [(line, read(line).name, read(line).sure) for line, _, _ in LINES + CLASSES]
    assert found == LINES + CLASSES


def test_what_is_read_is_said_in_plain_words() -> None:
    parts = []
    for line, _, _ in LINES + CLASSES:
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
@pytest.mark.parametrize(
    ("obstacle", "name", "sure"),
    [
        (
            Obstacle(Reason.NO_ATTRIBUTE, "W_key", "SelfAttention_v1"),
            "not_stored_on_self",
            True,
        ),
        (Obstacle(Reason.OTHER_SIZES, "W_key", (2, 3), (3, 2)), "matrix_on_its_side", True),
        (Obstacle(Reason.OTHER_SIZES, "W_key", (3, 2), (5, 4)), "other_sizes", False),
        (Obstacle(Reason.OTHER_SIZES, "W_key", (3, 3, 2), (3, 2)), "other_sizes", False),
        (Obstacle(Reason.NO_BIAS, "W_key"), "bias_not_passed_on", True),
        (Obstacle(Reason.NO_MODULE, "Attention"), "no_module", True),
    ],
)
def test_what_could_not_be_probed_is_read(obstacle: Obstacle, name: str, sure: bool) -> None:
    known = read_obstacle(obstacle)
    assert known is not None
    assert (known.name, known.sure) == (name, sure)
    assert obstacle.name in known.look


@pytest.mark.unit
@pytest.mark.parametrize("reason", [Reason.NO_MATRIX, Reason.NO_LAYER, Reason.COMPILED_MODULE])
def test_what_says_all_itself_is_left_alone(reason: Reason) -> None:
    assert read_obstacle(Obstacle(reason, "w_query", "Parameter")) is None


@pytest.mark.unit
def test_each_reason_has_words() -> None:
    for reason in UNSUITABLE:
        words = obstacle_words(Obstacle(reason, "{name}", "{seen}", (3, 2)))
        assert words.endswith("."), reason
        assert "{article}" not in words, reason


def line_of(text: str, message: str, kind: str = "TypeError") -> StudentError:
    return StudentError(kind, message, (Frame("student.py", 3, "step", text),))


XOR = "unsupported operand type(s) for ^: 'int' and 'float'"


@pytest.mark.unit
@pytest.mark.parametrize(
    "message", ["", "anything else", "index 5 is out of bounds", "a student's own words {0} {x}"]
)
def test_what_speaks_for_itself_is_left_alone(message: str) -> None:
    assert read_in(line_of("return 1", message, "ValueError")) is None


@pytest.mark.unit
def test_what_a_student_wrote_may_be_anything() -> None:
    for text in ("(" * 5000, "\0", "}{", "return x ^ 2" * 1000, ""):
        read_in(line_of(text, XOR))
        read_in(line_of(text, f"name '{text[:50]}' is not defined", "NameError"), "x")


@pytest.mark.unit
@pytest.mark.parametrize("name", ["class", "1", "W_key", "x" * 500])
def test_an_attribute_may_have_any_name(name: str) -> None:
    missing = f"'Attention' object has no attribute '{name}'"
    for line in (f"return self.{name}", f"return getattr(self, '{name}')"):
        read_in(line_of(line, missing, "AttributeError"))


@pytest.mark.unit
def test_an_exception_from_outside_of_the_students_file_has_no_line() -> None:
    reading = read_in(
        StudentError("TypeError", "step() takes 1 positional argument but 2 were given")
    )
    assert reading is not None
    assert not reading.sure


@pytest.mark.unit
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("PermissionError", "[Errno 13] Permission denied: 'figure.png'"),
        ("RuntimeError", "open file failed with strerror: Permission denied"),
    ],
)
def test_a_file_that_writes_is_told_that_it_may_not(kind: str, message: str) -> None:
    assert "writes no file" in text_about(kind, message)


@pytest.mark.unit
def test_other_errors_say_nothing_of_writing() -> None:
    assert "writes no file" not in text_about("RuntimeError", "no")


def text_about(kind: str, message: str) -> str:
    """What is said of a file with one line that raises."""
    failure = LoadFailure(kind, message, (Frame("work.py", 3, "<module>", "x"),))
    return as_markdown(
        problems_blocks(file_problems(LoadReport(failures=(failure,)), (), StudentCode(())))
    )


@pytest.mark.unit
def test_a_file_without_any_definition_is_told_so_once() -> None:
    said = as_markdown(
        problems_blocks(file_problems(LoadReport(), (), StudentCode((("", "print(1)"),))))
    )
    inside = StudentCode((("", "if False:\n    def project(): ..."),))

    assert said.startswith("Your file defines no function and no class.")
    assert file_problems(LoadReport(), (), inside) == ()
    assert file_problems(LoadReport(("project",)), (), StudentCode(())) == ()


@pytest.mark.unit
@pytest.mark.parametrize(
    "message",
    [
        "sum() missing 1 required positional argument: 'a'",
        'sum() missing 1 required positional arguments: "input"',
        "sum() received an invalid combination of arguments - got (str, axis=int), but expected (Tensor input)",
    ],
)
def test_torch_and_numpy_both_take_axis(message: str) -> None:
    code = "def step(x):\n    return x.sum(axis=1)\n"
    error = StudentError(
        "TypeError", message, (Frame("student.py", 2, "step", "return x.sum(axis=1)"),)
    )

    found = read_in(error, source=code)

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
    failures = tuple(
        LoadFailure(
            "ModuleNotFoundError",
            f"No module named 'library_{line}'",
            (Frame("work.py", line, "<module>", f"import library_{line}"),),
        )
        for line in range(1, 51)
    )
    problems = file_problems(LoadReport(("project",), failures), (), StudentCode(()))

    assert len(problems) == 1
    assert "`library_1`" in problems[0].seen
    assert "`library_2`" in problems[0].seen
    assert "`library_50`" not in problems[0].seen
