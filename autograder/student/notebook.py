"""`check("step")` in a notebook: run the public checks on the code of the cells run so far.

    from autograder.notebook import check

The student's code runs again in a worker, as under pytest: a hang, an `os._exit` or a crash ends the
step, not the kernel. IPython's events report each cell run; its history has those before this import.
"""

from __future__ import annotations

import atexit
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment.assignment import EXPECTED
from autograder.errors import GraderFault, KitError, UsageError
from autograder.no_warnings import quiet
from autograder.reasons import Reason
from autograder.results import CheckResult, Feedback, Outcome, points_words
from autograder.student.cell_history import CellHistory
from autograder.student.practice import Practice, kept_sandbox
from autograder.student.release_folder import find_release, releases_below, show_cells
from autograder.text import did_you_mean

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.student.cell_history import CellRun
    from autograder.submission.notebook import Pieces

__all__ = ["CannotCheck", "CheckFailed", "check"]


class _OneLine(Exception):
    """An error shown without a traceback. It stops `run all` and fails nbgrader's Validate."""

    def _render_traceback_(self) -> list[str]:
        """Return one line, which IPython shows instead of a traceback."""
        return [str(self)]


class CheckFailed(_OneLine):
    """The step is wrong or not started; the feedback is shown above."""


class CannotCheck(_OneLine, UsageError):
    """The check could not run."""


class Notebook:
    """The notebook of one kernel: its cell history, and the worker that runs the cells again.

    Args:
        shell: IPython's shell.
        folder: the released assignment's folder, where the kernel was started.
    """

    def __init__(self, shell: Any, folder: Path) -> None:
        self.cells = CellHistory()
        self.practice = Practice(folder, kept_sandbox())
        self._shell = shell
        for number, text in enumerate(shell.history_manager.input_hist_raw):
            if text:
                self.cells.remember(number, text)
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)
        self.practice.prepare()

    def check(self, step: object) -> None:
        """Show the step's score and feedback.

        Raises CheckFailed unless the step earns all its points, CannotCheck if it cannot be checked.
        """
        with quiet():  # nbgrader treats any stderr output as a failure
            result = self._result(step)
        if result.score < result.max_score:
            raise CheckFailed(_failure(result))

    def _result(self, step: object) -> CheckResult:
        try:
            self._find_release()
            found = _find(self.practice.exam, step)
            if self._was_run(found.name):
                self.practice.take(self.pieces())
                result = self.practice.check(found.name)
            else:
                result = _never_run(found)
            self._show(result)
        except KeyboardInterrupt:
            raise CannotCheck("The check was interrupted.") from None
        except GraderFault as fault:
            raise CannotCheck(f"The kit itself failed, not your code: {fault}") from None
        except KitError as error:
            raise CannotCheck(str(error)) from None
        except Exception as error:  # noqa: BLE001 - never show a traceback of the kit
            raise CannotCheck(
                f"The kit itself failed, not your code: {type(error).__name__}: {error}"
            ) from None
        return result

    def _find_release(self) -> None:
        """Use the folder where the kernel was started, or the one that the student has changed to."""
        folder = self.practice.folder
        release = find_release(folder, Path.cwd())
        if release is None:
            raise CannotCheck(_no_release(folder))
        self.practice.folder = release

    def _was_run(self, step: str) -> bool:
        """Return whether a cell was run that defines the step or a similar name."""
        if self.cells.define(step):
            return True
        names = {name for run in self.cells.runs for name in run.names}
        steps = {check.name for check in self.practice.exam.assignment.checks}
        return bool(did_you_mean(step, names - steps))

    def pieces(self) -> Pieces:
        """Return the source of the cell runs that still count."""
        return self.cells.pieces(self._counts)

    def _before(self, info: Any) -> None:
        number = int(self._shell.execution_count)
        self.cells.begin(number, str(getattr(info, "cell_id", None) or ""), str(info.raw_cell))

    def _after(self, result: Any) -> None:
        self.cells.end(failed=not result.success)
        if result.success:  # statements that end in the kernel are tried again
            self.practice.try_again(self.cells.runs[-1].text)
        if self.practice.is_loaded:
            self.practice.take(self.pieces())
            self.practice.prepare()

    def _counts(self, run: CellRun) -> bool:
        """Return whether a cell counts: it is neither a check nor a show cell.

        Some front ends send no cell ids, or their own, so show cells are found by text.
        """
        from autograder.submission.notebook import NotebookCell  # noqa: PLC0415 - while the worker starts

        cell = NotebookCell(run.number, kind="code", id=run.cell, source=run.text, tags=())
        return cell.counts and run.text.strip() not in show_cells(self.practice.folder)

    def _show(self, result: CheckResult) -> None:
        from autograder.reports import blocks  # noqa: PLC0415
        from autograder.reports.number_tables import drawn  # noqa: PLC0415

        tables = self.practice.tables(result)
        described = result
        if tables and result.feedback is not None:  # the tables show these numbers
            described = replace(result, feedback=replace(result.feedback, numbers=None))
        parts = [
            *blocks.check_parts(described),
            *self.practice.problems_behind(result),
            *drawn(tables),
            *blocks.printed_parts(result.printed),
        ]
        self._shell.display_pub.publish(blocks.notebook_output(parts))


