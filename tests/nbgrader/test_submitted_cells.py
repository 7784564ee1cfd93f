"""What was handed in, as cells of the notebook."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from nbformat import v4

from autograder.nbgrader.rebuild import rebuild
from autograder.nbgrader.submitted_cells import Release, submitted_cells
from autograder.submission.read import Submission
from tests.nbgrader.course import NAME, ROOT, cell_of

if TYPE_CHECKING:
    from pathlib import Path

RELEASED = ROOT / "assignments" / NAME
STUB = (RELEASED / f"{NAME}.py").read_text(encoding="utf-8")
ANSWER = "Because the variance grows with d_k.\n"


@pytest.fixture(scope="module")
def release() -> Release:
    notebook = v4.reads((RELEASED / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    steps = [
        cell.id.removeprefix("check_") for cell in notebook.cells if cell.id.startswith("check_")
    ]
    return Release(NAME, notebook.cells, notebook.metadata, STUB, steps)


def shown(
    release: Release, folder: Path, graded: str | None = f"{NAME}.py"
) -> tuple[dict[str, str], list[str]]:
    """The sources of the cells that are shown, by id and in order, and the remarks."""
    submission = None
    if graded:
        path = folder / graded
        submission = Submission("alice", (), "", path=path, is_notebook=path.suffix == ".ipynb")
    cells, remarks = submitted_cells(folder, submission, release)
    filled = rebuild(release.cells, cells)
    return {cell.id: cell.source for cell in filled}, remarks


def module(folder: Path, text: str) -> None:
    (folder / f"{NAME}.py").write_text(text, encoding="utf-8")


def notebook(folder: Path, **sources: str) -> None:
    content: dict[str, Any] = json.loads((RELEASED / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    for name, source in sources.items():
        cell_of(content, name.replace("_", "-"))["source"] = source
    (folder / f"{NAME}.ipynb").write_text(json.dumps(content), encoding="utf-8")


def test_a_module_that_is_as_released_is_the_released_notebook(
    release: Release, tmp_path: Path
) -> None:
    module(tmp_path, STUB.replace("\n", "\r\n"))
    found, remarks = shown(release, tmp_path)
    assert found == {cell.id: cell.source for cell in release.cells}
    assert remarks == []


def test_each_step_stands_in_its_cell_with_its_line_and_the_whole_file_is_added(
    release: Release, tmp_path: Path
) -> None:
    own = "import math\n\n# %% mine\ndef half(x):\n    return x / 2\n\n\n"
    step = "@torch.no_grad()\ndef scale_scores(scores, d_k):\n    return scores / math.sqrt(d_k)\n"
    before, name, after = STUB.partition("def attention_score(")
    text = f"{before}{own}{name}{after}\n\n{step}"
    module(tmp_path, text)

    found, _ = shown(release, tmp_path)

    [added] = [source for name, source in found.items() if name.startswith("added")]
    assert added == placed(text, text)
    assert found["scale_scores"] == placed(text, step.strip())
    released = cell_of({"cells": release.cells}, "attention_score")
    assert found["attention_score"] == released["source"]


def placed(text: str, part: str) -> str:
    return f"# {NAME}.py, line {text[: text.index(part)].count(chr(10)) + 1}\n{part}"


def test_a_step_that_is_bound_in_another_way_is_shown_where_it_is(
    release: Release, tmp_path: Path
) -> None:
    module(
        tmp_path,
        "from torch import nn\nattention_weights = nn.Softmax(dim=-1)\nif True:\n    def project(x): ...\n",
    )
    found, _ = shown(release, tmp_path)
    assert found["attention_weights"].endswith("attention_weights = nn.Softmax(dim=-1)")
    assert found["project"] == f"# {NAME}.py does not define project at its left margin."
    assert any("def project(x): ..." in source for name, source in found.items() if "added" in name)


def test_the_answer_is_the_notebooks_or_that_of_the_file_made_harmless(
    release: Release, tmp_path: Path
) -> None:
    module(tmp_path, STUB)
    (tmp_path / "question-1.md").write_text(ANSWER, encoding="utf-8")
    assert shown(release, tmp_path)[0]["question-1"] == ANSWER.strip()
    notebook(tmp_path)
    for graded in (f"{NAME}.py", f"{NAME}.ipynb", None):
        assert shown(release, tmp_path, graded)[0]["question-1"] == ANSWER.strip()
    notebook(tmp_path, question_1="The notebook's.")
    for graded in (f"{NAME}.py", f"{NAME}.ipynb", None):
        assert shown(release, tmp_path, graded)[0]["question-1"] == "The notebook's."
    (tmp_path / f"{NAME}.ipynb").unlink()
    text = "<img src=x onerror=alert(1)> [one](javascript:alert(1))"
    (tmp_path / "question-1.md").write_text(text, encoding="utf-8")
    harmless = "< img src=x onerror=alert(1)> [one] (javascript:alert(1))"
    assert shown(release, tmp_path)[0]["question-1"] == harmless


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_an_answer_that_cannot_be_read_is_told(release: Release, tmp_path: Path) -> None:
    module(tmp_path, STUB)
    path = tmp_path / "question-1.md"
    os.mkfifo(path)
    _, fifo = shown(release, tmp_path)
    path.unlink()
    path.symlink_to("/etc/hostname")
    _, link = shown(release, tmp_path)
    path.unlink()
    path.write_bytes(b"\xff\xfe\x00")
    _, binary = shown(release, tmp_path)
    for [remark], why in ((fifo, "not a regular file"), (link, "a link"), (binary, "UTF-16")):
        assert remark.startswith("Your answer was not read. `question-1.md`")
        assert why in remark
