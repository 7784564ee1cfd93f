"""Mutants: the reference with a small edit. Each must lose points in every exam; `mutants.json` has those that do not.

`autograder build` searches for them (`mutant_search.py`) and refuses those that the author did not declare.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment.probes import reset_state
from autograder.edits.places import Edit, edited, edits_of, normalised
from autograder.exam.reference import try_to_observe
from autograder.records import RecordError, load_json, read, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.assignment.checks import Probe
    from autograder.assignment.source import Source
    from autograder.exam.reference import Answer, Inputs

MUTANTS = "mutants.json"


@dataclass(frozen=True)
class Mutant:
    """The reference with a small edit.

    Attributes:
        cell: the edited function or class of the reference.
    """

    cell: str
    edit: Edit


@dataclass(frozen=True)
class Hole:
    """A mutant that an exam does not tell from the right code, although it is wrong.

    Attributes:
        seeds: the exams in which it passes.
    """

    mutant: Mutant
    seeds: tuple[int, ...]


@dataclass
class StepMutants:
    """The mutants of one step and of what it calls.

    Attributes:
        count: how many there are.
        raised: how many give no answer that can be compared: they raise, do not end, or give something huge or an
            object of another type.
        equivalent, too_small: how many pass since they compute the same, or nearly.
        different: how many different wrong answers there are.
        holes: those that pass and should not.
    """

    count: int = 0
    raised: int = 0
    equivalent: int = 0
    too_small: int = 0
    different: int = 0
    holes: tuple[Hole, ...] = ()

    @property
    def figures(self) -> dict[str, int]:
        """How many there are, and what an exam makes of them."""
        return {
            "small edits": self.count,
            "give no answer": self.raised,
            "different wrong answers": self.different,
            "compute the same": self.equivalent,
            "differ too little": self.too_small,
            "pass and should not": len(self.holes),
        }


class Workshop:
    """One module of the reference in which one function or class at a time is edited."""

    def __init__(self, source: Source) -> None:
        self.module = source.reference({})
        self.cells = {
            cell.id: normalised(cell.source)
            for cell in (*source.script, *source.restated)
            if cell.kind == "step"
        }

    def made(self, mutant: Mutant) -> Any:
        """Return the edited function or class. Raises what its definition raises."""
        space = vars(self.module)
        right = space[mutant.cell]
        try:
            exec(edited(self.cells[mutant.cell], mutant.edit), space)
            return space[mutant.cell]
        finally:
            space[mutant.cell] = right

    def answer(self, cell: str, made: Any, probe: Probe, inputs: Inputs) -> Answer:
        """Return what a probe gets with an edited function; None if it raises an exception."""
        space = vars(self.module)
        right = space[cell]
        space[cell] = made
        try:
            reset_state()
            return try_to_observe(probe, self.module, inputs)
        finally:
            space[cell] = right


def read_mutants(source: Source) -> dict[str, StepMutants] | None:
    """Return an assignment's mutants by step; None unless they were found with its present source.

    In another source, a place may hold other code: its edit would be another one than its name says.
    """
    try:
        content = load_json((source.assignment.folder / MUTANTS).read_bytes())
        if content["digest"] == mutants_digest(source):
            return read(dict[str, StepMutants], content["steps"])
    except (OSError, RecordError, LookupError, TypeError):  # missing or damaged
        pass
    return None


def dump_mutants(source: Source, steps: Mapping[str, StepMutants]) -> bytes:
    """Return the bytes of `mutants.json`."""
    return to_json({"digest": mutants_digest(source), "steps": steps})


def mutants_digest(source: Source) -> str:
    """Return the digest of all that decides which mutants there are: what is edited, what asks it, edits and search."""
    cells = (*source.script, *source.restated)
    parts = [cell.source for cell in cells if cell.kind in ("given", "step")]
    steps = (normalised(cell.source) for cell in cells if cell.kind == "step")
    parts += [edited(step, edit) for step in steps for edit in edits_of(step)]
    parts += [(source.assignment.folder / "cases.py").read_text(encoding="utf-8")]
    parts += [source.assignment.probes.decode().replace("\r\n", "\n")]
    parts += [(Path(__file__).parent / "mutant_search.py").read_text(encoding="utf-8")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
