"""Scenarios in real kernels: what `check` shows and what the saved file earns. They agree, or the words say why not."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam.expected_json import load_release
from autograder.grading.grade import grade
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from tests.commands.released_steps import copied_release
from tests.student.kernel import Kernel
from tests.student.scenarios import SCENARIOS, Edit, Restart, Run, Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from autograder.results import Result
    from autograder.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.slow

# A new kernel for each scenario would cost two seconds: this one forgets what was run.
_FORGET = """
get_ipython().reset(new_session=False)
from autograder.student import notebook_check as _kit
_kit._NOTEBOOK.cells.runs.clear()
_kit._NOTEBOOK._passed.clear()
from autograder.notebook import check
"""
_NAME = "self_attention.ipynb"


@dataclass
class Front:
    """A front end: the notebook on the screen, its kernel, and its file.

    Attributes:
        sends: whether it sends the cells' ids, and the kernel finds the file.
    """

    folder: Path
    kernel: Kernel
    sends: bool
    released: list[dict[str, Any]]
    cells: list[dict[str, Any]] = field(default_factory=list)

    def begin(self) -> None:
        self.cells = copy.deepcopy(self.released)
        self.forget()

    def forget(self) -> None:
        self.kernel.run(_FORGET)
        self.kernel.run("_kit._NOTEBOOK.cells.runs.clear()")
        self.run(Run("setup"))

    def do(self, one: Run | Edit | Restart) -> None:
        match one:
            case Restart():
                self.forget()
            case Edit(cell, None):
                self.cells = [other for other in self.cells if other["id"] != cell]
            case Edit(cell, text, after):
                self._put(cell, text, after)
            case Run():
                self.run(one)

    def run(self, one: Run) -> None:
        if one.text is not None:
            self._put(one.cell, one.text, one.after)
        [cell] = (cell for cell in self.cells if cell["id"] == one.cell)
        self.kernel.run("".join(cell["source"]), one.cell if self.sends else None)

    def _put(self, name: str, text: str | None, after: str) -> None:
        ids = [cell["id"] for cell in self.cells]
        if name in ids:
            self.cells[ids.index(name)]["source"] = text
            return
        cell: dict[str, Any] = {"cell_type": "code", "id": name, "metadata": {}, "source": text}
        place = ids.index(after) + 1 if after else len(ids)
        self.cells.insert(place, cell | {"outputs": [], "execution_count": None})

    def save(self) -> Path:
        path = self.folder / _NAME
        content = {"cells": self.cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    def check(self, step: str) -> tuple[str, str]:
        """What is shown, and the line of the error."""
        ran = self.kernel.run(f'check("{step}")', f"check_{step}" if self.sends else None)
        assert ran.streams == []
        return "\n\n".join(data["text/plain"] for data in ran.shown), "".join(ran.error)


@pytest.fixture(scope="module", params=["jupyterlab", "colab"])
def front(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    folder = copied_release(tmp_path_factory.mktemp(request.param))
    released = json.loads((folder / _NAME).read_text(encoding="utf-8"))["cells"]
    sends = request.param == "jupyterlab"
    told = {"JPY_SESSION_NAME": str(folder / _NAME)} if sends else {}
    kernel = Kernel(folder, **told)
    kernel.run("import autograder.notebook")
    yield Front(folder, kernel, sends, released)
    kernel.close()


@pytest.fixture(scope="module")
def judged(front: Front, sandbox: Sandbox) -> Callable[[Path], Result]:
    exam = load_release(front.folder)

    def of(path: Path) -> Result:
        [found] = find_hand_ins([path], exam.assignment.name)
        return grade(exam, read_submission(found, exam.assignment), sandbox)

    return of


def test_check_and_grade_agree(front: Front, judged: Callable[[Path], Result]) -> None:
    """In Colab a kernel sees no file and no ids."""
    failures = {}
    for scenario in SCENARIOS:
        if scenario.only_file and not front.sends:
            continue
        if different := differences(front, judged, scenario):
            failures[scenario.name] = different
    assert failures == {}


def differences(front: Front, judged: Callable[[Path], Result], scenario: Scenario) -> list[str]:
    """What is otherwise than the scenario says; empty if all is as it says."""
    front.begin()
    for one in scenario.does:
        front.do(one)
    path = front.save()
    shown, line = front.check(scenario.step)
    words = " ".join(shown.split())
    [result] = (one for one in judged(path).checks if one.step == scenario.step)
    graded = scenario.points if scenario.graded is None else scenario.graded
    alarms = ("run it, then check again", "A later cell", "no cell any more")
    found = []
    if result.score != graded:
        found.append(f"graded {result.score:g}, expected {graded:g}: {result}")
    if f"{scenario.step}, {scenario.points:g} of" not in words:
        found.append(f"not {scenario.points:g} points: {words}")
    if bool(line) != (scenario.points < result.max_score):
        found.append(f"the line of the error: {line!r}")
    if scenario.says not in words:
        found.append(f"{scenario.says!r} is not in: {words}")
    if scenario.graded is None and any(alarm in words for alarm in alarms):
        found.append(f"an alarm: {words}")
    return found
