from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder import __version__
from autograder.assignment.source import Source, load_source
from autograder.errors import AssignmentError
from autograder.release import build as builder
from autograder.release.source_notebook import (
    is_edited_notebook,
    released_notebook,
    source_notebook,
)
from autograder.submission.cells import without_check_lines
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from tests.commands.released_steps import copied_release
from tests.exams import ASSIGNMENTS, source_of
from tests.toy import write_toy

pytest.importorskip("jupytext")
pytest.importorskip("nbgrader")

NAMES = ASSIGNMENTS

QUESTION = """\
# %% [markdown] tags=["question"] points=1.5
# Why twice?
#
# ### BEGIN SOLUTION
# Because.
# ### END SOLUTION
#
# === BEGIN MARK SCHEME ===
# Be kind.
# === END MARK SCHEME ===

"""
SHOW = '# %% tags=["show"]\n'

Cell = dict[str, Any]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return load_source(write_toy(tmp_path_factory.mktemp("toy"), (SHOW, QUESTION + SHOW)) / "toy")


@cache
def both(name: str) -> tuple[bytes, bytes]:
    """An assignment's source notebook, and what is released of it."""
    made = source_notebook(source_of(name))
    return made, released_notebook(name, made)


def cells_of(notebook: bytes) -> dict[str, Cell]:
    """A notebook's cells by their ids, in order, each source as one text."""
    cells = json.loads(notebook)["cells"]
    found = {cell["id"]: {**cell, "source": "".join(cell["source"])} for cell in cells}
    assert len(found) == len(cells)
    return found


def kind_of(cell: Cell) -> tuple[str, bool, bool, bool]:
    """How nbgrader treats a cell: its type, and whether it is graded, a solution, locked."""
    metadata = cell["metadata"]["nbgrader"]
    return cell["cell_type"], metadata["grade"], metadata["solution"], metadata["locked"]


READ_ONLY = ("code", False, False, True)
READ_ONLY_TEXT = ("markdown", False, False, True)
ANSWER = ("code", False, True, False)
TEST = ("code", True, False, True)
ANSWER_BY_HAND = ("markdown", True, True, False)


def test_each_cell_has_a_derived_id_and_nbgraders_kind(toy: Source) -> None:
    cells = cells_of(source_notebook(toy))
    assert [(name, kind_of(cell)) for name, cell in cells.items()] == [
        ("setup", READ_ONLY),
        ("text-1", READ_ONLY_TEXT),
        ("given-1", READ_ONLY),
        ("double", ANSWER),
        ("check_double", TEST),
        ("question-1-text", READ_ONLY_TEXT),
        ("question-1", ANSWER_BY_HAND),
        ("show-1", READ_ONLY),
        ("shift", ANSWER),
        ("check_shift", TEST),
    ]
    for name, cell in cells.items():
        assert cell["metadata"]["nbgrader"]["grade_id"] == name
    points = {name: cell["metadata"]["nbgrader"].get("points") for name, cell in cells.items()}
    graded = {name: value for name, value in points.items() if value is not None}
    assert graded == {"check_double": 1, "check_shift": 2, "question-1": 1.5}
    assert cells["text-1"]["source"] == "# A toy\n\nTwo steps."
    assert cells["show-1"]["metadata"]["tags"] == ["show"]


def test_a_released_question_has_its_text_and_room_for_an_answer(toy: Source) -> None:
    made = source_notebook(toy)
    assert b"Because." in made
    assert b"Be kind." in made
    released = released_notebook("toy", made)
    assert b"Because." not in released
    assert b"Be kind." not in released
    cells = cells_of(released)
    text = cells["question-1-text"]["source"]
    assert text.startswith("Why twice?\n\n*1.5 marks, given by a person")
    assert "**Validate** names that cell" in text
    assert "MARK SCHEME" not in text
    assert cells["question-1"]["source"] == "YOUR ANSWER HERE"


@pytest.mark.parametrize("name", NAMES)
def test_each_released_cell_is_a_stub_or_its_check_and_only_answers_can_be_changed(
    name: str,
) -> None:
    made, released = map(cells_of, both(name))
    for cell in source_of(name).assignment.cells:
        assert released[cell.id]["source"] == cell.source
        assert ("### BEGIN SOLUTION" in made[cell.id]["source"]) == (cell.kind == "step")
    order = list(released)
    checks = source_of(name).assignment.checks
    for check in checks:
        assert order[order.index(check.name) + 1] == f"check_{check.name}"
        shown = released[f"check_{check.name}"]
        assert shown["source"] == f'check("{check.name}")'
        assert shown["metadata"]["nbgrader"]["points"] == check.points
    free = {key for key, one in released.items() if one["metadata"].get("editable") is not False}
    assert free == {*(check.name for check in checks), "question-1"}
    assert {cell["metadata"]["deletable"] for cell in released.values()} == {False}
    assert all(cell.get("outputs", []) == [] for cell in released.values())


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_are_valid_for_jupyter_and_for_nbgrader(name: str) -> None:
    import nbformat  # noqa: PLC0415
    from nbgrader.nbgraderformat import MetadataValidator  # noqa: PLC0415

    for data in both(name):
        notebook = nbformat.reads(data.decode(), as_version=nbformat.NO_CONVERT)
        assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
        nbformat.validate(notebook)
        MetadataValidator().validate_nb(notebook)
        assert notebook.metadata["kernelspec"]["name"] == "python3"


