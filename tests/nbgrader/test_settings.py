"""The settings of the project, and those of the instructor's own."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from traitlets.config.loader import PyFileConfigLoader

if TYPE_CHECKING:
    from pathlib import Path


def test_the_instructors_own_settings_are_read_last(root: Path, tmp_path: Path) -> None:
    shutil.copy(root / "nbgrader_config.py", tmp_path)
    read = PyFileConfigLoader("nbgrader_config.py", str(tmp_path)).load_config
    assert "root" not in read().Exchange
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "settings.py").write_text(
        "c.Exchange.root = '/srv/exchange'\nc.CourseDirectory.course_id = 'mine'\n"
    )
    settings = read()
    assert settings.Exchange.root == "/srv/exchange"
    assert settings.CourseDirectory.course_id == "mine"
    assert settings.CourseDirectory.release_directory == "assignments"
