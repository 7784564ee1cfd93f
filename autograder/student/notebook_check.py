"""`check("step")` in a notebook: run the public checks on the code of the cells run so far.

    from autograder.notebook import check

The student's code runs again in a worker, as under pytest: a hang, an `os._exit` or a crash ends the
step, not the kernel. IPython's events report each cell run; its history has those before this import.
"""

from __future__ import annotations

import atexit
import sys
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment.assignment import EXPECTED
from autograder.assignment.hints import LEVELS
from autograder.errors import GraderFault, KitError, UsageError
from autograder.no_warnings import quiet
from autograder.reasons import Reason
from autograder.results import Block, CheckResult, Feedback, Outcome, paragraphs, points_words
from autograder.student.cell_history import CellHistory, CellRun, still_count, without_lost
from autograder.student.hint_levels import blocks_after_a_pass, hint_blocks, way_to_a_hint
from autograder.student.practice import Practice, kept_sandbox
from autograder.student.release_folder import (
    cells_aside,
    find_release,
    left_to_do,
    releases_below,
)
from autograder.student.saved_notebook import differences, newest, saved_path
from autograder.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.reports.blocks import Drawn
    from autograder.submission.notebook_work import NotebookCell, Statements, Work

_ALL_RIGHT = "All steps are right in the public checks."

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
        self._passed: set[str] = set()
        self._sends_ids = False  # those of the released cells
        for number, text in enumerate(shell.history_manager.input_hist_raw):
            if text:
                self.cells.remember(number, text)
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)
        self.practice.prepare()

    def check(self, step: object, hint: object = None) -> None:
        """Show the step's score and feedback, or a hint; without a step, a table of all steps and what is next.

        Raises CheckFailed unless the step earns all its points, CannotCheck if it cannot be checked.
        """
        shown = self._progress if step is None else partial(self._step, step)
        with quiet():  # nbgrader treats any stderr output as a failure
            result = self._guarded(shown if hint is None else partial(self._hint, step, hint))
        if result is not None and not result.is_full:
            raise CheckFailed(_failure(result))

    def _guarded(self, checked: Callable[[], CheckResult | None]) -> CheckResult | None:
        try:
            self._find_release()
            return checked()
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

    def _find_release(self) -> None:
        """Use the folder where the kernel was started, or the one that the student has changed to."""
        folder = self.practice.folder
        release = find_release(folder, Path.cwd())
        if release is None:
            raise CannotCheck(_no_release(folder))
        self.practice.folder = release

    def _step(self, step: object) -> CheckResult:
        """Check a step, and show its result."""
        check = _find(self.practice.exam, step)
        name = check.name
        runs, work = self._taken()
        was_run = self._was_run(name, runs) or name in work.aside
        result = self.practice.check(name) if was_run else _never_run(check)
        self._note(result)
        about = paragraphs(" ".join(self._about(name, result, runs)), *work.given)
        if result.is_full:
            after = [*blocks_after_a_pass(check), *self._next(name)]
        else:
            after = [*way_to_a_hint(check, f'`check("{name}", hint=1)`')]
        self._publish(*self._parts(result), *about, *after)
        return result

    def _hint(self, step: object, level: object) -> None:
        check = _find(self.practice.exam, step)
        if type(level) is not int or not 1 <= level <= len(LEVELS):
            raise CannotCheck(f"hint= is a number from 1 to {len(LEVELS)}.")
        following = f'`check("{check.name}", hint={level + 1})`'
        self._publish(*hint_blocks(check, self.practice.folder, following, level))

    def _progress(self) -> None:
        """Show the state of all steps, and what is next."""
        from autograder.explain.feedback_text import total_words  # noqa: PLC0415 - while the worker starts
        from autograder.reports.notebook_text import progress_blocks  # noqa: PLC0415

        _, work = self._taken()
        results = self._all()
        first = next((one.step for one in results if one.step not in self._passed), None)
        words = [f"Next: `{first}`."] if first else [_ALL_RIGHT]
        words = [total_words(results), *words]
        self._publish(*progress_blocks(results), *paragraphs(*words, *work.given), *self._left())

    def _all(self) -> list[CheckResult]:
        """Check all steps; what is known of them already costs nothing."""
        results = list(self.practice.check_all())
        for result in results:
            self._note(result)
        return results

    def _taken(self) -> tuple[list[CellRun], Work]:
        """Take the work in the cells that still count; return their runs, and the work."""
        runs, work = self.work()
        self.practice.take(work.pieces, work.aside)
        return runs, work

    def work(self) -> tuple[list[CellRun], Work]:
        """Return the cell runs that still count, and the work in them."""
        from autograder.submission.notebook_work import NotebookCell, work_of  # noqa: PLC0415 - while the worker starts

        cells = [(run, self._cell(run)) for run in self.cells.runs]
        shows = cells_aside(self.practice.folder).items()
        released = [NotebookCell(0, "code", name, source, ()) for name, source in shows]
        kept = without_lost(still_count(run for run, cell in cells if cell.counts))
        aside = [cell for _, cell in cells if not cell.counts]
        counting = map(self._cell, kept)
        return kept, work_of([*released, *aside, *counting], self.practice.exam.assignment)

    def _cell(self, run: CellRun) -> NotebookCell:
        """Return the cell of a run. Some front ends send no ids, or their own: then its text tells what it is."""
        from autograder.submission.notebook_work import NotebookCell, like  # noqa: PLC0415 - while the worker starts

        self._sends_ids = self._sends_ids or run.cell in self._released or run.cell in self._steps
        if run.like is None and not (run.cell and self._sends_ids):
            run.like = like(run.text, self._released)
        number, known = run.number, "" if run.cell and self._sends_ids else run.like
        own, alike = known or run.cell, bool(known) and known != run.cell
        return NotebookCell(number, "code", own, run.text, (), run=number, alike=alike)

    @property
    def _released_notebook(self) -> Path:
        return self.practice.folder / f"{self.practice.exam.assignment.name}.ipynb"

    @property
    def _steps(self) -> list[str]:
        return [*self.practice.exam.assignment.by_step]

    @cached_property
    def _given(self) -> set[str]:
        """The names that the release gives."""
        sources = self.practice.exam.assignment.sources("given").values()
        return {name for source in sources for name in CellRun(0, "", source).names}

    @cached_property
    def _released(self) -> dict[str, Statements]:
        """The statements of each released cell that is not the student's to write, by its id."""
        from autograder.submission.notebook_work import texts_of  # noqa: PLC0415 - while the worker starts

        given = self.practice.exam.assignment.sources("given")
        found = given | cells_aside(self.practice.folder)
        return {name: texts_of(source) for name, source in found.items()}

    def _before(self, info: Any) -> None:
        self.cells.begin(str(getattr(info, "cell_id", None) or ""), str(info.raw_cell))

    def _after(self, result: Any) -> None:
        self.cells.end(result.execution_count, failed=not result.success)
        if result.success:  # statements that end in the kernel are tried again
            self.practice.try_again(self.cells.runs[-1].text)
        if self.practice.is_loaded:
            self._taken()
            self.practice.prepare()

    # What is said beside a result.

    def _was_run(self, step: str, runs: list[CellRun]) -> bool:
        """Return whether a cell was run that defines the step, or should, or defines a similar name."""
        names = {name for run in runs for name in run.names | run.lost}
        if step in names or any(run.cell == step for run in runs):
            return True
        return bool(did_you_mean(step, names - {*self._steps}))

    def _about(self, step: str, result: CheckResult, runs: list[CellRun]) -> list[str]:
        """Say which run was judged, and how the newest runs and the saved file differ from it."""
        judged = newest(step, runs)
        unread = newest(step, runs, lost=True)
        words = [f"Checked: In [{judged.number}]."] if judged else []
        if unread is not None and (judged is None or unread.number > judged.number):
            words.append(
                f"The newest run that should define `{step}` cannot be read: In [{unread.number}]."
            )
        if result.outcome is Outcome.NOT_STARTED:
            words.append("If you have written code, run its cell first.")
        saved = saved_path(self._shell.user_ns)
        return [*words, *(differences(saved, step, runs, self._given) if saved else ())]

    def _note(self, result: CheckResult) -> None:
        """Remember which steps are right."""
        self._passed.discard(result.step)
        if result.is_full:
            self._passed.add(result.step)

    def _next(self, step: str) -> list[Block | Drawn]:
        """Return what is next after a step that is right."""
        steps = self._steps
        if self._passed.issuperset(steps):
            self._all()  # other steps may have changed since
        later = steps[steps.index(step) :] + steps
        following = next((one for one in later if one not in self._passed), None)
        return [Block(f"Next: `{following}`.")] if following else [Block(_ALL_RIGHT), *self._left()]

    def _left(self) -> list[Block]:
        """Return what is left to do beside the steps."""
        saved, released = saved_path(self._shell.user_ns), self._released_notebook
        left = left_to_do(saved or released, released, is_saved=saved is not None)
        return [*paragraphs("What is left:", *(f"- {words}" for words in left))]

    def _parts(self, result: CheckResult) -> list[Block | Drawn]:
        """Return what is said of a result."""
        from autograder.reports.blocks import check_parts, printed_parts  # noqa: PLC0415 - while the worker starts

        return [
            *check_parts(result),
            *self.practice.expected_numbers(result),
            *self.practice.problems_behind(result),
            *printed_parts(result.printed),
        ]

    def _publish(self, *parts: Block | Drawn) -> None:
        from autograder.reports.blocks import notebook_output  # noqa: PLC0415 - while the worker starts

        self._shell.display_pub.publish(notebook_output(parts))


