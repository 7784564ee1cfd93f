from __future__ import annotations

import pytest

from autograder.submission.step_source import MAX_CHARACTERS, find_steps, fingerprint

pytestmark = pytest.mark.unit

SOURCE = '''\
import torch

@torch.no_grad()
# how it is called
def project(x,
            w):
    """Project.

at column 0, and yet in the docstring: def scores(q): pass
    """
    if x is None:
        return w
    return (
x @ w
)
# a note about what follows

scale_scores = lambda scores, d_k: scores / d_k**0.5

class SelfAttention(torch.nn.Module):
    def project(self):
        return None
'''


def texts(source: str, *steps: str) -> dict[str, str]:
    return {name: step.text for name, step in find_steps((("a.py", source),), steps).items()}


def test_a_step_is_the_statement_that_binds_its_name() -> None:
    found = find_steps((("a.py", SOURCE),), ["project", "scale_scores", "SelfAttention", "scores"])
    lines = SOURCE.split("\n")
    assert {name: (step.first, step.last) for name, step in found.items()} == {
        "project": (3, 15),
        "scale_scores": (18, 18),
        "SelfAttention": (20, 22),
    }
    for step in found.values():
        assert step.piece == "a.py"
        assert step.text == "\n".join(lines[step.first - 1 : step.last])


def test_the_last_definition_counts_and_an_assignment_only_without_one() -> None:
    source = "def f(x):\n    return 1\n\nf = f(2)\ndef f(x):\n    return 2\n\nf = f(3)\n"
    assert texts(source, "f") == {"f": "def f(x):\n    return 2"}
    assert texts("g = 1\ng: int = 2\ng == 3\n", "g") == {"g": "g: int = 2"}

    pieces = (("cell 1", "def f():\n    pass"), ("cell 2", "x = 1\ndef f():\n    return 1"))
    [step] = find_steps(pieces, ["f"]).values()
    assert (step.piece, step.first, step.last) == ("cell 2", 2, 3)


def test_an_open_bracket_or_string_hides_no_later_step() -> None:
    for head in ("x = (1,", "x = 'open"):
        found = texts(f"{head}\ndef f(y):\n    return y\n", "f")
        assert found == {"f": "def f(y):\n    return y"}
    source = "try:\n    def f(): pass\nexcept E:\n    f = 1\ndef g():\n    return 1\nelse_ = 2\n"
    assert texts(source, "f", "g") == {
        "g": "def g():\n    return 1"
    }  # a compound statement is whole


PROGRAM = "def f(x, w):\n    y = x @ w\n    return y\n"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("def f( tokens , w ) :\n  # project\n\n  result=tokens@w\n  return result", PROGRAM, True),
        ('def f(x, matrix):\n    """Docs."""\n    y = x @ matrix\n    return y\n', PROGRAM, True),
        ("def g(a, b):\n\tc = a @ \\\n\t\tb\n\treturn c", PROGRAM, True),
        (PROGRAM.replace("x @ w", "w @ x"), PROGRAM, False),
        (PROGRAM.replace("return y", "return x"), PROGRAM, False),
        (PROGRAM.replace("return", "yield"), PROGRAM, False),
        ("y = x.softmax(0)", "y = x.sigmoid(0)", False),
        ("y = x['a']", "y = x['b']", False),
    ],
)
def test_only_another_program_has_another_fingerprint(one: str, other: str, same: bool) -> None:
    """Formatting, comments, docstrings and chosen names make no difference."""
    assert (fingerprint(one) == fingerprint(other)) is same


def test_a_file_without_end_is_looked_at_up_to_a_limit() -> None:
    source = "x = 1\n" * MAX_CHARACTERS + "def f():\n    pass\n"
    assert texts(source, "f", "x") == {"x": "x = 1"}
    assert texts("def f():\n    pass\n" + source, "f") == {"f": "def f():\n    pass"}
