"""Formats of `autograder export` for gradebooks, course platforms and CI, by name. None computes a mark.

format       a format, what it gets and what it writes    words        words and numbers of a result
junit        JUnit XML                                    markdown     a comment, or GitHub's step summary
annotations  GitHub's annotations, GitLab's Code Quality  plain_csv    id, e-mail, percentage, status, late
classroom50  Classroom 50's result.json                   feedback_files  zips of feedback, for Moodle and Canvas
gradebook    fills a column of any gradebook              canvas       the gradebook that Canvas exported
moodle       Moodle's worksheet or grader report
"""

from __future__ import annotations

from autograder.errors import UsageError
from autograder.reports.formats.format import Format
from autograder.text import nearest

_ALL = (
    Format("canvas", "canvas:fill_canvas", fills=True),
    Format("moodle", "moodle:fill_moodle", fills=True),
    Format("moodle-feedback", "feedback_files:pack_for_moodle", packs=True),
    Format("canvas-feedback", "feedback_files:pack_for_canvas", packs=True),
    Format("feedback", "feedback_files:pack_by_id", packs=True),
    Format("csv", "plain_csv:write_csv"),
    Format("junit", "junit:write_junit", "junit.xml"),
    Format("markdown", "markdown:write_comment", "comment.md"),
    Format("github", "annotations:write_github", "annotations.txt", variable="GITHUB_STEP_SUMMARY"),
    Format("classroom50", "classroom50:write_classroom50", "result.json"),
    Format("gitlab", "annotations:write_gitlab", "gl-code-quality-report.json"),
)
FORMATS = {one.name: one for one in _ALL}


def find_format(name: str) -> Format:
    """Return the format of this name. Raises UsageError, with the nearest name, if there is none."""
    if name not in FORMATS:
        raise UsageError(f"There is no format {name!r}. {nearest(name, FORMATS)}")
    return FORMATS[name]
