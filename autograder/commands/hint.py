"""`autograder hint`: the next hint on a step, in a released folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import named_step, say
from autograder.exam.expected_json import load_release
from autograder.reports.blocks import as_text
from autograder.student.hint_levels import hint_blocks
from autograder.student.release_folder import the_release

if TYPE_CHECKING:
    from autograder.commands.options import HintOptions


def run(options: HintOptions) -> int:
    """Print the hint; return the exit code."""
    folder = the_release(options.folder)
    check = named_step(options.step, load_release(folder).assignment.by_step)
    how = f"`python -m autograder hint {check.name}`"
    say(as_text(hint_blocks(check, folder, how, options.level)))
    return Exit.DONE
