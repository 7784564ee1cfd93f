from __future__ import annotations

import pytest

from autograder.assignment.script import (
    WrittenQuestion,
    read_cells,
    solution_lines,
    without_show_cells,
    written_question,
)
from autograder.errors import AssignmentError
from tests.toy import SCRIPT

pytestmark = pytest.mark.unit


def test_cells_have_a_kind_and_a_name() -> None:
    cells = [(cell.id, cell.kind) for cell in read_cells(SCRIPT)]
    steps = [("double", "step"), ("show-1", "show"), ("shift", "step")]
    assert cells == [("text-1", "text"), ("given-1", "given"), *steps]


def test_every_line_of_a_solution_is_known_comments_too() -> None:
    script = SCRIPT.replace("    moved =", "    # from START on\n    moved =")
    assert solution_lines(read_cells(script)) == (
        "return np.multiply(x, 2.0)",
        "# from START on",
        "moved = np.add(x, START)",
        "return moved  # as it is",
    )


def step(*body: str) -> str:
    return "\n".join(["# %%", "def double(x):", *(f"    {line}" for line in body), ""])


@pytest.mark.parametrize(
    "script",
    [
        step("### BEGIN SOLUTION", "return 2 * x"),
        step("return 2 * x", "### END SOLUTION"),
        step("### BEGIN SOLUTION", "### BEGIN SOLUTION", "return 2 * x", "### END SOLUTION"),
        step("### END SOLUTION", "return 2 * x", "### BEGIN SOLUTION"),
        step("#### BEGIN SOLUTION", "return 2 * x", "#### END SOLUTION"),
        step("### BEGIN SOLUTION of it", "return 2 * x", "### END SOLUTION"),
        step("###BEGIN SOLUTION", "return 2 * x", "###END SOLUTION"),
        step("### begin solution", "return 2 * x", "### end solution"),
        step("### BEGIN SOLUTION", "return 2 * x", "### END_SOLUTION"),
        step("x += 1  ### BEGIN SOLUTION", "return 2 * x", "### END SOLUTION"),
        '# %% tags=["show"]\n### BEGIN SOLUTION\nprint(2)\n### END SOLUTION\n',
        "# %% [markdown]\n# ### BEGIN SOLUTION\n# twice\n# ### END SOLUTION\n",
    ],
)
def test_a_marker_that_would_release_its_solution_is_refused(script: str) -> None:
    with pytest.raises(AssignmentError, match="SOLUTION"):
        read_cells(script)


SOLVED = step("### BEGIN SOLUTION", "return 2 * x", "### END SOLUTION")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (f"{SOLVED}y = 1\n", "wanted one function or class, nothing else"),
        (f"{SOLVED}def other():\n    pass\n", "wanted one function or class, nothing else"),
        ("# %%\nimport numpy\n\n" + SOLVED.replace(" x\n", "\n"), "^line 7: not Python: invalid syntax"),
        (f"{SOLVED[:-1]}S\n", "^line 5: '### END SOLUTIONS'; wanted '### END SOLUTION', in a `# %%` cell "),
    ],
)  # fmt: skip
def test_what_is_no_step_is_named_with_its_line(script: str, words: str) -> None:
    with pytest.raises(AssignmentError, match=words):
        read_cells(script)


def test_show_cells_are_emptied_and_lines_keep_their_numbers() -> None:
    before, after = SCRIPT.split("\n"), without_show_cells(SCRIPT).split("\n")
    assert len(before) == len(after)
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ['# %% tags=["show"]', "print(double(np.ones(2)))"]


QUESTION = """\
# %% [markdown] tags=["question"] points=2.5
# ## Why twice?
#
# Say it in your own words.
#
# ### BEGIN SOLUTION
# Because twice
#
# is more.
# ### END SOLUTION
#
# === BEGIN MARK SCHEME ===
# * Half a mark for trying.
# === END MARK SCHEME ===
"""


def test_a_question_has_points_a_model_answer_and_a_marking_scheme() -> None:
    [cell] = read_cells(QUESTION)
    assert (cell.id, cell.kind, cell.points) == ("question-1", "question", 2.5)
    assert written_question(cell) == WrittenQuestion(
        text="## Why twice?\n\nSay it in your own words.",
        answer="Because twice\n\nis more.",
        scheme="* Half a mark for trying.",
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("### BEGIN SOLUTION", "### BEGIN SOLUTIONS"),
        ("### END SOLUTION", "### END_SOLUTION"),
        ("# ### END SOLUTION\n", ""),
        ("=== BEGIN MARK SCHEME ===", "== BEGIN MARK SCHEME =="),
        ("=== END MARK SCHEME ===", "=== END MARKING SCHEME ==="),
        ("# === END MARK SCHEME ===\n", ""),
        ("# * Half a mark for trying.\n", ""),
        ("# * Half a mark for trying.\n", "#\n"),
        ("# is more.\n", "# is more.\n# END SOLUTION\n"),
        ("# is more.\n", "# ### END SOLUTION\n# is more.\n# ### BEGIN SOLUTION\n"),
        ("Say it in", "BEGIN MARK SCHEME in"),
        ("# === END MARK SCHEME ===\n", "# === END MARK SCHEME ===\n# And more.\n"),
    ],
)
def test_a_question_whose_marking_would_be_released_is_refused(old: str, new: str) -> None:
    assert old in QUESTION
    with pytest.raises(AssignmentError, match=r"^line 2: a question; wanted a text, "):
        read_cells(QUESTION.replace(old, new))


@pytest.mark.parametrize("points", ["", " points=", " points=two", " points=-1", " points=1,5"])
def test_a_question_without_points_is_refused(points: str) -> None:
    with pytest.raises(AssignmentError, match=r"^line 2: no points; write "):
        read_cells(QUESTION.replace(" points=2.5", points))


@pytest.mark.parametrize("cell", ["# %% [markdown]\n# ", "# %%\n# ", '# %% tags=["show"]\n# '])
def test_a_marking_scheme_outside_of_a_question_is_refused(cell: str) -> None:
    with pytest.raises(AssignmentError, match="wanted '### BEGIN SOLUTION'"):
        read_cells(f"{cell}=== BEGIN MARK SCHEME ===\n# a\n# === END MARK SCHEME ===\n")
