"""Search for the mutants of an assignment that are worth keeping, in a process of its own.

An edited loop may never end, and an edited size may take all memory: each mutant has limits on time and memory, and a
mutant that takes the process with it is left out.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import chain, product
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import psutil

from autograder.assignment.checks import VALUE
from autograder.assignment.source import load_source
from autograder.compare import ABSOLUTE, RELATIVE, agrees, closest, distance
from autograder.errors import AssignmentError
from autograder.exam.changed_inputs import shaken
from autograder.exam.draw import draw_exam
from autograder.exam.edit_tables import CODES
from autograder.exam.edits import edits_of
from autograder.exam.mutants import (
    Group,
    Hole,
    Mutant,
    StepMutants,
    Workshop,
    dump_steps,
    load_steps,
)
from autograder.exam.reference import flat
from autograder.exam.sketch import sketched
from autograder.values.extent import extent
from autograder.values.values import DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import FrameType

    from autograder.assignment.checks import Check, Criterion, Probe
    from autograder.assignment.source import Source
    from autograder.exam.questions import Origin
    from autograder.exam.reference import Answer, Inputs
    from autograder.values.values import Value

# Two draws tell more mutants apart than one.
SEEDS = (1, 2)
# Draws of which no run's questions come, to look whether a mutant that passes is the right computation.
FURTHER = tuple(f"further {number}" for number in range(4))
# A mutant that is never further from the right numbers than so many tolerances is too small to be told.
SMALL = 3.0
SECONDS = 1.0
MEGABYTES = 2048
# The process is given up if a mutant says nothing for so long: it hangs where no signal reaches it.
_WAIT = 240.0
_MOST_RESTARTS = 20
_HAS_TIMER = hasattr(signal, "setitimer")  # not on Windows: there only silence ends the process
# Is no name of a step.
_REFUSED = "author's files"
_NO_ANSWER = Other("an exception")
_MOST_ORIGINS = 4
_MOST_NUMBERS = 10_000
_BOX = 0.1
_HUGE = 1e100  # sums of larger numbers could be inf


def search_mutants(source: Source, seeds: Sequence[int] = SEEDS) -> dict[str, StepMutants]:
    """Return what was found for each step, on the exams of these seeds.

    Raises AssignmentError if too many mutants end the process.
    """
    left_out: list[int] = []
    for _ in range(_MOST_RESTARTS):
        found, last = _searched(source.assignment.folder, seeds, left_out)
        if found is not None:
            return load_steps(found)
        left_out.append(last)
    raise AssignmentError(
        f"{source.assignment.folder.name}: more than {_MOST_RESTARTS} small edits of the reference end the process "
        "that tries them. Does a step exit, or call something that may crash?"
    )


def _searched(
    folder: Path, seeds: Sequence[int], left_out: list[int]
) -> tuple[dict[str, Any] | None, int]:
    """Return what a process finds, or None and the number of the mutant at which it ended."""
    command = [sys.executable, "-P", "-m", __spec__.name, str(folder)]
    command += [json.dumps(list(seeds)), json.dumps(left_out)]
    last = 0
    lines: queue.Queue[str] = queue.Queue()
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **streams, text=True) as process:
        threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
        try:
            while line := lines.get(timeout=_WAIT):
                if line.startswith("{"):
                    found: dict[str, Any] = json.loads(line)
                    if _REFUSED in found:
                        raise AssignmentError(found[_REFUSED])
                    return found, last
                last = int(line)
        except queue.Empty:
            process.kill()
    return None, last


def _read(stream: Iterable[str], lines: queue.Queue[str]) -> None:
    """Pass the lines of a process on, and an empty one at its end."""
    for line in stream:
        lines.put(line)
    lines.put("")


def main(folder: Path, seeds: list[int], left_out: list[int]) -> None:
    """Search, and write the number of each mutant before it is run, then what was found."""
    lines = _own_output()
    _limit_memory()
    if _HAS_TIMER:
        signal.signal(signal.SIGVTALRM, _too_long)
    try:
        search = _Search(load_source(folder), seeds, frozenset(left_out), lines)
        checks = search.source.assignment.checks
        found = dump_steps({check.name: search.of_step(check) for check in checks})
    except AssignmentError as error:  # the inputs of these exams differ from those of the release
        found = {_REFUSED: str(error)}
    _tell(lines, json.dumps(found))


def _own_output() -> IO[str]:
    """Return the standard output as it was. What a mutant prints from now on goes nowhere."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return lines


def _tell(lines: IO[str], line: str) -> None:
    lines.write(f"{line}\n")
    lines.flush()


class _Useless(Exception):
    """A mutant gives no answer that can be compared."""


class _TooLong(BaseException):
    """A mutant does not end. Not an Exception, so that no handler in the reference catches it."""


def _too_long(_: int, __: FrameType | None) -> None:
    raise _TooLong


