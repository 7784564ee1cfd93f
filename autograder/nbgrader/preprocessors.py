"""Preprocessor that grades a submission in `nbgrader autograde`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.errors import GraderFault
from autograder.nbgrader.gradebook import CHECK, write_marks
from autograder.nbgrader.rebuild import encodable, new_cell
from autograder.reports.html import feedback_html, feedback_text, words_html
from autograder.reports.summary import summary_html, summary_text
from autograder.results import Status

if TYPE_CHECKING:
    from autograder.results import Result

# The id of the cell with the summary. No student's cell has it: they are numbered.
SUMMARY = "how-this-was-graded"


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
            result = exporter.grading.grade(about["student"], folder)
        except Exception as error:
            write_marks(exporter.book, exporter.grading.blank(about["student"]))
            raise GraderFault(
                f"{about['student']} is ungraded: the grader itself failed, which says nothing about the student's "
                "work. `nbgrader autograde` grades it again."
            ) from error
        exporter.begin_next(about["student"])
        if result.status is Status.REJECTED:
            self.log.warning("%s is rejected: %s", about["student"], result.output)
        write_marks(exporter.book, result, nb)
        _show_feedback(nb, result)
        nb.cells[:0] = [_head(result, exporter.remarks)]
        return nb, resources


def _show_feedback(nb: Any, result: Result) -> None:
    checks = {CHECK + check.step: check for check in result.checks}
    for cell in nb.cells:
        check = checks.get(cell.get("id", ""))
        if check is not None:
            cell.outputs = [_output(feedback_text(check), feedback_html(check))]


def _head(result: Result, remarks: list[str]) -> Any:
    """Return a cell that nbgrader ignores: a summary, or first why nothing could be graded."""
    why = f"Rejected: {result.output}" if result.status is Status.REJECTED else ""
    notes = "\n\n".join(filter(None, ["" if why else result.output, *remarks]))
    text = encodable("\n\n".join(filter(None, [why, summary_text(result), notes])))
    page = encodable(words_html(why) + summary_html(result) + words_html(notes))
    head = new_cell("code", SUMMARY, "# How this was graded")
    head.outputs = [_output(text, page)]
    return head


def _output(text: str, page: str) -> Any:
    # MathJax reads no formula in it: a student's words may be in one.
    page = f'<div class="tex2jax_ignore mathjax_ignore">{page}</div>'
    data = NotebookNode({"text/plain": text, "text/html": page})
    return NotebookNode(output_type="display_data", metadata=NotebookNode(), data=data)