def _no_release(folder: Path) -> str:
    """Return what to do in a folder without the files that belong beside the notebook."""
    for release in releases_below(folder):
        there = f"`%cd {release.as_posix()}`"
        return f"The files of this notebook are in another folder: run {there} in a cell, then this cell again."
    return (
        f"There is no {EXPECTED} in {folder}. The notebook needs the files that came with it, in the zip file "
        "that you were given. On your computer: open the notebook in the folder of the unpacked zip file. "
        "In Colab: upload the zip file (the folder symbol on the left), run `!unzip -oq '*.zip'` in a cell, then "
        "this cell again."
    )


def _find(exam: Exam, step: object) -> Check:
    """Return the check named `step`. Raises CannotCheck, with the nearest name, if there is none."""
    checks = exam.assignment.by_step
    if isinstance(step, str) and step in checks:
        return checks[step]
    if not isinstance(step, str):
        name = getattr(step, "__name__", "")
        call = f'check("{name}")' if name in checks else f'check("{next(iter(checks))}")'
        raise CannotCheck(f"check(...) takes the name of a step as text: {call}")
    meant = did_you_mean(step, checks) or "check() shows all steps."
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


def check(step: str | None = None, hint: int | None = None) -> None:
    """Run the public checks of a step on the cells that you have run; show points and feedback.

    Without a step, show a table of all steps, your points so far, and what is next.

    Args:
        step: the name of the step, such as "attention_scores".
        hint: show this hint on the step instead: 1 a nudge, 2 where to look, 3 an example on other numbers.
    Raises:
        CheckFailed: the step is not completely right; the message above says what to look at.
        CannotCheck: the check could not run: for example, there is no such step, or this is not
            a notebook.
    """
    if _NOTEBOOK is None:
        raise CannotCheck("check(...) works in a notebook. Here, run `pytest` in this folder.")
    _NOTEBOOK.check(step, hint)