def test_a_notebook_alone_says_what_else_it_needs_and_how_to_bring_it(toy: Source) -> None:
    """As in Colab: the first cell runs in an interpreter where the kit is not installed."""
    setup = cells_of(released_notebook("toy", source_notebook(toy)))["setup"]["source"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", setup], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    words = done.stderr.partition("ImportError: ")[2]
    assert words.startswith("No module named 'autograder'. This notebook alone is not enough")
    wheel = f"self_attention_kit-{__version__}-py3-none-any.whl"
    for needed in (
        "expected.json",
        "test_toy.py",
        "README.txt",
        "!unzip -oq '*.zip'",
        f'%pip install -q "./toy-{__version__}/{wheel}"',
        f"%cd toy-{__version__}/toy",
        "Do not install the package `autograder`",
    ):
        assert needed in words, needed


def test_the_first_cell_is_no_work_and_runs_nothing_in_grading(toy: Source) -> None:
    source = cells_of(released_notebook("toy", source_notebook(toy)))["setup"]["source"]
    names: dict[str, Any] = {}
    exec(without_check_lines(source), names)
    assert "check" not in names


def test_what_nbgrader_refuses_ends_in_its_own_words(
    toy: Source, capfd: pytest.CaptureFixture[str]
) -> None:
    twice = source_notebook(toy).replace(b'"grade_id": "shift"', b'"grade_id": "double"')
    with pytest.raises(AssignmentError, match="Duplicate grade id: double") as error:
        released_notebook("toy", twice)
    assert str(error.value).startswith("nbgrader does not release toy:\n")
    assert capfd.readouterr() == ("", "")


def test_no_environment_need_be_activated(toy: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    made = source_notebook(toy)
    before = Path.cwd()
    monkeypatch.setenv("PATH", os.devnull)
    assert cells_of(released_notebook("toy", made))
    assert Path.cwd() == before


@pytest.mark.parametrize(
    ("change", "worked"),
    [
        ({}, False),
        ({"outputs": [{"output_type": "stream", "name": "stdout", "text": "1"}]}, False),
        ({"source": "def double(x):\n    return x + x"}, True),
        ({"metadata": {}}, True),
        ({"metadata": {"nbgrader": 5}}, True),
    ],
)
def test_a_changed_cell_is_work_and_an_output_is_not(
    toy: Source, change: dict[str, Any], worked: bool
) -> None:
    content = json.loads(released_notebook("toy", source_notebook(toy)))
    [cell] = [cell for cell in content["cells"] if cell["id"] == "double"]
    cell.update(change)
    assert is_edited_notebook(json.dumps(content).encode()) is worked
    content["cells"].append({"cell_type": "markdown", "id": "a", "metadata": {}, "source": "mine"})
    assert is_edited_notebook(json.dumps(content).encode())


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b'{"cells": 5}', b'{"nbformat": 4}'])
def test_what_is_no_notebook_any_more_is_never_overwritten(data: bytes) -> None:
    assert is_edited_notebook(data)


def test_the_notebook_is_graded_if_it_was_worked_in_and_not_if_it_was_only_run(
    toy: Source, tmp_path: Path
) -> None:
    """As JupyterLab saves it: outputs, the kernel's own metadata, and no space at the end of a line."""
    content = json.loads(released_notebook("toy", source_notebook(toy)))
    content["metadata"]["language_info"]["version"] = "3.13.0"
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = [line.rstrip("\n") + " \n" for line in cell["source"]]
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "1"}]

    def note(module: str) -> str:
        (tmp_path / "toy.ipynb").write_text(json.dumps(content))
        (tmp_path / "toy.py").write_text(module)
        [found] = find_hand_ins([tmp_path], "toy")
        return read_submission(found, toy.assignment).note

    assert "`toy.py` was graded: it is the one" in note("def double(x):\n    return x\n")
    [cell] = [cell for cell in content["cells"] if cell["id"] == "double"]
    cell["source"] = 'def double(x):\n    """Return twice x."""'  # a released line elsewhere
    assert "`toy.ipynb` was graded: it is the one" in note(builder.stub_module(toy))


@pytest.mark.slow  # a kernel runs all cells of the notebook
def test_a_notebook_with_its_solutions_runs_from_top_to_bottom(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    import nbformat  # noqa: PLC0415

    folder = copied_release(tmp_path)
    notebook = nbformat.reads(both("self_attention")[0].decode(), as_version=4)
    # A kernel of this very environment, whatever kernels are installed for the user.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(Path(sys.prefix) / "share" / "jupyter"))
        nbclient.NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}
        ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [one for one in outputs if one.output_type == "error"] == []
    assert [one.text for one in outputs if one.get("name") == "stderr"] == []
    assert sum("image/png" in one.get("data", {}) for one in outputs) >= 2