def _limit_memory() -> None:
    with contextlib.suppress(ModuleNotFoundError):  # not on Windows
        import resource  # noqa: PLC0415

        limit = psutil.Process().memory_info().vms + MEGABYTES * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


@dataclass
class _Found:
    """A group in the making."""

    criterion: str
    answers: list[Value]
    origins: dict[Origin, Mutant] = field(default_factory=dict)


class _Groups:
    """The groups of a step, to be searched by their answers.

    Groups are kept by a sum of all their numbers, in boxes: equal answers lie in the same box or in two neighbours.
    """

    def __init__(self) -> None:
        self.found: list[_Found] = []
        self._boxes: dict[tuple[str, int, int], list[_Found]] = defaultdict(list)

    def group(self, criterion: str, answers: list[Value]) -> _Found:
        """Return the group with these answers, which may be new."""
        numbers = np.clip(np.concatenate([flat(answer) for answer in answers]), -_HUGE, _HUGE)
        place = math.floor(float(np.cos(np.arange(numbers.size) ** 2) @ numbers) / _BOX)
        for box in (place, place - 1, place + 1):
            for one in self._boxes[criterion, numbers.size, box]:
                if all(map(agrees, one.answers, answers)):
                    return one
        new = _Found(criterion, answers)
        self.found.append(new)
        self._boxes[criterion, numbers.size, place].append(new)
        return new


@dataclass
class _Judged:
    """What an exam makes of a mutant.

    Attributes:
        criterion: the first criterion that shows it; empty if none does.
        answers: the answers to the questions of this criterion.
        passes: the numbers of the exams in which it gets all points.
        raised: it gives no answer that can be compared, so it is told from the right code in any case.
    """

    criterion: str = ""
    answers: list[Value] = field(default_factory=list)
    passes: set[int] = field(default_factory=set)
    raised: bool = False


