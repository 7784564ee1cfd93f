"""`autograder doctor`: which layers of the sandbox this machine offers, and what each stops."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from autograder.sandbox.layers.all import LAYERS
from autograder.sandbox.layers.base import NOT_NEEDED
from autograder.sandbox.limits import Limits
from autograder.sandbox.policy import lacking
from autograder.sandbox.warm import best_sandbox

EXIT_SAFE = 0
EXIT_LACKING = 1


def run_doctor() -> int:
    """Try every layer, print what was found; the exit code says whether `grade` would begin."""
    sandbox = best_sandbox(Limits())
    try:
        survey = sandbox.survey()
    finally:
        sandbox.close()
    console = Console()
    console.print(_table(survey))
    missing = lacking(survey)
    if not missing:
        console.print("This machine can grade strangers' code: every layer was tried out just now.")
        return EXIT_SAFE
    console.print("`autograder grade` refuses to begin here, unless --allow-degraded is given:")
    for line in missing:
        console.print(f"  {line}", markup=False, highlight=False)
    return EXIT_LACKING


def _table(survey: dict[str, str]) -> Table:
    table = Table("layer", "here", "what it stops", "how to get it", show_lines=True)
    for layer in LAYERS:
        why_not = survey.get(layer.name, "not here: only on Linux")
        is_open = why_not and not why_not.startswith(NOT_NEEDED)
        table.add_row(layer.name, why_not or "works", layer.stops, layer.get if is_open else "")
    return table
