"""A run's folder of results. Each result is written at once, and reused when the run continues."""

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

# The run's own files. No student may have one of these names.
OWN_FILES = (RUN_FILE, GRADES_FILE, "report.html")


@dataclass(frozen=True)
class Store:
    """The results in `folder` of the run with the id `run`."""

    folder: Path
    run: str

    def earlier(self, submission: Submission) -> Result | None:
        """Return the result of the same submission in the same run; None if it was not graded."""
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
        """Write one result; return its path."""
        path = self.folder / result.student / RESULTS_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, dump_results(result))
        return path

    def keep_grades(self, results: Iterable[Result], steps: Sequence[str]) -> Path:
        """Write the table of the class; return its path."""
        path = self.folder / GRADES_FILE
        write_whole(path, dump_grades(results, steps))
        return path


def refuse_own_names(found: Iterable[Found]) -> None:
    """Raise UsageError if a submission has the name of one of the run's own files."""
    for one in found:
        if one.student.casefold() in OWN_FILES:
            raise UsageError(
                f"{one.path} has the name of a file that the results need. Rename it; nothing has been graded."
            )
