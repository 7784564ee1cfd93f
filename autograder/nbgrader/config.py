"""What `nbgrader_config.py` calls. Nothing heavy is imported: JupyterLab reads that file too."""

from __future__ import annotations

import os
import sysconfig
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traitlets.config import Config


def configure(config: Config) -> None:
    """Let `nbgrader autograde`, and formgrader's button for it, grade with this kit; no student's kernel is started."""
    find_our_programs()
    config.Autograde.exporter_class = "autograder.nbgrader.exporter.GradingExporter"
    config.Autograde.sanitize_preprocessors = []  # all that they mend comes from the release
    config.Autograde.autograde_preprocessors = [
        "autograder.nbgrader.preprocessors.WriteMarks",
        "nbgrader.preprocessors.AssignLatePenalties",  # after the marks: a penalty may be all of them
    ]
    config.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        "nbgrader.preprocessors.ClearMarkScheme",  # it is the markers'
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
    ]


def find_our_programs() -> None:
    """Put this interpreter's programs on PATH: nbgrader calls `alembic`, also where no environment is activated."""
    programs = sysconfig.get_path("scripts")
    path = os.environ.get("PATH", "")
    if programs not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join(filter(None, [programs, path]))
