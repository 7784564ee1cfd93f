"""What is kept and what counts as graded, also where grading again gives the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.grading.overrides import Overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.grading.task import Graded
from autograder.reports.class_folder import ClassFolder
from autograder.reports.class_record import GradedUnder, load_class
from autograder.results import CheckResult, Outcome, Result, Status
from autograder.submission.hand_in import HandIn

if TYPE_CHECKING:
    from pathlib import Path

CHECKS = (CheckResult("double", 0, 1, Outcome.TIMED_OUT),)
STOPPED = Result("toy", "bob", Status.GRADED, CHECKS, (), False, "", "0.1.0", "r")


def graded(project: Path, timeout: float, *, again: bool = False) -> tuple[set[str], bool]:
    """Grade bob, who is always stopped after the same time; return who was kept, and if he was limited."""
    found = HandIn("bob", project / "bob.py", (project / "bob.py",))
    folder = ClassFolder(project, "r", "toy", ("double",), GradedUnder(timeout, 4096), Overrides())
    beginning = folder.begin([found])
    folder.grade_again(["bob"] if again else [])
    folder.write(Graded(STOPPED))
    folder.finish()
    return folder.kept, "bob" in beginning.limited


def test_who_is_graded_again_is_not_kept_whatever_comes_out(tmp_path: Path) -> None:
    (tmp_path / "bob.py").touch()
    (tmp_path / RUN_FILE).touch()
    assert graded(tmp_path, 5) == (set(), False)
    assert graded(tmp_path, 5) == ({"bob"}, False)
    assert graded(tmp_path, 5, again=True) == (set(), False)
    assert graded(tmp_path, 9) == (set(), True)
    record = load_class(tmp_path)
    assert record is not None
    assert record.by_student["bob"].limits == GradedUnder(9, 4096)
    assert graded(tmp_path, 9) == ({"bob"}, False)