class _Search:
    """The search for one assignment.

    Args:
        lines: where the number of each mutant is written before it is run.
    """

    def __init__(
        self, source: Source, seeds: list[int], left_out: frozenset[int], lines: IO[str]
    ) -> None:
        self.source = source
        self.lines = lines
        self.seeds = seeds
        self.left_out = left_out
        self.workshop = Workshop(source)
        self.exams = [draw_exam(source, seed) for seed in seeds]
        unexplained = replace(source, mistakes=())
        self.further = [draw_exam(unexplained, seed) for seed in FURTHER]
        self.steps = {check.name for check in source.assignment.checks}
        self.number = 0
        self._made: dict[str, list[tuple[Mutant, Any]]] = {}

    def of_step(self, check: Check) -> StepMutants:
        """Return what was found for a step: its groups, those with the plainest kind of edit first."""
        groups = _Groups()
        step = StepMutants()
        for mutant, made in self._all(check):
            judged = self._judged(check, mutant, made)
            step.count += 1
            step.raised += judged.raised
            if judged.passes:
                self._note(step, check, mutant, made, judged)
            if judged.criterion:
                group = groups.group(judged.criterion, judged.answers)
                group.origins.setdefault(self._origin(check, mutant), mutant)
        step.groups = self._stable(check, groups.found)
        kept = {group.mutant for group in step.groups}
        self._made[check.name] = [one for one in self._made[check.name] if one[0] in kept]
        return step

    def _origin(self, check: Check, mutant: Mutant) -> Origin:
        return (mutant.cell if mutant.cell in self.steps else check.name, mutant.edit.code)

    def _all(self, check: Check) -> Iterator[tuple[Mutant, Any]]:
        """Yield the mutants of a step and of what it calls, but for those that end the process."""
        cells = [name for name in self.workshop.cells if name in self.source.uses[check.name]]
        for cell in cells:
            for mutant, made in self._mutants(cell):
                self.number += 1
                if self.number not in self.left_out:
                    _tell(self.lines, str(self.number))
                    yield mutant, made

    def _judged(self, check: Check, mutant: Mutant, made: Any) -> _Judged:
        judged = _Judged(passes=set(range(len(self.exams))))
        for criterion in check.criteria:
            if criterion.remark:
                continue
            try:
                answers, right = self._answers(check, criterion, mutant.cell, made)
            except (_TooLong, _Useless):
                return _Judged(raised=True)
            if not all(right) and not judged.criterion:
                judged.criterion, judged.answers = criterion.name, answers
            judged.passes -= {number for number, one in enumerate(right) if not one}
            if not judged.passes:
                break
        return judged

    def _note(
        self, step: StepMutants, check: Check, mutant: Mutant, made: Any, judged: _Judged
    ) -> None:
        """Note why a mutant passes: it is the right computation, differs too little, or is not told apart."""
        largest = self._largest_difference(check, mutant.cell, made)
        code = mutant.edit.code
        if largest > SMALL:
            seeds = tuple(self.seeds[number] for number in sorted(judged.passes))
            step.holes.append(Hole(mutant, seeds))
        elif judged.criterion or largest > 1:
            step.too_small[code] = step.too_small.get(code, 0) + 1
        else:
            step.equivalent[code] = step.equivalent.get(code, 0) + 1

    def _largest_difference(self, check: Check, cell: str, made: Any) -> float:
        """Return how far a mutant's value gets from the right one, in tolerances, in exams of no run."""
        criterion = check.criterion(VALUE)
        largest = 0.0
        for question in chain.from_iterable(
            exam.questions_for(check, criterion) for exam in self.further
        ):
            right = question.answers[0].right[0].value
            try:
                answer = self._answer(cell, made, criterion.probes[0], question.inputs)
            except _TooLong:
                answer = None
            if answer is None:
                return math.inf
            size = float(np.abs(flat(right)).max(initial=0.0))
            tolerance = criterion.slack * (ABSOLUTE + RELATIVE * size)
            largest = max(largest, distance(right, answer[0]) / tolerance)
        return largest

    def _answer(self, cell: str, made: Any, probe: Probe, inputs: Inputs) -> Answer:
        """Return what a probe gets with an edited function; None if it raises an exception.

        Raises _TooLong if it does not end.
        """
        with _limited_time():
            return self.workshop.answer(cell, made, probe, inputs)

    def _stable(self, check: Check, found: list[_Found]) -> list[Group]:
        made = {mutant: one for cell in self._made.values() for mutant, one in cell}
        return [
            group
            for group in sorted(map(_group, found), key=_rank_of_group)
            if self._is_stable(check, group, made[group.mutant])
        ]

    def _mutants(self, cell: str) -> list[tuple[Mutant, Any]]:
        """Return the mutants of a function or class whose definition runs.

        Of a step whose groups are known, one of each group is enough.
        """
        if cell not in self._made:
            mutants = [Mutant(cell, edit) for edit in edits_of(self.workshop.cells[cell])]
            self._made[cell] = []
            for mutant in mutants:
                with contextlib.suppress(Exception):  # a default or a base class may be wrong now
                    self._made[cell].append((mutant, self.workshop.made(mutant)))
        return self._made[cell]

    def _answers(
        self, check: Check, criterion: Criterion, cell: str, made: Any
    ) -> tuple[list[Value], list[bool]]:
        """Return the answers to all questions of a criterion, and for each exam whether one probe is right on all.

        Raises _TooLong if a probe does not end; _Useless if the value raises an exception, or an answer is too large
        or has an object: a release would hold the name of its type, which may be a function of the reference.
        """
        answers: list[Value] = []
        right = []
        probes = range(1 if criterion.name == VALUE else len(criterion.all_probes))
        for exam in self.exams:
            wrong = set()
            for question, probe in product(exam.questions_for(check, criterion), probes):
                function = criterion.all_probes[probe]
                answer = self._answer(cell, made, function, question.inputs)
                value = answer[0] if answer is not None else _NO_ANSWER
                raised = answer is None and criterion.name == VALUE
                huge = extent(value).numbers > _MOST_NUMBERS
                if raised or huge or (answer is not None and _has_object(value)):
                    raise _Useless
                answers.append(value)
                wanted = question.answers[probe].right
                if closest(wanted, value, criterion.slack).difference is not None:
                    wrong.add(probe)
            right.append(not wrong.issuperset(probes[: len(criterion.probes)]))
        return answers, right

    def _is_stable(self, check: Check, group: Group, made: Any) -> bool:
        """Return whether other last digits of the inputs lead to the same answer: no other processor gives another."""
        criterion = check.criterion(group.criterion)
        _tell(self.lines, str(self.number))  # that it goes on
        for question in self.exams[0].questions_for(check, criterion):
            inputs = (question.inputs, shaken(question.inputs))
            cell, probe = group.mutant.cell, criterion.probes[0]
            try:
                answers = [self._answer(cell, made, probe, one) for one in inputs]
            except _TooLong:
                return False
            if any(answer is None for answer in answers) and answers[0] is not answers[1]:
                return False
            seen = [sketched(answer[0]) for answer in answers if answer]
            if seen and not seen[0].fits(seen[1].sketch):
                return False
        return True


def _has_object(value: Value) -> bool:
    """Return whether a value has an object of a type that no right answer has."""
    if isinstance(value, ListValue):
        return any(map(_has_object, value.items))
    if isinstance(value, DictValue):
        return any(_has_object(part) for item in value.items for part in item)
    return isinstance(value, Other)


@contextlib.contextmanager
def _limited_time() -> Iterator[None]:
    if not _HAS_TIMER:
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _group(found: _Found) -> Group:
    origins = sorted(found.origins, key=_rank)[:_MOST_ORIGINS]
    return Group(found.criterion, found.origins[origins[0]], tuple(origins))


def _rank(origin: Origin) -> int:
    return CODES.index(origin[1])


def _rank_of_group(group: Group) -> int:
    return _rank(group.origins[0])


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(json.loads, sys.argv[2:]))
