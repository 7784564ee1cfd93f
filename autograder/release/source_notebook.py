"""Make an assignment's notebooks: nbgrader's source with solutions, and the released notebook.

Each cell's id is fixed and equals its nbgrader id, so the notebook has the same bytes on every
machine. jupytext and nbgrader come with the extra `instructor`, so they are imported where they
are used.
"""

from __future__ import annotations

import importlib.util
import logging
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

from autograder.assignment.script import written_question
from autograder.errors import AssignmentError, UsageError
from autograder.wheel import INSTALL_INSTRUCTOR, WHEEL, zip_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.script import Cell
    from autograder.assignment.source import Source

_SETUP = """\
# `check("step")` comes from the self-attention kit. Its questions are in files beside this notebook.
# `check()` without a step shows how far you are.
try:
    from autograder.notebook import check
except ImportError as error:
    raise ImportError(
        f'''{{error}}. This notebook alone is not enough: it needs the self-attention kit, and beside it
the files expected.json and test_{name}.py. All are in the zip file that you were given.

On your computer: unpack the zip file, and run the lines for your system in its README.txt.

In Colab: open the list of files (the folder symbol on the left), upload the zip file there, run these
lines in a cell of their own, then run this cell again. Colab forgets these files when you disconnect.

    !unzip -oq '*.zip'
    %pip install -q "./{folder}/{wheel}"
    %cd {folder}/{name}

In Kaggle: add the zip file as a dataset (Add Input, Upload), turn Internet on (Settings), and run these
lines in a cell of their own, then this cell again.

    !cp -r "$(dirname "$(find /kaggle/input -name '{wheel}' | head -n 1)")" {folder}
    %pip install -q "./{folder}/{wheel}"
    %cd {folder}/{name}

Do not install the package `autograder` from an index: it is something else.'''
    ) from None"""

_BY_HAND = """\
*{points:g} {marks}, given by a person; they come on top of those of the steps. Write your answer into the cell below.
As long as it holds none, nbgrader's **Validate** names that cell as one that failed. That is no error in your code.*"""

_NEEDED = ("jupytext", "nbgrader")
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def source_notebook(source: Source) -> bytes:
    """Return nbgrader's source notebook, with solutions, model answer and marking scheme.

    Raises UsageError if jupytext or nbgrader is not installed.
    """
    if missing := [name for name in _NEEDED if importlib.util.find_spec(name) is None]:
        raise UsageError(
            f"Notebooks are made with {' and '.join(missing)}. "
            f"In the kit's folder: {INSTALL_INSTRUCTOR}"
        )
    import nbformat  # noqa: PLC0415 - heavy and rarely needed

    notebook = nbformat.v4.new_notebook(
        cells=list(_cells(source)),
        metadata={"kernelspec": _KERNEL, "language_info": {"name": "python"}},
        nbformat_minor=5,
    )
    return f"{nbformat.writes(notebook)}\n".encode()


def _cells(source: Source) -> Iterator[Any]:
    points = source.assignment.points
    yield _code("setup", setup(source.assignment.name), locked=True)
    for cell in source.script:
        match cell.kind:
            case "text":
                yield _markdown(cell.id, _prose(cell.source), locked=True)
            case "given":
                yield _code(cell.id, cell.source, locked=True)
            case "show":  # locked: grading never runs show cells, so students must not work in them
                yield _code(cell.id, cell.source, locked=True, tags=["show"])
            case "step":
                yield _code(cell.id, cell.source, solution=True)
                check = f'check("{cell.id}")'
                yield _code(
                    f"check_{cell.id}", check, grade=True, locked=True, points=points[cell.id]
                )
            case "question":
                yield from _question(cell)


def setup(name: str) -> str:
    """Return the first cell of a notebook: it imports `check`, or says what the notebook needs."""
    return _SETUP.format(name=name, folder=zip_folder(name), wheel=WHEEL)


