"""Search for the mutants of an assignment that are worth keeping.

An edited loop may never end, and an edited size may take all memory: each mutant has limits on time and memory.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
from dataclasses import dataclass, field, replace
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil

from autograder.assignment.checks import VALUE
from autograder.compare import ABSOLUTE, RELATIVE, closest, distance
from autograder.exam.draw import draw_exam
from autograder.exam.edit_kinds import CODES
from autograder.exam.edits import edits_of
from autograder.exam.mutants import Group, Hole, Mutant, StepMutants, Workshop
from autograder.exam.reference import flat
from autograder.exam.rounding import shaken
from autograder.exam.sketch import sketched
from autograder.values.extent import extent
from autograder.values.values import DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from autograder.assignment.checks import Check, Criterion, Probe
    from autograder.assignment.source import Source
    from autograder.exam.questions import Origin
    from autograder.exam.reference import Answer, Inputs
    from autograder.exam.sketch import Sketched
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
_MOST_ORIGINS = 4
_MOST_NUMBERS = 10_000


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


@dataclass
class _Found:
    """A group in the making: the answers that its mutants give, and for each kind of edit the first one."""

    criterion: str
    answers: list[Sketched]
    origins: dict[Origin, Mutant] = field(default_factory=dict)

    def gives(self, criterion: str, answers: list[Sketched]) -> bool:
        """Return whether these are the group's answers."""
        return (criterion, len(answers)) == (self.criterion, len(self.answers)) and all(
            one.fits(other.sketch) for one, other in zip(self.answers, answers, strict=True)
        )

    @property
    def group(self) -> Group:
        """The group, with its plainest kinds of edit."""
        origins = sorted(self.origins, key=_rank)[:_MOST_ORIGINS]
        return Group(self.criterion, self.origins[origins[0]], tuple(origins))


def _rank(origin: Origin) -> int:
    return CODES.index(origin[1])


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
        """Return what was found for a step: its groups, those with the plainest kind of edit first."""
        found: list[_Found] = []
        step = StepMutants()
        for mutant, made in self._all(check):
            step.count += 1
            try:
                criterion, answers, passes = self._judged(check, mutant.cell, made)
            except (_TooLong, _Useless):
                step.raised += 1
                continue
            if passes:
                largest = self._largest_difference(check, mutant.cell, made)
                if largest > SMALL:
                    step.holes += (Hole(mutant, tuple(sorted(passes))),)
                elif criterion or largest > 1:
                    step.too_small += 1
                else:
                    step.equivalent += 1
            if criterion:
                same = (one for one in found if one.gives(criterion, answers))
                group = next(same, None) or _Found(criterion, answers)
                if not group.origins:
                    found.append(group)
                group.origins.setdefault(self._origin(check, mutant), mutant)
        made_of = {mutant: made for cell in self._made.values() for mutant, made in cell}
        groups = sorted((one.group for one in found), key=lambda group: _rank(group.origins[0]))
        step.groups = tuple(
            group for group in groups if self._is_stable(check, group, made_of[group.mutant])
        )
        # A step that calls this one has one mutant of each group.
        kept = {group.mutant for group in step.groups}
        self._made[check.name] = [one for one in self._made[check.name] if one[0] in kept]
        return step

    def _origin(self, check: Check, mutant: Mutant) -> Origin:
        steps = {one.name for one in self.source.assignment.checks}
        return (mutant.cell if mutant.cell in steps else check.name, mutant.edit.code)

    def _all(self, check: Check) -> Iterator[tuple[Mutant, Any]]:
        """Yield the mutants of a step and of what it calls."""
        for name in self.workshop.cells:
            if name in self.source.uses[check.name]:
                yield from self._mutants(name)

    def _judged(self, check: Check, cell: str, made: Any) -> tuple[str, list[Sketched], set[int]]:
        """Return the first criterion that shows a mutant, its answers there, and the exams in which it gets all points.

        Raises _TooLong or _Useless as `_answers` does.
        """
        name, sketches, passes = "", [], {*self.exams}
        for criterion in check.criteria:
            if passes and not criterion.remark:
                answers, right = self._answers(check, criterion, cell, made)
                if right != {*self.exams} and not name:
                    name, sketches = criterion.name, list(map(sketched, answers))
                passes &= right
        return name, sketches, passes

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
        """Return the mutants of a function or class whose definition runs.

        Of a step whose groups are known, one of each group is enough.
        """
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
        or has an object: a release would hold the name of its type, which may be a function of the reference.
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

    def _is_stable(self, check: Check, group: Group, made: Any) -> bool:
        """Return whether other last digits of the inputs lead to the same answer: no other processor gives another."""
        criterion = check.criterion(group.criterion)
        exam = next(iter(self.exams.values()))
        for question in exam.questions_for(check, criterion):
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
