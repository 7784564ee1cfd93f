"""Search for the mutants of an assignment that an exam does not tell from the right code.

An edited loop may never end, and an edited size may take all memory: each mutant has limits on time and memory.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil

from autograder.assignment.checks import VALUE
from autograder.compare import ABSOLUTE, RELATIVE, closest, distance
from autograder.edits.places import edits_of
from autograder.exam.draw import draw_exam
from autograder.exam.mutants import Hole, Mutant, StepMutants, Workshop
from autograder.exam.reference import flat
from autograder.values.extent import extent
from autograder.values.values import Array, DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from autograder.assignment.checks import Check, Criterion, Probe
    from autograder.assignment.source import Source
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
_HAS_LIMITS = hasattr(signal, "setitimer")  # not on Windows
_NO_ANSWER = Other("an exception")
_MOST_NUMBERS = 10_000
_DECIMALS = 4


def search_mutants(source: Source, seeds: Sequence[int] = SEEDS) -> dict[str, StepMutants]:
    """Return what was found for each step, on the exams of these seeds. What mutants print is dropped.

    Raises AssignmentError for a fault that these exams are the first to meet.
    """
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        contextlib.redirect_stdout(nowhere),
        _limits(),
    ):
        search = _Search(source, seeds)
        return {check.name: search.of_step(check) for check in source.assignment.checks}


class _Useless(Exception):
    """A mutant gives no answer that can be compared."""


class _TooLong(BaseException):
    """A mutant does not end. Not an Exception, so that no handler in the reference catches it."""


def _too_long(_: int, __: FrameType | None) -> None:
    raise _TooLong


@contextlib.contextmanager
def _limits() -> Iterator[None]:
    """Limit the memory of this process in this block, and let `_limited_time` raise _TooLong."""
    if not _HAS_LIMITS:
        yield
        return
    import resource  # noqa: PLC0415 - not on Windows

    handler = signal.signal(signal.SIGVTALRM, _too_long)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        most = psutil.Process().memory_info().vms + MEGABYTES * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGVTALRM, handler)


@contextlib.contextmanager
def _limited_time() -> Iterator[None]:
    if not _HAS_LIMITS:
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class _Search:
    """The search for one assignment."""

    def __init__(self, source: Source, seeds: Sequence[int]) -> None:
        self.source = source
        self.workshop = Workshop(source)
        self.exams = {seed: draw_exam(source, seed) for seed in seeds}
        unexplained = replace(source, mistakes=())
        self.further = [draw_exam(unexplained, seed) for seed in FURTHER]
        self._made: dict[str, list[tuple[Mutant, Any]]] = {}

    def of_step(self, check: Check) -> StepMutants:
        """Return what was found for a step."""
        step = StepMutants()
        kept: dict[object, tuple[Mutant, Any]] = {}
        for mutant, made in self._all(check):
            step.count += 1
            try:
                answers, passes = self._judged(check, mutant.cell, made)
            except (_TooLong, _Useless):
                step.raised += 1
                continue
            if passes:
                largest = self._largest_difference(check, mutant.cell, made)
                if largest > SMALL:
                    step.holes += (Hole(mutant, tuple(sorted(passes))),)
                elif answers or largest > 1:
                    step.too_small += 1
                else:
                    step.equivalent += 1
            if answers:
                kept.setdefault(answers, (mutant, made))
        step.different = len(kept)
        # A step that calls this one has one mutant of those with the same answers.
        self._made[check.name] = [*kept.values()]
        return step

    def _all(self, check: Check) -> Iterator[tuple[Mutant, Any]]:
        """Yield the mutants of a step and of what it calls."""
        for name in self.workshop.cells:
            if name in self.source.uses[check.name]:
                yield from self._mutants(name)

    def _judged(self, check: Check, cell: str, made: Any) -> tuple[tuple[object, ...], set[int]]:
        """Return the answers to the first criterion that shows a mutant, and the exams in which it gets all points.

        Raises _TooLong or _Useless as `_answers` does.
        """
        shown: tuple[object, ...] = ()
        passes = {*self.exams}
        for criterion in check.criteria:
            if passes and not criterion.remark:
                answers, right = self._answers(check, criterion, cell, made)
                if right != {*self.exams} and not shown:
                    shown = (criterion.name, *(_rounded(answer) for answer in answers))
                passes &= right
        return shown, passes

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

    def _mutants(self, cell: str) -> list[tuple[Mutant, Any]]:
        """Return the mutants whose definition runs; of a step that was searched, one with each answer."""
        if cell not in self._made:
            self._made[cell] = []
            for edit in edits_of(self.workshop.cells[cell]):
                mutant = Mutant(cell, edit)
                with contextlib.suppress(Exception):  # a default or a base class may be wrong now
                    self._made[cell].append((mutant, self.workshop.made(mutant)))
        return self._made[cell]

    def _answers(
        self, check: Check, criterion: Criterion, cell: str, made: Any
    ) -> tuple[list[Value], set[int]]:
        """Return the answers to all questions of a criterion, and the seeds of the exams in which one probe is right.

        Raises _TooLong if a probe does not end; _Useless if the value raises an exception, or an answer is too large
        or has an object.
        """
        answers: list[Value] = []
        right = set()
        probes = range(1 if criterion.name == VALUE else len(criterion.all_probes))
        for seed, exam in self.exams.items():
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
            if not wrong.issuperset(probes[: len(criterion.probes)]):
                right.add(seed)
        return answers, right


def _rounded(value: Value) -> object:
    """Return an answer as what equal ones share: its form, and its numbers rounded."""
    match value:
        case Array(data=data):
            whole = data.dtype.kind not in "fc"
            numbers = data if whole else np.round(data, _DECIMALS) + 0.0
            form = (value.kind, value.dtype, data.shape, value.requires_grad)
            return *form, numbers.tobytes()
        case ListValue():
            return value.kind, tuple(map(_rounded, value.items))
        case DictValue():
            return tuple((_rounded(key), _rounded(one)) for key, one in value.items)
        case float():
            return "float", repr(round(value, _DECIMALS) + 0.0)
    return type(value).__name__, repr(value)


def _has_object(value: Value) -> bool:
    """Return whether a value has an object of a type that no right answer has."""
    if isinstance(value, ListValue):
        return any(map(_has_object, value.items))
    if isinstance(value, DictValue):
        return any(_has_object(part) for item in value.items for part in item)
    return isinstance(value, Other)
