"""How a step is judged: checks, their criteria and points, and the probes that observe it.

An assignment's `test_<name>.py` holds ordinary test functions with the two arguments `student` (the module) and
`case` (its inputs). Such a function is a *probe*: it calls the student's step and returns what it saw. It never judges.

    @check(points=2, documented=0.5)
    def test_attention_scores(student, case):
        '''Expected in words; the student reads this line.'''
        return student.attention_scores(case.queries, case.keys)

`criterion` adds a further way to look at the same step, `alternative` another way to ask that is as good, `remark`
a look at what is right but worth knowing.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from autograder.errors import AssignmentError

Probe = Callable[..., object]

VALUE = "value"
DOCUMENTED = "documented"
_PREFIX = "test_"


@dataclass(frozen=True)
class Criterion:
    """One way to look at a step.

    Attributes:
        name: `value`, `documented` or what the assignment calls it.
        points: what it is worth.
        probes: any one of them that comes out right is enough.
        expects: what is right, in words; `look`: where to look when it is not, if not where the check says.
        alone: it counts even where the step's value is wrong.
        slack: by how much the tolerance is multiplied.
        remark: the words for what is right but worth knowing; such a criterion costs nothing.
    """

    name: str
    points: float
    probes: tuple[Probe, ...]
    expects: str
    alone: bool = False
    slack: float = 1.0
    look: str = ""
    remark: str = ""


@dataclass(frozen=True)
class Check:
    """How one step is judged; it bears the step's name.

    Attributes:
        expects: what is right, in words: the first paragraph of the probe's docstring.
        look: where to look when it is not: the rest of it.
        returns: what the parts of the returned sequence are called.
        differentiable: a result through which no gradient reaches the inputs is worth a remark.
        carried: of what a mistake costs, the share that it costs here if an earlier step already paid for it.
    """

    name: str
    criteria: tuple[Criterion, ...]
    expects: str
    look: str
    returns: tuple[str, ...] = ()
    differentiable: bool = True
    carried: float = 0.5

    @property
    def points(self) -> float:
        """What the step is worth."""
        return sum(criterion.points for criterion in self.criteria)

    def has(self, name: str) -> bool:
        """Whether there is a criterion called `name`."""
        return any(criterion.name == name for criterion in self.criteria)

    def criterion(self, name: str) -> Criterion:
        """The criterion called `name`."""
        return next(criterion for criterion in self.criteria if criterion.name == name)


def check(
    *,
    points: float,
    documented: float = 0.0,
    returns: tuple[str, ...] = (),
    slack: float = 1.0,
    differentiable: bool = True,
    carried: float = 0.5,
) -> Callable[[Probe], Probe]:
    """Make a test function the check of the step that it is named after.

    Args:
        points: what the whole step is worth, all its criteria together.
        documented: how much of that is for the same probe on the documents' inputs.
        returns: what the parts are called, where the step returns a sequence.
        slack: factor on the tolerance.
        differentiable: whether a result that carries no gradient back to the inputs is worth a remark.
        carried: of what a mistake costs, the share that it costs here if an earlier step already paid for it.
    """

    def declare(probe: Probe) -> Probe:
        expects, look = _words(probe)
        criteria = [Criterion(VALUE, points - documented, (probe,), expects, slack=slack)]
        if documented:
            criteria.append(Criterion(DOCUMENTED, documented, (probe,), expects))
        name = probe.__name__.removeprefix(_PREFIX)
        _attach(
            probe, Check(name, tuple(criteria), expects, look, returns, differentiable, carried)
        )
        return probe

    return declare


def criterion(
    test: Probe, name: str, *, points: float, alone: bool = False, slack: float = 1.0
) -> Callable[[Probe], Probe]:
    """Make a function a further criterion of `test`'s check; its points are taken from the check's value.

    A criterion called `documented` is asked on the documents' inputs, every other one on drawn inputs.
    """

    def declare(probe: Probe) -> Probe:
        found = declared(test)
        value, *others = found.criteria
        value = replace(value, points=value.points - points)
        expects, look = _words(probe)
        others.append(Criterion(name, points, (probe,), expects, alone, slack, look))
        _attach(test, replace(found, criteria=(value, *others)))
        return probe

    return declare


def remark(test: Probe, name: str, *, says: str) -> Callable[[Probe], Probe]:
    """Make a function a look at what is right but worth knowing.

    Where it sees other than in the reference, `says` is said. It is asked only where the step's value is right, and
    costs nothing.
    """

    def declare(probe: Probe) -> Probe:
        found = declared(test)
        criterion = Criterion(name, 0.0, (probe,), says, remark=says)
        _attach(test, replace(found, criteria=(*found.criteria, criterion)))
        return probe

    return declare


def alternative(test: Probe) -> Callable[[Probe], Probe]:
    """Make a function another way to ask for `test`'s value: right on either is right."""

    def declare(probe: Probe) -> Probe:
        found = declared(test)
        value, *others = found.criteria
        value = replace(value, probes=(*value.probes, probe))
        _attach(test, replace(found, criteria=(value, *others)))
        return probe

    return declare


def declared(test: object) -> Check:
    """The check that a test function was declared as."""
    found: Check = vars(test)["check"]
    return found


def is_check(thing: object) -> bool:
    """Whether `thing` is a test function that was declared as a check."""
    return isinstance(thing, types.FunctionType) and isinstance(vars(thing).get("check"), Check)


def checks_of(module: types.ModuleType) -> tuple[Check, ...]:
    """The checks that a module declares, in their order."""
    return tuple(declared(thing) for thing in vars(module).values() if is_check(thing))


def run_source(source: bytes, name: str) -> types.ModuleType:
    """Run an assignment's own source as a module that nobody can import by name."""
    module = types.ModuleType(name)
    exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    return module


def _attach(probe: Any, found: Check) -> None:
    probe.check = found


def _words(probe: Probe) -> tuple[str, str]:
    words = inspect.getdoc(probe)
    if not words:
        raise AssignmentError(
            f"`{probe.__name__}` has no docstring; its first paragraph says to the student what is right."
        )
    first, _, rest = words.partition("\n\n")
    return " ".join(first.split()), " ".join(rest.split())
