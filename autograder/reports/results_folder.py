"""A run's folder of results: written one by one, found again when the run goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.run_id import RUN_FILE
from autograder.reports.grades_csv import GRADES_FILE, dump_grades
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results, load_results
from autograder.results import Result, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from autograder.submission.find import Found
    from autograder.submission.read import Submission

# A run's own files, now or later; no student may bear one of these names.
OWN_FILES = (RUN_FILE, GRADES_FILE, "report.html")


@dataclass(frozen=True)
class Store:
    """Results below `folder`, of the run with this id."""

    folder: Path
    run: str

    def earlier(self, submission: Submission) -> Result | None:
        """The result of the very same submission in this very run, unless the grader had failed."""
        kept = load_results(self.folder / submission.student / RESULTS_FILE)
        same = (
            kept is not None
            and kept.student == submission.student
            and kept.run == self.run
            and kept.submission_sha256 == submission.sha256
            and kept.status is Status.GRADED
        )
        return kept if same else None

    def keep(self, result: Result) -> Path:
        """Write one result; return where."""
        path = self.folder / result.student / RESULTS_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, dump_results(result))
        return path

    def keep_grades(self, results: Iterable[Result], steps: Sequence[str]) -> Path:
        """Write the class's table; return where."""
        path = self.folder / GRADES_FILE
        write_whole(path, dump_grades(results, steps))
        return path


def refuse_own_names(found: Iterable[Found]) -> None:
    """Raise UsageError if a submission's name is one of the run's own files."""
    for one in found:
        if one.student.casefold() in OWN_FILES:
            raise UsageError(
                f"{one.path} has the name of a file that the results need. Rename it; nothing has been graded."
            )
