"""`autograder reset`: the stub of a step again, in the file that is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import named_step, say
from autograder.exam.expected_json import load_release
from autograder.student.release_folder import file_to_check, the_release
from autograder.student.step_reset import reset_step

if TYPE_CHECKING:
    from autograder.commands.options import ResetOptions


def run(options: ResetOptions) -> int:
    """Reset the step and say where the student's text is; return the exit code."""
    folder = the_release(options.folder)
    assignment = load_release(folder).assignment
    stub = named_step(options.step, assignment.sources("step"))
    path, _ = file_to_check(folder, assignment)
    kept = reset_step(path, options.step, stub)
    words = (
        f"`{options.step}` in {path.name} is as it was released. What you had is in {kept.name}."
    )
    if path.suffix == ".ipynb":
        words += " If the notebook is open, close its tab without saving and open it again."
    say(words)
    return Exit.DONE
