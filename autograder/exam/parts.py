"""Parts of attention that few steps have, by what is written in a step's reference."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.assignment.script import solution_lines

if TYPE_CHECKING:
    from autograder.assignment.source import Source

# What the name of a function or a variable has in it that makes a part, or may make it.
_NAMES = {
    "dropout": "dropout|bernoulli",
    "mask": "mask|tri[lu]|causal|where",
    "activation": "[rgs]elu|silu|tanh|sigmoid|where|clamp|clip|maximum",
}


def parts_of(source: Source) -> dict[str, list[str]]:
    """Return for each step the parts that its reference has, with the steps that it calls."""
    found = {}
    for check in source.assignment.checks:
        used = source.uses[check.name]
        cells = tuple(cell for cell in source.script if cell.id in used)
        text = "\n".join(solution_lines(cells)).lower()
        found[check.name] = [part for part, names in _NAMES.items() if re.search(names, text)]
    return found
