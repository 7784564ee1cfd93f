"""A run's folder of results. Each result is written at once, and reused when the run continues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.files import write_together
from autograder.grading.overrides import OVERRIDES_FILE, without_overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.class_record import CLASS_FILE
from autograder.reports.formats.all import FORMATS
from autograder.reports.grades_csv import GRADES_FILE
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results, load_results
from autograder.results import Result, Status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from autograder.submission.hand_in import HandIn

# The run's own files. No student may have one of these names.
OWN_FILES = (
    RUN_FILE,
    GRADES_FILE,
    CLASS_FILE,
    OVERRIDES_FILE,
    "report.html",
    *(one.file for one in FORMATS.values() if one.file),
)


def reserved_names(folder: Path) -> set[str]:
    """Return the names that no student can have: the run's own files, and other files in its folder."""
    others = folder.iterdir() if folder.is_dir() else ()
    return {*OWN_FILES, *(path.name for path in others if not path.is_dir())}


def kept_result(folder: Path, run: str, submission: HandIn) -> Result | None:
    """Return the result of the same submission in the run with this id; None if it was not graded.

    The result is as the grader made it, without overrides.
    """
    kept = load_results(folder / submission.student / RESULTS_FILE)
    same = (
        kept is not None
        and kept.student == submission.student
        and kept.run == run
        and kept.submission_sha256 == submission.sha256
        and kept.status is Status.GRADED
    )
    return without_overrides(kept) if kept is not None and same else None


def write_result(
    folder: Path,
    result: Result,
    data: bytes | None = None,
    *,
    beside: Mapping[Path, bytes] | None = None,
) -> Path:
    """Write one result, together with the files `beside`; return its path.

    `data` is the result as `dump_results` returns it, if the caller has that already. If one of the
    files cannot be written, none is.
    """
    path = folder / result.student / RESULTS_FILE
    new = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_together({path: data or dump_results(result), **(beside or {})})
    except BaseException:
        if new and not any(path.parent.iterdir()):
            path.parent.rmdir()
        raise
    return path
