"""The two simplest graders: an interpreter that runs the file once, and pytest with course tests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from benchmarks.peers.course_tests import IMPORTS, CourseTest
from benchmarks.peers.environment import call

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.peers.answers import Answer

_ONCE = "import torch, runpy, sys; runpy.run_path(sys.argv[1])"


class Interpreter:
    """A fresh interpreter that imports torch and runs the file, without grading."""

    name = "python: import torch, run the file"

    def __init__(self, folder: Path, answers: list[Answer]) -> None:
        self._folder = folder
        folder.mkdir()
        for answer in answers:
            (folder / f"{answer.name}.py").write_text(answer.module)

    def command(self, answer: Answer) -> list[str]:
        """Return the command to grade one answer."""
        return [sys.executable, "-c", _ONCE, str(self._folder / f"{answer.name}.py")]

    def grade(self, answer: Answer) -> None:
        """Run the answer once, even if the answer raises."""
        call(self.command(answer), self._folder, allowed=(0, 1))


class Pytest:
    """A pytest process for each answer, with the course's tests in the same folder."""

    name = "pytest, a process each"

    def __init__(self, folder: Path, answers: list[Answer], tests: list[CourseTest]) -> None:
        self._folder = folder
        self._points = {f"test_{test.step}": test.points for test in tests}
        functions = "\n\n\n".join(test.function() for test in tests)
        text = f"{IMPORTS}\n\nfrom self_attention import *\n\n\n{functions}\n"
        for answer in answers:
            place = folder / answer.name
            place.mkdir(parents=True)
            (place / "self_attention.py").write_text(answer.module)
            (place / "test_answers.py").write_text(text)
            (place / "pytest.ini").write_text("[pytest]\naddopts = -q -p no:cacheprovider\n")

    def command(self, answer: Answer) -> list[str]:
        """Return the command to grade one answer."""
        place = self._folder / answer.name
        report = f"--junitxml={place / 'report.xml'}"
        return [sys.executable, "-m", "pytest", report, f"--rootdir={place}", str(place)]

    def grade(self, answer: Answer) -> float:
        """Return the points of the passed tests."""
        place = self._folder / answer.name
        call(self.command(answer), place, allowed=(0, 1, 2))
        cases = ET.parse(place / "report.xml").iter("testcase")
        return sum(self._points.get(str(case.get("name")), 0.0) for case in cases if not len(case))
