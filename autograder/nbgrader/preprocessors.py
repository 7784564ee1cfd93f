"""Preprocessor that grades a submission in `nbgrader autograde`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.errors import GraderFault
from autograder.nbgrader.gradebook import CHECK, write_marks
from autograder.nbgrader.rebuild import encodable, new_cell
from autograder.reports.html import feedback_html, feedback_text, words_html
from autograder.submission.read import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.nbgrader.session import Graded
    from autograder.results import Result


class WriteMarks(NbGraderPreprocessor):
    """Grade the submitted files, not the notebook that nbgrader passes in.

    Write marks to the gradebook and feedback to the notebook's cells.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Grade one submission. Raises GraderFault, and leaves the marks blank, if the grader fails."""
        exporter = self.parent
        about = resources["nbgrader"]
        folder = exporter.submitted(about["student"])
        try:
            graded = exporter.grading.grade(about["student"], folder)
        except Exception as error:
            write_marks(exporter.book, exporter.grading.blank(about["student"]))
            raise GraderFault(
                f"{about['student']} is ungraded: the grader itself failed, which says nothing about the student's "
                "work. `nbgrader autograde` grades it again."
            ) from error
        exporter.begin_next(about["student"])
        write_marks(exporter.book, graded.result, nb)
        _show_feedback(nb, graded.result)
        nb.cells[:0] = _head(graded, exporter.remarks, folder)
        return nb, resources


def _show_feedback(nb: Any, result: Result) -> None:
    checks = {CHECK + check.step: check for check in result.checks}
    for cell in nb.cells:
        check = checks.get(cell.get("id", ""))
        if check is not None:
            cell.outputs = [_output(feedback_text(check), feedback_html(check))]


def _head(graded: Graded, remarks: list[str], folder: Path) -> list[Any]:
    """Return one or two cells that nbgrader ignores: a summary, and the `.py` file if graded."""
    result = graded.result
    points = f"The steps earned {result.score:g} of {result.max_score:g} points."
    text = encodable("\n\n".join(filter(None, [result.output, *remarks, points])))
    head = [new_cell("code", "how-this-was-graded", "# How this was graded")]
    head[0].outputs = [_output(text, words_html(text))]
    if graded.file.endswith(".py"):
        source = read_text(folder / graded.file)
        title = f"# {graded.file}, which was graded"
        head.append(new_cell("code", "what-was-graded", f"{title}\n\n{source}"))
    return head


def _output(text: str, page: str) -> Any:
    data = NotebookNode({"text/plain": text, "text/html": page})
    return NotebookNode(output_type="display_data", metadata=NotebookNode(), data=data)
