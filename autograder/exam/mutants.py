"""Generated mistakes: the reference with a small edit, as wrong answers that no author wrote down.

`autograder build` searches for them (`mutant_search.py`) and keeps in `mutants.json` those that end, that differ from
the reference, and that differ from each other. A run makes only the answers of these, for a step and a case whose
answer is wrong and shows no written mistake.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment.probes import reset_state
from autograder.exam import edit_kinds, edits
from autograder.exam.edits import Edit, edited
from autograder.exam.questions import GeneratedAnswer, Origin
from autograder.exam.reference import try_to_observe
from autograder.exam.sketch import sketched
from autograder.records import RecordError, load_json, plain, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.assignment.checks import Probe
    from autograder.assignment.source import Source
    from autograder.exam.questions import Question, Request
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
class Group:
    """Mutants that give a step the same answers.

    Attributes:
        criterion: the first criterion that shows the edit.
        mutant: the one that is run.
        origins: for each mutant the edited cell and the code of the edit, each pair once.
    """

    criterion: str
    mutant: Mutant
    origins: tuple[Origin, ...]


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
        groups: the different wrong answers.
        holes: those that pass and should not.
    """

    count: int = 0
    raised: int = 0
    equivalent: int = 0
    too_small: int = 0
    groups: tuple[Group, ...] = ()
    holes: tuple[Hole, ...] = ()

    @property
    def figures(self) -> dict[str, int]:
        """How many there are, and what an exam makes of them."""
        return {
            "small edits": self.count,
            "give no answer": self.raised,
            "different wrong answers": len(self.groups),
            "compute the same": self.equivalent,
            "differ too little": self.too_small,
            "pass and should not": len(self.holes),
        }


class Workshop:
    """One module of the reference in which one function or class at a time is edited."""

    def __init__(self, source: Source) -> None:
        self.module = source.reference({})
        self.cells = {
            cell.id: cell.source
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


class Mutants:
    """The generated mistakes of an assignment, and their answers: each is made when it is first needed.

    Args:
        steps: the mutants by step, if they are not those of the assignment's folder.
    """

    def __init__(self, source: Source, steps: Mapping[str, StepMutants] | None = None) -> None:
        self._source = source
        self._given = steps
        self._answers: dict[Request, tuple[GeneratedAnswer, ...]] = {}
        # Submissions may be graded in parallel, and share one module.
        self._lock = threading.Lock()
        self._workshop: Workshop | None = None
        self._made: dict[str, list[tuple[Group, Any]]] = {}

    def __call__(self, question: Question, probe: int) -> tuple[GeneratedAnswer, ...]:
        """Return the answers to a question, without those that raise an exception."""
        key = question.requests[probe]
        with self._lock:
            if key not in self._answers:
                self._answers[key] = tuple(self._answered(question, probe))
            return self._answers[key]

    def _answered(self, question: Question, probe: int) -> Iterator[GeneratedAnswer]:
        check = next(
            check for check in self._source.assignment.checks if check.name == question.step
        )
        function = check.criterion(question.criterion).all_probes[probe]
        self._workshop = self._workshop or Workshop(self._source)
        groups = self._of_step(question.step, self._workshop)
        for number, (group, made) in enumerate(groups):
            if group.criterion != question.criterion:
                continue
            answer = self._workshop.answer(group.mutant.cell, made, function, question.inputs)
            if answer is not None:
                yield GeneratedAnswer(number, group.origins, sketched(answer[0]).sketch)

    @functools.cached_property
    def _steps(self) -> Mapping[str, StepMutants]:
        if self._given is not None:
            return self._given
        return read_mutants(self._source) or {}

    def _of_step(self, step: str, workshop: Workshop) -> list[tuple[Group, Any]]:
        if step not in self._made:
            groups = self._steps.get(step, StepMutants()).groups
            self._made[step] = [(group, workshop.made(group.mutant)) for group in groups]
        return self._made[step]


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
    """Return the bytes of `mutants.json`: a line for each group."""
    entries = []
    for name, entry in plain(steps).items():
        rows = (json.dumps(group, separators=(",", ":")) for group in entry.pop("groups"))
        lines = ",\n".join(rows)
        rest = json.dumps(entry)[1:]
        entries.append(f'{json.dumps(name)}: {{"groups": [\n{lines}\n], {rest}')
    every = ",\n".join(entries)
    return f'{{"digest": "{mutants_digest(source)}", "steps": {{\n{every}\n}}}}\n'.encode()


def mutants_digest(source: Source) -> str:
    """Return the digest of all that decides which mutants there are: what is edited, what asks it, edits and search."""
    cells = (*source.script, *source.restated)
    parts = [cell.source for cell in cells if cell.kind in ("given", "step")]
    parts += [(source.assignment.folder / "cases.py").read_text(encoding="utf-8")]
    parts += [source.assignment.probes.decode().replace("\r\n", "\n")]
    parts += map(inspect.getsource, (edits, edit_kinds))
    parts += [(Path(__file__).parent / "mutant_search.py").read_text(encoding="utf-8")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
