"""Preprocessor that grades a submission in `nbgrader autograde`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.errors import GraderFault
from autograder.nbgrader.gradebook import CHECK, write_marks
from autograder.nbgrader.rebuild import new_cell
from autograder.reports.blocks import WIDTH, check_parts, notebook_output, summary_parts
from autograder.results import Status, paragraphs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.blocks import Drawn
    from autograder.results import Block, Result

# The id of the cell with the summary. No student's cell has it: they are numbered.
SUMMARY = "how-this-was-graded"
_NOT_WRAPPED = 100_000


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
            cell.outputs = [_output(check_parts(check))]


def _head(result: Result, remarks: list[str]) -> Any:
    """Return a cell that nbgrader ignores: a summary, or first why nothing could be graded."""
    head = new_cell("code", SUMMARY, "# How this was graded")
    score, *words = summary_parts(result)
    why, about = [], result.about
    if result.status is Status.REJECTED:
        why, about = [*paragraphs(f"Rejected: {result.output}")], ()
    more = [*words, *about, *paragraphs(*remarks)]
    head.outputs = [_output(parts, _NOT_WRAPPED) for parts in ([*why, score], more) if parts]
    return head


def _output(parts: Sequence[Block | Drawn], width: int = WIDTH) -> Any:
    data = NotebookNode(notebook_output(parts, width))
    return NotebookNode(output_type="display_data", metadata=NotebookNode(), data=data)
