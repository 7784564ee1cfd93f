"""Formats of `autograder export` for gradebooks, course platforms and CI, by name. None computes a mark.

format       a format, what it gets and what it writes    words        words and numbers of a result
junit        JUnit XML                                    markdown     a comment, or GitHub's step summary
annotations  GitHub's annotations, GitLab's Code Quality  plain_csv    id, e-mail, percentage, status, late
scores       GitHub Classroom, Classroom 50, PrairieLearn and Autolab
gradebook    fills a column of any gradebook              canvas       the gradebook that Canvas exported
moodle       Moodle's worksheet or grader report           feedback_files  zips of feedback, for Moodle and Canvas
"""

from __future__ import annotations

from autograder.reports.formats.annotations import write_github, write_gitlab
from autograder.reports.formats.canvas import fill_canvas
from autograder.reports.formats.feedback_files import (
    pack_by_id,
    pack_for_canvas,
    pack_for_moodle,
)
from autograder.reports.formats.format import Format, Into
from autograder.reports.formats.junit import write_junit
from autograder.reports.formats.markdown import write_comment
from autograder.reports.formats.moodle import fill_moodle
from autograder.reports.formats.plain_csv import write_csv
from autograder.reports.formats.scores import (
    write_autolab,
    write_classroom50,
    write_prairielearn,
)

_ALL = (
    Format(
        "canvas",
        "",
        "a column of the gradebook that Canvas exported",
        fill_canvas,
        Into.FILLED,
        fills=True,
    ),
    Format(
        "moodle",
        "",
        "Moodle's grading worksheet or grader report; a .zip becomes feedback files",
        fill_moodle,
        Into.CREATED,
        fills=True,
    ),
    Format(
        "moodle-feedback",
        "",
        "the zip for Moodle's upload of feedback files",
        pack_for_moodle,
        Into.CREATED,
    ),
    Format(
        "canvas-feedback",
        "",
        "the zip for Canvas's upload of graded submissions",
        pack_for_canvas,
        Into.CREATED,
    ),
    Format("feedback", "", "a zip with a folder for each student, by id", pack_by_id, Into.CREATED),
    Format("csv", "", "id, e-mail, percentage, status, late, note", write_csv),
    Format("junit", "junit.xml", "JUnit XML, which most CI servers show", write_junit),
    Format("markdown", "comment.md", "a comment on GitHub or GitLab", write_comment),
    Format(
        "github",
        "annotations.txt",
        "annotations and step summary of a GitHub workflow",
        write_github,
        variable="GITHUB_STEP_SUMMARY",
        printed=True,
    ),
    Format(
        "classroom50", "result.json", "Classroom 50's result.json", write_classroom50, single=True
    ),
    Format("gitlab", "gl-code-quality-report.json", "GitLab's Code Quality", write_gitlab),
    Format(
        "prairielearn",
        "prairielearn.json",
        "PrairieLearn's results.json",
        write_prairielearn,
        single=True,
    ),
    Format("autolab", "autolab.txt", "Autolab's scores", write_autolab, printed=True, single=True),
)
FORMATS = {one.name: one for one in _ALL}