def _no_release(folder: Path) -> str:
    """Return what to do in a folder without the files that belong beside the notebook."""
    for release in releases_below(folder):
        there = f"`%cd {release.as_posix()}`"
        return f"The files of this notebook are in another folder: run {there} in a cell, then this cell again."
    return (
        f"There is no {EXPECTED} in {folder}. The notebook needs the files that came with it, in the zip file "
        "that you were given. On your computer: open the notebook in the folder of the unpacked zip file. "
        "In Colab: upload the zip file (the folder symbol on the left), run `!unzip -oq *.zip` in a cell, then "
        "this cell again."
    )


def _find(exam: Exam, step: object) -> Check:
    """Return the check named `step`. Raises CannotCheck, with the nearest name, if there is none."""
    checks = {check.name: check for check in exam.assignment.checks}
    if isinstance(step, str) and step in checks:
        return checks[step]
    if step is None:
        known = "\n".join(f'    check("{name}")' for name in checks)
        raise CannotCheck(f"Which step? There are:\n{known}")
    if not isinstance(step, str):
        name = getattr(step, "__name__", "")
        call = f'check("{name}")' if name in checks else f'check("{next(iter(checks))}")'
        raise CannotCheck(f"check(...) takes the name of a step as text: {call}")
    meant = did_you_mean(step, checks) or "check() lists the steps."
    raise CannotCheck(f"There is no step called {step[:60]!r}. {meant}")


def _failure(result: CheckResult) -> str:
    points = points_words(result)
    if result.outcome is Outcome.NOT_STARTED:
        return f"{result.step}: not started yet, {points}"
    return f"{result.step}: {points} - the message in its check cell says why"


def _never_run(check: Check) -> CheckResult:
    message = (
        f"This kernel has not run a cell that defines `{check.name}`: "
        f"run the cell that defines `{check.name}` first, then this one."
    )
    feedback = Feedback(Outcome.MISSING, message=message, reasons=(Reason.NOT_DEFINED,))
    return CheckResult(check.name, 0.0, check.points, Outcome.MISSING, feedback)


def _this_notebook() -> Notebook | None:
    """Return the notebook of this process; None if IPython is not running here."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return None
    notebook = Notebook(shell, Path.cwd())
    atexit.register(notebook.practice.close)
    return notebook


_NOTEBOOK = _this_notebook()


def check(step: str | None = None) -> None:
    """Run the public checks of a step on the cells that you have run; show points and feedback.

    Args:
        step: the name of the step, such as "attention_scores".
    Raises:
        CheckFailed: the step is not completely right; the message above says what to look at.
        CannotCheck: the check could not run: for example, there is no such step, or this is not
            a notebook.
    """
    if _NOTEBOOK is None:
        raise CannotCheck("check(...) works in a notebook. Here, run `pytest` in this folder.")
    _NOTEBOOK.check(step)
