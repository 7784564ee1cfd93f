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
from autograder.reports.blocks import as_text, wrapped
from autograder.reports.pytest_text import full_text, remarks, what_next
from autograder.reports.step_state import where_to_begin
from autograder.results import Outcome, paragraphs
from autograder.student.hint_levels import blocks_after_a_pass
from autograder.student.practice import Practice, kept_sandbox
from autograder.student.release_folder import the_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.assignment.checks import Check
    from autograder.commands.options import WatchOptions
    from autograder.results import Block, CheckResult

# Milliseconds. Some editors write a file twice; the first check begins after the last number.
_QUIET = 30
_STEP = 10
_FIRST = 100
_END = "Ctrl-C ends this."
_NARROWEST, _WIDEST = 40, 100


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
        self._right: set[str] | None = None

    def run(self) -> None:
        """Check the work now and at each save, until Ctrl-C ends it."""
        begun = False
        for saved in self._saves():
            if saved or not begun:  # the folder is watched already: no save is missed
                self._check()
            begun = True

    def _saves(self) -> Iterator[bool]:
        """Yield whether a source file was saved, again and again."""
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
            yield bool(changes)

    def _check(self) -> None:
        """Check the work, and show how far it is, which steps are right since the last save, and what is next."""
        _clear()
        say("checking ...")
        try:
            self.practice.take_file()
            self.results = [*self.practice.check_all()]
            message = self._words(_width())
        except KitError as error:  # the file cannot be read, or no worker can be started
            message = [wrapped(str(error), _width())]
        self.practice.prepare()
        _clear()
        say("\n\n".join([*filter(None, message), f"{_END}\n"]))

    def _words(self, width: int) -> list[str]:
        right = {result.step for result in self.results if result.is_full}
        new = right - self._right if self._right is not None else set()
        self._right = right | (self._right or set())
        blocks = [*paragraphs(self.practice.note)]
        for check in self._checks:
            if check.name in new:
                blocks += (*paragraphs(f"`{check.name}` is right."), *blocks_after_a_pass(check))
        about = self.practice.problems()
        beside = remarks(self.results, width)
        return [
            self._progress(),
            as_text([*blocks, *about], width),
            beside,
            self._next(about, width),
        ]

    @property
    def _open(self) -> CheckResult | None:
        """The step to work on next."""
        return where_to_begin(self.results)

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

    def _next(self, about: Sequence[Block], width: int) -> str:
        """Return the words on the first fault, or what is next or left to do."""
        if self._open is not None and self._open.outcome is not Outcome.NOT_STARTED:
            return full_text(self._open, width, about)
        left = self.practice.left_to_do()
        steps = self.practice.exam.assignment.points
        return what_next(self.results, steps, left, width, then="save the file")


def _sign(result: CheckResult) -> str:
    """Return a step's sign in the line of progress: right, not started, or started."""
    if result.is_full:
        return "#"
    return "." if result.outcome is Outcome.NOT_STARTED else "x"


def _clear() -> None:
    if sys.stdout.isatty():
        click.clear()


def _width() -> int:
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
