"""`autograder watch`: check a student's work at each save, and show the first step that is not right.

The folder is watched, not the file: many editors save a new file and rename it.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import click

from autograder.commands import Exit
from autograder.commands.console import say
from autograder.errors import KitError
from autograder.reports.blocks import as_text
from autograder.reports.pytest_text import full_text, what_next
from autograder.reports.step_state import where_to_begin
from autograder.results import Outcome, paragraphs
from autograder.student.hint_levels import blocks_after_a_pass
from autograder.student.practice import Practice, kept_sandbox
from autograder.student.release_folder import the_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.checks import Check
    from autograder.commands.options import WatchOptions
    from autograder.results import CheckResult

# Milliseconds. Some editors write a file twice; the first check is made after the last number.
_QUIET = 30
_STEP = 10
_FIRST = 100
_NARROWEST, _WIDEST = 40, 100
_END = "Ctrl-C ends this."


def run(options: WatchOptions) -> int:
    """Watch until the student quits; return the exit code."""
    with closing(Practice(the_release(options.folder), kept_sandbox())) as practice:
        practice.prepare()
        with suppress(KeyboardInterrupt):
            Watch(practice).run()
    return Exit.DONE


class Watch:
    """What is shown of a student's work, until they quit."""

    def __init__(self, practice: Practice) -> None:
        self.practice = practice
        self.results: list[CheckResult] = []
        self._problem = ""
        self._right: set[str] | None = None

    def run(self) -> None:
        """Check the work now and at each save, until Ctrl-C ends it."""
        for _ in self._saves():
            self._check()
            self._show()

    def _saves(self) -> Iterator[None]:
        """Yield once at first, when the folder is watched already, and after each save of a source file."""
        import watchfiles  # noqa: PLC0415 - no other command needs it

        for changes in watchfiles.watch(
            self.practice.folder,
            recursive=False,
            debounce=_QUIET,
            step=_STEP,
            rust_timeout=_FIRST,
            yield_on_timeout=True,
            watch_filter=lambda _, path: path.endswith((".py", ".ipynb")),
        ):
            if changes or self._right is None:
                yield

    def _check(self) -> None:
        self.results, self._problem = [], ""
        try:
            self.practice.take_file()
            for result in self.practice.check_all():
                self.results.append(result)
        except KitError as error:  # the file cannot be read, or no worker can be started
            self._problem = str(error)
        self.practice.prepare()

    @property
    def _open(self) -> CheckResult | None:
        """The step to work on next."""
        return where_to_begin(self.results)

    def _show(self) -> None:
        """Show how far the work is, which steps are right since the last save, and what is next."""
        width = _width()
        right = {result.step for result in self.results if result.is_full}
        new = right - self._right if self._right is not None else set()
        self._right = right | (self._right or set())
        blocks = [*paragraphs(self.practice.note, self._problem)]
        for check in self._checks:
            if check.name in new:
                blocks += (*paragraphs(f"`{check.name}` is right."), *blocks_after_a_pass(check))
        if not self._problem:
            blocks += self.practice.problems()
        self._print(self._progress(), as_text(blocks, width), self._next(width))

    @property
    def _checks(self) -> tuple[Check, ...]:
        return self.practice.exam.assignment.checks

    def _progress(self) -> str:
        right = sum(result.is_full for result in self.results)
        points = sum(result.score for result in self.results)
        most = self.practice.exam.assignment.max_score
        signs = "".join(map(_sign, self.results))
        head = f"{self.practice.exam.assignment.name} [{signs}]"
        words = f"{right} of {len(self._checks)} steps are right, {points:g} of {most:g} points."
        return f"{head}\n{words}"

    def _next(self, width: int) -> str:
        """Return the words on the first fault, or what is next or left to do."""
        if self._problem:
            return ""
        if self._open is not None and self._open.outcome is not Outcome.NOT_STARTED:
            return full_text(self._open, width)
        steps = [(check.name, check.points) for check in self._checks]
        left = self.practice.left_to_do()
        return what_next(self.results, steps, left, width, then="save the file")

    def _print(self, *parts: str) -> None:
        if sys.stdout.isatty():
            click.clear()
        say("\n\n".join([*filter(None, parts), _END]) + "\n")


def _sign(result: CheckResult) -> str:
    """Return a step's sign in the line of progress: right, not started, or started."""
    if result.is_full:
        return "#"
    return "." if result.outcome is Outcome.NOT_STARTED else "x"


def _width() -> int:
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
