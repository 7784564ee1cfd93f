"""`autograder doctor`: list the sandbox layers of this machine, and what each stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from autograder.commands import Exit
from autograder.sandbox.layers.all import LAYERS
from autograder.sandbox.limits import Limits
from autograder.sandbox.policy import ONLY_ON_LINUX, missing_layers
from autograder.sandbox.warm import best_sandbox

if TYPE_CHECKING:
    from autograder.commands.options import DoctorOptions
    from autograder.sandbox.layers.status import LayerStatus


def run(_options: DoctorOptions) -> int:
    """Try every layer and print the results. The exit code says whether `grade` would start."""
    sandbox = best_sandbox(Limits())
    try:
        status = sandbox.status()
    finally:
        sandbox.close()
    console = Console()
    console.print(_table(status))
    for layer in LAYERS:
        if layer.optional and not status.get(layer.name, ONLY_ON_LINUX).active:
            console.print(
                f"Grading begins also without `{layer.name}`. Open is then: {layer.stops}."
            )
    missing = missing_layers(status)
    if not missing:
        console.print("This machine can grade strangers' code: every layer was tried out just now.")
        return Exit.DONE
    console.print(
        "`autograder grade` refuses to begin here, unless --allow-degraded is given:",
        *missing,
        sep="\n  ",
        markup=False,
        highlight=False,
    )
    return Exit.NOT_ALL


def _table(status: dict[str, LayerStatus]) -> Table:
    table = Table("layer", "here", "what it stops", "how to get it", show_lines=True)
    for layer in LAYERS:
        found = status.get(layer.name, ONLY_ON_LINUX)
        table.add_row(layer.name, str(found), layer.stops, layer.get if found.missing else "")
    return table
