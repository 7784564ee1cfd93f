"""The example submissions, graded once by the command that the README shows. Tests only look at the folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.command_line import invoke

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
ASSIGNMENT = "self_attention"
# A kept exam, and a limit that an endless step reaches soon.
OPTIONS = ("--assignment", ASSIGNMENT, "--seed", "1", "--timeout", "2")


def graded_examples(once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    return once("graded examples", grade_examples)


def grade_examples(out: Path) -> None:
    places = ["--out", str(out), "--solutions", str(ROOT / "solutions"), "--allow-degraded"]
    submissions = str(ROOT / "examples" / "submissions")
    done = invoke(["grade", submissions, *OPTIONS, *places])
    assert done.exit_code == 0, done.output
