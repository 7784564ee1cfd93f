"""`check("step")` in a notebook: run the public checks on the code of the cells run so far.

    from autograder.notebook import check

The student's code runs again in a worker, as under pytest: a hang, an `os._exit` or a crash ends the
step, not the kernel. IPython's events report each cell run; its history has those before this import.
"""

from __future__ import annotations

import atexit
import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment.catalogue import is_release
from autograder.errors import GraderFault, KitError, UsageError
from autograder.no_warnings import quiet
from autograder.reasons import Reason
from autograder.results import (
    CheckResult,
    Feedback,
    Outcome,
    Skipped,
    WhySkipped,
    points_words,
)
from autograder.sandbox.warm import best_sandbox
from autograder.student.cell_history import CellHistory
from autograder.student.release_folder import no_release, show_cells
from autograder.student.step_checker import StepChecker, practice_limits, start_checker
from autograder.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.reports.number_tables import NumberTable
    from autograder.sandbox.sandbox import Sandbox
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
        self._shell = shell
        self._folder = folder
        self._exam: Exam | None = None
        self._sandbox = _sandbox()
        self._checker: StepChecker | None = None
        self._checked: Pieces = ()
        self._skipped: dict[str, Skipped] = {}  # statements that did not end, by their text
        self._shown: frozenset[str] | None = None
        for number, text in enumerate(shell.history_manager.input_hist_raw):
            if text:
                self.cells.remember(number, text)
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)
        self._warm_up()

    def close(self) -> None:
        """End the worker."""
        self._drop()
        self._sandbox.close()

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
            step_check = _find(self._load_exam(), step)
            if not self._was_run(step_check.name):
                return self._show(_never_run(step_check), ())
            checker = self._checker_of_now()
            result = checker.result(step_check)
            tables = checker.tables(step_check) if result.outcome is Outcome.WRONG else ()
            return self._show(result, tables, checker.problems_behind(result))
        except KeyboardInterrupt:
            self._drop()
            raise CannotCheck("The check was interrupted.") from None
        except GraderFault as fault:
            self._drop()
            raise CannotCheck(f"The kit itself failed, not your code: {fault}") from None
        except KitError as error:
            raise CannotCheck(str(error)) from None
        except Exception as error:  # noqa: BLE001 - never show a traceback of the kit
            self._drop()
            raise CannotCheck(
                f"The kit itself failed, not your code: {type(error).__name__}: {error}"
            ) from None

    def _load_exam(self) -> Exam:
        if self._exam is None:
            from autograder.exam.public import load_release  # noqa: PLC0415 - while the worker starts

            if not is_release(self._folder) and is_release(Path.cwd()):
                self._folder = Path.cwd()  # the student has changed the folder
                self._shown = None
            if not is_release(self._folder):
                raise CannotCheck(no_release(self._folder))
            self._exam = load_release(self._folder)
        return self._exam

    def _was_run(self, step: str) -> bool:
        """Return whether a cell was run that defines the step or a similar name."""
        if self.cells.define(step):
            return True
        names = {name for run in self.cells.runs for name in run.names}
        steps = {check.name for check in self._load_exam().assignment.checks}
        return bool(did_you_mean(step, names - steps))

    def _checker_of_now(self) -> StepChecker:
        """Return a checker of the current cells: the last one, if the counted cells are the same."""
        exam, pieces = self._load_exam(), self.cells.pieces(self._counts)
        if self._checked != pieces:
            self._drop()
        if self._checker is None:
            try:
                self._checker = start_checker(exam, pieces, self._sandbox, self._skipped)
            except GraderFault:
                simpler = self._sandbox.fallback()
                if simpler is None:
                    raise
                self._sandbox.close()
                self._sandbox = simpler
                self._checker = start_checker(exam, pieces, self._sandbox, self._skipped)
            self._checked = pieces
            loaded = self._checker.session.loaded
            self._skipped |= {
                one.text: one
                for one in (loaded.skipped if loaded else ())
                if one.why is not WhySkipped.AFTER_OTHERS
            }
        return self._checker

    def _warm_up(self) -> None:
        """Start a worker for the next check. If the start fails, the check reports the error."""
        with contextlib.suppress(GraderFault, OSError):
            self._sandbox.prepare()

    def _drop(self) -> None:
        if self._checker is not None:
            self._checker.close()
        self._checker = None

    def _before(self, info: Any) -> None:
        number = int(self._shell.execution_count)
        self.cells.begin(number, str(getattr(info, "cell_id", None) or ""), str(info.raw_cell))

    def _after(self, result: Any) -> None:
        self.cells.end(failed=not result.success)
        if result.success:  # statements that end in the kernel are tried again
            ran = self.cells.runs[-1].text
            self._skipped = {text: one for text, one in self._skipped.items() if text not in ran}
        if self._checker is not None and self._checked != self.cells.pieces(self._counts):
            self._drop()
            self._warm_up()

    def _counts(self, run: CellRun) -> bool:
        """Return whether a cell counts: it is neither a check nor a show cell."""
        from autograder.submission.notebook import NotebookCell  # noqa: PLC0415 - while the worker starts

        cell = NotebookCell(run.number, kind="code", id=run.cell, source=run.text, tags=())
        return cell.counts and run.text.strip() not in self._show_cells()

    def _show_cells(self) -> frozenset[str]:
        """Return the texts of the notebook's show cells.

        Some front ends send no cell ids, or their own, so show cells are found by text.
        """
        if self._shown is None:
            self._shown = show_cells(self._folder)
        return self._shown

    def _show(
        self, result: CheckResult, tables: Sequence[NumberTable], problems: str = ""
    ) -> CheckResult:
        from autograder.explain.feedback_text import read_blocks  # noqa: PLC0415
        from autograder.reports import blocks  # noqa: PLC0415
        from autograder.reports.number_tables import drawn  # noqa: PLC0415

        described = result
        if tables and result.feedback is not None:  # the tables show these numbers
            described = replace(result, feedback=replace(result.feedback, numbers=None))
        parts = [
            *blocks.check_parts(described),
            *read_blocks(problems),
            *drawn(tables),
            *blocks.printed_parts(result.printed),
        ]
        self._shell.display_pub.publish(blocks.notebook_output(parts))
        return result


def _sandbox() -> Sandbox:
    """Return the fastest sandbox of this system; a student's own code needs no isolation."""
    return best_sandbox(practice_limits(), layers=("process",))


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
    atexit.register(notebook.close)
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
