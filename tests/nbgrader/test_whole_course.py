"""A whole course by nbgrader's own commands, through an exchange folder: each student's own words come back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.assignment import EXPECTED
from autograder.exam.expected_json import same_expected
from tests.forking import client
from tests.nbgrader.course import NAME, ROOT, Course, cell_of, environment, example, filled, words
from tests.nbgrader.hand_ins import ANSWER

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows"),
]

# Found from the settings' own place: the test copies all of this.
INSTRUCTOR = """\
c.Exchange.root = str(ROOT.parent / "exchange")
c.ExchangeCollect.check_owner = False  # all of them have one account here
"""
STUDENT = """\
from pathlib import Path
c = get_config()
c.CourseDirectory.course_id = "self-attention"
c.CourseDirectory.student_id = {name!r}
c.Exchange.root = str(Path(__file__).resolve().parents[3] / "exchange")
"""


def student_runs(home: Path, command: str) -> None:
    """Run `nbgrader COMMAND self_attention` as a student types it in a home folder."""
    words = [sys.executable, "-m", "nbgrader", command, NAME]
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = client.run(words, cwd=home, env=environment(home), **options)
    assert done.returncode == 0, done.stdout


def test_students_fetch_the_release_hand_in_and_fetch_their_own_feedback(
    released: Course, right: str, tmp_path: Path
) -> None:
    """Bob took the softmax along the wrong axis. Carol worked in the module and left the notebook alone."""
    course = Course(tmp_path / "project")
    shutil.copytree(released.root, course.root)
    course.configure(INSTRUCTOR)
    course.run("release_assignment", NAME)
    homes = {name: tmp_path / "homes" / name for name in ("bob", "carol")}
    for name, home in homes.items():
        settings = home / ".jupyter" / "nbgrader_config.py"
        settings.parent.mkdir(parents=True)
        settings.write_text(STUDENT.format(name=name), encoding="utf-8")
        student_runs(home, "fetch_assignment")
    fetched = {path.name: path.read_bytes() for path in (homes["bob"] / NAME).iterdir()}
    paths = (ROOT / "assignments" / NAME).iterdir()
    expected = {path.name: path.read_bytes() for path in paths if path.is_file()}
    assert same_expected(fetched.pop(EXPECTED), expected.pop(EXPECTED))
    assert fetched == expected
    assert [path.parent.name for path in course.root.rglob("*.db")] == ["course"]

    mistaken = filled(course.release(), example("farid-h"))
    cell_of(mistaken, "question-1")["source"] = ANSWER
    (homes["bob"] / NAME / f"{NAME}.ipynb").write_text(json.dumps(mistaken), encoding="utf-8")
    (homes["carol"] / NAME / f"{NAME}.py").write_text(right, encoding="utf-8")
    for home in homes.values():
        student_runs(home, "submit")
    for command in ("collect", "autograde", "generate_feedback", "release_feedback"):
        course.run(command, NAME)
    assert {name: course.total(name) for name in course.grades()} == {"bob": 16.5, "carol": 20}

    said = {
        "bob": ["The steps earned 16.5 of 20 points.", ANSWER],
        "carol": [f"{NAME}.py was graded: it is the one you worked in"],
    }
    for name, parts in said.items():
        student_runs(homes[name], "fetch_feedback")
        [page] = (homes[name] / NAME).glob(f"feedback/*/{NAME}.html")
        assert [part for part in parts if part not in words(page)] == []
        assert (ANSWER in words(page)) is (name == "bob")