def _question(cell: Cell) -> Iterator[Any]:
    """Yield the cell of the question, with a scheme for markers only, and the answer cell."""
    question = written_question(cell)
    by_hand = _BY_HAND.format(points=cell.points, marks="mark" if cell.points == 1 else "marks")
    scheme = f"=== BEGIN MARK SCHEME ===\n\n{question.scheme}\n\n=== END MARK SCHEME ==="
    answer = f"### BEGIN SOLUTION\n{question.answer}\n### END SOLUTION"
    text = f"{question.text}\n\n{by_hand}\n\n{scheme}"
    yield _markdown(f"{cell.id}-text", text, locked=True)
    yield _markdown(cell.id, answer, grade=True, solution=True, points=cell.points)


def _prose(source: str) -> str:
    """Return the Markdown of a cell of a percent script."""
    import jupytext  # noqa: PLC0415

    [cell] = jupytext.reads(f"# %% [markdown]\n{source}\n", fmt="py:percent").cells
    return str(cell.source)


def _code(name: str, source: str, *, tags: list[str] | None = None, **nbgrader: Any) -> Any:
    import nbformat  # noqa: PLC0415

    metadata = _metadata(name, **nbgrader) | ({"tags": tags} if tags else {})
    return nbformat.v4.new_code_cell(source, id=name, metadata=metadata)


def _markdown(name: str, source: str, **nbgrader: Any) -> Any:
    import nbformat  # noqa: PLC0415

    return nbformat.v4.new_markdown_cell(source, id=name, metadata=_metadata(name, **nbgrader))


def _metadata(name: str, **flags: Any) -> dict[str, Any]:
    """Return a cell's nbgrader metadata, schema 3, without the checksum, which nbgrader adds."""
    unset = dict.fromkeys(("grade", "solution", "locked", "task"), False)
    metadata = {"schema_version": 3, "grade_id": name} | unset | flags
    if "points" in flags and float(flags["points"]).is_integer():
        metadata["points"] = int(flags["points"])
    return {"nbgrader": metadata}


def released_notebook(name: str, notebook: bytes) -> bytes:
    """Return the notebook that `nbgrader generate_assignment` makes from a source notebook, by the same steps.

    Raises AssignmentError with nbgrader's message if nbgrader fails.
    """
    from nbconvert.exporters import NotebookExporter  # noqa: PLC0415
    from nbgrader.converters import GenerateAssignment  # noqa: PLC0415
    from traitlets.config import Config  # noqa: PLC0415

    config = Config()
    config.SaveCells.enabled = False  # there is no database
    # As in nbgrader_config.py: the scheme is next to the question, where markers see it.
    config.ClearMarkScheme.enforce_metadata = False
    said = StringIO()
    log = logging.Logger("nbgrader", logging.ERROR)  # noqa: LOG001 - for the error message
    log.addHandler(logging.StreamHandler(said))
    exporter = NotebookExporter(config=config, log=log)
    for step in GenerateAssignment.preprocessors.default():
        exporter.register_preprocessor(step, enabled=step.__name__ != "SaveCells")
    try:
        released, _ = exporter.from_file(BytesIO(notebook))
    except Exception as error:
        message = said.getvalue().strip() or str(error)
        raise AssignmentError(f"nbgrader does not release {name}:\n{message}") from error
    return str(released).encode()


def is_edited_notebook(notebook: bytes) -> bool:
    """Return whether a cell of a released notebook was changed, added or damaged.

    Outputs do not count.
    """
    import nbformat  # noqa: PLC0415
    from nbgrader.utils import compute_checksum  # noqa: PLC0415

    try:
        cells = nbformat.from_dict(nbformat.reader.reads(notebook.decode())).cells
        return any(cell.metadata.nbgrader.checksum != compute_checksum(cell) for cell in cells)
    except Exception:  # noqa: BLE001 - a damaged notebook may lack or hold anything
        return True
