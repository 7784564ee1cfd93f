"""`autograder check`: what the last check said; if the work was saved since, or was never checked, it is checked."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import named_step, say
from autograder.exam.expected_json import load_release
from autograder.reports.blocks import as_text
from autograder.reports.pytest_text import full_text
from autograder.reports.step_state import where_to_begin
from autograder.student.memory import LAST_CHECKS, recall
from autograder.student.release_folder import the_release

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from autograder.commands.options import CheckOptions
    from autograder.student.memory import LastCheck

_SOURCES = (".py", ".ipynb")


def run(options: CheckOptions) -> int:
    """Show the message on a step; without one, on the first that is not right. Return the exit code."""
    folder = the_release(options.folder)
    checks = load_release(folder).assignment.by_step
    last = _last(folder, [named_step(options.step, checks).name] if options.step else [*checks])
    about = last[-1].about
    shown = where_to_begin(one.result for one in last) or last[-1].result
    say("\n\n".join(filter(None, [as_text(about), full_text(shown, about=about)])))
    return Exit.DONE


def _last(folder: Path, steps: Sequence[str]) -> list[LastCheck]:
    """Return the last check of each step, made now if it is older than the work."""
    # Hidden files are not looked at: Emacs locks a file by a link that leads nowhere.
    sources = [path for path in folder.glob("[!.]*") if path.suffix in _SOURCES]
    saved = max(path.lstat().st_mtime for path in sources)
    last = recall(folder, LAST_CHECKS)
    if all(step in last and last[step].at > saved for step in steps):
        return [last[step] for step in steps]
    from autograder.student.practice import Practice, sandbox_for_one_run  # noqa: PLC0415 - seldom

    with closing(Practice(folder, sandbox_for_one_run(folder))) as practice:
        practice.prepare()
        return [practice.last(practice.check(step)) for step in steps]
