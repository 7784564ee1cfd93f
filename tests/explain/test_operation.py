"""What is said of the operation that raised, by the values of a traced run: as facts, not as sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.exam.questions import Request
from autograder.explain.exceptions import read_error
from autograder.explain.raised import Raised, shown_sizes
from autograder.explain.student_code import StudentCode, Submitted
from autograder.explain.trace import SiteTable, read_trace
from autograder.results import Outcome
from autograder.sandbox.in_process import InProcessSession
from tests.exams import exam_of

HEAD = "import math\nimport torch\nfrom torch import nn\nwidth = 8\ntable = torch.ones(9, 9)\n\n"


def raised_by(body: str, *, traced: bool = True, after: str = "") -> Raised:
    """Return the exception of a step with this body, whose first line is line 8 of its file, with a trace."""
    exam = exam_of("self_attention")
    check = next(check for check in exam.assignment.checks if check.name == "attention_scores")
    question = exam.questions_for(check, check.criteria[0])[0]
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f"{HEAD}def attention_scores(queries, keys):\n{lines}{after}"
    session = InProcessSession(exam, (("work.py", source),), traced=True)
    seen = session.observe(Request("trace", check.name, "value", 0, question.inputs))
    assert seen.outcome is Outcome.RAISED
    assert seen.error is not None
    trace = read_trace(seen.records, SiteTable(session.pieces)) if traced else None
    submitted = Submitted(StudentCode(session.pieces), {}, session.loaded.names)
    sizes = shown_sizes(question.inputs.values(), seen.error)
    inputs = question.inputs if traced else {}
    return Raised(seen.error, submitted, inputs=inputs, trace=trace, sizes=sizes)


# The body of a step, the key of what is found, and facts that are said. Queries are (5, 6), keys (4, 6).
OPERATIONS = [
    ("return queries @ keys", "inner_sizes_differ", "6 is not 4", "`keys` is a tensor of shape (4, 6)"),
    ("w = torch.ones(5, 4)\nreturn keys @ w", "inner_sizes_differ", "line 8 (`torch.ones(5, 4)`)"),
    ("return queries * keys.T", "product_by_numbers", "`keys.T` is a tensor of shape (6, 4)"),
    ("total = queries.sum(-1)\nreturn queries / total", "shapes_differ", "(5,), made in line 8", "`keepdim=True`"),
    ("out = torch.zeros(5, 2)\nout += queries\nreturn out", "shapes_differ", "`out` is a tensor of shape (5, 2)"),
    ("return queries @ table", "inner_sizes_differ", "`table` is a tensor of shape (9, 9)", "your file (line 5)"),
    ("keys = table\nreturn queries @ keys", "inner_sizes_differ", "shape (9, 9), made in line 8 (`table`)"),
    ("for i in range(len(queries)):\n    keys[i]", "index_too_large", "the loop of line 8 (`range(len(queries))`)"),
    ("i = 0\nwhile True:\n    [1, 2][i]\n    i += 1", "index_too_large", "`i` is the number 2, changed"),
    ("b, n, d = queries.shape", "parts_do_not_fit", "`queries.shape` is the tuple (5, 6)"),
    ("return queries.sum(dim=2)", "no_such_axis", "`queries` is a tensor of shape (5, 6)"),
    ("return queries.permute(0, 2, 1)", "not_each_axis", "`queries` is a tensor of shape (5, 6)"),
    ("return queries.detach().numpy().transpose(0, 2, 1)", "not_each_axis", "more axes, or fewer"),
    ("keys = {1: 2}\nfor one in keys:\n    keys[one + 1] = 0\nreturn keys", "changed_in_a_loop", "a loop goes over"),
    ("return queries.gather(1, torch.tensor([1]))", "axes_of_an_index", "`queries` is a tensor of shape (5, 6)"),
    ("return queries.view(7, 6)", "sizes_in_view", "`queries` is a tensor of shape (5, 6)"),
    ("return queries @ keys.t", "operation", "`keys.t` is a function that was not called"),
    ("return queries @ helper", "operation", "`helper` is your function itself"),
    ("layer = nn.Linear(6, 6)\nreturn queries @ layer", "operation", "`layer` is a layer (Linear) itself"),
    ("layer = nn.Linear(4, 6)\nreturn layer(queries)", "inner_sizes_differ", "6 is not 4", "of shape (5, 6)"),
    ("m = helper(keys)\nreturn m.T", "none_used", "`m` is None, made in line 8", "`helper` (line 11) has no `return`"),
    ("ids = []\nfor i in range(3):\n    ids = ids.append(i)", "none_used", "`ids` is None", "`append` gives back None"),
    ("d = {}\nreturn queries @ d.get(1).T", "none_used", "`d.get(1)` is None, since `get` gives back None"),
    ("return queries @ keys.T()", "tensor_called", "`keys.T` is not one"),
    ("return math.sqrt(queries)", "number_function_on_a_tensor", "`queries` is a tensor of shape (5, 6)"),
    ("return torch.zeros(len(keys) / 2)", "size_is_no_whole_number", "`len(keys) / 2` is a number (float)"),
    ("return torch.softmax(keys, dims=0)", "keyword_misspelt", "It is called `dim`"),
    ("return torch.normal(mean=0, std=1.0, size=4)", "arguments_do_not_fit", "mean, std, generator, out, size"),
    ("d = {'a': 1}\nreturn d[str(5)]", "key_missing", "`d` is a dict with 1 entry", "`str(5)` is the text '5'"),
    ("if len(keys) > 99:\n    helper = 1\nreturn helper", "used_before_it_is_made", "a value in line 9"),
    ("helper = helper(keys)", "name_hidden", "Line 8 makes a variable `helper`", "the function of line"),
    ("x = 'text'\nreturn 3 - x", "operation", "`x` is the text 'text', made in line 8"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "key", "facts"), [(one[0], one[1], one[2:]) for one in OPERATIONS]
)
def test_an_operation_is_shown_with_its_operands(
    body: str, key: str, facts: tuple[str, ...]
) -> None:
    raised = raised_by(body, after="\ndef helper(x):\n    x + 1\n")
    found = read_error(raised)
    assert found is not None
    assert found.key == key, found.says
    for fact in facts:
        assert fact in found.says


@pytest.mark.parametrize("body", [one[0] for one in OPERATIONS])
def test_without_a_trace_nothing_is_said_of_values(body: str) -> None:
    raised = raised_by(body, traced=False, after="\ndef helper(x):\n    x + 1\n")
    found = read_error(raised)
    assert found is None or "is a tensor of shape" not in found.says


def test_sizes_that_the_question_does_not_have_are_not_shown() -> None:
    found = read_error(raised_by("secret = torch.zeros(int(30 * 97 + 4))\nreturn secret.shap"))
    assert found is not None
    assert "`secret` is a tensor of shape (?,)" in found.says


@pytest.mark.parametrize("place", [(), (8,), (8, 8), (8, 8, 11), (8, 8, 11, 25, 3), (-1, 9, 9, 9)])
def test_a_place_that_a_worker_does_not_know_whole_is_no_place(place: tuple[int, ...]) -> None:
    """A worker may say any numbers; Python itself does not know all columns."""
    known = raised_by("print(1); return queries @ keys")
    raised = replace(known, error=replace(known.error, place=place))
    assert (raised.error.span is not None) is (len(place) == 4)
    assert read_error(raised) is not None
