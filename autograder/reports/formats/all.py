"""Every format of a course platform."""

from __future__ import annotations

from autograder.reports.formats.autolab import dump_autolab
from autograder.reports.formats.base import PlatformFormat
from autograder.reports.formats.classroom50 import dump_classroom50
from autograder.reports.formats.github import dump_annotations
from autograder.reports.formats.github_classroom import dump_classroom, dump_output
from autograder.reports.formats.gitlab import dump_code_quality
from autograder.reports.formats.junit import dump_junit
from autograder.reports.formats.markdown import dump_comment, dump_summary
from autograder.reports.formats.prairielearn import dump_prairielearn

PLATFORM_FORMATS = (
    PlatformFormat("junit", "junit.xml", "JUnit XML, which most CI servers show", dump_junit),
    PlatformFormat("markdown", "comment.md", "a comment on GitHub or GitLab", dump_comment),
    PlatformFormat(
        "github",
        "annotations.txt",
        "annotations and step summary of a GitHub workflow",
        dump_annotations,
        printed=True,
        variable="GITHUB_STEP_SUMMARY",
        added=dump_summary,
    ),
    PlatformFormat(
        "github-classroom",
        "classroom.json",
        "the result for GitHub Classroom's reporter",
        dump_classroom,
        variable="GITHUB_OUTPUT",
        added=dump_output,
    ),
    PlatformFormat("classroom50", "result.json", "Classroom 50's result.json", dump_classroom50),
    PlatformFormat(
        "gitlab", "gl-code-quality-report.json", "GitLab's Code Quality", dump_code_quality
    ),
    PlatformFormat(
        "prairielearn", "prairielearn.json", "PrairieLearn's results.json", dump_prairielearn
    ),
    PlatformFormat("autolab", "autolab.txt", "Autolab's scores", dump_autolab, printed=True),
)
