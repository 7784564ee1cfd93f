"""Settings for `nbgrader_config.py`.

This module imports nothing heavy: JupyterLab reads that file too.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traitlets.config import Config


def configure(config: Config) -> None:
    """Make `nbgrader autograde` and formgrader's button grade with this kit.

    nbgrader then starts no kernel for a student's notebook.
    """
    find_our_programs()
    if (
        "nbgrader.coursedir" in sys.modules
    ):  # an nbgrader command or formgrader, no plain JupyterLab
        from autograder.nbgrader.collected import guard_hand_ins  # noqa: PLC0415

        guard_hand_ins()
    config.Autograde.exporter_class = "autograder.nbgrader.exporter.GradingExporter"
    config.Autograde.sanitize_preprocessors = []  # the release already has what they repair
    config.Autograde.autograde_preprocessors = [
        "autograder.nbgrader.preprocessors.WriteMarks",
        "nbgrader.preprocessors.AssignLatePenalties",  # after the marks: a penalty may take all
    ]
    config.GenerateFeedback.exporter_class = (
        "autograder.nbgrader.feedback_exporter.FeedbackExporter"
    )
    config.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        "nbgrader.preprocessors.ClearMarkScheme",  # students must not see it
        "autograder.nbgrader.feedback_exporter.ShowSummary",
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
    ]


def find_our_programs() -> None:
    """Put this interpreter's programs on PATH.

    nbgrader calls `alembic` by name, even if no environment is activated.
    """
    programs = sysconfig.get_path("scripts")
    path = os.environ.get("PATH", "")
    if programs not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join(filter(None, [programs, path]))
